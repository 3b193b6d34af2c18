/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"
#include "mapping/graph/unionfind.h"
#include "mapping/tree/twins.h"

/* Share of possible links that the blocks between two levels must exceed. A complete bipartite
 * graph of five and five without a matching is no block. */
static const odo_share filled = {4, 5};
/* Maximum share of the links between two levels that lead from one block to another. */
static const odo_share crossing = {1, 10};

enum {
	ROUNDS = 3,  /* passes that move each switch to the block of most of its links */
	SEVERAL = 3, /* wrong cables rarely join the same two blocks this often */
};

/* Search for the blocks between one level and the next. */
typedef struct search {
	odo_clos *t;
	uint32_t level;
	uint32_t *n_up;        /* [n] links of each vertex to the level above */
	uint32_t *count, *met; /* [n] scratch, zero between uses; vertices with a count */
	uint32_t first, n;     /* blocks of this level: from `first` to below `n` */
} search;

static bool is_at(const odo_clos *t, uint32_t v, uint32_t level)
{
	return t->level[v] == level;
}

/* Count the links from each sibling to parents of v. v is its own sibling. */
static uint32_t count_siblings(search *x, uint32_t v)
{
	const odo_links *g = x->t->g;
	uint32_t n_met = 0;
	for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
		uint32_t w = g->to[i];
		if (!is_at(x->t, w, x->level + 1))
			continue;
		for (uint32_t k = g->first[w]; k < g->first[w + 1]; k++) {
			uint32_t u = g->to[k];
			if (!is_at(x->t, u, x->level))
				continue;
			if (!x->count[u]++)
				x->met[n_met++] = u;
		}
	}
	return n_met;
}

/* Put siblings into the block of v if most parents of either one are shared. */
static void seed_block(search *x, uint32_t v)
{
	uint32_t n_met = count_siblings(x, v);
	for (uint32_t i = 0; i < n_met; i++) {
		uint32_t u = x->met[i];
		uint32_t fewer = x->n_up[u] < x->n_up[v] ? x->n_up[u] : x->n_up[v];
		if (x->t->up[u] == ODO_NONE && odo_majority(x->count[u], fewer))
			x->t->up[u] = x->n;
		x->count[u] = 0;
	}
	x->n++;
}

/* Return the block of most of v's links to `level`. `of` is the block of each vertex. `own` wins a
 * tie. */
static uint32_t usual_block(search *x, uint32_t v, uint32_t level, const uint32_t *of, uint32_t own)
{
	const odo_links *g = x->t->g;
	uint32_t best = own, n_met = 0;
	for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
		uint32_t w = g->to[i];
		if (!is_at(x->t, w, level) || of[w] == ODO_NONE)
			continue;
		uint32_t b = of[w] - x->first;
		if (!x->count[b]++)
			x->met[n_met++] = b;
	}
	uint32_t most = own == ODO_NONE ? 0 : x->count[own - x->first];
	for (uint32_t i = 0; i < n_met; i++) {
		uint32_t b = x->met[i];
		if (x->count[b] > most ||
		    (x->count[b] == most && own == ODO_NONE && b + x->first < best)) {
			most = x->count[b];
			best = b + x->first;
		}
	}
	for (uint32_t i = 0; i < n_met; i++)
		x->count[x->met[i]] = 0;
	return most ? best : ODO_NONE;
}

static void refine_blocks(search *x)
{
	odo_clos *t = x->t;
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t w = 0; w < t->g->n; w++)
			if (is_at(t, w, x->level + 1))
				t->down[w] = usual_block(x, w, x->level, t->up, t->down[w]);
		for (uint32_t v = 0; v < t->g->n; v++)
			if (is_at(t, v, x->level) && x->n_up[v])
				t->up[v] = usual_block(x, v, x->level + 1, t->down, t->up[v]);
	}
}

/* A link that joins two blocks; the smaller number comes first. */
typedef struct bridge {
	uint32_t block[2];
} bridge;

static int compare_bridges(const void *a, const void *b)
{
	const bridge *x = a, *y = b;
	for (int i = 0; i < 2; i++)
		if (x->block[i] != y->block[i])
			return x->block[i] < y->block[i] ? -1 : 1;
	return 0;
}

