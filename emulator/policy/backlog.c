/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * UGAL-G's knowledge: what waits for each global channel of a group. Credits alone tell too little
 * where buffers are shallow: a channel at half its load has a round trip's worth of flits under
 * way, which is most of 16, and one that the whole group waits for can have no more than 16.
 */
#include "emulator/policy/source_routed.h"

uint32_t odo_most_globals(const odo_ways *w)
{
	uint32_t most = 0;
	for (uint32_t n = 0; n < w->n_switches; n++)
		if (w->first_global[n + 1] - w->first_global[n] > most)
			most = w->first_global[n + 1] - w->first_global[n];
	return most;
}

size_t odo_backlog_bytes(odo_source *s)
{
	s->links_per_switch = odo_most_globals(s->ways);
	return (size_t)s->ways->a * s->links_per_switch * sizeof(uint32_t);
}

/* The counter of a channel, by its switch and port. */
static uint32_t *counter(const odo_source *s, const odo_view *v, uint32_t gate, unsigned port)
{
	const odo_ways *w = s->ways;
	uint32_t *row = (uint32_t *)v->group + (size_t)w->position[gate] * s->links_per_switch;
	const uint8_t *own = w->global_port + w->first_global[gate];
	while (*own != port)
		own++, row++;
	return row;
}

void odo_backlog_note(const odo_source *s, const odo_view *v, const odo_packet *p, unsigned in_port,
		      unsigned out_port, uint32_t towards)
{
	const odo_ways *w = s->ways;
	odo_link_class class = odo_ways_class(w, v->node, out_port);
	if (class == ODO_LINK_LOCAL && w->group[towards] != w->group[v->node]) {
		uint32_t gate = odo_next_switch(w->fabric, odo_slot(w->fabric, v->node, out_port));
		unsigned port = odo_ways_gateway(w, gate, w->group[towards], p->source)->port;
		*counter(s, v, gate, port) += p->phits;
	}
	if (class == ODO_LINK_GLOBAL && odo_ways_class(w, v->node, in_port) == ODO_LINK_LOCAL)
		*counter(s, v, v->node, out_port) -= p->phits;
}

unsigned odo_backlog(const odo_source *s, const odo_view *v, uint32_t gate, unsigned port)
{
	return *counter(s, v, gate, port);
}
