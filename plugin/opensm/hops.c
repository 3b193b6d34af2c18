/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/hops.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/search.h"

/* Search from one destination. */
typedef struct search {
	const odo_fabric *f;
	uint8_t *distance; /* [n_switches] OSM_NO_PATH where not reached */
	uint32_t *queue;   /* [n_switches] */
} search;

static uint32_t follow_hop(void *x, uint32_t v, uint32_t slot)
{
	search *s = x;
	/* No path has more than 64 hops, so 8 bits suffice. */
	uint8_t next = s->distance[v] < OSM_NO_PATH - 1 ? s->distance[v] + 1 : OSM_NO_PATH;
	uint32_t u = odo_next_switch(s->f, slot);
	if (u == ODO_NONE || s->distance[u] <= next)
		return ODO_NONE;
	s->distance[u] = next;
	return u;
}

static void measure_distances(search *s, uint32_t root)
{
	const uint32_t *first = s->f->first_slot;
	memset(s->distance, OSM_NO_PATH, s->f->n_switches);
	s->distance[root] = 0;
	s->queue[0] = root;
	odo_breadth_first(first, first + 1, follow_hop, s, s->queue, 1);
}

static void fill_hop_row(const odo_fabric *f, uint32_t v, const search *s, uint8_t *row)
{
	const uint32_t *peer = f->peer + f->first_slot[v];
	unsigned n_ports = odo_n_ports(f, v);
	row[0] = s->distance[v];
	for (unsigned i = 0; i < n_ports; i++) {
		uint32_t u = peer[i] == ODO_NONE ? ODO_NONE : f->owner[peer[i]];
		bool on = u < f->n_switches && s->distance[u] < OSM_NO_PATH - 1;
		row[1 + i] = on ? (uint8_t)(s->distance[u] + 1) : OSM_NO_PATH;
	}
}

int odo_fill_hops(const odo_fabric *f, osm_switch_t *const *sw, odo_error *err)
{
	int status = 0;
	search s = {f, odo_new(f->n_switches, 1), odo_new(f->n_switches, sizeof *s.queue)};
	if (!s.distance || !s.queue)
		status = -1;
	for (uint32_t root = 0; root < f->n_switches && !status; root++) {
		uint16_t lid = f->switch_lid[root];
		if (!lid)
			continue;
		measure_distances(&s, root);
		for (uint32_t v = 0; v < f->n_switches && !status; v++) {
			/* OpenSM allocates the row when it is first set. */
			if (lid > sw[v]->max_lid_ho ||
			    (!sw[v]->hops[lid] && osm_switch_set_hops(sw[v], lid, 0, OSM_NO_PATH)))
				status = -1;
			else
				fill_hop_row(f, v, &s, sw[v]->hops[lid]);
		}
	}
	for (uint32_t v = 0; v < f->n_switches && status; v++)
		osm_switch_clear_hops(sw[v]);
	free(s.distance);
	free(s.queue);
	return status ? odo_fail(err, ODO_ENOMEM, "no memory for OpenSM's hop matrices") : 0;
}
