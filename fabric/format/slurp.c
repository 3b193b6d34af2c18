/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/slurp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define STEP 16384u /**< bytes read at a time; most files are smaller */

const char *odo_origin_name(const char *path)
{
	return !*path ? "(no name)" : strcmp(path, "-") ? path : "(standard input)";
}

/** Fail. A wrong name of a file is bad input; other failures are the system's. */
static int fail_file(const char *path, const char *what, odo_error *err)
{
	bool named = errno == ENOENT || errno == ENOTDIR || errno == EISDIR || errno == ELOOP ||
		     errno == ENAMETOOLONG;
	return odo_fail(err, named ? ODO_EINPUT : ODO_EIO, "%s: cannot %s: %s",
			odo_origin_name(path), what, strerror(errno));
}

/** Files that are no plain text: their first bytes, and the command that makes text of them. */
static const struct packed {
	const char *start;
	size_t n;
	const char *what, *unpack;
} packed[] = {
	{"\x1f\x8b", 2, "a gzip archive", "zcat"},
	{"\xfd"
	 "7zXZ",
	 5, "an xz archive", "xzcat"},
	{"BZh9", 4, "a bzip2 archive", "bzcat"},
	{"(\xb5/\xfd", 4, "a zstd archive", "zstdcat"},
	{"PK\x03\x04", 4, "a zip archive", "unzip -p"},
	{"\xff\xfe", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
	{"\xfe\xff", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
};

static int check_packed(const char *path, const char *text, size_t size, odo_error *err)
{
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
		if (size >= packed[i].n && !memcmp(text, packed[i].start, packed[i].n))
			return odo_fail(err, ODO_EINPUT,
					"%s:1: expected text, found %s: read '-', and pipe into it "
					"what '%s FILE' prints",
					odo_origin_name(path), packed[i].what, packed[i].unpack);
	return 0;
}

static int fail_zero_byte(const char *path, uint32_t line, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected text, found a zero byte",
			odo_origin_name(path), line);
}

/** Zero bytes in a text, omitted if the reader allows them. */
typedef struct zeros {
	bool allowed;
	uint32_t n, line;
} zeros;

static uint32_t count_lines(const char *text, size_t n)
{
	uint32_t lines = 1;
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

/** Omit zero bytes of the last `got` bytes. @return the number of remaining bytes */
static size_t drop_zeros(char *text, size_t size, size_t got, zeros *z)
{
	char *to = text + size;
	if (!z->n)
		z->line = count_lines(text, size + strnlen(text + size, got));
	for (const char *from = text + size; from < text + size + got; from++) {
		z->n += !*from;
		if (*from)
			*to++ = *from;
	}
	return (size_t)(to - text) - size;
}

static int read_text(const char *path, FILE *from, char **text, size_t *size, zeros *z,
		     odo_error *err)
{
	size_t room = 0, got, kept;
	do {
		if (odo_grow(text, &room, *size + STEP + 1, 1))
			return odo_fail(err, ODO_ENOMEM,
					"%s: no memory for a file of over %zu bytes",
					odo_origin_name(path), *size);
		kept = got = fread(*text + *size, 1, STEP, from);
		if (!*size && check_packed(path, *text, got, err))
			return ODO_EINPUT;
		if (memchr(*text + *size, '\0', got)) {
			kept = drop_zeros(*text, *size, got, z);
			/* /dev/zero has no end */
			if (!z->allowed || z->n > *size + kept)
				return fail_zero_byte(path, z->line, err);
		}
		*size += kept;
	} while (got);
	if (*size >= 3 && !memcmp(*text, "\xef\xbb\xbf", 3)) /* a byte order mark */
		memmove(*text, *text + 3, *size -= 3);
	(*text)[*size] = '\0';
	return ferror(from) ? fail_file(path, "read", err) : 0;
}

static int slurp_text(const char *path, char **text, size_t *size, zeros *z, odo_error *err)
{
	FILE *from = strcmp(path, "-") ? fopen(path, "re") : stdin;
	*text = NULL;
	*size = 0;
	if (!from)
		return fail_file(path, "open", err);
	int status = read_text(path, from, text, size, z, err);
	if (from != stdin)
		fclose(from);
	if (status) {
		free(*text);
		*text = NULL;
	}
	return status;
}

int odo_slurp(const char *path, char **text, size_t *size, odo_error *err)
{
	zeros z = {0};
	return slurp_text(path, text, size, &z, err);
}

int odo_slurp_roughly(const char *path, char **text, size_t *size, uint32_t *n_zeros,
		      uint32_t *zero_line, odo_error *err)
{
	zeros z = {.allowed = true};
	int status = slurp_text(path, text, size, &z, err);
	*n_zeros = z.n;
	*zero_line = z.line;
	return status;
}

int odo_contents_of(const char *path, char text[ODO_CONTENTS], odo_error *err)
{
	char *bytes;
	size_t size;
	int status = odo_slurp(path, &bytes, &size, err);
	if (!status)
		snprintf(text, ODO_CONTENTS, "%zu bytes, %016" PRIx64, size,
			 odo_hash_bytes(bytes, size));
	free(bytes);
	return status;
}
