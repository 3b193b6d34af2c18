/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Backlog counters of UGAL-G: phits that wait for each global channel of a group. Credits alone say
 * too little if buffers are small. A channel at half load has a round trip's worth of flits on its
 * way, which is most of 16. A channel that the whole group waits for cannot have more than 16
 * either.
 */
#include "emulator/policy/source_routed.h"

uint32_t odo_most_globals(const odo_ways *ways)
{
	uint32_t most = 0;
	for (uint32_t n = 0; n < ways->n_switches; n++)
		if (ways->first_global[n + 1] - ways->first_global[n] > most)
			most = ways->first_global[n + 1] - ways->first_global[n];
	return most;
}

size_t odo_backlog_bytes(odo_source *source)
{
	source->links_per_switch = odo_most_globals(source->ways);
	return (size_t)source->ways->a * source->links_per_switch * sizeof(uint32_t);
}

/* Return the counter of a channel, by its switch and port. */
static uint32_t *backlog_counter(const odo_source *source, const odo_view *v, uint32_t gate,
				 unsigned port)
{
	const odo_ways *ways = source->ways;
	uint32_t *row = (uint32_t *)v->group +
			(size_t)ways->position[gate] * source->links_per_switch;
	const uint8_t *own = ways->global_port + ways->first_global[gate];
	while (*own != port)
		own++, row++;
	return row;
}

void odo_backlog_note(const odo_source *source, const odo_view *v, const odo_packet *p,
		      unsigned in_port, unsigned out_port, uint32_t towards)
{
	const odo_ways *ways = source->ways;
	odo_link_class class = odo_ways_class(ways, v->node, out_port);
	if (class == ODO_LINK_LOCAL && ways->group[towards] != ways->group[v->node]) {
		uint32_t gate = odo_next_switch(ways->fabric,
						odo_slot(ways->fabric, v->node, out_port));
		unsigned port = odo_ways_gateway(ways, gate, ways->group[towards], p->source)->port;
		*backlog_counter(source, v, gate, port) += p->phits;
	}
	if (class == ODO_LINK_GLOBAL && odo_ways_class(ways, v->node, in_port) == ODO_LINK_LOCAL)
		*backlog_counter(source, v, v->node, out_port) -= p->phits;
}

unsigned odo_backlog(const odo_source *source, const odo_view *v, uint32_t gate, unsigned port)
{
	return *backlog_counter(source, v, gate, port);
}
