/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Return the bytes of the UTF-8 character at `c`, or 1 if there is none (Unicode, table 3-7). */
static size_t letter(const unsigned char *c)
{
	size_t n = *c < 0xC2 ? 1 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : *c < 0xF5 ? 4 : 1;
	unsigned char low = *c == 0xE0 ? 0xA0 : *c == 0xF0 ? 0x90 : 0x80;
	unsigned char high = *c == 0xED ? 0x9F : *c == 0xF4 ? 0x8F : 0xBF;
	if (n > 1 && (c[1] < low || c[1] > high))
		return 1;
	for (size_t i = 2; i < n; i++)
		if ((c[i] & 0xC0) != 0x80)
			return 1;
	return n;
}

/* Return true for U+061C, U+200E, U+200F, U+2028 to U+202E and U+2066 to U+2069: they make the
 * following text run from the right, or start a line. */
static bool turns_text(const unsigned char *c, size_t n)
{
	if (n == 2)
		return c[0] == 0xD8 && c[1] == 0x9C;
	if (n != 3 || c[0] != 0xE2)
		return false;
	return c[1] == 0x80 ? c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xA8 && c[2] <= 0xAE)
			    : c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9;
}

/* Return true if a terminal obeys the character. A byte from 0x80 to 0x9F is harmless within a
 * character, but not by itself. */
static bool commands(const unsigned char *c, size_t n)
{
	if (n == 1)
		return *c < ' ' || *c == 0x7F || (*c >= 0x80 && *c < 0xA0);
	return (*c == 0xC2 && c[1] < 0xA0) || turns_text(c, n);
}

int odo_tame(char *text)
{
	int found = 0;
	size_t n;
	for (unsigned char *c = (unsigned char *)text; *c; c += n) {
		n = letter(c);
		if (!commands(c, n))
			continue;
		memset(c, '?', n);
		found = 1;
	}
	return found;
}

int(odo_fail)(odo_error *err, int status, const char *format, ...)
{
	if (!err)
		return status;
	va_list args;
	va_start(args, format);
	err->status = status;
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	odo_tame(err->text);
	return status;
}

int(odo_fail_within)(odo_error *err, const char *format, ...)
{
	if (!err)
		return ODO_EINPUT;
	char inner[sizeof err->text];
	memcpy(inner, err->text, sizeof inner);
	va_list args;
	va_start(args, format);
	int used = vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	if (used >= 0 && (size_t)used < sizeof err->text)
		snprintf(err->text + used, sizeof err->text - (size_t)used, ": %.480s", inner);
	odo_tame(err->text);
	return err->status;
}
