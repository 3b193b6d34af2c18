/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* From 0x80 to 0x9F: also the second byte of most letters of UTF-8, which do no harm. */
static int commands(unsigned char before, unsigned char c)
{
	return c < ' ' || c == 0x7F || (c >= 0x80 && c < 0xA0 && (before < 0x80 || before == 0xC2));
}

int odo_tame(char *text)
{
	unsigned char before = 0, now;
	int found = 0;
	for (char *c = text; *c; c++, before = now) {
		now = (unsigned char)*c;
		if (!commands(before, now))
			continue;
		if (before == 0xC2)
			c[-1] = '?';
		*c = '?';
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
