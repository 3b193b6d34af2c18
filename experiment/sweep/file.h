/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** File of a sweep: read its points, add whole lines, and finally sort the lines. */
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

/** Open or create the file, cut off an unfinished line, and lock it against other processes.
 * @param file for odo_sweep_file_close() */
int odo_sweep_file_open(const odo_sweep *sweep, odo_sweep_file *file, odo_error *err);

/** Add a point by a single write to the end, flushed to the disk. */
int odo_sweep_file_add(odo_sweep_file *file, uint32_t point, const char *line, odo_error *err);

/** Once all points are in, write them in order to another file, and rename it to this one. */
int odo_sweep_file_finish(odo_sweep_file *file, odo_error *err);
void odo_sweep_file_close(odo_sweep_file *file);

#endif
