/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a plugin for tests says to the system's log goes to standard error, where scripts can read it. */
#include <stdarg.h>
#include <stdio.h>

void __wrap_syslog(int priority, const char *format, ...);

void __wrap_syslog(int priority, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "syslog %d: ", priority);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}
