/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/kinds.h"

#include <stddef.h>

#include "base/odds.h"

const odo_kind_row *odo_kind_of(odo_kind kind)
{
#define ROW(upper, lower) [ODO_KIND_##upper] = &odo_kind_##lower,
	static const odo_kind_row unknown = {.name = "unknown"};
	static const odo_kind_row *const rows[] = {[ODO_KIND_UNKNOWN] = &unknown, ODO_KINDS(ROW)};
#undef ROW
	return rows[kind];
}

const odo_factor_row *odo_factor_of(odo_factor factor)
{
#define ROW(upper, lower) [ODO_##upper] = &odo_factor_##lower,
	static const odo_factor_row *const rows[] = {ODO_FACTORS(ROW)};
#undef ROW
	return rows[factor];
}

odo_kind odo_kind_of_factors(const odo_factor *factor, const uint32_t *size, unsigned n)
{
	odo_factor_counts counts = {.n = n};
	odo_kind found = ODO_KIND_UNKNOWN;
	for (unsigned i = 0; i < n; i++) {
		counts.of[factor[i]]++;
		counts.pairs += factor[i] == ODO_COMPLETE && size[i] == 2;
	}
	for (odo_kind k = ODO_KIND_UNKNOWN; k < ODO_N_KINDS; k++)
		if (odo_kind_of(k)->made_of && odo_kind_of(k)->made_of(&counts))
			found = k;
	return found;
}

const char *odo_kind_name(odo_kind kind)
{
	return odo_kind_of(kind)->name;
}

bool odo_linked_all(uint32_t size, uint32_t a, uint32_t b)
{
	(void)size;
	return a != b;
}

double odo_bits_of_orders(uint32_t size)
{
	return odo_log2_factorial(size);
}
