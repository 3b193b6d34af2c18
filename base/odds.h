/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Logarithms (bits) of numbers of possibilities. */
#ifndef ODONATA_BASE_ODDS_H
#define ODONATA_BASE_ODDS_H

#include <math.h>

/** Return log2 of the number of orders of `n` things; `n` need not be whole. */
static inline double odo_log2_factorial(double n)
{
	int sign; /* lgamma() would write a global variable that threads share */
	return lgamma_r(n + 1, &sign) / log(2);
}

/** Return log2 of the number of choices of `k` things from `n`; 0 if there are none. */
static inline double odo_log2_choose(double n, double k)
{
	if (k < 0 || k > n)
		return 0;
	return odo_log2_factorial(n) - odo_log2_factorial(k) - odo_log2_factorial(n - k);
}

#endif
