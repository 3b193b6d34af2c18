/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Clocks of the benchmarks. */
#ifndef ODONATA_BENCH_CLOCK_H
#define ODONATA_BENCH_CLOCK_H

#include <time.h>

/** Seconds of a clock: CLOCK_PROCESS_CPUTIME_ID, which other jobs disturb no more than the caches,
 * or CLOCK_MONOTONIC. */
static inline double bench_seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Milliseconds of processor time. */
static inline double bench_ms(void)
{
	return 1e3 * bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