static uint32_t list_bridges(const search *x, bridge *to)
{
	const odo_clos *t = x->t;
	uint32_t n = 0, low, high;
	for (uint32_t e = 0; e < t->g->n_edges; e++) {
		if (!odo_clos_ends(t, e, &low, &high) || !is_at(t, low, x->level))
			continue;
		uint32_t a = t->up[low], b = t->down[high];
		if (a != b && a != ODO_NONE && b != ODO_NONE)
			to[n++] = (bridge){{a < b ? a : b, a < b ? b : a}};
	}
	return n;
}

/* Return a size that is usual: at least half of the children, or parents, of a level are in blocks
 * with as many. */
static uint32_t usual_size(search *x, bool parents)
{
	const odo_block *block = x->t->block;
	uint32_t all = 0, larger = 0, size = 0;
	for (uint32_t b = x->first; b < x->n; b++) {
		uint32_t n = parents ? block[b].n_parents : block[b].n_children;
		x->count[n] += n;
		all += n;
		size = n > size ? n : size;
	}
	for (; size && !odo_half(larger += x->count[size], all); size--)
		;
	for (uint32_t b = x->first; b < x->n; b++)
		x->count[parents ? block[b].n_parents : block[b].n_children] = 0;
	return size;
}

/* Return true if two blocks are parts of one. They are if at least half of the links of the united
 * block exist, and more than wrong cables make: damage has left some children few common parents.
 * They also are if they have any link and are no larger together than a usual block: true blocks
 * rarely lose so many parents.
 * @param usual a block of usual size */
static bool are_one(const odo_block *a, const odo_block *b, const odo_block *usual, uint64_t links)
{
	return (links >= SEVERAL &&
		odo_half(links, (uint64_t)a->n_children * b->n_parents +
					(uint64_t)b->n_children * a->n_parents)) ||
	       (a->n_children + b->n_children <= usual->n_children &&
		a->n_parents + b->n_parents <= usual->n_parents);
}

/* Unite blocks. `met` gets the new block of each. */
static bool join_blocks(search *x, const bridge *all, uint32_t n)
{
	const odo_clos *t = x->t;
	odo_block usual = {.n_children = usual_size(x, false), .n_parents = usual_size(x, true)};
	bool joined = false;
	odo_uf_reset(x->met, x->n - x->first);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && !compare_bridges(&all[end], &all[i]);)
			end++;
		uint32_t a = all[i].block[0], b = all[i].block[1];
		if (!are_one(&t->block[a], &t->block[b], &usual, end - i))
			continue;
		odo_uf_unite(x->met, a - x->first, b - x->first);
		joined = true;
	}
	odo_uf_flatten(x->met, x->n - x->first);
	return joined;
}

static void move_to_joined(search *x, uint32_t *of)
{
	for (uint32_t v = 0; v < x->t->g->n; v++)
		if (of[v] != ODO_NONE && of[v] >= x->first)
			of[v] = x->first + x->met[of[v] - x->first];
}

/* Make each connected component between the two levels one block. */
static void take_components(search *x)
{
	odo_clos *t = x->t;
	uint32_t *parent = x->met, low, high;
	odo_uf_reset(parent, t->g->n);
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		if (odo_clos_ends(t, e, &low, &high) && is_at(t, low, x->level))
			odo_uf_unite(parent, low, high);
	odo_uf_flatten(parent, t->g->n);
	memset(x->count, 0, t->g->n * sizeof *x->count);
	x->n = x->first;
	for (uint32_t v = 0; v < t->g->n; v++) {
		bool child = is_at(t, v, x->level);
		if (!child && !is_at(t, v, x->level + 1))
			continue;
		uint32_t root = parent[v]; /* the smallest member, which is visited first */
		if (root == v)
			x->count[v] = ++x->n - x->first;
		(child ? t->up : t->down)[v] = x->first + x->count[root] - 1;
	}
	memset(x->count, 0, t->g->n * sizeof *x->count);
}

