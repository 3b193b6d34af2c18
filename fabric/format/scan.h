/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Reading text line by line, within its bounds. A scan stands in one line; copies of it look
 * ahead. All take functions move on only where they find what they are asked for.
 */
#ifndef ODONATA_FABRIC_FORMAT_SCAN_H
#define ODONATA_FABRIC_FORMAT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct odo_scan {
	const char *origin;       /**< file name for messages */
	unsigned line;            /**< from 1 */
	const char *at, *end;     /**< what is left of this line */
	const char *rest, *limit; /**< what is left of the text */
	odo_error *err;
} odo_scan;

/** A piece of the text, not terminated. */
typedef struct odo_text {
	const char *at;
	size_t n;
} odo_text;

/** For "%.*s": at most 70 characters. */
#define odo_text_print(text) (int)((text).n < 70 ? (text).n : 70), (text).at

bool odo_text_equal(odo_text a, odo_text b);

/** Go to the next line; false where there is none. Carriage returns at its end are dropped. */
bool odo_next_line(odo_scan *s);
bool odo_at_end(const odo_scan *s);
/** The next character, or 0 at the end of the line. */
char odo_peek(const odo_scan *s);
/** Past blanks and tabs. */
void odo_skip_blanks(odo_scan *s);
/** Past the next `mark` in this line; false where there is none. */
bool odo_skip_to(odo_scan *s, const char *mark);

bool odo_take(odo_scan *s, const char *word);
/** odo_take_digits() in this line. */
bool odo_take_number(odo_scan *s, unsigned radix, uint64_t *number);
/** What stands before the next blank; may be empty. */
void odo_take_word(odo_scan *s, odo_text *word);
/** "...", up to the next quote. */
bool odo_take_quoted(odo_scan *s, odo_text *inner);
/** "...", up to the last quote of the line: node descriptions may hold quotes. */
bool odo_take_quoted_all(odo_scan *s, odo_text *inner);

/** Fail with "origin:line: ...". */
int odo_scan_fail(const odo_scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Fail with "origin:line: expected <what>, found <what stands here>". */
int odo_scan_expected(const odo_scan *s, const char *what);
#ifdef ODO_ANALYSED /* base/error.h */
#define odo_scan_expected(s, what) ((void)odo_scan_expected(s, what), ODO_EINPUT)
#endif
/** Fail with ODO_ENOMEM, naming the line. */
int odo_scan_no_memory(const odo_scan *s);
/** Put "origin:line: " before the failure in s->err. */
int odo_scan_within(const odo_scan *s);

#endif
