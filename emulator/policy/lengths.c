/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lengths of paths as the source-adaptive policies weigh them. Real lengths follow the cables.
 * FOGSim always counts as if global links were in consecutive order, and its first version leaves
 * out global hops.
 */
#include "emulator/policy/source_routed.h"

/* Position in group `from` of the switch with the link to group `to`, in consecutive order. */
static uint32_t consecutive_gate(const odo_ways *ways, uint32_t from, uint32_t to)
{
	uint32_t per_switch = (ways->n_groups - 1 + ways->a - 1) / ways->a;
	return (to - (to > from)) / per_switch;
}

static unsigned consecutive_hops(const odo_source *source, uint32_t from, uint32_t to)
{
	const odo_ways *ways = source->ways;
	uint32_t u = ways->group[from], v = ways->group[to];
	if (u == v)
		return ways->position[from] != ways->position[to];
	return (source->lengths == ODO_LENGTHS_CONSECUTIVE) +
	       (ways->position[from] != consecutive_gate(ways, u, v)) +
	       (ways->position[to] != consecutive_gate(ways, v, u));
}

unsigned odo_source_hops(const odo_source *source, const odo_gateway *first, uint32_t from,
			 uint32_t to)
{
	if (source->lengths != ODO_LENGTHS_REAL)
		return consecutive_hops(source, from, to);
	return first ? (first->node != from) + 1u + (first->there != to) : from != to;
}

unsigned odo_source_hops_via(const odo_source *source, const odo_gateway *first, uint32_t from,
			     uint32_t via, uint32_t to, uint32_t spread)
{
	const odo_ways *ways = source->ways;
	if (source->lengths == ODO_LENGTHS_REAL)
		return (first->node != from) + 1u +
		       odo_ways_distance(ways, first->there, to, spread);
	/* Count the way to the switch itself, without a hop within its group on arrival, as FOGSim
	 * does. */
	uint32_t u = ways->group[from], v = ways->group[via];
	return (source->lengths == ODO_LENGTHS_CONSECUTIVE) +
	       (ways->position[from] != consecutive_gate(ways, u, v)) +
	       consecutive_hops(source, via, to);
}
