/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lengths of paths as the source-adaptive policies weigh them. Real ones follow the cables.
 * FOGSim counts as if global links were in consecutive order, whatever they are, and its first
 * version leaves global hops out.
 */
#include "emulator/policy/source_routed.h"

/* Position in group `from` of the switch with the link to group `to`, in consecutive order. */
static uint32_t consecutive_gate(const odo_ways *w, uint32_t from, uint32_t to)
{
	uint32_t per_switch = (w->n_groups - 1 + w->a - 1) / w->a;
	return (to - (to > from)) / per_switch;
}

static unsigned consecutive(const odo_source *s, uint32_t from, uint32_t to)
{
	const odo_ways *w = s->ways;
	uint32_t u = w->group[from], v = w->group[to];
	if (u == v)
		return w->position[from] != w->position[to];
	return (s->lengths == ODO_LENGTHS_CONSECUTIVE) +
	       (w->position[from] != consecutive_gate(w, u, v)) +
	       (w->position[to] != consecutive_gate(w, v, u));
}

unsigned odo_source_hops(const odo_source *s, uint32_t from, uint32_t to, uint32_t spread)
{
	return s->lengths == ODO_LENGTHS_REAL ? odo_ways_distance(s->ways, from, to, spread)
					      : consecutive(s, from, to);
}

unsigned odo_source_hops_via(const odo_source *s, uint32_t from, uint32_t via, uint32_t to,
			     uint32_t spread)
{
	const odo_ways *w = s->ways;
	if (s->lengths != ODO_LENGTHS_REAL) {
		/* To the switch itself, and no hop within its group on arrival: as FOGSim. */
		uint32_t u = w->group[from], v = w->group[via];
		unsigned first = u == v ? w->position[from] != w->position[via]
					: (s->lengths == ODO_LENGTHS_CONSECUTIVE) +
						  (w->position[from] != consecutive_gate(w, u, v));
		return first + consecutive(s, via, to);
	}
	if (w->group[from] == w->group[via])
		return odo_ways_distance(w, from, to, spread);
	const odo_gateway *g = odo_ways_gateway(w, from, w->group[via], spread);
	return (g->node != from) + 1u + odo_ways_distance(w, g->there, to, spread);
}
