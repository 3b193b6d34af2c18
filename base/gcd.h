/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_BASE_GCD_H
#define ODONATA_BASE_GCD_H

#include <stdint.h>

/** Return the greatest common divisor; of 0 and x it is x. */
static inline uint32_t odo_gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

#endif
