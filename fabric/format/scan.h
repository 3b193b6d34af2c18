/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Scan of a text, line by line, within its bounds. A scan is at a position in one line; copies of
 * it look ahead. A take function moves the scan only if it finds the expected text. */
#ifndef ODONATA_FABRIC_FORMAT_SCAN_H
#define ODONATA_FABRIC_FORMAT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "fabric/fabric.h"

typedef struct odo_scan {
	const char *origin;       /**< file name for messages */
	unsigned line;            /**< from 1 */
	const char *at, *end;     /**< rest of this line */
	const char *rest, *limit; /**< rest of the text */
	odo_error *err;
} odo_scan;

/** Piece of the text, not NUL-terminated. */
typedef struct odo_text {
	const char *at;
	size_t n;
} odo_text;

/** For "%.*s": at most 70 characters. */
#define odo_text_print(text) (int)((text).n < 70 ? (text).n : 70), (text).at

bool odo_text_equal(odo_text a, odo_text b);

/** Go to the next line. Carriage returns at its end are dropped. Return false if there is none. */
bool odo_next_line(odo_scan *s);
bool odo_at_end(const odo_scan *s);
/** Return the next character, or 0 at the end of the line. */
char odo_peek(const odo_scan *s);
/** Skip blanks and tabs. */
void odo_skip_blanks(odo_scan *s);
/** Skip everything up to the end of the next `mark` in this line. Return false if there is none. */
bool odo_skip_to(odo_scan *s, const char *mark);

bool odo_take(odo_scan *s, const char *word);
/** Call odo_take_digits() within this line. */
bool odo_take_number(odo_scan *s, unsigned radix, uint64_t *number);
/** Take the text before the next blank, which may be empty. */
void odo_take_word(odo_scan *s, odo_text *word);
/** Take "...", up to the next quote. */
bool odo_take_quoted(odo_scan *s, odo_text *inner);
/** Take "...", up to the last quote of the line: node descriptions may contain quotes. */
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
/** Add a node. @param info without its name. Errors as in odo_scan_within(). */
int odo_scan_add_node(const odo_scan *s, odo_builder *b, odo_node_info *info, odo_text name,
		      uint32_t *id);
/** Put "origin:line: " before the failure in s->err. */
int odo_scan_within(const odo_scan *s);

#endif
