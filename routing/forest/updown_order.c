/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/updown_deal.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/order.h"
#include "fabric/search.h"

/* Roots tried per connected part. */
#define N_CANDIDATES 16u
/* Ratio of hosts below which a switch is no leaf: it has fewer than 1/FEW_HOSTS of the largest
 * number of hosts at one switch. A spine may have a manager or a gateway. */
#define FEW_HOSTS 4u

typedef struct grower {
	const odo_forest *forest;
	odo_arena memory;
	const uint32_t *hash;
	uint32_t *level; /* [n] hops to the nearest leaf */
	/* [n] neighbours of a higher level that are next to no numbered switch yet */
	uint32_t *gain;
	uint32_t *depth;  /* [n] hops from the root */
	uint32_t *joined; /* [n] number of the first numbered neighbour */
	uint32_t *queue;
	uint32_t *ready; /* switches that can be numbered next */
	uint32_t n_ready;
	uint8_t *seen;   /* [n] ready or numbered */
	uint8_t *climbs; /* [n] on a path from the root that always goes up */
	uint64_t *pick;
} grower;

static uint64_t measure_from_root(grower *g, uint32_t root)
{
	uint64_t sum = 0;
	memset(g->depth, 0xFF, g->forest->n * sizeof *g->depth);
	g->depth[root] = 0;
	g->queue[0] = root;
	uint32_t n = odo_count_hops(g->forest->f->first_slot, g->forest->next, g->depth, g->queue,
				    1);
	for (uint32_t i = 0; i < n; i++)
		sum += g->depth[g->queue[i]];
	return sum;
}

/* Compute hops to the nearest leaf; 0 in a part without leaves. */
static void find_leaf_levels(grower *g)
{
	const odo_fabric *f = g->forest->f;
	uint32_t most = 0, n_leaves = 0;
	for (uint32_t s = 0; s < g->forest->n; s++)
		most = odo_hosts_of(f, s) > most ? odo_hosts_of(f, s) : most;
	for (uint32_t s = 0; s < g->forest->n; s++) {
		bool leaf = odo_hosts_of(f, s) * FEW_HOSTS >= most;
		g->level[s] = leaf ? 0 : ODO_NONE;
		if (leaf)
			g->queue[n_leaves++] = s;
	}
	odo_count_hops(f->first_slot, g->forest->next, g->level, g->queue, n_leaves);
	for (uint32_t s = 0; s < g->forest->n; s++)
		g->level[s] = g->level[s] == ODO_NONE ? 0 : g->level[s];
}

/* Return the first of the operator's roots that is in a part, or ODO_NONE. */
static uint32_t named_root(const grower *g, uint32_t part)
{
	const odo_route_options *options = g->forest->options;
	for (uint32_t i = 0; options && i < options->n_roots; i++)
		for (uint32_t s = 0; s < g->forest->n; s++)
			if (g->forest->f->node_guid[s] == options->roots[i] &&
			    g->forest->part[s] == part)
				return s;
	return ODO_NONE;
}

/* Choose the most central of a few leaves of a part, picked by hash. */
static uint32_t choose_central_leaf(grower *g, uint32_t part)
{
	uint32_t root = named_root(g, part), tried = 0;
	uint64_t best = UINT64_MAX;
	if (root != ODO_NONE)
		return root;
	for (uint32_t i = 0; i < g->forest->n && tried < N_CANDIDATES; i++) {
		uint32_t s = (uint32_t)g->pick[i];
		if (g->forest->part[s] != part || g->level[s])
			continue;
		uint64_t sum = measure_from_root(g, s);
		tried++;
		if (sum < best) {
			best = sum;
			root = s;
		}
	}
	return root;
}

/* Return true if ready switch a comes before ready switch b. Above the leaves, switches with the
 * same first neighbour follow one another. Pods of a tree then have the same numbering and the same
 * distribution of paths. */
