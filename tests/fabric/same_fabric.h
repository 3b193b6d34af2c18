/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether two fabrics are one, whatever order their nodes came in: compared by GUID. */
#ifndef ODONATA_TESTS_SAME_FABRIC_H
#define ODONATA_TESTS_SAME_FABRIC_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"

typedef struct by_guid {
	uint64_t guid;
	uint32_t node;
} by_guid;

static int compare_by_guid(const void *a, const void *b)
{
	const by_guid *x = a, *y = b;
	return (x->guid > y->guid) - (x->guid < y->guid);
}

static by_guid *sort_by_guid(const odo_fabric *f)
{
	by_guid *sorted = calloc(f->n_nodes + 1ul, sizeof *sorted);
	for (uint32_t v = 0; v < f->n_nodes; v++)
		sorted[v] = (by_guid){f->node_guid[v], v};
	qsort(sorted, f->n_nodes, sizeof *sorted, compare_by_guid);
	return sorted;
}

/* Same cable at the same port: ends, width, speed; LIDs where asked for. */
static inline bool same_port(const odo_fabric *f, uint32_t s, const odo_fabric *g, uint32_t t,
			     bool lids)
{
	uint32_t far = f->peer[s], gar = g->peer[t];
	if (f->port_guid[s] != g->port_guid[t] ||
	    (lids && (f->port_lid[s] != g->port_lid[t] || f->port_lmc[s] != g->port_lmc[t])))
		return false;
	if (far == ODO_NONE || gar == ODO_NONE)
		return far == gar;
	return f->node_guid[f->owner[far]] == g->node_guid[g->owner[gar]] &&
	       odo_port(f, far) == odo_port(g, gar) && f->width[s] == g->width[t] &&
	       f->speed[s] == g->speed[t];
}

/* True if they are the same; else the first difference is printed. */
static inline bool same_fabric(const odo_fabric *f, const odo_fabric *g, bool lids)
{
	bool same = f->n_nodes == g->n_nodes && f->n_slots == g->n_slots;
	by_guid *x = sort_by_guid(f), *y = sort_by_guid(g);
	if (!same)
		printf("%u nodes with %u ports, and %u with %u\n", f->n_nodes, f->n_slots,
		       g->n_nodes, g->n_slots);
	for (uint32_t i = 0; same && i < f->n_nodes; i++) {
		uint32_t v = x[i].node, w = y[i].node;
		same = x[i].guid == y[i].guid && f->node_type[v] == g->node_type[w] &&
		       odo_n_ports(f, v) == odo_n_ports(g, w) &&
		       !strcmp(odo_name(f, v), odo_name(g, w));
		if (same && lids && odo_is_switch(f, v))
			same = f->switch_lid[v] == g->switch_lid[w] &&
			       f->switch_lmc[v] == g->switch_lmc[w];
		for (unsigned p = 1; same && p <= odo_n_ports(f, v); p++)
			same = same_port(f, odo_slot(f, v, p), g, odo_slot(g, w, p), lids);
		if (!same)
			printf("\"%s\" 0x%" PRIx64 " and \"%s\" 0x%" PRIx64 " differ\n",
			       odo_name(f, v), x[i].guid, odo_name(g, w), y[i].guid);
	}
	free(x);
	free(y);
	return same;
}

#endif
