/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/prefetch.h"

#include <stdlib.h>

#define NEAR 2u /* lines */

/* Without memory for it, nothing comes ahead. What lies next to what was added last, or nearly so,
 * lengthens that: where a span ends is not predicted. */
static void add(odo_prefetch *a, const void *at, size_t bytes)
{
	if (!bytes)
		return;
	odo_span *last = a->n ? &a->spans[a->n - 1] : NULL;
	size_t behind = last ? (uintptr_t)at - (uintptr_t)last->at : SIZE_MAX;
	if (last && behind <= (last->lines + NEAR) * ODO_LINE) {
		uint32_t longer = (uint32_t)((behind + bytes + ODO_LINE - 1) / ODO_LINE);
		a->lines += longer > last->lines ? longer - last->lines : 0;
		last->lines = longer > last->lines ? longer : last->lines;
		return;
	}
	if (odo_grow(&a->spans, &a->room, a->n + 1ul, sizeof *a->spans))
		return;
	uint32_t lines = (uint32_t)((bytes + ODO_LINE - 1) / ODO_LINE);
	a->spans[a->n++] = (odo_span){at, lines};
	a->lines += lines;
}

/* Of an array that has so many bytes a port, those of all switches' ports, of the places there are
 * for some. */
static void add_ports(odo_prefetch *a, const odo_part *c, const void *array, size_t each)
{
	for (size_t s = 0; array && s < c->n_switches; s++) {
		size_t first = s << c->world->port_bits;
		add(a, (const unsigned char *)array + first * each, c->sw[s].ports * each);
	}
}

static void add_switches(odo_prefetch *a, const odo_part *c)
{
	const odo_world *w = c->world;
	size_t lanes = 1ul << w->lane_bits;
	add_ports(a, c, c->lanes, lanes * sizeof *c->lanes);
	add_ports(a, c, w->uniform ? NULL : c->rest, lanes * sizeof *c->rest);
	add_ports(a, c, c->credits, lanes * sizeof *c->credits);
	add_ports(a, c, c->parked_at, lanes * w->words * sizeof *c->parked_at);
	add_ports(a, c, c->links, c->link_bytes);
	add_ports(a, c, c->vl_row, sizeof *c->vl_row);
	for (uint32_t s = 0; s < c->n_switches; s++)
		add(a, c->sw[s].local, w->local_bytes);
}

/* Injection queues, those of a switch's hosts together. */
static void add_queues(odo_prefetch *a, const odo_part *c)
{
	size_t lanes = 1ul << c->world->lane_bits;
	for (uint32_t h = 0, n; h < c->n_hosts; h += n) {
		odo_spot first = c->hosts[h].at;
		for (n = 1; h + n < c->n_hosts && c->hosts[h + n].at == first + n * lanes;)
			n++;
		add(a, c->rest + first, n * lanes * sizeof *c->rest);
	}
}

void odo_prefetch_plan(odo_prefetch *a, const odo_part *c, uint32_t cycles)
{
	/* What comes due, and where most of what follows from it is put. */
	uint32_t buckets = c->wheel < 2 * cycles ? c->wheel : 2 * cycles;
	a->n = a->next = a->lines = 0;
	add_switches(a, c);
	for (uint32_t i = 0; i < buckets; i++) {
		uint32_t x = (c->now + i) & (c->wheel - 1);
		add(a, c->arrivals[x].at, odo_bucket_room(&c->arrivals[x]) * sizeof(odo_event));
		add(a, c->returns[x].at, odo_bucket_room(&c->returns[x]) * sizeof(odo_event));
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

void odo_prefetch_free(odo_prefetch *a)
{
	free(a->spans);
}
