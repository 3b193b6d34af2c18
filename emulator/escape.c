/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/escape.h"

#include <string.h>

int odo_escape_create(const odo_ways *w, const char *name, uint32_t root, uint32_t packet,
		      const unsigned vls[2], odo_escape *out, odo_error *err)
{
	*out = (odo_escape){.ways = w, .packet = packet, .n = 1, .vls = {vls[0], vls[1]}};
	out->is_tree = !strcmp(name, "tree");
	out->is_own = !strcmp(name, "own");
	if (out->is_tree)
		return odo_tree_find(w, root, &out->tree, err);
	if (out->is_own)
		return odo_ring_own(w->fabric, &out->ring[0], err);
	if (strlen(name) > ODO_MAX_ESCAPES)
		return odo_fail(err, ODO_EINPUT, "expected at most %d rings, found \"%s\"",
				ODO_MAX_ESCAPES, name);
	out->n = (unsigned)strlen(name);
	return odo_rings_find(w, name, out->ring, err);
}

void odo_escape_clear(odo_escape *e)
{
	for (unsigned i = 0; i < e->n && !e->is_tree; i++)
		odo_ring_clear(&e->ring[i]);
	if (e->is_tree)
		odo_tree_clear(&e->tree);
}

static unsigned escape_vl(const odo_escape *e, uint32_t node, unsigned port, unsigned which)
{
	return e->is_own ? 0 : e->vls[odo_ways_class(e->ways, node, port)] + which;
}

static uint8_t ring_port(const odo_escape *e, uint32_t node, uint32_t target, unsigned which)
{
	const odo_ring *r = &e->ring[which];
	return r->port[odo_ring_direction(r, node, target)][node];
}

void odo_escape_way(const odo_escape *e, const odo_view *v, const odo_packet *p, uint32_t target,
		    bool inside, unsigned *which, odo_way *way)
{
	way->escape = 1;
	way->space = p->phits;
	if (e->is_tree) {
		way->port = odo_tree_port(&e->tree, v->node, target);
		way->vl = (uint8_t)escape_vl(e, v->node, way->port, 0);
		return;
	}
	unsigned first = *which;
	for (unsigned i = 0; i < e->n; i++) {
		*which = (first + i) % e->n;
		way->port = ring_port(e, v->node, target, *which);
		if (!odo_view_dead(v, way->port))
			break;
	}
	if (!inside || *which != first)
		way->space = (uint16_t)(p->phits + e->packet);
	way->vl = (uint8_t)escape_vl(e, v->node, way->port, *which);
}

static bool full(const odo_escape *e, const odo_view *v, unsigned port, unsigned which,
		 unsigned percent)
{
	unsigned vl = escape_vl(e, v->node, port, which);
	return odo_view_taken(v, port, vl) * 100 > percent * v->capacity[odo_view_at(v, port, vl)];
}

static bool tree_congested(const odo_escape *e, const odo_view *v, unsigned percent)
{
	const odo_tree *t = &e->tree;
	if (t->up[v->node] && !full(e, v, t->up[v->node], 0, percent))
		return false;
	for (uint32_t i = t->first[v->node]; i < t->first[v->node + 1]; i++)
		if (!full(e, v, t->down[i], 0, percent))
			return false;
	return true;
}

bool odo_escape_congested(const odo_escape *e, const odo_view *v, unsigned percent)
{
	if (e->is_tree)
		return tree_congested(e, v, percent);
	for (unsigned i = 0; i < e->n; i++)
		for (unsigned direction = 0; direction < 2; direction++)
			if (!full(e, v, e->ring[i].port[direction][v->node], i, percent))
				return false;
	return true;
}
