/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Reads a text file line by line and word by word without trusting it: never past its end,
 * numbers within stated limits, and errors that read "origin:line: expected ..., found ...".
 */
#ifndef ODONATA_EXPORT_LINES_H
#define ODONATA_EXPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fabric/error.h"

typedef struct odo_lines {
	const char *origin;   /**< file name for messages */
	const char *at, *end; /**< what is left of the line, its newline excluded */
	const char *next;     /**< start of the next line */
	const char *text_end; /**< end of the file */
	unsigned long line;   /**< number of the line, from 1 */
} odo_lines;

/** Lines before its first line. `text` and `origin` are lent. */
odo_lines odo_lines_make(const char *text, size_t size, const char *origin);

/** Go to the next line. @return false at the end of the file */
bool odo_lines_next(odo_lines *s);

/** Skip blanks. @return true if that was all there was left on the line */
bool odo_lines_at_end(odo_lines *s);

/** Skip blanks and then `literal`. @return false, with nothing skipped, if it is not there */
bool odo_lines_skip(odo_lines *s, const char *literal);

/** Go on after the first `literal` left on the line. @return false if there is none */
bool odo_lines_past(odo_lines *s, const char *literal);

/** Skip blanks, then read digits of base 10 or 16 (no sign, no 0x).
 * @return false, with nothing skipped, where there are none or the number is above `max` */
bool odo_lines_number(odo_lines *s, unsigned base, uint64_t max, uint64_t *number);

/** Fail with ODO_EINPUT: "origin:line: expected <what>, found <rest of the line>". */
int odo_lines_expected(const odo_lines *s, const char *what, odo_error *err);

#endif
