/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Numbers of ways, as powers of two: bits. */
#ifndef ODONATA_BASE_ODDS_H
#define ODONATA_BASE_ODDS_H

#include <math.h>

/** Of orders of `n` things, also of a number that is not whole. */
static inline double odo_log2_factorial(double n)
{
	int sign; /* lgamma() would write a global that threads share */
	return lgamma_r(n + 1, &sign) / log(2);
}

/** Of choices of `k` things from `n`; 0 where there are none. */
static inline double odo_log2_choose(double n, double k)
{
	if (k < 0 || k > n)
		return 0;
	return odo_log2_factorial(n) - odo_log2_factorial(k) - odo_log2_factorial(n - k);
}

#endif
