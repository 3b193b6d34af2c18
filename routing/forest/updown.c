/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/updown.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "routing/engines.h"

/* Roots tried per connected part. */
#define N_CANDIDATES 16u

/* The far end of a cable. */
typedef struct neighbour {
	uint32_t t, lot;
	uint32_t port; /* that leads there */
} neighbour;

struct odo_updown {
	odo_forest *w;
	neighbour *near;         /* of each switch, those above and then those below */
	uint32_t *above, *below; /* [n + 1] first of either; those below end where the next begin */
	uint32_t *order;         /* [n] number of each switch; up is towards lower */
	uint32_t *sorted;        /* [n] switches by number */
	uint32_t *depth;         /* [n] hops to the destination of the tree at hand */
	uint32_t *queue;
	uint32_t *hash; /* [n] */
};

/* Breadth first from `root`; returns the sum of distances. Fills depth and queue. */
static uint64_t spread(odo_updown *u, uint32_t root, uint32_t *n_reached)
{
	const odo_forest *w = u->w;
	uint32_t head = 0, tail = 1;
	uint64_t sum = 0;
	memset(u->depth, 0xFF, w->n * sizeof *u->depth);
	u->depth[root] = 0;
	u->queue[0] = root;
	while (head < tail) {
		uint32_t s = u->queue[head++];
		sum += u->depth[s];
		for (uint32_t i = w->f->first_slot[s]; i < w->f->first_slot[s + 1]; i++) {
			uint32_t t = w->next[i];
			if (t != ODO_NONE && u->depth[t] == ODO_NONE) {
				u->depth[t] = u->depth[s] + 1;
				u->queue[tail++] = t;
			}
		}
	}
	*n_reached = tail;
	return sum;
}

/* The first of the operator's roots that is in a part, or ODO_NONE. */
static uint32_t named_root(const odo_updown *u, uint32_t part)
{
	const odo_route_options *options = u->w->options;
	for (uint32_t i = 0; options && i < options->n_roots; i++)
		for (uint32_t s = 0; s < u->w->n; s++)
			if (u->w->f->node_guid[s] == options->roots[i] && u->w->part[s] == part)
				return s;
	return ODO_NONE;
}

/* The most central of a few switches of a part, picked by hash. `pick` is sorted. */
static uint32_t choose_root(odo_updown *u, const uint64_t *pick, uint32_t n, uint32_t part)
{
	uint32_t root = named_root(u, part), tried = 0, reached;
	uint64_t best = UINT64_MAX;
	if (root != ODO_NONE)
		return root;
	for (uint32_t i = 0; i < n && tried < N_CANDIDATES; i++) {
		uint32_t s = (uint32_t)pick[i];
		if (u->w->part[s] != part)
			continue;
		uint64_t sum = spread(u, s, &reached);
		tried++;
		if (sum < best) {
			best = sum;
			root = s;
		}
	}
	return root;
}

/* Parts one after another, each from its root outwards; ties by hash, so that numbers do not
 * follow the order in which switches are stored. */
static int number(odo_updown *u)
{
	uint32_t n = u->w->n, done = 0, reached;
	uint64_t *pick = odo_new(n, sizeof *pick), *level = odo_new(n, sizeof *level);
	bool room = pick && level;
	for (uint32_t s = 0; room && s < n; s++)
		pick[s] = (uint64_t)u->hash[s] << 32 | s;
	if (room)
		qsort(pick, n, sizeof *pick, odo_by_u64);
	for (uint32_t part = 0; room && part < u->w->n_parts; part++) {
		spread(u, choose_root(u, pick, n, part), &reached);
		for (uint32_t i = 0; i < reached; i++) {
			uint32_t s = u->queue[i];
			level[i] = (uint64_t)u->depth[s] << 48 |
				   (uint64_t)(u->hash[s] >> 16) << 32 | s;
		}
		qsort(level, reached, sizeof *level, odo_by_u64);
		for (uint32_t i = 0; i < reached; i++) {
			u->order[(uint32_t)level[i]] = done;
			u->sorted[done++] = (uint32_t)level[i];
		}
	}
	free(pick);
	free(level);
	return room ? 0 : ODO_ENOMEM;
}

static void list_neighbours(odo_updown *u)
{
	const odo_forest *w = u->w;
	uint32_t n = 0;
	for (uint32_t s = 0; s < w->n; s++) {
		uint32_t first = w->f->first_slot[s];
		u->above[s] = n;
		for (int down = 0; down < 2; down++) {
			for (uint32_t i = first; i < w->f->first_slot[s + 1]; i++) {
				uint32_t t = w->next[i];
				if (t == ODO_NONE || t == s || (u->order[t] > u->order[s]) != down)
					continue;
				u->near[n++] = (neighbour){
					t, u->hash[t] ^ ((i - first) * 0x9E3779B1u), i - first + 1};
			}
			if (!down)
				u->below[s] = n;
		}
	}
	u->above[w->n] = n;
}

