/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/faults/faults.h"
#include "mapping/judge/finding.h"
#include "mapping/faults/globals.h"
#include "base/strategies.h"

static void copy_placement(const odo_finding *h, odo_coordinates *c)
{
	const odo_placement *placement = &h->placement;
	c->kind = h->kind;
	c->q = placement->q;
	for (unsigned i = 0; i < placement->n_dims; i++) {
		c->factor[i] = placement->factor[i];
		c->size[i] = placement->size[i];
		c->width[i] = h->width[i];
	}
	for (uint32_t v = 0; v < placement->n; v++)
		memcpy(c->at + (size_t)h->g->vertex[v] * placement->n_dims,
		       odo_placement_at(placement, v), placement->n_dims * sizeof *c->at);
}

/* Assign classes to ports. Cables beyond the width of a link belong elsewhere. The last ones are
 * marked wrong, because nothing distinguishes parallel cables. `used` counts cables by edge;
 * `wrong` is the number of wrong cables of each global link. */
static void class_ports(const odo_finding *h, const odo_fabric *f, const uint32_t *slot_edge,
			const uint8_t *wrong, uint8_t *used, odo_coordinates *c)
{
	for (uint32_t v = 0; v < h->g->n; v++) {
		uint32_t s = h->g->vertex[v];
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t e = slot_edge[i];
			if (e == ODO_NONE || h->g->end[e][0] != v)
				continue;
			uint8_t class = h->edge_class[e];
			bool global = odo_finding_grouped(h) && class == 0;
			uint32_t right = class < ODO_MAX_DIMS ? h->width[class] : 0;
			if (global)
				right = (uint32_t)h->g->n_cables[e] - wrong[e];
			if (class < ODO_MAX_DIMS && used[e]++ >= right)
				class = ODO_PORT_WRONG;
			c->port_class[i] = c->port_class[f->peer[i]] = class;
		}
	}
}

static int report_missing_cables(const odo_finding *h, const odo_missing *missing, uint32_t n,
				 odo_faults *list)
{
	for (uint32_t i = 0; i < n; i++) {
		odo_fault *fault = odo_faults_add(list, ODO_FAULT_MISSING_LINK);
		if (!fault)
			return ODO_ENOMEM;
		fault->node[0] = h->g->vertex[missing[i].end[0]];
		fault->node[1] = h->g->vertex[missing[i].end[1]];
		fault->count = missing[i].count;
	}
	return 0;
}

static int list_product_faults(const odo_finding *h, const odo_fabric *f, const odo_coordinates *c,
			       odo_faults *list)
{
	int status = odo_faults_switches(h, list);
	if (!status)
		status = odo_faults_cables(f, c, h->g, list);
	return status ? status : odo_faults_links(h, list);
}

int odo_finding_report(odo_finding *h, const odo_fabric *f, const uint32_t *slot_edge,
		       odo_coordinates *c, odo_error *err)
{
	odo_faults list = {0};
	odo_missing *missing = NULL;
	uint32_t n_missing = 0;
	uint8_t *used = odo_new(h->g->n_edges, sizeof *used);
	uint8_t *wrong = odo_new(h->g->n_edges, sizeof *wrong);
	int status = used && wrong ? 0 : ODO_ENOMEM;
	copy_placement(h, c);
	if (!status && odo_finding_grouped(h) && odo_uses("wrong global cables"))
		status = odo_globals_check(h, wrong, &missing, &n_missing, err);
	if (!status) {
		class_ports(h, f, slot_edge, wrong, used, c);
		status = list_product_faults(h, f, c, &list);
	}
	if (!status)
		status = report_missing_cables(h, missing, n_missing, &list);
	if (!status)
		status = odo_faults_match(f, &list);
	free(used);
	free(wrong);
	free(missing);
	c->faults = list.fault;
	c->n_faults = list.n;
	return status ? odo_fail(err, status, "no memory for faults") : 0;
}
