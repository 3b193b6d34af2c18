/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/escape.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *const odo_escape_names[] = {"a",     "b",        "ab",        "abc",      "tree",
					"trees", "own-ring", "own-rings", "own-tree", NULL};

static int find_own_escape(const odo_fabric *f, odo_escape *escape, odo_error *err)
{
	int status = escape->is_tree ? odo_tree_own(f, &escape->tree[0], err) : 0;
	for (unsigned i = 0; i < escape->n && !escape->is_tree && !status; i++)
		status = odo_ring_own(f, escape->n, i, &escape->ring[i], err);
	return status;
}

static int find_embedded(const odo_ways *ways, const char *name, uint32_t root, odo_escape *escape,
			 odo_error *err)
{
	int status = escape->is_tree ? 0 : odo_rings_find(ways, name, escape->ring, err);
	if (escape->is_tree && root >= ways->n_switches)
		return odo_fail(err, ODO_EINPUT, "expected a root below %u, found %u",
				ways->n_switches, root);
	for (uint32_t i = 0; i < escape->n && escape->is_tree && !status; i++)
		status = odo_tree_find(ways, (root + i * (ways->n_switches / 2)) % ways->n_switches,
				       &escape->tree[i], err);
	return status;
}

static void mark_cable(const odo_fabric *f, uint32_t s, unsigned port, uint8_t *cables)
{
	uint32_t slot = odo_slot(f, s, port);
	cables[slot] = cables[f->peer[slot]] = 1;
}

void odo_escape_cables(const odo_escape *escape, const odo_fabric *f, uint8_t *cables)
{
	for (unsigned i = 0; i < escape->n; i++)
		for (uint32_t s = 0; s < f->n_switches; s++) {
			uint8_t port = escape->is_tree ? escape->tree[i].up[s]
						       : escape->ring[i].port[0][s];
			if (port)
				mark_cable(f, s, port, cables);
		}
}

static int make_ways(const odo_fabric *f, const odo_coordinates *c, const odo_escape *escape,
		     odo_ways **ways, odo_error *err)
{
	uint8_t *aside = odo_new(f->n_slots, 1);
	if (!aside)
		return odo_fail(err, ODO_ENOMEM, "no memory for an escape");
	odo_escape_cables(escape, f, aside);
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
		status = find_own_escape(f, out, err);
	if (!status)
		status = out->is_own ? make_ways(f, c, out, ways, err)
				     : odo_ways_create(f, c, ways, err);
	if (!status && !out->is_own)
		status = find_embedded(*ways, name, root, out, err);
	out->ways = *ways;
	return status;
}

void odo_escape_clear(odo_escape *escape)
{
	for (unsigned i = 0; i < ODO_MAX_ESCAPES; i++) {
		odo_ring_clear(&escape->ring[i]);
		odo_tree_clear(&escape->tree[i]);
	}
}

static unsigned escape_vl(const odo_escape *escape, uint32_t node, unsigned port, unsigned which)
{
	return escape->is_own ? 0 : escape->vls[odo_ways_class(escape->ways, node, port)] + which;
}

unsigned odo_escape_of(const odo_escape *escape, uint32_t node, const odo_way *way)
{
	unsigned which = 0;
	if (escape->n == 1)
		return 0;
	if (!escape->is_own)
		return way->vl - escape->vls[odo_ways_class(escape->ways, node, way->port)];
	while (escape->ring[which].port[0][node] != way->port &&
	       escape->ring[which].port[1][node] != way->port)
		which++;
	return which;
}

static uint8_t escape_port(const odo_escape *escape, uint32_t node, uint32_t target, unsigned which)
{
	const odo_ring *ring = &escape->ring[which];
	return escape->is_tree ? odo_tree_port(&escape->tree[which], node, target)
			       : ring->port[odo_ring_direction(ring, node, target)][node];
}

void odo_escape_way(const odo_escape *escape, const odo_view *v, const odo_packet *p,
		    uint32_t target, bool inside, unsigned *which, odo_way *way)
{
	way->escape = 1;
	way->space = p->phits;
	unsigned first = *which;
	for (unsigned i = 0; i < escape->n; i++) {
		*which = (first + i) % escape->n;
		way->port = escape_port(escape, v->node, target, *which);
		if (!odo_view_dead(v, way->port))
			break;
	}
	if (!escape->is_tree && (!inside || *which != first))
		way->space = (uint16_t)(p->phits + escape->packet);
	way->vl = (uint8_t)escape_vl(escape, v->node, way->port, *which);
}

static bool is_fuller(const odo_escape *escape, const odo_view *v, unsigned port, unsigned which,
		      unsigned percent)
{
	unsigned vl = escape_vl(escape, v->node, port, which);
	return odo_view_taken(v, port, vl) * 100 > percent * v->capacity[odo_view_at(v, port, vl)];
}

static bool tree_congested(const odo_escape *escape, const odo_view *v, unsigned which,
			   unsigned percent)
{
	const odo_tree *tree = &escape->tree[which];
	if (tree->up[v->node] && !is_fuller(escape, v, tree->up[v->node], which, percent))
		return false;
	for (uint32_t i = tree->first[v->node]; i < tree->first[v->node + 1]; i++)
		if (!is_fuller(escape, v, tree->down[i], which, percent))
			return false;
	return true;
}

static bool ring_congested(const odo_escape *escape, const odo_view *v, unsigned which,
			   unsigned percent)
{
	const odo_ring *ring = &escape->ring[which];
	return is_fuller(escape, v, ring->port[0][v->node], which, percent) &&
	       is_fuller(escape, v, ring->port[1][v->node], which, percent);
}

bool odo_escape_congested(const odo_escape *escape, const odo_view *v, unsigned percent)
{
	for (unsigned i = 0; i < escape->n; i++)
		if (escape->is_tree ? !tree_congested(escape, v, i, percent)
				    : !ring_congested(escape, v, i, percent))
			return false;
	return true;
}
