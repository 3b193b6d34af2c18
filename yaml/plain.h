/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Text to be read as YAML, with the place of each line in the files that it was assembled from. */
#ifndef ODONATA_YAML_PLAIN_H
#define ODONATA_YAML_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/** Line of a file. */
typedef struct odo_text_place {
	const char *path;
	unsigned line;
} odo_text_place;

typedef struct odo_plain {
	char *text; /**< NUL-terminated at text[size] */
	size_t size;
	odo_text_place start; /**< its beginning; used in messages about missing keys */
	odo_text_place *line; /**< [n_lines]; NULL: the lines of the file start.path */
	size_t n_lines;
} odo_plain;

/** Read a file. Borrows `path`.
 * @param path "-" is standard input
 * @param out  for odo_plain_free(), also after a failure
 * Errors: those of odo_slurp(). */
int odo_plain_read(const char *path, odo_plain *out, odo_error *err);
/** Copy the text of a file unchanged. Borrows `path`. @param out for odo_plain_free() */
int odo_plain_copy(const char *path, const char *text, size_t size, odo_plain *out, odo_error *err);
void odo_plain_free(odo_plain *plain);

/** Return the place of a line, counted from 1; for line 0, the beginning. */
odo_text_place odo_plain_line(const odo_plain *plain, unsigned line);

/** Return the place of `at`, which points into the text. */
odo_text_place odo_plain_place(const odo_plain *plain, const char *at);

/** Return the place of a key's value, or of the key if `value` is NULL or missing; the beginning if
 * the key is missing. */
odo_text_place odo_plain_find(const odo_plain *plain, const char *key, const char *value);

/** Find `what` as a whole word outside comments, from `from` on; NULL if there is none. */
const char *odo_text_find_word(const char *from, const char *what);

/** Line of `at` within `text`, from 1. */
unsigned odo_text_line(const char *text, const char *at);

#endif
