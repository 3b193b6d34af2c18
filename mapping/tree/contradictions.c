/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/contradictions.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/faults/faults.h"
#include "mapping/graph/shares.h"
#include "mapping/tree/absent.h"
#include "base/lists.h"

/* With fewer links than this, a switch of wrong links cannot be distinguished from a switch that
 * belongs to no block. */
enum { FEW = 3 };
/* A switch was cabled past its block on purpose if MANY of its links, and more than this share,
 * lead past it. If one cable in a hundred is wrong, one leaf in 3,000 with 16 cables up has so many
 * by chance. */
enum { MANY = 4 };
static const odo_share strays = {1, 4};

/* Links of each vertex, and how many of them fit. */
typedef struct tally {
	uint32_t up, up_fits, down, down_fits, global;
} tally;

static tally *count_links_of_vertices(const odo_clos *t)
{
	tally *n = odo_new(t->g->n, sizeof *n);
	for (uint32_t e = 0; n && e < t->g->n_edges; e++) {
		uint32_t low, high;
		bool ends = odo_clos_ends(t, e, &low, &high);
		bool fits = ends && odo_clos_fits(t, e, &low, &high);
		n[low].up += ends;
		n[high].down += ends;
		n[low].up_fits += fits;
		n[high].down_fits += fits;
		n[low].global += odo_clos_global(t, e);
		n[high].global += odo_clos_global(t, e);
	}
	return n;
}

static bool is_homeless(uint32_t fitting, uint32_t all)
{
	uint32_t astray = all - fitting;
	return (all >= FEW && !odo_half(fitting, all)) ||
	       (astray >= MANY && odo_exceeds(astray, strays, all));
}

/* Return true if most links of v lead past levels, such as the links of a router to all levels. */
static bool is_odd(const odo_clos *t, const tally *n, uint32_t v)
{
	return is_homeless(n[v].up + n[v].down, odo_degree(t->g, v) - n[v].global);
}

/* Return the number of cables of an edge that belong elsewhere. */
static uint32_t count_wrong_cables_of(const odo_clos *t, const tally *n, uint32_t e)
{
	uint32_t low, high, cables = t->g->n_cables[e];
	bool adjacent = odo_clos_ends(t, e, &low, &high);
	if (odo_clos_global(t, e)) /* a spine without a group may belong to any group */
		return t->down[low] == t->down[high] && t->down[low] != ODO_NONE ? cables : 0;
	if (!adjacent)
		return is_odd(t, n, low) || is_odd(t, n, high) ? 0 : cables;
	const odo_block *block = t->up[low] == ODO_NONE ? NULL : &t->block[t->up[low]];
	if (!block || block->loose)
		return 0;
	if (t->up[low] == t->down[high])
		return cables > block->width ? cables - block->width : 0;
	bool known = !is_homeless(n[low].up_fits, n[low].up) &&
		     !is_homeless(n[high].down_fits, n[high].down);
	return known ? cables : 0;
}

int odo_clos_find_wrong(odo_clos *t, odo_error *err)
{
	tally *n = count_links_of_vertices(t);
	if (!n)
		return odo_fail(err, ODO_ENOMEM, "no memory for wrong cables");
	for (uint32_t v = 0; v < t->g->n; v++)
		t->dealt[v] |= is_homeless(n[v].up_fits, n[v].up);
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		t->wrong[e] = (uint8_t)count_wrong_cables_of(t, n, e);
	free(n);
	return 0;
}

/* If some of several parallel cables are wrong, the last ones are marked, because nothing
 * distinguishes them. */
int odo_clos_class_ports(const odo_clos *t, const uint32_t *slot_edge, odo_coordinates *c)
{
	const odo_fabric *f = t->f;
	uint8_t *used = odo_new(t->g->n_edges, sizeof *used);
	if (!used)
		return ODO_ENOMEM;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t e = slot_edge[slot];
		if (e == ODO_NONE || f->peer[slot] < slot)
			continue;
		uint8_t a = t->level[t->g->end[e][0]], b = t->level[t->g->end[e][1]];
		uint8_t class = odo_clos_global(t, e) ? ODO_PORT_GLOBAL
				: t->global           ? 1
				: a < b               ? a
						      : b;
		if (used[e]++ >= t->g->n_cables[e] - t->wrong[e] || (a == b && a == ODO_NO_LEVEL))
			class = ODO_PORT_WRONG;
		c->port_class[slot] = c->port_class[f->peer[slot]] = class;
	}
	free(used);
	return 0;
}

int odo_fattree_contradictions(const odo_clos *t, const uint32_t *slot_edge, odo_coordinates *c,
			       odo_error *err)
{
	odo_faults list = {0};
	int status = odo_clos_class_ports(t, slot_edge, c);
	if (!status)
		status = odo_clos_absent_switches(t, c, &list);
	if (!status)
		status = odo_faults_cables(t->f, c, t->g, &list);
	if (!status)
		status = odo_clos_absent_links(t, &list);
	if (!status)
		status = odo_faults_match(t->f, &list);
	c->faults = list.fault;
	c->n_faults = list.n;
	return status ? odo_fail(err, status, "no memory for faults") : 0;
}
