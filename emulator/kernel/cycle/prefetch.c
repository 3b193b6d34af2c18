/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/cycle/prefetch.h"

#include <stdlib.h>

#define NEAR 2u /* cache lines */

/* Add a span of memory. If there is no memory for the list, that span is not prefetched. A span
 * that lies within NEAR lines of the last one extends it: the end of a span is a branch that cannot
 * be predicted. */
static void add_span(odo_prefetch *prefetch, const void *at, size_t bytes)
{
	if (!bytes)
		return;
	odo_span *last = prefetch->n ? &prefetch->spans[prefetch->n - 1] : NULL;
	size_t behind = last ? (uintptr_t)at - (uintptr_t)last->at : SIZE_MAX;
	if (last && behind <= (last->lines + NEAR) * ODO_LINE) {
		uint32_t longer = (uint32_t)((behind + bytes + ODO_LINE - 1) / ODO_LINE);
		prefetch->lines += longer > last->lines ? longer - last->lines : 0;
		last->lines = longer > last->lines ? longer : last->lines;
		return;
	}
	if (odo_grow(&prefetch->spans, &prefetch->room, prefetch->n + 1ul, sizeof *prefetch->spans))
		return;
	uint32_t lines = (uint32_t)((bytes + ODO_LINE - 1) / ODO_LINE);
	prefetch->spans[prefetch->n++] = (odo_span){at, lines};
	prefetch->lines += lines;
}

/* Add the used entries of an array that has `each` bytes per port. Port numbers have gaps (part.h);
 * only ports that switches have are added. */
static void add_used_ports(odo_prefetch *prefetch, const odo_part *part, const void *array,
			   size_t each)
{
	for (size_t s = 0; array && s < part->n_switches; s++) {
		size_t first = s << part->world->port_bits;
		add_span(prefetch, (const unsigned char *)array + first * each,
			 part->sw[s].ports * each);
	}
}

static void add_switch_spans(odo_prefetch *prefetch, const odo_part *part)
{
	const odo_world *w = part->world;
	size_t lanes = 1ul << w->lane_bits;
	add_used_ports(prefetch, part, part->lanes, lanes * sizeof *part->lanes);
	add_used_ports(prefetch, part, w->uniform || w->sets ? NULL : part->rest,
		       lanes * sizeof *part->rest);
	add_used_ports(prefetch, part, part->credits, lanes * sizeof *part->credits);
	add_used_ports(prefetch, part, part->links, part->link_bytes);
	add_used_ports(prefetch, part, part->vl_row, sizeof *part->vl_row);
	for (uint32_t s = 0; s < part->n_switches; s++)
		add_span(prefetch, part->sw[s].local, w->local_bytes);
}

/* Add the injection queues; the queues of one switch's hosts form one span. */
static void add_queues(odo_prefetch *prefetch, const odo_part *part)
{
	size_t lanes = 1ul << part->world->lane_bits;
	for (uint32_t h = 0, n; h < part->n_hosts; h += n) {
		odo_spot first = part->hosts[h].at;
		for (n = 1; h + n < part->n_hosts && part->hosts[h + n].at == first + n * lanes;)
			n++;
		add_span(prefetch, part->rest + first, n * lanes * sizeof *part->rest);
	}
}

void odo_prefetch_plan(odo_prefetch *prefetch, const odo_part *part, uint32_t cycles)
{
	/* Buckets that come due, and the buckets that receive most of the resulting events. */
	uint32_t buckets = part->wheel < 2 * cycles ? part->wheel : 2 * cycles;
	prefetch->n = prefetch->next = prefetch->lines = 0;
	add_switch_spans(prefetch, part);
	for (uint32_t i = 0; i < buckets; i++) {
		uint32_t x = (part->now + i) & (part->wheel - 1);
		add_span(prefetch, part->arrivals[x].at,
			 odo_bucket_room(&part->arrivals[x]) * sizeof(odo_event));
		add_span(prefetch, part->returns[x].at,
			 odo_bucket_room(&part->returns[x]) * sizeof(odo_event));
	}
	if (part->world->uniform || part->world->sets)
		add_queues(prefetch, part);
	if (part->hop) {
		add_span(prefetch, part->hop, (size_t)part->n_switches * part->n_ways);
		add_span(prefetch, part->way_to, part->world->n_ends * sizeof *part->way_to);
	}
	add_span(prefetch, part->hosts, part->n_hosts * sizeof *part->hosts);
	add_span(prefetch, part->due, ODO_DUE_CYCLES * sizeof *part->due);
	add_span(prefetch, part->pool, part->pool_room * sizeof *part->pool);
	add_span(prefetch, part->next, part->pool_room * sizeof *part->next);
	if (prefetch->lines > ODO_PREFETCH_MOST / ODO_LINE)
		prefetch->n = 0;
	prefetch->share = prefetch->lines / cycles + 1;
}

void odo_prefetch_free(odo_prefetch *prefetch)
{
	free(prefetch->spans);
}
