/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Scans that skip blanks first, for files in which blanks mean nothing. */
#ifndef ODONATA_FABRIC_FORMAT_LINES_H
#define ODONATA_FABRIC_FORMAT_LINES_H

#include "fabric/format/scan.h"

/** Make a scan before the first line. `text` and `origin` are lent. */
odo_scan odo_lines_make(const char *text, size_t size, const char *origin);

/**
 * Go to the next line that is neither empty nor a comment ('#'), and skip its blanks.
 * @return false at the end of the file
 */
bool odo_lines_next(odo_scan *s);

/**
 * Skip blanks.
 * @return true at the end of the line
 */
bool odo_lines_at_end(odo_scan *s);

/** Skip blanks and then `literal`. @return false, with nothing skipped, if it is not there */
bool odo_lines_skip(odo_scan *s, const char *literal);

/** Skip blanks, then read digits of base 10 or 16 (no sign, no 0x).
 * @return false, with nothing skipped, where there are none or the number is above `max` */
bool odo_lines_number(odo_scan *s, unsigned radix, uint64_t max, uint64_t *number);

/** Fail with ODO_EINPUT: "origin:line: expected <what>, found <rest of the line>". */
int odo_lines_expected(const odo_scan *s, const char *what, odo_error *err);

#endif
