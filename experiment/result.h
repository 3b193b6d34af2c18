/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A CSV of an experiment, finished or not, whichever version wrote it: what was run, and the lines
 * of its points. Columns are found by name; one that an older version did not have is empty.
 */
#ifndef ODONATA_EXPERIMENT_RESULT_H
#define ODONATA_EXPERIMENT_RESULT_H

#include "experiment/experiment.h"

typedef struct odo_result {
	char *path;                     /**< of the file */
	size_t stem;                    /**< letters of it before ".csv" */
	char *text;                     /**< of the file */
	odo_experiment *stated;         /**< the experiment in its head */
	odo_experiment x;               /**< that as it was run; borrows from it and from here */
	odo_experiment_options options; /**< what was run instead of what it states */
	char *columns;                  /**< without "point" */
	double *loads;                  /**< of the options */
	const char **line;              /**< [n_points] within text; NULL: not run */
	uint32_t n_points, n_lines;
	uint32_t n_hosts;   /**< of its fabric; 0 until odo_result_count_hosts() */
	uint32_t semantics; /**< of the emulator that made it (emulator/semantics.h); 0: unknown */
	bool withdrawn;     /**< its first line says so */
	uint32_t only_seed; /**< while its verdicts are judged: 1 for the first one; 0: all */
} odo_result;

/**
 * Read a CSV.
 * @param out for odo_result_free()
 * Errors: ODO_EINPUT where it is no such CSV; ODO_EIO; ODO_ENOMEM.
 */
int odo_result_read(const char *path, odo_result *out, odo_error *err);
void odo_result_free(odo_result *r);

/** A fingerprint of the file, which tells whether it was run anew. */
uint32_t odo_result_content(const odo_result *r);

/** A figure of a point. @return false where the point, the column or the figure is missing */
bool odo_result_number(const odo_result *r, uint32_t point, const char *column, double *out);

/** What became of a point, an index of odo_experiment_outcomes; their number if it was not run. */
unsigned odo_result_outcome(const odo_result *r, uint32_t point);

/** Open its fabric, so that it can be told what a search takes. Errors: those of odo_fabric_open().
 */
int odo_result_count_hosts(odo_result *r, odo_error *err);

/**
 * Packet-hops that a point takes, about; for choosing among points. A search is taken for one of
 * packets of a phit.
 * @return UINT64_MAX where its line does not tell, as those of searches while hosts are not counted
 */
uint64_t odo_result_work(const odo_result *r, uint32_t point);

/**
 * Put the fields of a line under other columns, by name. What they lack is left out, and what only
 * they have is empty.
 * @param line  without the point's number, columns as `from`
 * @param to    columns; both lists without "point"
 * @param out   [size]
 * @return 0, or ODO_EINPUT where it does not fit
 */
int odo_result_arrange(const char *line, const char *from, const char *to, char *out, size_t size);

/**
 * Run a point again, and compare its line with what is there, field by field as text. A column
 * that the file does not have is not compared.
 * @param differs [size] "" where all is the same, else the first difference for people, which
 *                begins with its column; a column aside only if no figure differs
 */
int odo_result_again(const odo_result *r, uint32_t point, char *differs, size_t size,
		     odo_error *err);

/**
 * Of searches in shares of a bound: find the bounds of all points again, which takes no emulation.
 * @param point   out: that differs, if any does
 * @param differs [size] as of odo_result_again()
 */
int odo_result_bounds_again(const odo_result *r, uint32_t *point, char *differs, size_t size,
			    odo_error *err);

/** Whether a column is no figure by itself: an estimate of another's error, or in how many windows
 * a search found it. @param n letters */
bool odo_column_is_aside(const char *name, size_t n);

/**
 * In what two experiments differ as they are run, but for curves, patterns, loads and seeds.
 * @return a key of their files; NULL: in nothing, so that a point of one may be the other's
 */
const char *odo_experiment_differs(const odo_experiment *a, const odo_experiment *b);

/** The point of a CSV that is point `number` of `x`, which does not differ (see above); ODO_NONE
 * where that was not among its points. It may not have been run. */
uint32_t odo_result_point_of(const odo_result *r, const odo_experiment *x, uint32_t number);

/** How many points of `x` a CSV has lines of.
 * @param wanted [points of x] those that are counted
 * @param same   whether its points are those of `x`, run or not */
uint32_t odo_result_has(const odo_result *r, const odo_experiment *x, const bool *wanted,
			bool *same);

/**
 * Take a point's line over, and the files of its details.
 * @param line [ODO_SWEEP_LINE - 16] as odo_running_point() makes it
 * @return false where it or one of its files is not there
 */
bool odo_result_carry(const odo_result *r, const odo_experiment *x, uint32_t number,
		      const char *folder, char *line);

/**
 * Whether a CSV can be gone on with: its head means the same as the parameters of today. Comments,
 * title and paper do not count, nor the order of a model's fields; a field that the head lacks is
 * what it was before there was such a field (odo_model_option.older).
 * @param found      the file's text, each line of the head behind "# "
 * @param parameters lines, without "# "
 * Errors: ODO_EINPUT, with the line in which they differ.
 */
int odo_result_agrees(const char *path, const char *found, const char *parameters, odo_error *err);

/** The same of one whose curves, patterns, loads or seeds are others: models of curves, and
 * contents of files, that both name. */
int odo_result_goes_with(const char *path, const char *found, const char *parameters,
			 odo_error *err);

#endif
