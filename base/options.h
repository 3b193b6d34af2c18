/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Reader of options written as name=value, described by constant rows: options of specs such as
 * "dragonfly:p=2,a=4,h=2", of models and of the plugin.
 */
#ifndef ODONATA_BASE_OPTIONS_H
#define ODONATA_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define ODO_MAX_OPTIONS 16
#define ODO_MAX_NUMBERS 16 /**< of a list */

typedef enum odo_option_type {
	ODO_OPTION_NUMBER, /**< value in number[0] */
	ODO_OPTION_BYTES,  /**< the same; "4KiB" is 4096 */
	ODO_OPTION_CYCLES, /**< the same; or a time as "10us" in whole ns, and then n is 2: who
			      knows how long a cycle is makes cycles of it */
	ODO_OPTION_LIST,   /**< "4x8x8": values in number[0 .. n-1] */
	ODO_OPTION_WORD,   /**< one of the `words` of its row; number[0] is its index */
	ODO_OPTION_TIMES,  /**< the same in capitals or not, perhaps with a factor, as "2xHDR":
				number[1], min to max; n is 1 without */
} odo_option_type;

/** One option. The row drives parsing, writing back and help. */
typedef struct odo_option {
	const char *name;
	odo_option_type type;
	const char *fallback; /**< default as text; NULL: must be given */
	const char *help;
	const char *const *words; /**< ODO_OPTION_WORD: NULL-terminated */
	uint32_t min, max;        /**< of every number */
} odo_option;

typedef struct odo_value {
	unsigned n;
	uint32_t number[ODO_MAX_NUMBERS];
} odo_value;

/** Return true if "name=value" belongs to this row.
 * @param length of the text */
bool odo_option_is(const odo_option *row, const char *text, size_t length);

/**
 * Read the value of "name=value", which belongs to the row.
 * @param where prefix of messages, before the colon
 * Errors: ODO_EINPUT: the value is no number, not a word of the row, or out of range.
 */
int odo_option_read(const char *where, const odo_option *row, const char *text, size_t length,
		    odo_value *value, odo_error *err);

/** Return the length of the name at the start of a spec, up to its colon or its end. */
size_t odo_spec_name(const char *spec);

/**
 * Read the options of a spec by their rows. Missing options get their defaults.
 * @param spec the whole spec, name included
 * @param rows ends with a NULL name; at most ODO_MAX_OPTIONS
 * @param value one per row, in their order
 * Errors: ODO_EINPUT, naming the option: unknown, given twice, missing, no number, out of range.
 */
int odo_spec_parse(const char *spec, const odo_option *rows, odo_value *value, odo_error *err);

/** Write the spec with every option. odo_spec_parse() reads the same values from it. */
void odo_spec_write(const char *name, const odo_option *rows, const odo_value *value, FILE *to);

#endif
