/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The file of a sweep: what is in it, whole lines added to it, lines in order at the end. */
#ifndef ODONATA_EXPERIMENT_SWEEP_FILE_H
#define ODONATA_EXPERIMENT_SWEEP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "experiment/sweep/sweep.h"

typedef struct odo_sweep_file {
	const odo_sweep *sweep;
	int fd;
	char *header;
	size_t header_size;
	bool *done; /**< [n_points] */
	uint32_t n_done;
} odo_sweep_file;

/** Open or begin the file, cut off a line that was not finished, and lock it against another
 * process. @param file for odo_sweep_file_close() */
int odo_sweep_file_open(const odo_sweep *sweep, odo_sweep_file *file, odo_error *err);

/** Add one point: a single write to the end, flushed to the disk. */
int odo_sweep_file_add(odo_sweep_file *file, uint32_t point, const char *line, odo_error *err);

/** All points in: write them in order beside it, and put that in its place. */
int odo_sweep_file_finish(odo_sweep_file *file, odo_error *err);
void odo_sweep_file_close(odo_sweep_file *file);

#endif