static int count_blocks(search *x, bool loose)
{
	odo_clos *t = x->t;
	uint32_t low, high;
	odo_block *grown = realloc(t->block, (x->n + 1ul) * sizeof *grown);
	if (!grown)
		return ODO_ENOMEM;
	t->block = grown;
	t->n_blocks = x->n;
	for (uint32_t b = x->first; b < x->n; b++)
		t->block[b] = (odo_block){.level = x->level, .width = 1, .loose = loose};
	for (uint32_t v = 0; v < t->g->n; v++) {
		if (is_at(t, v, x->level) && t->up[v] != ODO_NONE)
			t->block[t->up[v]].n_children++;
		if (is_at(t, v, x->level + 1) && t->down[v] != ODO_NONE)
			t->block[t->down[v]].n_parents++;
	}
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		if (odo_clos_fits(t, e, &low, &high) && is_at(t, low, x->level))
			t->block[t->up[low]].n_links++;
	return 0;
}

/* Return true if the blocks of this level are nearly complete and few links lead from block to
 * block. */
static bool are_regular(const search *x)
{
	const odo_clos *t = x->t;
	uint64_t area = 0, inside = 0, all = 0;
	for (uint32_t b = x->first; b < x->n; b++)
		inside += t->block[b].n_links;
	for (uint32_t v = 0; v < t->g->n; v++) {
		if (!is_at(t, v, x->level))
			continue;
		all += x->n_up[v];
		if (t->up[v] != ODO_NONE)
			area += t->dealt[v] ? x->n_up[v] : t->block[t->up[v]].n_parents;
	}
	return odo_exceeds(inside, filled, area) && !odo_exceeds(all - inside, crossing, all);
}

/* Join blocks that were counted, and count again if any were joined. */
static int merge_blocks(search *x)
{
	odo_clos *t = x->t;
	bridge *all = odo_new(t->g->n_edges, sizeof *all);
	if (!all)
		return ODO_ENOMEM;
	uint32_t n = list_bridges(x, all);
	qsort(all, n, sizeof *all, compare_bridges);
	bool joined = join_blocks(x, all, n);
	free(all);
	if (!joined)
		return 0;
	move_to_joined(x, t->up);
	move_to_joined(x, t->down);
	return count_blocks(x, false);
}

static int find_blocks_of_level(search *x)
{
	odo_clos *t = x->t;
	x->first = x->n = t->n_blocks;
	for (uint32_t v = 0; v < t->g->n; v++)
		if (is_at(t, v, x->level) && t->up[v] == ODO_NONE && x->n_up[v])
			seed_block(x, v);
	refine_blocks(x);
	int status = count_blocks(x, false);
	if (!status && odo_uses("tree: blocks joined"))
		status = merge_blocks(x);
	if (!status && odo_uses("tree: twins"))
		status = odo_twins_find(t, x->level, x->first);
	if (status || are_regular(x) || !odo_uses("tree: loose blocks"))
		return status;
	take_components(x);
	return count_blocks(x, true);
}

static void count_up(const odo_clos *t, uint32_t *n_up)
{
	uint32_t low, high;
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		if (odo_clos_ends(t, e, &low, &high))
			n_up[low]++;
}

int odo_blocks_find(odo_clos *t, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t n = t->g->n;
	search x = {.t = t};
	x.n_up = odo_arena_new(&memory, n, sizeof *x.n_up);
	x.count = odo_arena_new(&memory, n, sizeof *x.count);
	x.met = odo_arena_new(&memory, n, sizeof *x.met);
	int status = memory.failed ? ODO_ENOMEM : 0;
	free(t->block);
	t->block = NULL;
	t->n_blocks = 0;
	memset(t->up, 0xFF, n * sizeof *t->up);
	memset(t->down, 0xFF, n * sizeof *t->down);
	if (!status)
		count_up(t, x.n_up);
	for (x.level = 0; x.level + 1 < t->n_levels && !status; x.level++)
		status = find_blocks_of_level(&x);
	odo_arena_free(&memory);
	return status ? odo_fail(err, status, "no memory for blocks of a tree") : 0;
}
