/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/slurp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"

#define STEP 65536u /**< bytes read at a time */

const char *odo_origin_name(const char *path)
{
	return strcmp(path, "-") ? path : "(standard input)";
}

static int read_all(FILE *from, char **text, size_t *size, odo_error *err)
{
	size_t room = 0, got;
	do {
		if (odo_grow(text, &room, *size + STEP + 1, 1))
			return odo_fail(err, ODO_ENOMEM, "no memory for a file of over %zu bytes",
					*size);
		got = fread(*text + *size, 1, STEP, from);
		*size += got;
	} while (got);
	(*text)[*size] = '\0';
	return ferror(from) ? odo_fail(err, ODO_EIO, "cannot read: %s", strerror(errno)) : 0;
}

int odo_slurp(const char *path, char **text, size_t *size, odo_error *err)
{
	FILE *from = strcmp(path, "-") ? fopen(path, "re") : stdin;
	*text = NULL;
	*size = 0;
	if (!from)
		return odo_fail(err, ODO_EIO, "%s: cannot open: %s", path, strerror(errno));
	int status = read_all(from, text, size, err);
	if (from != stdin)
		fclose(from);
	if (status) {
		odo_fail_within(err, "%s", odo_origin_name(path));
		free(*text);
		*text = NULL;
	}
	return status;
}
