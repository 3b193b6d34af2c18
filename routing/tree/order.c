/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The order by which paths go up and then down.
 *
 * The switches of the top would be the natural roots, but between two of them there is no path up
 * and down, nor between planes, and they have LIDs and sometimes hosts. So one leaf comes first and
 * the tree hangs on it: the order grows switch by switch from that leaf, each next to one that is
 * in already, and of those that could be next one of the highest level follows. Then every two
 * switches have a path. Paths over the leaf's own parents go down to them where they would have
 * gone up, but they are the same paths: a parent of the leaf is never reached from above and left
 * upwards again in a tree. Where damage leaves a pair without a path up and down the tree, this
 * order has one by way of some leaf.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/tree/tree.h"

typedef struct grower {
	odo_tree *tree;
	uint32_t done;
	uint8_t *seen;  /* [n] waits or is numbered */
	uint32_t *next; /* [n] behind each that waits, or ODO_NONE */
	uint32_t first[ODO_TREE_LEVELS], last[ODO_TREE_LEVELS]; /* that waits, of each level */
} grower;

static void append(grower *g, uint32_t s)
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

static uint32_t take(grower *g)
{
	for (unsigned level = g->tree->n_levels; level-- > 0;) {
		uint32_t s = g->first[level];
		if (s == ODO_NONE)
			continue;
		g->first[level] = g->next[s];
		return s;
	}
	return ODO_NONE;
}

static void grow(grower *g, uint32_t root)
{
	odo_tree *tree = g->tree;
	append(g, root);
	for (uint32_t s = take(g); s != ODO_NONE; s = take(g)) {
		tree->order[s] = g->done;
		tree->sorted[g->done++] = s;
		for (uint32_t i = tree->above[s]; i < tree->above[s + 1]; i++)
			if (!g->seen[tree->near[i].to])
				append(g, tree->near[i].to);
	}
}

static void grow_named(grower *g)
{
	const odo_route_options *options = g->tree->options;
	for (uint32_t i = 0; options && i < options->n_roots; i++)
		for (uint32_t s = 0; s < g->tree->n; s++)
			if (!g->seen[s] && g->tree->f->node_guid[s] == options->roots[i])
				grow(g, s);
}

/* True if a makes a better root than b: of a low level, with many cables up. */
static bool precedes(const odo_tree *tree, uint32_t a, uint32_t b)
{
	uint32_t ups_a = tree->up_at[a + 1] - tree->up_at[a];
	uint32_t ups_b = tree->up_at[b + 1] - tree->up_at[b];
	if (tree->level[a] != tree->level[b])
		return tree->level[a] < tree->level[b];
	return ups_a != ups_b ? ups_a > ups_b : tree->rank[a] < tree->rank[b];
}

static uint32_t choose_root(const grower *g)
{
	uint32_t best = ODO_NONE;
	for (uint32_t s = 0; s < g->tree->n; s++)
		if (!g->seen[s] && (best == ODO_NONE || precedes(g->tree, s, best)))
			best = s;
	return best;
}

int odo_tree_order(odo_tree *tree)
{
	grower g = {.tree = tree};
	g.seen = odo_new(tree->n, 1);
	g.next = odo_new(tree->n, sizeof *g.next);
	memset(g.first, 0xFF, sizeof g.first);
	bool room = g.seen && g.next;
	if (room)
		grow_named(&g);
	while (room && g.done < tree->n)
		grow(&g, choose_root(&g));
	free(g.seen);
	free(g.next);
	return room ? 0 : ODO_ENOMEM;
}
