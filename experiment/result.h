/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A CSV of an experiment, finished or not, written by any version: the experiment, and the lines of
 * its points. Columns are found by name; a column that an older version did not have is empty.
 */
#ifndef ODONATA_EXPERIMENT_RESULT_H
#define ODONATA_EXPERIMENT_RESULT_H

#include "experiment/experiment.h"

typedef struct odo_result {
	char *path;                     /**< of the file */
	size_t stem;                    /**< letters of `path` before ".csv" */
	char *text;                     /**< of the file */
	odo_experiment *stated;         /**< the experiment in its head */
	odo_experiment x;               /**< the same as it was run; borrows from `stated` and from
					 * here */
	odo_experiment_options options; /**< options of the run that differ from `stated` */
	char *columns;                  /**< header line without "point" */
	double *loads;                  /**< loads of the options */
	const char **line;              /**< [n_points] within text; NULL: not run */
	uint32_t n_points, n_lines;
	uint32_t n_hosts;   /**< of its fabric; 0 until odo_result_count_hosts() */
	uint32_t semantics; /**< of the emulator that made it (emulator/semantics.h); 0: unknown */
	bool withdrawn;     /**< its first line says that it is withdrawn */
	uint32_t only_seed; /**< while its verdicts are judged: 1: only the first seed; 0: all
			     * seeds */
} odo_result;

/**
 * Read a CSV.
 * @param out for odo_result_free()
 * Errors: ODO_EINPUT if it is not a CSV of an experiment; ODO_EIO; ODO_ENOMEM.
 */
int odo_result_read(const char *path, odo_result *out, odo_error *err);
void odo_result_free(odo_result *r);

/** Return a fingerprint of the file, which changes if the experiment is run again with other
 * results. */
uint32_t odo_result_content(const odo_result *r);

/** Read a figure of a point. @return false if the point, the column or the figure is missing */
bool odo_result_number(const odo_result *r, uint32_t point, const char *column, double *out);

/** Return the outcome of a point, as an index of odo_experiment_outcomes; their number if it was
 * not run. */
unsigned odo_result_outcome(const odo_result *r, uint32_t point);

/** Does a seed count while verdicts are judged? See `only_seed`. */
static inline bool odo_result_counts(const odo_result *r, uint32_t seed)
{
	return !r->only_seed || seed + 1 == r->only_seed;
}

/** Average a figure over the seeds of a point, whose number is that of its first seed.
 * @return number of seeds that have it */
uint32_t odo_result_mean(const odo_result *r, uint32_t point, const char *column, double *mean);

/** Return the first point of a curve under a pattern at a load, all given by their numbers. */
uint32_t odo_result_point(const odo_result *r, uint32_t curve, uint32_t pattern, uint32_t load);

/** Number of loads of an experiment; 1 if the measure has none. */
uint32_t odo_result_loads(const odo_result *r);

/** Does a point accept less than it offers, by 1/64 or more? Its latency then depends only on the
 * length of the run. */
bool odo_result_saturated(const odo_result *r, uint32_t point);

/** Open its fabric to count hosts, which the cost of a search depends on. Errors: those of
 * odo_fabric_open(). */
int odo_result_count_hosts(odo_result *r, odo_error *err);

/**
 * Return the approximate number of packet-hops of a point, for choosing among points. A search
 * counts as one with packets of one phit.
 * @return UINT64_MAX if its line does not give it, as for searches before hosts are counted
 */
uint64_t odo_result_work(const odo_result *r, uint32_t point);

/**
 * Arrange the fields of a line under other columns, by name. Fields whose column is missing in `to`
 * are left out; columns that only `to` has are empty.
 * @param line without the point's number, columns as in `from`
 * @param to   columns; both lists without "point"
 * @param out  [size]
 * @return 0, or ODO_EINPUT if it does not fit
 */
int odo_result_arrange(const char *line, const char *from, const char *to, char *out, size_t size);

/**
 * Run a point again, and compare its line with that of the file, field by field as text. Columns
 * that the file does not have are not compared.
 * @param differs [size] "" if all fields are equal, else a description of the first difference,
 * which begins with its column. A column aside (odo_column_is_aside()) is named only if no figure
 * differs
 */
int odo_result_again(const odo_result *r, uint32_t point, char *differs, size_t size,
		     odo_error *err);

/**
 * For searches in shares of a bound: find the bounds of all points again, which needs no emulation.
 * @param point   out: the point that differs, if any does
 * @param differs [size] as for odo_result_again()
 */
int odo_result_bounds_again(const odo_result *r, uint32_t *point, char *differs, size_t size,
			    odo_error *err);

/** Is a column aside, that is, not a figure by itself? Columns aside are an estimate of another
 * column's error, and the number of windows of a search. @param n letters */
bool odo_column_is_aside(const char *name, size_t n);

/**
 * Compare two experiments as they are run, ignoring curves, patterns, loads and seeds.
 * @return a key of their files in which they differ; NULL: no difference, so that a point of one
 * may be a point of the other
 */
const char *odo_experiment_differs(const odo_experiment *a, const odo_experiment *b);

/** Return the point of a CSV that equals point `number` of `x`, for experiments that do not differ
 * (see above). ODO_NONE if it is not among the CSV's points. The point may not have been run. */
uint32_t odo_result_point_of(const odo_result *r, const odo_experiment *x, uint32_t number);

/** Count the points of `x` for which a CSV has lines.
 * @param wanted [points of x] points to count
 * @param same   out: its points are those of `x`, run or not */
uint32_t odo_result_has(const odo_result *r, const odo_experiment *x, const bool *wanted,
			bool *same);

/**
 * Copy a point's line and the files of its details.
 * @param line [ODO_POINT_LINE] out: as odo_running_point() makes it
 * @return false if the line or one of its files is missing
 */
bool odo_result_carry(const odo_result *r, const odo_experiment *x, uint32_t number,
		      const char *folder, char *line);

/**
 * Can a sweep continue with a CSV? It can if the CSV's head means the same as today's parameters.
 * Comments, title, paper, and the order of a model's fields are ignored. A field that the head
 * lacks has the value that applied before the field existed (odo_model_option.older).
 * @param found      the file's text, each line of the head behind "# "
 * @param parameters lines, without "# "
 * Errors: ODO_EINPUT, naming the line in which they differ.
 */
int odo_result_agrees(const char *path, const char *found, const char *parameters, odo_error *err);

/** The same for a CSV with other curves, patterns, loads or seeds: compare only models of curves,
 * and contents of files, that both name. */
int odo_result_goes_with(const char *path, const char *found, const char *parameters,
			 odo_error *err);

#endif
