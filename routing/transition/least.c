/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries that no tables could keep. An old path may end at a cable that is gone, and yet all its
 * entries before that cable may stay: the last switch can send its packets another way. But not
 * where this way leads back.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/transition/internal.h"

/* Numbers the parts into which the fabric falls without a switch. */
static void number_parts(const odo_fabric *f, uint32_t without, uint32_t *part, uint32_t *stack)
{
	uint32_t n_parts = 0;
	memset(part, 0xFF, f->n_switches * sizeof *part);
	for (uint32_t start = 0; start < f->n_switches; start++) {
		uint32_t n = 0;
		if (start == without || part[start] != ODO_NONE)
			continue;
		part[start] = n_parts++;
		stack[n++] = start;
		while (n) {
			uint32_t s = stack[--n];
			for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
				uint32_t to = odo_next_switch(f, i);
				if (to == ODO_NONE || to == without || part[to] != ODO_NONE)
					continue;
				part[to] = part[start];
				stack[n++] = to;
			}
		}
	}
}

int odo_least_hopeless(const odo_fabric *f, const odo_broken *broken, const uint32_t *first,
		       uint64_t *n, odo_error *err)
{
	uint32_t *part = odo_new(f->n_switches, sizeof *part);
	uint32_t *stack = odo_new(f->n_switches, sizeof *stack);
	int status = part && stack ? 0
				   : odo_fail(err, ODO_ENOMEM, "no memory for the least change");
	*n = 0;
	for (uint32_t s = 0; s < f->n_switches && !status; s++) {
		if (first[s] == ODO_NONE)
			continue;
		number_parts(f, s, part, stack);
		for (uint32_t i = first[s]; i != ODO_NONE; i = broken[i].next)
			*n += part[broken[i].to] != part[broken[i].home];
	}
	free(part);
	free(stack);
	return status;
}
