/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "mapping/faults.h"
#include "mapping/finding.h"

static void copy_placement(const odo_finding *h, odo_coordinates *c)
{
	const odo_placement *p = &h->placement;
	c->kind = h->kind;
	c->q = p->q;
	for (unsigned i = 0; i < p->n_dims; i++) {
		c->factor[i] = p->factor[i];
		c->size[i] = p->size[i];
		c->width[i] = h->width[i];
	}
	for (uint32_t v = 0; v < p->n; v++)
		memcpy(c->at + (size_t)h->g->vertex[v] * p->n_dims, odo_placement_at(p, v),
		       p->n_dims * sizeof *c->at);
}

/* Cables beyond the width of a link belong elsewhere; the last ones are called wrong, since
 * nothing tells which. `used` counts by edge. */
static void class_ports(const odo_finding *h, const odo_fabric *f, const uint32_t *slot_edge,
			uint8_t *used, odo_coordinates *c)
{
	for (uint32_t v = 0; v < h->g->n; v++) {
		uint32_t s = h->g->vertex[v];
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t e = slot_edge[i];
			if (e == ODO_NONE || h->g->end[e][0] != v)
				continue;
			uint8_t class = h->edge_class[e];
			bool global = h->kind == ODO_KIND_DRAGONFLY && class == 0;
			if (class < ODO_MAX_DIMS && !global && used[e]++ >= h->width[class])
				class = ODO_PORT_WRONG;
			c->port_class[i] = c->port_class[f->peer[i]] = class;
		}
	}
}

int odo_finding_report(const odo_finding *h, const odo_fabric *f, const uint32_t *slot_edge,
		       odo_coordinates *c, odo_error *err)
{
	odo_faults list = {0};
	uint8_t *used = odo_new(h->g->n_edges, sizeof *used);
	int status = used ? 0 : ODO_ENOMEM;
	copy_placement(h, c);
	if (!status) {
		class_ports(h, f, slot_edge, used, c);
		status = odo_faults_switches(h, &list);
	}
	if (!status)
		status = odo_faults_cables(f, c, h->g, &list);
	if (!status)
		status = odo_faults_links(h, &list);
	if (!status)
		status = odo_faults_match(f, &list);
	free(used);
	c->faults = list.fault;
	c->n_faults = list.n;
	return status ? odo_fail(err, status, "no memory for faults") : 0;
}