int odo_updown_create(odo_forest *w, odo_updown **out, odo_error *err)
{
	odo_updown *u = odo_new(1, sizeof *u);
	if (!u)
		return odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
	u->w = w;
	u->near = odo_new(w->f->first_slot[w->n], sizeof *u->near);
	u->above = odo_new(w->n + 1ul, sizeof *u->above);
	u->below = odo_new(w->n, sizeof *u->below);
	u->order = odo_new(w->n, sizeof *u->order);
	u->sorted = odo_new(w->n, sizeof *u->sorted);
	u->depth = odo_new(w->n, sizeof *u->depth);
	u->queue = odo_new(w->n, sizeof *u->queue);
	u->hash = odo_new(w->n, sizeof *u->hash);
	bool room = u->near && u->above && u->below && u->order && u->sorted && u->depth &&
		    u->queue && u->hash;
	for (uint32_t s = 0; room && s < w->n; s++)
		u->hash[s] = odo_node_hash(w->f, s);
	if (!room || number(u)) {
		odo_updown_free(u);
		return odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
	}
	list_neighbours(u);
	*out = u;
	return 0;
}

void odo_updown_free(odo_updown *u)
{
	if (!u)
		return;
	free(u->near);
	free(u->above);
	free(u->below);
	free(u->order);
	free(u->sorted);
	free(u->depth);
	free(u->queue);
	free(u->hash);
	free(u);
}

/* Equal ways are dealt out by (switch, cable, destination, tree). */
static uint32_t lot(const neighbour *by, uint32_t tree)
{
	uint32_t x = by->lot ^ tree;
	x = (x ^ (x >> 15)) * 0x2C1B3C6Du;
	return x ^ (x >> 12);
}

/* Ports of s, in trees `k` to `end` - 1, to a neighbour one hop nearer, among those from `by` to
 * `last` - 1: all of them above or all below. Trees differ in nothing else. */
static void choose(odo_updown *u, unsigned k, unsigned end, uint32_t d, uint32_t s,
		   const neighbour *by, const neighbour *last)
{
	const odo_forest *w = u->w;
	uint64_t best[ODO_MAX_TREES] = {0};
	for (; by < last; by++) {
		if (u->depth[by->t] + 1 != u->depth[s])
			continue;
		for (unsigned j = k; j < end; j++) {
			uint64_t value = (uint64_t)lot(by, u->hash[d] + j * 0x85EBCA6Bu) << 8;
			value = value | by->port;
			best[j] = value > best[j] ? value : best[j];
		}
	}
	for (unsigned j = k; j < end; j++)
		odo_forest_row(w, j, s)[d] = best[j] ? (uint8_t)best[j] : ODO_NO_PORT;
}

/* Switches that reach d by going down only, breadth first. */
static uint32_t climb(odo_updown *u, uint32_t d)
{
	uint32_t head = 0, tail = 1;
	memset(u->depth, 0xFF, u->w->n * sizeof *u->depth);
	u->depth[d] = 0;
	u->queue[0] = d;
	while (head < tail) {
		uint32_t t = u->queue[head++];
		for (uint32_t i = u->above[t]; i < u->below[t]; i++) {
			uint32_t s = u->near[i].t;
			if (u->depth[s] != ODO_NONE)
				continue;
			u->depth[s] = u->depth[t] + 1;
			u->queue[tail++] = s;
		}
	}
	return tail;
}

static void grow_trees(odo_updown *u, unsigned k, unsigned end, uint32_t d)
{
	const odo_forest *w = u->w;
	const neighbour *near = u->near;
	uint32_t n_below = climb(u, d);
	for (uint32_t i = 1; i < n_below; i++) {
		uint32_t s = u->queue[i];
		choose(u, k, end, d, s, near + u->below[s], near + u->above[s + 1]);
	}
	/* The rest goes up; in order of numbers, so that all above are known. */
	for (uint32_t j = 0; j < w->n; j++) {
		uint32_t s = u->sorted[j], least = ODO_NONE;
		if (u->depth[s] != ODO_NONE || w->part[s] != w->part[d])
			continue;
		for (uint32_t i = u->above[s]; i < u->below[s]; i++)
			least = u->depth[near[i].t] < least ? u->depth[near[i].t] : least;
		u->depth[s] = least + 1;
		choose(u, k, end, d, s, near + u->above[s], near + u->below[s]);
	}
}

void odo_updown_tree(odo_updown *u, unsigned k, uint32_t d)
{
	grow_trees(u, k, k + 1, d);
}

int odo_route_updown(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		     const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)row;
	(void)c;
	uint32_t keys = odo_max_keys(f);
	odo_forest *w;
	odo_updown *u = NULL;
	int status = odo_forest_create(f, NULL, options, keys < 4 ? keys : 4, 1, 1, &w, err);
	if (status)
		return status;
	status = odo_updown_create(w, &u, err);
	for (uint32_t d = 0; d < w->n && !status; d++)
		grow_trees(u, 0, w->n_trees, d);
	if (!status)
		status = odo_forest_write(w, t, err);
	odo_updown_free(u);
	odo_forest_free(w);
	return status;
}
