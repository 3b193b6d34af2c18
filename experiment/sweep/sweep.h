/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Many points into one CSV file, by threads and MPI ranks, and resumable: a line is written
 * whole or not at all, so that a sweep killed anywhere goes on where it was. When the last
 * point is in, the lines are put in order of points: the same bytes for any number of threads
 * and ranks, and however often it was killed.
 *
 * The file: comment lines that carry all parameters, each behind "# "; a line of column names,
 * the first of them "point"; then one line a point.
 */
#ifndef ODONATA_EXPERIMENT_SWEEP_SWEEP_H
#define ODONATA_EXPERIMENT_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Longest line, its end included. */
#define ODO_SWEEP_LINE 4096

typedef struct odo_sweep {
	const char *path;
	const char *parameters; /**< lines, without "# "; a file with others is refused */
	const char *columns;    /**< comma-separated, without "point" */
	uint32_t n_points;
	unsigned threads; /**< per rank; 0: 1 */
	void *context;
	/**
	 * Work out one point. Called from several threads at once.
	 * @param line [ODO_SWEEP_LINE - 16] columns without the point's number and the newline
	 * A failure ends the sweep when the points under way are in.
	 */
	int (*run)(void *context, uint32_t point, char *line, odo_error *err);
	/** Put a line of run() as the file has it, on the rank that writes; NULL: as it is.
	 * @param out [ODO_SWEEP_LINE - 16] */
	int (*arrange)(void *context, const char *line, char *out, odo_error *err);
	/** Whether a point is to be run now; NULL: all are. The file may then stay unfinished. */
	bool (*wanted)(void *context, uint32_t point);
	/** Called at the beginning and after each point that was written, under a lock; may be
	 * NULL. @param n points that are done or wanted */
	void (*progress)(void *context, uint32_t done, uint32_t n);
} odo_sweep;

/**
 * Run what is missing of a sweep. With MPI (mpi.h) every rank calls it alike, and the
 * first one writes.
 * Errors: ODO_EINPUT for a file that is not this sweep's, ODO_EIO, and those of run().
 */
int odo_sweep_run(const odo_sweep *sweep, odo_error *err);

#endif
