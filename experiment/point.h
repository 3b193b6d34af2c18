/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Points of an experiment: their indices and their lines. */
#ifndef ODONATA_EXPERIMENT_POINT_H
#define ODONATA_EXPERIMENT_POINT_H

#include "experiment/sweep/sweep.h"
#include "experiment/world.h"
#include "saturation/bound.h"
#include "saturation/saturation.h"

/** Indices of a point; curves vary slowest, seeds fastest. */
typedef struct odo_point {
	uint32_t number, curve, pattern, load, seed;
} odo_point;

odo_point odo_point_of(const odo_experiment *x, uint32_t number);

/** Columns of the CSV for this experiment; and the column that a table or bar chart shows. */
const char *odo_point_columns(const odo_experiment *x);
const char *odo_point_main_column(odo_experiment_kind kind);

/** Number of a column from 1, which is "point"; 0 if there is none.
 * @param columns comma-separated, without "point", up to a newline or the end */
unsigned odo_point_column_in(const char *columns, const char *name);
/** The same in the experiment's CSV. */
unsigned odo_point_column(const odo_experiment *x, const char *name);

/** Find the start of a line's column; commas in quotes do not count. It is the line's end if the
 * line has fewer columns. */
const char *odo_point_field(const char *line, unsigned column);

/** Return the index of a line's outcome in odo_experiment_outcomes; their number if none. */
unsigned odo_point_outcome(const odo_experiment *x, const char *line);

/** Room for the line of a point. */
#define ODO_POINT_LINE (ODO_SWEEP_LINE - 16)

/** Write a line without number and newline.
 * @param units of the curve, or NULL
 * @param line  [ODO_POINT_LINE] */
void odo_point_write_run(const odo_experiment *x, const odo_point *point, const odo_units *units,
			 const odo_measures *m, char *line);
void odo_point_write_saturation(const odo_experiment *x, const odo_point *point,
				const odo_units *units, const odo_saturation *s, char *line);
void odo_point_write_bound(const odo_experiment *x, const odo_point *point, const odo_bound *b,
			   const odo_saturation *s, char *line);
/** Write the line of a point that a routing declines, with the reason. */
void odo_point_write_declined(const odo_experiment *x, const odo_point *point, const char *why,
			      char *line);

/** Write <folder>/<name>.<point>.<detail>.csv for each requested detail. */
int odo_point_write_details(const odo_experiment *x, const odo_point *point, const odo_units *units,
			    const odo_measures *m, const odo_fabric *f, const char *folder,
			    odo_error *err);

/** Copy such files from a point of another experiment, beside its CSV, to files of this point. */
int odo_point_copy_details(const struct odo_result *from, uint32_t point, const odo_experiment *x,
			   uint32_t number, const char *folder, odo_error *err);

/** Make the experiment with its values replaced by the options. It borrows from both.
 * Errors: ODO_EINPUT if the options do not suit it. */
int odo_experiment_change(const odo_experiment *x, const odo_experiment_options *options,
			  odo_experiment *as_run, odo_error *err);

#endif
