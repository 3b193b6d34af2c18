/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The order by which paths go up and then down.
 *
 * Top switches would be the natural roots. But two of them have no path up and down between them,
 * nor have switches of different planes, and they have LIDs and sometimes hosts. Therefore a leaf
 * comes first and the tree hangs from it. Switches above this leaf follow level by level, so that
 * it may use any of its parents, including several of one plane. Then the order grows switch by
 * switch. Each next switch is a neighbour of a numbered one, of the highest level possible. As a
 * result, every pair of switches has a path.
 *
 * In a Dragonfly+ whose spines have several cables to one group, the order continues with a group
 * that has begun. Then, as far as possible, all cables between two groups lead up in the same
 * direction. If some of a spine's cables to a group led up and some down, only the cables down
 * could be used. In other Dragonfly+ this would leave fewer detours around missing cables.
 *
 * Paths through the first leaf's own parents go down to them instead of up, but they are the same
 * paths: in a tree, no path enters such a parent from above and leaves it upwards. If damage leaves
 * a pair without a path up and down the tree, this order has a path through some leaf.
 */
#include <string.h>

#include "routing/tree/tree.h"

typedef struct grower {
	odo_tree *tree;
	uint32_t done;
	uint8_t *seen;   /* [n] waiting or numbered */
	uint8_t *over;   /* [n] above the root */
	uint32_t *queue; /* [n] */
	uint32_t *next;  /* [n] next waiting switch of the level, or ODO_NONE */
	/* first and last waiting switch of each level */
	uint32_t first[ODO_TREE_LEVELS], last[ODO_TREE_LEVELS];
	uint32_t *remaining; /* NULL; or [groups] number of unnumbered switches when the group
			   began, 0 if it has not begun */
} grower;

static uint32_t *remaining_at_start(const grower *g, uint32_t s)
{
	uint32_t group = g->remaining ? odo_tree_pod(g->tree, s) : ODO_NONE;
	return group == ODO_NONE ? NULL : &g->remaining[group];
}

static bool has_group_begun_before(const grower *g, uint32_t s, uint32_t t)
{
	const uint32_t *a = remaining_at_start(g, s), *b = remaining_at_start(g, t);
	return (a ? *a : 0) > (b ? *b : 0);
}

static void append_waiting(grower *g, uint32_t s)
{
	unsigned level = g->tree->level[s];
	g->seen[s] = 1;
	g->next[s] = ODO_NONE;
	if (g->first[level] == ODO_NONE)
		g->first[level] = s;
	else
		g->next[g->last[level]] = s;
	g->last[level] = s;
}

/* Take the switch that has waited longest in the group that began first. */
static uint32_t take_from_level(grower *g, unsigned level)
{
	uint32_t best = g->first[level], before = ODO_NONE, last = best;
	for (uint32_t s = g->remaining ? g->next[best] : ODO_NONE; s != ODO_NONE; s = g->next[s]) {
		if (has_group_begun_before(g, s, best)) {
			best = s;
			before = last;
		}
		last = s;
	}
	if (before == ODO_NONE)
		g->first[level] = g->next[best];
	else
		g->next[before] = g->next[best];
	if (g->last[level] == best)
		g->last[level] = before;
	return best;
}

static uint32_t take_highest_waiting(grower *g)
{
	for (unsigned level = g->tree->n_levels; level-- > 0;)
		if (g->first[level] != ODO_NONE)
			return take_from_level(g, level);
	return ODO_NONE;
}

/* List s and all switches above it, level by level, in the queue. @return their number */
static uint32_t list_switches_above(grower *g, uint32_t s)
{
	const odo_tree *tree = g->tree;
	uint32_t n = 1;
	memset(g->over, 0, tree->n);
	g->queue[0] = s;
	for (uint32_t head = 0; head < n; head++) {
		for (uint32_t i = tree->up_at[g->queue[head]]; i < tree->up_at[g->queue[head] + 1];
		     i++) {
			uint32_t t = tree->up[i].to;
			if (!g->over[t])
				g->queue[n++] = t;
			g->over[t] = 1;
		}
	}
	return n;
}