static bool comes_first(const grower *g, uint32_t a, uint32_t b)
{
	if (g->climbs[a] != g->climbs[b])
		return g->climbs[a];
	if (g->climbs[a] && g->level[a] != g->level[b])
		return g->level[a] < g->level[b];
	if (g->level[a] != g->level[b])
		return g->level[a] > g->level[b];
	if (g->gain[a] != g->gain[b])
		return g->gain[a] > g->gain[b];
	if (g->depth[a] != g->depth[b])
		return g->depth[a] < g->depth[b];
	if (g->level[a] && g->joined[a] != g->joined[b])
		return g->joined[a] < g->joined[b];
	uint32_t x = g->hash[a] >> 16, y = g->hash[b] >> 16;
	return x != y ? x < y : a < b;
}

/* Mark s as ready: it no longer counts as a gain of its neighbours. */
static void make_ready(grower *g, uint32_t s, uint32_t joined)
{
	const odo_forest *forest = g->forest;
	g->seen[s] = 1;
	g->joined[s] = joined;
	g->ready[g->n_ready++] = s;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++)
		if (forest->next[i] != ODO_NONE && g->level[forest->next[i]] < g->level[s])
			g->gain[forest->next[i]]--;
}

static uint32_t take_next_ready(grower *g)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < g->n_ready; i++)
		if (comes_first(g, g->ready[i], g->ready[best]))
			best = i;
	uint32_t s = g->ready[best];
	g->ready[best] = g->ready[--g->n_ready];
	return s;
}

/* Number one part, from `done` on. @return the first number of the next part */
static uint32_t number_part(grower *g, uint32_t root, uint32_t done, uint32_t *order,
			    uint32_t *sorted)
{
	const odo_forest *forest = g->forest;
	measure_from_root(g, root);
	g->climbs[root] = 1;
	make_ready(g, root, done);
	while (g->n_ready) {
		uint32_t s = take_next_ready(g);
		order[s] = done;
		sorted[done++] = s;
		for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
			uint32_t t = forest->next[i];
			if (t == ODO_NONE || g->seen[t])
				continue;
			g->climbs[t] = g->climbs[s] && g->level[t] > g->level[s];
			make_ready(g, t, done);
		}
	}
	return done;
}

static void count_gains(grower *g)
{
	const odo_forest *forest = g->forest;
	for (uint32_t i = 0; i < forest->f->first_slot[forest->n]; i++)
		if (forest->next[i] != ODO_NONE &&
		    g->level[forest->next[i]] > g->level[forest->f->owner[i]])
			g->gain[forest->f->owner[i]]++;
}

static bool allocate_order(grower *g)
{
	uint32_t n = g->forest->n;
	g->level = odo_arena_new(&g->memory, n, sizeof *g->level);
	g->gain = odo_arena_new(&g->memory, n, sizeof *g->gain);
	g->depth = odo_arena_new(&g->memory, n, sizeof *g->depth);
	g->joined = odo_arena_new(&g->memory, n, sizeof *g->joined);
	g->queue = odo_arena_new(&g->memory, n, sizeof *g->queue);
	g->ready = odo_arena_new(&g->memory, n, sizeof *g->ready);
	g->seen = odo_arena_new(&g->memory, n, 1);
	g->climbs = odo_arena_new(&g->memory, n, 1);
	g->pick = odo_arena_new(&g->memory, n, sizeof *g->pick);
	return !g->memory.failed;
}

int odo_updown_order(const odo_forest *forest, const uint32_t *hash, uint32_t *order,
		     uint32_t *sorted)
{
	grower g = {.forest = forest, .hash = hash};
	uint32_t done = 0;
	bool room = allocate_order(&g);
	if (room) {
		for (uint32_t s = 0; s < forest->n; s++)
			g.pick[s] = (uint64_t)hash[s] << 32 | s;
		qsort(g.pick, forest->n, sizeof *g.pick, odo_by_u64);
		find_leaf_levels(&g);
		count_gains(&g);
	}
	for (uint32_t part = 0; room && part < forest->n_parts; part++)
		done = number_part(&g, choose_central_leaf(&g, part), done, order, sorted);
	odo_arena_free(&g.memory);
	return room ? 0 : ODO_ENOMEM;
}
