/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Depths: which switches reach a destination by going down only, and which go up first. */
#include <string.h>

#include "routing/tree/filler.h"

/* Compute hops of switches that reach the destination by going down only, through switches in
 * `may`. */
static void search_down(odo_filler *x, const uint8_t *may)
{
	const odo_tree *tree = x->tree;
	memset(x->depth, 0xFF, tree->n * sizeof *x->depth);
	memset(x->down, 0, tree->n);
	x->queue[0] = x->d;
	x->n_down = 1;
	x->depth[x->d] = 0;
	x->down[x->d] = 1;
	for (uint32_t head = 0; head < x->n_down; head++) {
		uint32_t s = x->queue[head];
		for (uint32_t i = tree->above[s]; i < tree->below[s]; i++) {
			uint32_t t = tree->near[i].to;
			if (x->down[t] || !may[t])
				continue;
			x->down[t] = 1;
			x->depth[t] = x->depth[s] + 1;
			x->queue[x->n_down++] = t;
		}
	}
}

/* A parent without parents of its own hangs below one of its children, s, in the order of the tree.
 * Then all traffic from s to the other children would use one cable, that from s to this parent.
 * Return true if this cable would carry more than the mean of the other cables of s. */
static bool would_crowd_cable(const odo_tree *tree, uint32_t s, uint32_t parent)
{
	uint64_t below = 0, ways = tree->below[s] - tree->above[s];
	for (uint32_t i = tree->down_at[parent]; i < tree->down_at[parent + 1]; i++)
		below += tree->hosts[tree->down[i].to];
	return (below - tree->hosts[s]) * ways > tree->f->n_senders - below;
}

/* Return true if a path up is as short as the path down and better, because the first hop down is
 * crowded (see above). */
static bool shuns_down(const odo_filler *x, uint32_t s, uint32_t least)
{
	const odo_tree *tree = x->tree;
	if (least + 1 != x->depth[s] || !x->down[s])
		return false;
	for (uint32_t i = tree->below[s]; i < tree->above[s + 1]; i++) {
		uint32_t t = tree->near[i].to;
		if (x->down[t] && x->depth[t] + 1 == x->depth[s] &&
		    tree->level[t] > tree->level[s] && tree->up_at[t] == tree->up_at[t + 1])
			return would_crowd_cable(tree, s, t);
	}
	return false;
}

/*
 * Let other switches go up first.
 * @param any also switches that can go down, if that is longer or crowds a cable
 * @return number of switches that reach the destination
 */
static uint32_t search_up(odo_filler *x, bool any)
{
	const odo_tree *tree = x->tree;
	uint32_t n = 0;
	for (uint32_t number = 0; number < tree->n; number++) {
		uint32_t s = tree->sorted[number], least = ODO_NONE;
		for (uint32_t i = tree->above[s]; (any || !x->down[s]) && i < tree->below[s]; i++)
			if (x->depth[tree->near[i].to] < least)
				least = x->depth[tree->near[i].to];
		if (least != ODO_NONE &&
		    (least + 1 < x->depth[s] || (any && shuns_down(x, s, least)))) {
			x->depth[s] = least + 1;
			x->down[s] = 0;
		}
		n += x->depth[s] != ODO_NONE;
	}
	return n;
}

/* Packets that come from above must go on down. Therefore decide first which switches go up because
 * that is shorter. Then find the switches that go down through the remaining ones alone. */
static void find_depths_to_goal(odo_filler *x)
{
	uint8_t *may = x->any;
	memset(may, 1, x->tree->n);
	search_down(x, may);
	uint32_t n = search_up(x, true);
	memcpy(may, x->down, x->tree->n);
	search_down(x, may);
	if (search_up(x, false) == n)
		return;
	memset(may, 1, x->tree->n);
	search_down(x, may);
	search_up(x, false);
}

static odo_tree_link *ways_begin(const odo_filler *x, uint32_t s)
{
	return x->tree->near + (x->down[s] ? x->tree->below[s] : x->tree->above[s]);
}

static odo_tree_link *ways_end(const odo_filler *x, uint32_t s)
{
	return x->tree->near + (x->down[s] ? x->tree->above[s + 1] : x->tree->below[s]);
}

/* Return the port of the first way. The search begins at a place that depends on switch and
 * destination, to spread paths. */
static uint8_t find_any_port(const odo_filler *x, uint32_t s)
{
	const odo_tree_link *links = ways_begin(x, s);
	uint32_t n = (uint32_t)(ways_end(x, s) - links);
	uint32_t turn = n ? (x->tree->rank[s] + x->tree->rank[x->d]) % n : 0;
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *way = &links[i + turn < n ? i + turn : i + turn - n];
		if (odo_filler_is_way(x, s, way->to))
			return (uint8_t)(way->slot - x->f->first_slot[s] + 1);
	}
	return ODO_NO_PORT;
}

static void list_next_hops(odo_filler *x)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < x->tree->n; s++) {
		x->way_at[s] = n;
		for (odo_tree_link *way = ways_begin(x, s); way < ways_end(x, s); way++)
			if (odo_filler_is_way(x, s, way->to))
				x->ways[n++] = *way;
	}
	x->way_at[x->tree->n] = n;
}

void odo_tree_approach(odo_filler *x, uint32_t d, int pass)
{
	x->d = d;
	find_depths_to_goal(x);
	bool needs_any = pass == ODO_FILL_PLAN || pass == ODO_FILL_CHOOSE;
	for (uint32_t s = 0; needs_any && s < x->tree->n; s++)
		x->any[s] = s == d ? ODO_NO_PORT : find_any_port(x, s);
	if (pass == ODO_FILL_CHOOSE)
		list_next_hops(x);
}
