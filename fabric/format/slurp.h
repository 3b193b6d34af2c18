/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Whole files, for readers that parse text in memory. */
#ifndef ODONATA_FABRIC_FORMAT_SLURP_H
#define ODONATA_FABRIC_FORMAT_SLURP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/**
 * Read a whole text file. A byte order mark (UTF-8) at its beginning is omitted.
 * @param path "-" is standard input
 * @param text for free(), NUL-terminated at text[size]; NULL after a failure
 * Errors, with the name of the file: ODO_EINPUT if there is no file, for a folder, for a zero byte
 * with its line, and for a compressed file with the command that unpacks it; ODO_EIO; ODO_ENOMEM.
 */
int odo_slurp(const char *path, char **text, size_t *size, odo_error *err);

/**
 * Read the same, but omit and count zero bytes, unless they are as many as the others.
 * @param n_zeros their number
 * @param zero_line line of the first
 */
int odo_slurp_roughly(const char *path, char **text, size_t *size, uint32_t *n_zeros,
		      uint32_t *zero_line, odo_error *err);

/** Room for the text of odo_contents_of(). */
#define ODO_CONTENTS 60

/** Describe a text file by size and hash, as "22695 bytes, 86b1af98aa50ae69". Errors: those of
 * odo_slurp(). */
int odo_contents_of(const char *path, char text[ODO_CONTENTS], odo_error *err);

/** Return the name of a path in messages: "(standard input)" for "-", "(no name)" for "". */
const char *odo_origin_name(const char *path);

#endif
