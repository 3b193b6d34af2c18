/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/twins.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "mapping/graph/shares.h"

/* Minimum share of a block's links that are missing by design, for each such child. */
static const odo_share few_parents = {1, 4};

/* Children that lack the same MANY links, or more, do so by design, even if there are only TWINS of
 * them. With fewer missing links, TRIPLETS are needed. */
enum { MANY = 4, LEAST = 2, TWINS = 2, TRIPLETS = 3 };

typedef struct child {
	uint32_t block, v, links;
	uint64_t parents; /* hash of the set of parents */
} child;

static int compare_children(const void *a, const void *b)
{
	const child *x = a, *y = b;
	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->parents != y->parents)
		return x->parents < y->parents ? -1 : 1;
	return (x->v > y->v) - (x->v < y->v);
}

static child child_of_vertex(const odo_clos *t, uint32_t v)
{
	child x = {.block = t->up[v], .v = v, .parents = ODO_HASH_START};
	for (uint32_t i = t->g->first[v]; i < t->g->first[v + 1]; i++) {
		uint32_t w = t->g->to[i];
		if (t->level[w] != t->level[v] + 1 || t->down[w] != t->up[v])
			continue;
		x.links++;
		for (unsigned shift = 0; shift < 32; shift += 8)
			x.parents = odo_hash_byte(x.parents, (uint8_t)(w >> shift));
	}
	return x;
}

/* Return true if enough children of a block have the same links. */
static bool is_dealt(const odo_block *block, uint32_t links, uint32_t n)
{
	uint32_t lacking = block->n_parents > links ? block->n_parents - links : 0;
	if (lacking < LEAST || !odo_reaches(lacking, few_parents, block->n_parents))
		return false;
	return lacking >= MANY ? n >= TWINS
			       : n >= TRIPLETS && n >= odo_more_than_rare(block->n_children);
}

int odo_twins_find(odo_clos *t, uint32_t level, uint32_t first)
{
	uint32_t n = 0;
	child *all = odo_new(t->g->n, sizeof *all);
	if (!all)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] == level && t->up[v] != ODO_NONE && t->up[v] >= first)
			all[n++] = child_of_vertex(t, v);
	qsort(all, n, sizeof *all, compare_children);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && all[end].block == all[i].block &&
			      all[end].parents == all[i].parents;)
			end++;
		for (uint32_t k = i; k < end; k++)
			t->dealt[all[k].v] = is_dealt(&t->block[all[i].block], all[i].links,
						      end - i);
	}
	free(all);
	return 0;
}
