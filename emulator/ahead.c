/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/ahead.h"

#include <stdlib.h>

/* Without memory for it, nothing comes ahead. */
static void add(odo_ahead *a, const void *at, size_t bytes)
{
	if (!bytes || odo_grow(&a->spans, &a->room, a->n + 1ul, sizeof *a->spans))
		return;
	uint32_t lines = (uint32_t)((bytes + ODO_LINE - 1) / ODO_LINE);
	a->spans[a->n++] = (odo_span){at, lines};
	a->lines += lines;
}

/* A switch's ports, of the places there are for some. */
static void add_switch(odo_ahead *a, const odo_part *c, uint32_t s)
{
	const odo_world *w = c->world;
	size_t first = (size_t)s << w->port_bits, ports = c->sw[s].ports;
	size_t lane = first << w->lane_bits, lanes = ports << w->lane_bits;
	add(a, c->lanes + lane, lanes * sizeof *c->lanes);
	if (!w->uniform)
		add(a, c->rest + lane, lanes * sizeof *c->rest);
	add(a, c->credits + lane, lanes * sizeof *c->credits);
	add(a, c->parked_at + lane * w->words, lanes * w->words * sizeof *c->parked_at);
	add(a, c->links + first, ports * sizeof *c->links);
	if (w->model.arbiter == ODO_ARBITER_LRS)
		add(a, c->served + (first << w->port_bits),
		    (ports << w->port_bits) * sizeof *c->served);
	if (c->vl_row)
		add(a, c->vl_row + first, ports * sizeof *c->vl_row);
	add(a, c->sw[s].local, w->local_bytes);
}

/* Injection queues, those of a switch's hosts together. */
static void add_queues(odo_ahead *a, const odo_part *c)
{
	size_t lanes = 1ul << c->world->lane_bits;
	for (uint32_t h = 0, n; h < c->n_hosts; h += n) {
		odo_spot first = c->hosts[h].at;
		for (n = 1; h + n < c->n_hosts && c->hosts[h + n].at == first + n * lanes;)
			n++;
		add(a, c->rest + first, n * lanes * sizeof *c->rest);
	}
}

void odo_ahead_plan(odo_ahead *a, const odo_part *c, uint32_t cycles)
{
	/* What comes due, and where most of what follows from it is put. */
	uint32_t buckets = c->wheel < 2 * cycles ? c->wheel : 2 * cycles;
	a->n = a->next = a->lines = 0;
	for (uint32_t s = 0; s < c->n_switches; s++)
		add_switch(a, c, s);
	for (uint32_t i = 0; i < buckets; i++) {
		uint32_t x = (c->now + i) & (c->wheel - 1);
		add(a, c->arrivals[x].at, c->arrivals[x].room * sizeof(odo_event));
		add(a, c->returns[x].at, c->returns[x].room * sizeof(odo_event));
	}
	if (c->world->uniform)
		add_queues(a, c);
	if (c->hop) {
		add(a, c->hop, (size_t)c->n_switches * c->n_ways);
		add(a, c->way_to, c->world->e->fabric->n_switches * sizeof *c->way_to);
	}
	add(a, c->hosts, c->n_hosts * sizeof *c->hosts);
	add(a, c->due, ODO_DUE_CYCLES * sizeof *c->due);
	add(a, c->pool, c->pool_room * sizeof *c->pool);
	add(a, c->next, c->pool_room * sizeof *c->next);
	if (a->lines > ODO_AHEAD_MOST / ODO_LINE)
		a->n = 0;
	a->share = a->lines / cycles + 1;
}

void odo_ahead_free(odo_ahead *a)
{
	free(a->spans);
}
