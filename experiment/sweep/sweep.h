/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Run many points into one CSV file, with threads and MPI ranks. A sweep can be resumed: a line is
 * written completely or not at all, so a killed sweep continues from its last line. After the last
 * point, the lines are sorted by point. The bytes are then the same for any number of threads,
 * ranks and interruptions.
 *
 * The file has comment lines with all parameters, each behind "# "; a line of column names, the
 * first of which is "point"; and one line per point.
 */
#ifndef ODONATA_EXPERIMENT_SWEEP_SWEEP_H
#define ODONATA_EXPERIMENT_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Maximum length of a line, including its end. */
#define ODO_SWEEP_LINE 4096

typedef struct odo_sweep {
	const char *path;
	const char *parameters; /**< lines, without "# "; a file with other parameters is refused */
	const char *columns;    /**< comma-separated, without "point" */
	uint32_t n_points;
	unsigned threads; /**< per rank; 0: 1 */
	void *context;
	/**
	 * Compute one point. Called from several threads at once.
	 * @param line [ODO_SWEEP_LINE - 16] columns without the point's number and the newline A
	 * failure ends the sweep once the running points are finished.
	 */
	int (*run)(void *context, uint32_t point, char *line, odo_error *err);
	/** Arrange a line of run() as the file has it, on the rank that writes; NULL: unchanged.
	 * @param out [ODO_SWEEP_LINE - 16] */
	int (*arrange)(void *context, const char *line, char *out, odo_error *err);
	/** Shall a point be run now? NULL: all points. Otherwise the file may stay unfinished. */
	bool (*wanted)(void *context, uint32_t point);
	/** Called at the beginning and after each written point, under a lock; may be NULL.
	 * @param n number of points that are done or wanted */
	void (*progress)(void *context, uint32_t done, uint32_t n);
} odo_sweep;

/**
 * Run the missing points of a sweep. With MPI (mpi.h) every rank calls it alike, and the first rank
 * writes.
 * Errors: ODO_EINPUT for a file of another sweep, ODO_EIO, and those of run().
 */
int odo_sweep_run(const odo_sweep *sweep, odo_error *err);

#endif
