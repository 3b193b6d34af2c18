/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Reader of numbers in text, used everywhere. It rejects blanks, signs, "inf" and "nan", which
 * strtoul() and strtod() accept.
 */
#ifndef ODONATA_BASE_NUMBER_H
#define ODONATA_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Functions that take a number within a text: they move *at behind the number, or leave it if there
 * is none. */

/**
 * Take digits without a prefix.
 * @param end end of the text; NULL if a NUL ends it
 * @param radix 10 or 16; or 0 for "0x1f" and "31"
 * @return false if there is no digit, or the number exceeds 64 bits
 */
bool odo_take_digits(const char **at, const char *end, unsigned radix, uint64_t *number);

/** Take a decimal fraction such as "3", "0.25" or "1e-3", from `min` to `max`. A NUL ends the
 * text. */
bool odo_take_real(const char **at, double min, double max, double *number);

/** Take "4096", "4KiB", "1MiB" or "2GiB".
 * @param end as for odo_take_digits() */
bool odo_take_bytes(const char **at, const char *end, uint64_t *bytes);

/** A time such as "500ns", "2.5us", "3ms" or "1s", in nanoseconds, up to 1e12. A NUL ends the text.
 * @return false where no number stands, or none of these units follows it */
bool odo_take_time(const char **at, double *ns);

/** "2.5%" or "2.5", from 0 to 100, as the share 0.025. */
bool odo_take_percent(const char **at, double *share);

/* Functions that read a text which must be a number and nothing else.
 * Errors: ODO_EINPUT as "expected a whole number from 1 to 16, found ..."; `number` is then
 * unchanged. */

/** @param radix as for odo_take_digits() */
int odo_read_number(const char *text, unsigned radix, uint64_t min, uint64_t max, uint64_t *number,
		    odo_error *err);
/** Read a decimal number of 32 bits. */
int odo_read_number32(const char *text, uint32_t min, uint32_t max, uint32_t *number,
		      odo_error *err);
int odo_read_real(const char *text, double min, double max, double *number, odo_error *err);

#endif
