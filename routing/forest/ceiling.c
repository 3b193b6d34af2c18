/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/ceiling.h"

#include <math.h>

/* Tolerance, so that rounding errors make no ceiling too low. */
#define SLACK 1e-6

int odo_ceiling_begin(const odo_forest *forest, odo_ceiling *ceiling, odo_ceiling_loads *out)
{
	const odo_fabric *f = forest->f;
	uint32_t slots = f->first_slot[forest->n];
	unsigned lmc = 0;
	*out = (odo_ceiling_loads){.ceiling = ceiling, .forest = forest};
	if (!ceiling)
		return 0;
	ceiling->low = false;
	ceiling->at_most = (odo_rating){1, 1};
	out->flows = odo_arena_new(&out->memory, (size_t)ceiling->n_patterns * slots,
				   sizeof *out->flows);
	out->fullest = odo_arena_new(&out->memory, ceiling->n_patterns, sizeof *out->fullest);
	if (out->memory.failed)
		return ODO_ENOMEM;
	for (uint32_t h = 0; h < f->n_senders; h++)
		lmc = f->port_lmc[f->host_slot[h]] > lmc ? f->port_lmc[f->host_slot[h]] : lmc;
	out->share = 1.0 / (1u << lmc);
	return 0;
}

void odo_ceiling_end(odo_ceiling_loads *x)
{
	odo_arena_free(&x->memory);
}

void odo_ceiling_count(odo_ceiling_loads *x, uint32_t lid, const uint32_t *number,
		       const uint8_t *column)
{
	const odo_fabric *f = x->forest->f;
	uint32_t slots = f->first_slot[x->forest->n], d = f->lid_switch[lid];
	for (unsigned p = 0; p < x->ceiling->n_patterns; p++) {
		uint32_t h = x->ceiling->sender[p * f->n_senders + f->lid_host[lid]];
		uint32_t s = odo_host_switch(f, h);
		while (s != d && column[number[s]] != ODO_NO_PORT) {
			uint32_t slot = odo_slot(f, s, column[number[s]]);
			float use = (float)++x->flows[(size_t)p * slots + slot] *
				    x->ceiling->part[slot];
			x->fullest[p] = use > x->fullest[p] ? use : x->fullest[p];
			s = x->forest->next[slot];
		}
	}
}

bool odo_ceiling_is_low(const odo_ceiling_loads *x, double uniform)
{
	odo_ceiling *ceiling = x->ceiling;
	double use = uniform * x->share / (x->forest->f->n_senders - 1.0), time = 0;
	for (unsigned p = 0; p < ceiling->n_patterns; p++) {
		double fullest = x->fullest[p] * x->share;
		time += fullest > 1 ? fullest : 1;
	}
	ceiling->at_most.uniform = use > 1 ? 1 / use : 1;
	ceiling->at_most.shifts = ceiling->n_patterns / time;
	double mean = sqrt(ceiling->at_most.uniform * ceiling->at_most.shifts);
	ceiling->low = mean * (1 + SLACK) < ceiling->needed;
	return ceiling->low;
}
