/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/hops.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* One destination at a time. */
typedef struct search {
	uint8_t *distance; /* [n_switches] OSM_NO_PATH where not reached */
	uint32_t *queue;   /* [n_switches] */
} search;

static void measure(const odo_fabric *f, uint32_t root, search *s)
{
	uint32_t head = 0, tail = 0;
	memset(s->distance, OSM_NO_PATH, f->n_switches);
	s->distance[root] = 0;
	s->queue[tail++] = root;
	while (head < tail) {
		uint32_t v = s->queue[head++];
		/* Beyond InfiniBand's 64 hops nothing is routed, so 8 bits do. */
		uint8_t next = s->distance[v] < OSM_NO_PATH - 1 ? s->distance[v] + 1 : OSM_NO_PATH;
		for (uint32_t slot = f->first_slot[v]; slot < f->first_slot[v + 1]; slot++) {
			uint32_t u = odo_next_switch(f, slot);
			if (u == ODO_NONE || s->distance[u] <= next)
				continue;
			s->distance[u] = next;
			s->queue[tail++] = u;
		}
	}
}

static void fill_row(const odo_fabric *f, uint32_t v, const search *s, uint8_t *row)
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
	search s = {odo_new(f->n_switches, 1), odo_new(f->n_switches, sizeof *s.queue)};
	if (!s.distance || !s.queue)
		status = -1;
	for (uint32_t root = 0; root < f->n_switches && !status; root++) {
		uint16_t lid = f->switch_lid[root];
		if (!lid)
			continue;
		measure(f, root, &s);
		for (uint32_t v = 0; v < f->n_switches && !status; v++) {
			/* OpenSM allocates the row when it is first set. */
			if (lid > sw[v]->max_lid_ho ||
			    (!sw[v]->hops[lid] && osm_switch_set_hops(sw[v], lid, 0, OSM_NO_PATH)))
				status = -1;
			else
				fill_row(f, v, &s, sw[v]->hops[lid]);
		}
	}
	for (uint32_t v = 0; v < f->n_switches && status; v++)
		osm_switch_clear_hops(sw[v]);
	free(s.distance);
	free(s.queue);
	return status ? odo_fail(err, ODO_ENOMEM, "no memory for OpenSM's hop matrices") : 0;
}
