/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int odo_fail(odo_error *err, int status, const char *format, ...)
{
	if (!err)
		return status;
	va_list args;
	va_start(args, format);
	err->status = status;
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	return status;
}

int odo_fail_within(odo_error *err, const char *format, ...)
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
	return err->status;
}
