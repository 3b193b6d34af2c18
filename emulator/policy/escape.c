/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/escape.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const odo_escape_names[] = {"a",     "b",        "ab",        "abc",      "tree",
					"trees", "own-ring", "own-rings", "own-tree", NULL};

static int find_own(const odo_fabric *f, odo_escape *e, odo_error *err)
{
	int status = e->is_tree ? odo_tree_own(f, &e->tree[0], err) : 0;
	for (unsigned i = 0; i < e->n && !e->is_tree && !status; i++)
		status = odo_ring_own(f, e->n, i, &e->ring[i], err);
	return status;
}

static int find_embedded(const odo_ways *w, const char *name, uint32_t root, odo_escape *e,
			 odo_error *err)
{
	int status = e->is_tree ? 0 : odo_rings_find(w, name, e->ring, err);
	if (e->is_tree && root >= w->n_switches)
		return odo_fail(err, ODO_EINPUT, "expected a root below %u, found %u",
				w->n_switches, root);
	for (uint32_t i = 0; i < e->n && e->is_tree && !status; i++)
		status = odo_tree_find(w, (root + i * (w->n_switches / 2)) % w->n_switches,
				       &e->tree[i], err);
	return status;
}

static void mark_cable(const odo_fabric *f, uint32_t s, unsigned port, uint8_t *cables)
{
	uint32_t slot = odo_slot(f, s, port);
	cables[slot] = cables[f->peer[slot]] = 1;
}

void odo_escape_cables(const odo_escape *e, const odo_fabric *f, uint8_t *cables)
{
	for (unsigned i = 0; i < e->n; i++)
		for (uint32_t s = 0; s < f->n_switches; s++) {
			uint8_t port = e->is_tree ? e->tree[i].up[s] : e->ring[i].port[0][s];
			if (port)
				mark_cable(f, s, port, cables);
		}
}

static int make_ways(const odo_fabric *f, const odo_coordinates *c, const odo_escape *e,
		     odo_ways **ways, odo_error *err)
{
	uint8_t *aside = odo_new(f->n_slots, 1);
	if (!aside)
		return odo_fail(err, ODO_ENOMEM, "no memory for an escape");
	odo_escape_cables(e, f, aside);
	int status = odo_ways_create_without(f, c, aside, ways, err);
	free(aside);
	return status;
}

int odo_escape_create(const odo_fabric *f, const odo_coordinates *c, const char *name,
		      uint32_t root, uint32_t packet, const unsigned vls[2], odo_ways **ways,
		      odo_escape *out, odo_error *err)
{
	*ways = NULL;
	*out = (odo_escape){.packet = packet, .vls = {vls[0], vls[1]}};
	out->is_tree = strstr(name, "tree");
	out->is_own = !strncmp(name, "own", 3);
	out->n = name[strlen(name) - 1] == 's' ? 2 : 1;
	if (!out->is_tree && !out->is_own)
		out->n = (unsigned)strlen(name);
	int status = 0;
	if (root && (!out->is_tree || out->is_own))
		status = odo_fail(err, ODO_EINPUT,
				  "expected root=%u with an embedded tree, found escape=%s", root,
				  name);
	if (!status && out->is_own)
		status = find_own(f, out, err);
	if (!status)
		status = out->is_own ? make_ways(f, c, out, ways, err)
				     : odo_ways_create(f, c, ways, err);
	if (!status && !out->is_own)
		status = find_embedded(*ways, name, root, out, err);
	out->ways = *ways;
	return status;
}

void odo_escape_clear(odo_escape *e)
{
	for (unsigned i = 0; i < ODO_MAX_ESCAPES; i++) {
		odo_ring_clear(&e->ring[i]);
		odo_tree_clear(&e->tree[i]);
	}
}

static unsigned escape_vl(const odo_escape *e, uint32_t node, unsigned port, unsigned which)
{
	return e->is_own ? 0 : e->vls[odo_ways_class(e->ways, node, port)] + which;
}

unsigned odo_escape_of(const odo_escape *e, uint32_t node, const odo_way *way)
{
	unsigned which = 0;
	if (e->n == 1)
		return 0;
	if (!e->is_own)
		return way->vl - e->vls[odo_ways_class(e->ways, node, way->port)];
	while (e->ring[which].port[0][node] != way->port &&
	       e->ring[which].port[1][node] != way->port)
		which++;
	return which;
}

static uint8_t escape_port(const odo_escape *e, uint32_t node, uint32_t target, unsigned which)
{
	const odo_ring *r = &e->ring[which];
	return e->is_tree ? odo_tree_port(&e->tree[which], node, target)
			  : r->port[odo_ring_direction(r, node, target)][node];
}

void odo_escape_way(const odo_escape *e, const odo_view *v, const odo_packet *p, uint32_t target,
		    bool inside, unsigned *which, odo_way *way)
{
	way->escape = 1;
	way->space = p->phits;
	unsigned first = *which;
	for (unsigned i = 0; i < e->n; i++) {
		*which = (first + i) % e->n;
		way->port = escape_port(e, v->node, target, *which);
		if (!odo_view_dead(v, way->port))
			break;
	}
	if (!e->is_tree && (!inside || *which != first))
		way->space = (uint16_t)(p->phits + e->packet);
	way->vl = (uint8_t)escape_vl(e, v->node, way->port, *which);
}

static bool full(const odo_escape *e, const odo_view *v, unsigned port, unsigned which,
		 unsigned percent)
{
	unsigned vl = escape_vl(e, v->node, port, which);
	return odo_view_taken(v, port, vl) * 100 > percent * v->capacity[odo_view_at(v, port, vl)];
}

static bool tree_congested(const odo_escape *e, const odo_view *v, unsigned which, unsigned percent)
{
	const odo_tree *t = &e->tree[which];
	if (t->up[v->node] && !full(e, v, t->up[v->node], which, percent))
		return false;
	for (uint32_t i = t->first[v->node]; i < t->first[v->node + 1]; i++)
		if (!full(e, v, t->down[i], which, percent))
			return false;
	return true;
}

static bool ring_congested(const odo_escape *e, const odo_view *v, unsigned which, unsigned percent)
{
	const odo_ring *r = &e->ring[which];
	return full(e, v, r->port[0][v->node], which, percent) &&
	       full(e, v, r->port[1][v->node], which, percent);
}

bool odo_escape_congested(const odo_escape *e, const odo_view *v, unsigned percent)
{
	for (unsigned i = 0; i < e->n; i++)
		if (e->is_tree ? !tree_congested(e, v, i, percent)
			       : !ring_congested(e, v, i, percent))
			return false;
	return true;
}
