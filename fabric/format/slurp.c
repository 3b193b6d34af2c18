/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/slurp.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define STEP 16384u /**< bytes read at a time; most files are smaller */

const char *odo_origin_name(const char *path)
{
	return !*path ? "(no name)" : strcmp(path, "-") ? path : "(standard input)";
}

/** Whose fault it is: a name of no file is bad input, all else is the system's. */
static int fail(const char *path, const char *what, odo_error *err)
{
	bool named = errno == ENOENT || errno == ENOTDIR || errno == EISDIR || errno == ELOOP ||
		     errno == ENAMETOOLONG;
	return odo_fail(err, named ? ODO_EINPUT : ODO_EIO, "%s: cannot %s: %s",
			odo_origin_name(path), what, strerror(errno));
}

/** Of `got` more bytes one is zero. */
static int no_text(const char *path, const char *text, size_t size, size_t got, odo_error *err)
{
	size_t line = 1, end = size + strnlen(text + size, got);
	if (size + got > 2 && !memcmp(text, "\x1f\x8b", 2))
		return odo_fail(err, ODO_EINPUT, "%s:1: expected text, found a gzip archive",
				odo_origin_name(path));
	for (size_t i = 0; i < end; i++)
		line += text[i] == '\n';
	return odo_fail(err, ODO_EINPUT, "%s:%zu: expected text, found a zero byte",
			odo_origin_name(path), line);
}

static int read_all(const char *path, FILE *from, char **text, size_t *size, odo_error *err)
{
	size_t room = 0, got;
	do {
		if (odo_grow(text, &room, *size + STEP + 1, 1))
			return odo_fail(err, ODO_ENOMEM,
					"%s: no memory for a file of over %zu bytes",
					odo_origin_name(path), *size);
		got = fread(*text + *size, 1, STEP, from);
		if (memchr(*text + *size, '\0', got)) /* /dev/zero has no end */
			return no_text(path, *text, *size, got, err);
		*size += got;
	} while (got);
	if (*size >= 3 && !memcmp(*text, "\xef\xbb\xbf", 3)) /* a byte order mark */
		memmove(*text, *text + 3, *size -= 3);
	(*text)[*size] = '\0';
	return ferror(from) ? fail(path, "read", err) : 0;
}

int odo_slurp(const char *path, char **text, size_t *size, odo_error *err)
{
	FILE *from = strcmp(path, "-") ? fopen(path, "re") : stdin;
	*text = NULL;
	*size = 0;
	if (!from)
		return fail(path, "open", err);
	int status = read_all(path, from, text, size, err);
	if (from != stdin)
		fclose(from);
	if (status) {
		free(*text);
		*text = NULL;
	}
	return status;
}
