/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Text of one experiment, with the place of each line in its files. */
#ifndef ODONATA_EXPERIMENT_TEXT_PLAIN_H
#define ODONATA_EXPERIMENT_TEXT_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Place in an experiment's files. */
typedef struct odo_experiment_place {
	const char *path;
	unsigned line;
} odo_experiment_place;

typedef struct odo_plain {
	char *text; /**< NUL-terminated at text[size] */
	size_t size;
	odo_experiment_place start; /**< its beginning; used in messages about missing keys */
	odo_experiment_place *line; /**< [n_lines]; NULL: the lines of the file start.path */
	size_t n_lines;
} odo_plain;

/** Copy the text of a file unchanged. Borrows `path`. @param out for odo_plain_free() */
int odo_plain_copy(const char *path, const char *text, size_t size, odo_plain *out, odo_error *err);
void odo_plain_free(odo_plain *plain);

/** Return the place of a line, counted from 1; for line 0, the beginning. */
odo_experiment_place odo_plain_line(const odo_plain *plain, unsigned line);

/** Return the place of `at`, which points into the text. */
odo_experiment_place odo_plain_place(const odo_plain *plain, const char *at);

#endif
