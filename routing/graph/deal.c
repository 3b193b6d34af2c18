/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/graph/deal.h"

void odo_deal(const uint32_t *id, uint32_t n, unsigned n_phases, uint32_t *pick)
{
	for (unsigned phase = 0; n && phase < n_phases; phase++) {
		/* In each round of n phases, every way is used once. */
		unsigned round = phase - phase % n;
		uint32_t best = 0, chosen = 0, found = 0;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t used = 0;
			for (unsigned p = round; p < phase; p++)
				used |= pick[p] == i;
			uint32_t value = odo_mix(id[i] ^ (phase + 1) * 0x9E3779B1u);
			if (!used && (!found || value > best)) {
				best = value;
				chosen = i;
				found = 1;
			}
		}
		pick[phase] = chosen;
	}
}

unsigned odo_lcm(unsigned a, unsigned b, unsigned limit)
{
	unsigned x = a, y = b;
	while (y) {
		unsigned rest = x % y;
		x = y;
		y = rest;
	}
	uint64_t lcm = x ? (uint64_t)a / x * b : 0;
	return lcm < limit ? (unsigned)lcm : limit;
}
