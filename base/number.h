/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The one reader of numbers in text. Neither blanks, signs, "inf" nor "nan" are part of a number,
 * which strtoul() and strtod() all take.
 */
#ifndef ODONATA_BASE_NUMBER_H
#define ODONATA_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* A number somewhere in a text: *at moves behind it; it stays where there is none. */

/**
 * Digits without a prefix.
 * @param end   of the text; NULL where a NUL ends it
 * @param radix 10 or 16; or 0 for "0x1f" and "31"
 * @return false where no digit stands, or more than 64 bits are needed
 */
bool odo_take_digits(const char **at, const char *end, unsigned radix, uint64_t *number);

/** A decimal fraction such as "3", "0.25" or "1e-3", from `min` to `max`. A NUL ends the text. */
bool odo_take_real(const char **at, double min, double max, double *number);

/** "4096", "4KiB", "1MiB" or "2GiB". @param end as of odo_take_digits() */
bool odo_take_bytes(const char **at, const char *end, uint64_t *bytes);

/** A time such as "500ns", "2.5us", "3ms" or "1s", in nanoseconds, up to 1e12. A NUL ends the text.
 * @return false where no number stands, or none of these units follows it */
bool odo_take_time(const char **at, double *ns);

/** "2.5%" or "2.5", from 0 to 100, as the share 0.025. */
bool odo_take_percent(const char **at, double *share);

/* A text that is a number and nothing else.
 * Errors: ODO_EINPUT as "expected a whole number from 1 to 16, found ..."; `number` is as it was.
 */

/** @param radix as for odo_take_digits() */
int odo_read_number(const char *text, unsigned radix, uint64_t min, uint64_t max, uint64_t *number,
		    odo_error *err);
/** The same in 32 bits, decimal. */
int odo_read_number32(const char *text, uint32_t min, uint32_t max, uint32_t *number,
		      odo_error *err);
int odo_read_real(const char *text, double min, double max, double *number, odo_error *err);

#endif
