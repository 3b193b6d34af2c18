/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** End of a benchmark that cannot go on. */
#ifndef ODONATA_BENCH_MUST_H
#define ODONATA_BENCH_MUST_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/** Print an error and end the program. @param what beginning of the message */
static inline void bench_die(const char *what, const odo_error *err)
{
	fprintf(stderr, "%s: %s\n", what, err->text);
	exit(1);
}

/** End the program if a call has failed. */
static inline void bench_must(int status, const odo_error *err)
{
	if (status)
		bench_die(program_invocation_short_name, err);
}

#endif
