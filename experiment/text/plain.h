/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The text of one experiment, and where in its files each line stands. */
#ifndef ODONATA_EXPERIMENT_TEXT_PLAIN_H
#define ODONATA_EXPERIMENT_TEXT_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Where something stands in an experiment's files. */
typedef struct odo_experiment_place {
	const char *path;
	unsigned line;
} odo_experiment_place;

typedef struct odo_plain {
	char *text; /**< NUL-terminated at text[size] */
	size_t size;
	odo_experiment_place start; /**< where it begins; for what is missing in it */
	odo_experiment_place *line; /**< [n_lines]; NULL: those of the file start.path */
	size_t n_lines;
} odo_plain;

/** The text of a file as it is. Borrows `path`. @param out for odo_plain_free() */
int odo_plain_copy(const char *path, const char *text, size_t size, odo_plain *out, odo_error *err);
void odo_plain_free(odo_plain *plain);

/** Where a line from 1 of the text stands; its start for line 0. */
odo_experiment_place odo_plain_line(const odo_plain *plain, unsigned line);

/** Where `at` within the text stands. */
odo_experiment_place odo_plain_place(const odo_plain *plain, const char *at);

#endif
