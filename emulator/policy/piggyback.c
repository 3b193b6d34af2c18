/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Piggybacking's knowledge: a byte for each global channel of a group, kept for as many cycles
 * as a local link is long. A switch reads its own in this cycle's row, the others' in the
 * oldest row, which is written again only in the next cycle: no order of switches matters.
 */
#include "emulator/policy/source_routed.h"

size_t odo_piggyback_bytes(const odo_policy_setup *setup, odo_source *s)
{
	s->links_per_switch = odo_most_globals(s->ways);
	s->history = setup->model->latency[ODO_LINK_LOCAL] + 1;
	return (size_t)s->history * s->ways->a * s->links_per_switch;
}

static uint8_t *row(const odo_source *s, const odo_view *v, uint32_t cycle, uint32_t node)
{
	const odo_ways *w = s->ways;
	size_t at = (size_t)(cycle % s->history) * w->a + w->position[node];
	return (uint8_t *)v->group + at * s->links_per_switch;
}

/* The VL of global channels that a minimal packet takes. */
static unsigned minimal_vl(const odo_source *s)
{
	unsigned taken = s->minimal_high ? ODO_SOURCE_MINIMAL_RUNG : 0;
	return s->ladder.vl[odo_ladder_next(&s->ladder, ODO_LINK_GLOBAL, taken)];
}

void odo_piggyback_tick(const void *state, const odo_view *v)
{
	const odo_source *s = state;
	const odo_ways *w = s->ways;
	const uint8_t *port = w->global_port + w->first_global[v->node];
	uint32_t n = w->first_global[v->node + 1] - w->first_global[v->node];
	uint8_t *congested = row(s, v, v->now, v->node);
	unsigned vl = minimal_vl(s), sum = 0;
	for (uint32_t k = 0; k < n; k++)
		sum += odo_view_taken(v, port[k], vl);
	/* q > percent/100 * sum/n + excess, without dividing. */
	uint64_t limit = (uint64_t)s->percent * sum + 100ull * n * s->excess;
	for (uint32_t k = 0; k < n; k++)
		congested[k] = 100ull * n * odo_view_taken(v, port[k], vl) > limit;
}

bool odo_piggyback_congested(const odo_source *s, const odo_view *v, const odo_packet *p)
{
	const odo_ways *w = s->ways;
	uint32_t target = w->group[w->home[p->target]];
	if (target == w->group[v->node])
		return false;
	const odo_gateway *g = odo_ways_gateway(w, v->node, target, p->source);
	const uint8_t *port = w->global_port + w->first_global[g->node];
	const uint8_t *congested = row(s, v, g->node == v->node ? v->now : v->now + 1, g->node);
	for (uint32_t k = 0; k < w->first_global[g->node + 1] - w->first_global[g->node]; k++)
		if (port[k] == g->port)
			return congested[k];
	return false;
}