static void number_switch(grower *g, uint32_t s)
{
	odo_tree *tree = g->tree;
	uint32_t *left = remaining_at_start(g, s);
	if (left && !*left)
		*left = tree->n - g->done;
	tree->order[s] = g->done;
	tree->sorted[g->done++] = s;
	for (uint32_t i = tree->above[s]; i < tree->above[s + 1]; i++)
		if (!g->seen[tree->near[i].to])
			append_waiting(g, tree->near[i].to);
}

static void grow_order(grower *g, uint32_t root)
{
	uint32_t n = list_switches_above(g, root);
	for (uint32_t i = 0; i < n; i++)
		g->seen[g->queue[i]] = 1;
	for (uint32_t i = 0; i < n; i++)
		number_switch(g, g->queue[i]);
	for (uint32_t s = take_highest_waiting(g); s != ODO_NONE; s = take_highest_waiting(g))
		number_switch(g, s);
}

/* Start at the leaves that the operator names as roots. Named spines are ignored: coordinates give
 * the top already. */
static void grow_from_named_roots(grower *g)
{
	const odo_route_options *options = g->tree->options;
	for (uint32_t i = 0; options && i < options->n_roots; i++)
		for (uint32_t s = 0; s < g->tree->n; s++)
			if (!g->seen[s] && !g->tree->level[s] &&
			    g->tree->f->node_guid[s] == options->roots[i])
				grow_order(g, s);
}

/* Choose the leaf that has most switches above it. Switches that are not above it hang from other
 * leaves, and that makes paths longer. Without a leaf, choose any switch. */
static uint32_t choose_root_leaf(grower *g)
{
	const odo_tree *tree = g->tree;
	uint32_t best = ODO_NONE, most = 0;
	for (uint32_t s = 0; s < tree->n; s++) {
		if (g->seen[s] || (best != ODO_NONE && tree->level[s] > tree->level[best]))
			continue;
		uint32_t over = list_switches_above(g, s) - 1;
		if (best == ODO_NONE || tree->level[s] < tree->level[best] || over > most ||
		    (over == most && tree->rank[s] < tree->rank[best])) {
			best = s;
			most = over;
		}
	}
	return best;
}

/* Return true if some spine has several cables to one other group. */
static bool has_several_to_one(const odo_tree *tree)
{
	for (uint32_t s = 0; s < tree->n; s++) {
		uint32_t own = odo_tree_pod(tree, s);
		for (uint32_t i = tree->above[s]; tree->level[s] && i < tree->above[s + 1]; i++) {
			uint32_t group = odo_tree_pod(tree, tree->near[i].to);
			for (uint32_t j = tree->above[s]; group != own && j < i; j++)
				if (odo_tree_pod(tree, tree->near[j].to) == group)
					return true;
		}
	}
	return false;
}

int odo_tree_order(odo_tree *tree, uint32_t root)
{
	odo_arena scratch = {0};
	grower g = {.tree = tree};
	g.seen = odo_arena_new(&scratch, tree->n, 1);
	g.next = odo_arena_new(&scratch, tree->n, sizeof *g.next);
	memset(g.first, 0xFF, sizeof g.first);
	g.over = odo_arena_new(&scratch, tree->n, 1);
	g.queue = odo_arena_new(&scratch, tree->n + 1, sizeof *g.queue);
	if (odo_grouped(tree->c) && has_several_to_one(tree))
		g.remaining = odo_arena_new(&scratch, tree->c->size[tree->dim[ODO_TREE_POD]],
					    sizeof *g.remaining);
	bool room = !scratch.failed;
	if (room)
		grow_from_named_roots(&g);
	if (room && root != ODO_NONE && !g.seen[root])
		grow_order(&g, root);
	while (room && g.done < tree->n)
		grow_order(&g, choose_root_leaf(&g));
	odo_arena_free(&scratch);
	return room ? 0 : ODO_ENOMEM;
}
