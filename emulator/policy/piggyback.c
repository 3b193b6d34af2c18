/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Congestion bits of Piggybacking: a byte for each global channel of a group, kept for as many
 * cycles as a local link is long. A switch reads its own bytes in this cycle's row, and those of
 * others in the oldest row. This oldest row is overwritten only in the next cycle, so the order of
 * switches does not matter.
 */
#include "emulator/policy/source_routed.h"

size_t odo_piggyback_bytes(const odo_policy_setup *setup, odo_source *source)
{
	source->links_per_switch = odo_most_globals(source->ways);
	source->history = setup->model->latency[ODO_LINK_LOCAL] + 1;
	return (size_t)source->history * source->ways->a * source->links_per_switch;
}

static uint8_t *congestion_row(const odo_source *source, const odo_view *v, uint32_t cycle,
			       uint32_t node)
{
	const odo_ways *ways = source->ways;
	size_t at = (size_t)(cycle % source->history) * ways->a + ways->position[node];
	return (uint8_t *)v->group + at * source->links_per_switch;
}

/* The VL of global channels that a minimal packet takes. */
static unsigned minimal_vl(const odo_source *source)
{
	unsigned taken = source->minimal_high ? ODO_SOURCE_MINIMAL_RUNG : 0;
	return source->ladder.vl[odo_ladder_next(&source->ladder, ODO_LINK_GLOBAL, taken)];
}

void odo_piggyback_tick(const void *state, const odo_view *v)
{
	const odo_source *source = state;
	const odo_ways *ways = source->ways;
	const uint8_t *port = ways->global_port + ways->first_global[v->node];
	uint32_t n = ways->first_global[v->node + 1] - ways->first_global[v->node];
	uint8_t *congested = congestion_row(source, v, v->now, v->node);
	unsigned vl = minimal_vl(source), sum = 0, taken[ODO_MAX_PORTS];
	for (uint32_t k = 0; k < n; k++)
		sum += taken[k] = odo_view_taken(v, port[k], vl);
	/* q > percent/100 * sum/n + excess, without a division. */
	uint64_t limit = (uint64_t)source->percent * sum + 100ull * n * source->excess;
	for (uint32_t k = 0; k < n; k++)
		congested[k] = 100ull * n * taken[k] > limit;
}

bool odo_piggyback_congested(const odo_source *source, const odo_view *v,
			     const odo_gateway *gateway)
{
	uint32_t cycle = gateway->node == v->node ? v->now : v->now + 1;
	return congestion_row(source, v, cycle, gateway->node)[gateway->rank];
}
