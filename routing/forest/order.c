/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An order of channels within the complete graphs of a product. If the cable between two vertices
 * of such a graph is missing, packets take an extra hop over a third vertex, and many of these
 * detours could close a cycle. They close none if they go up*\/down* within the graph: first
 * towards vertices of lower number, then away. Numbers grow with the distance from a vertex that
 * has all its cables. A detour over this vertex therefore always obeys the order, and few numbers
 * change when another cable fails.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/order.h"
#include "routing/forest/forest.h"

typedef struct orderer {
	odo_forest *forest;
	odo_arena memory;
	unsigned class;
	uint32_t *members, n_members; /* n_members: switches joined by cables of the class */
	uint32_t *seen;               /* [n] ODO_NONE, or the switch that counted it last */
	uint32_t *depth;              /* [n] links from the graph's root */
	uint64_t *sorted;             /* [n] depth, hash, switch */
} orderer;

static uint32_t class_neighbour(const orderer *x, uint32_t slot)
{
	return x->forest->class_of[slot] == x->class ? x->forest->next[slot] : ODO_NONE;
}

static void search_graph(orderer *x, uint32_t root)
{
	const uint32_t *first = x->forest->f->first_slot;
	x->members[0] = root;
	x->n_members = 1;
	x->depth[root] = 0;
	for (uint32_t i = 0; i < x->n_members; i++) {
		uint32_t s = x->members[i];
		for (uint32_t slot = first[s]; slot < first[s + 1]; slot++) {
			uint32_t t = class_neighbour(x, slot);
			if (t == ODO_NONE || x->depth[t] != ODO_NONE)
				continue;
			x->depth[t] = x->depth[s] + 1;
			x->members[x->n_members++] = t;
		}
	}
}

/* Count the vertices that cables lead to; parallel cables count once. */
static uint32_t count_neighbours(orderer *x, uint32_t s)
{
	const uint32_t *first = x->forest->f->first_slot;
	uint32_t n = 0;
	for (uint32_t slot = first[s]; slot < first[s + 1]; slot++)
		if (class_neighbour(x, slot) != ODO_NONE)
			x->seen[class_neighbour(x, slot)] = ODO_NONE;
	for (uint32_t slot = first[s]; slot < first[s + 1]; slot++) {
		uint32_t t = class_neighbour(x, slot);
		n += t != ODO_NONE && x->seen[t] != s;
		if (t != ODO_NONE)
			x->seen[t] = s;
	}
	return n;
}

static uint32_t choose_graph_root(orderer *x)
{
	uint32_t best = x->members[0];
	uint64_t most = 0;
	for (uint32_t i = 0; i < x->n_members; i++) {
		uint32_t s = x->members[i];
		uint64_t worth = (uint64_t)count_neighbours(x, s) << 32 |
				 odo_node_hash(x->forest->f, s);
		if (worth > most) {
			most = worth;
			best = s;
		}
	}
	return best;
}

/* Assign places to the graph's channels: first the channels up, by falling number of their source,
 * then the channels down, by rising number. */
static void place_channels(orderer *x)
{
	odo_forest *forest = x->forest;
	const uint32_t *first = forest->f->first_slot;
	uint32_t n = x->n_members, *number = x->depth;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = x->members[i];
		uint32_t missing = n - 1 - count_neighbours(x, s);
		x->sorted[i] = (uint64_t)x->depth[s] << 48 |
			       (uint64_t)(missing < 0xFF ? missing : 0xFF) << 40 |
			       (uint64_t)(odo_node_hash(forest->f, s) >> 24) << 32 | s;
	}
	qsort(x->sorted, n, sizeof *x->sorted, odo_by_u64);
	for (uint32_t i = 0; i < n; i++)
		number[(uint32_t)x->sorted[i]] = i;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = x->members[i];
		for (uint32_t slot = first[s]; slot < first[s + 1]; slot++) {
			uint32_t t = class_neighbour(x, slot);
			if (t != ODO_NONE)
				forest->place[slot] = number[t] < number[s] ? n - number[s]
									    : n + number[s];
		}
	}
}

static void order_class(orderer *x)
{
	uint32_t n = x->forest->n, *done = x->depth;
	memset(done, 0xFF, n * sizeof *done);
	for (uint32_t s = 0; s < n; s++) {
		if (done[s] != ODO_NONE)
			continue;
		search_graph(x, s);
		uint32_t root = choose_graph_root(x);
		for (uint32_t i = 0; i < x->n_members; i++)
			x->depth[x->members[i]] = ODO_NONE;
		search_graph(x, root);
		place_channels(x);
	}
}

int odo_forest_order(odo_forest *forest, const odo_coordinates *c, odo_error *err)
{
	orderer x = {.forest = forest};
	x.members = odo_arena_new(&x.memory, forest->n, sizeof *x.members);
	x.seen = odo_arena_new(&x.memory, forest->n, sizeof *x.seen);
	x.depth = odo_arena_new(&x.memory, forest->n, sizeof *x.depth);
	x.sorted = odo_arena_new(&x.memory, forest->n, sizeof *x.sorted);
	forest->ordered = !x.memory.failed;
	for (unsigned i = 0; forest->ordered && i < c->n_dims; i++) {
		x.class = i;
		if (c->factor[i] == ODO_COMPLETE && c->size[i] > 2)
			order_class(&x);
	}
	odo_arena_free(&x.memory);
	return forest->ordered ? 0
			       : odo_fail(err, ODO_ENOMEM, "no memory for an order of channels");
}
