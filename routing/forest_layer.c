/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Layers: trees that could close a cycle of dependencies go to VLs of their own. A tree fits
 * a layer if its dependencies leave that layer's graph acyclic, which is kept in topological
 * order as dependencies come in (Pearce and Kelly, "A dynamic topological sort algorithm for
 * directed acyclic graphs", 2007): where the order agrees, as it mostly does, one costs a
 * comparison. The first layer that a tree fits is its own. What fits nowhere is routed anew,
 * up*\/down*, in the last layer, which always works if that layer holds nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/dependency.h"
#include "routing/forest.h"
#include "routing/updown.h"

#define BLOCK 64u

typedef struct graph {
	odo_dependencies forward;
	uint64_t *backward; /* as forward.bits: bit (input - 1) * n_sub + vl of the channel's switch
			     */
	uint32_t *order;    /* [n_channels] */
	bool whole;         /* holds trees that are taken to be safe */
} graph;

typedef struct edge {
	uint32_t from, to; /* channels: slot * n_sub + vl */
} edge;

typedef struct layerer {
	odo_forest *w;
	graph layer[ODO_N_SLS];
	unsigned n_graphs;
	bool spilt; /* the last layer is up*\/down* */
	odo_updown *updown;
	uint8_t *block, *fixed; /* columns; `fixed`: trees not to be layered */
	uint16_t *leaving;
	uint8_t *next_vl;
	edge *edges; /* of the tree at hand */
	uint32_t n_edges, n_new;
	edge *journal; /* those it added */
	uint8_t *mark;
	uint32_t *ahead, *behind, *stack, n_ahead, n_behind;
	uint64_t *pool;
} layerer;

static uint64_t *bit_of(const graph *g, edge e, bool backward, uint64_t *mask)
{
	const odo_dependencies *d = &g->forward;
	const odo_fabric *f = d->fabric;
	uint32_t from = e.from / d->n_vls, to = e.to / d->n_vls;
	unsigned bit = backward ? (odo_port(f, f->peer[from]) - 1) * d->n_vls + e.from % d->n_vls
				: (odo_port(f, to) - 1) * d->n_vls + e.to % d->n_vls;
	*mask = 1ull << bit % 64;
	return (backward ? g->backward : d->bits) + (size_t)(backward ? e.to : e.from) * d->words +
	       bit / 64;
}

static bool has(const graph *g, edge e)
{
	uint64_t mask;
	return *bit_of(g, e, false, &mask) & mask;
}

static void flip(graph *g, edge e)
{
	uint64_t mask;
	*bit_of(g, e, false, &mask) ^= mask;
	*bit_of(g, e, true, &mask) ^= mask;
}

/* Collects what is reachable from `root` without leaving the order's stretch [low, high].
 * Returns false where `goal` is met. */
static bool reach(layerer *l, graph *g, uint32_t root, bool backward, uint32_t low, uint32_t high,
		  uint32_t goal, uint32_t *found, uint32_t *n_found)
{
	const odo_dependencies *d = &g->forward;
	const odo_fabric *f = d->fabric;
	const uint64_t *bits = backward ? g->backward : d->bits;
	uint32_t depth = 1;
	*n_found = 0;
	l->stack[0] = root;
	l->mark[root] = 1;
	found[(*n_found)++] = root;
	while (depth) {
		uint32_t at = l->stack[--depth], slot = at / d->n_vls;
		uint32_t sw = backward ? f->owner[slot] : f->owner[f->peer[slot]];
		for (unsigned word = 0; word < d->words; word++) {
			uint64_t left = bits[(size_t)at * d->words + word];
			for (; left; left &= left - 1) {
				unsigned bit = word * 64 + (unsigned)__builtin_ctzll(left);
				uint32_t next_slot = f->first_slot[sw] + bit / d->n_vls;
				if (backward)
					next_slot = f->peer[next_slot];
				uint32_t next = next_slot * d->n_vls + bit % d->n_vls;
				if (next == goal)
					return false;
				if (l->mark[next] || g->order[next] < low || g->order[next] > high)
					continue;
				l->mark[next] = 1;
				found[(*n_found)++] = next;
				l->stack[depth++] = next;
			}
		}
	}
	return true;
}

static void unmark(layerer *l, const uint32_t *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		l->mark[list[i]] = 0;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Deals the numbers of both sets out again: first to what leads to the edge's tail, then to
 * what its head leads to, each in its old order. */
static void reorder(layerer *l, graph *g)
{
	uint32_t n = l->n_behind + l->n_ahead;
	uint64_t *key = l->pool, *number = l->pool + n;
	for (uint32_t i = 0; i < n; i++) {
		bool ahead = i >= l->n_behind;
		uint32_t c = ahead ? l->ahead[i - l->n_behind] : l->behind[i];
		number[i] = g->order[c];
		key[i] = (uint64_t)g->order[c] << 32 | c;
	}
	qsort(key, l->n_behind, sizeof *key, by_value);
	qsort(key + l->n_behind, l->n_ahead, sizeof *key, by_value);
	qsort(number, n, sizeof *number, by_value);
	for (uint32_t i = 0; i < n; i++)
		g->order[(uint32_t)key[i]] = (uint32_t)number[i];
}

/* Adds a dependency; false, and nothing changed, where it would close a cycle. */
static bool add_edge(layerer *l, graph *g, edge e)
{
	uint32_t low = g->order[e.to], high = g->order[e.from];
	if (e.from == e.to)
		return false;
	if (high > low) {
		bool free_of_cycles = reach(l, g, e.to, false, low, high, e.from, l->ahead,
					    &l->n_ahead);
		unmark(l, l->ahead, l->n_ahead);
		if (!free_of_cycles)
			return false;
		reach(l, g, e.from, true, low, high, ODO_NONE, l->behind, &l->n_behind);
		unmark(l, l->behind, l->n_behind);
		reorder(l, g);
	}
	flip(g, e);
	return true;
}

/* Dependencies of a column of ports, all switches being sources. */
static void list_edges(layerer *l, const uint8_t *column, uint32_t d)
{
	const odo_forest *w = l->w;
	const odo_fabric *f = w->f;
	memset(l->leaving, 0, w->n * sizeof *l->leaving);
	for (uint32_t s = 0; s < w->n; s++) {
		if (s == d || column[s] == ODO_NO_PORT)
			continue;
		uint32_t slot = f->first_slot[s] + column[s] - 1, t = w->next[slot];
		l->leaving[s] |= (uint16_t)(1u << w->sub[ODO_CLASS_HOST][w->class_of[slot]]);
		if (t == d)
			continue;
		uint32_t out = f->first_slot[t] + column[t] - 1;
		l->next_vl[s] = w->sub[w->class_of[f->peer[slot]]][w->class_of[out]];
		l->leaving[t] |= (uint16_t)(1u << l->next_vl[s]);
	}
	l->n_edges = 0;
	for (uint32_t s = 0; s < w->n; s++) {
		if (s == d || column[s] == ODO_NO_PORT)
			continue;
		uint32_t slot = f->first_slot[s] + column[s] - 1, t = w->next[slot];
		if (t == d)
			continue;
		uint32_t to = (f->first_slot[t] + column[t] - 1) * w->n_sub + l->next_vl[s];
		for (unsigned left = l->leaving[s]; left; left &= left - 1)
			l->edges[l->n_edges++] = (edge){
				slot * w->n_sub + (unsigned)__builtin_ctz(left), to};
	}
}

static void cut_column(const layerer *l, uint32_t tree, uint8_t *column)
{
	for (uint32_t s = 0; s < l->w->n; s++)
		column[s] = odo_forest_row(l->w, tree / l->w->n, s)[tree % l->w->n];
}

/* True if the tree, whose edges are listed, fits; else the layer is as it was. */
static bool try_layer(layerer *l, graph *g)
{
	l->n_new = 0;
	for (uint32_t i = 0; i < l->n_edges; i++) {
		if (has(g, l->edges[i]))
			continue;
		if (!add_edge(l, g, l->edges[i])) {
			while (l->n_new)
				flip(g, l->journal[--l->n_new]);
			return false;
		}
		l->journal[l->n_new++] = l->edges[i];
	}
	return true;
}

/* Topological order of the whole trees' dependencies (Kahn); false where they have a cycle. */
static bool sort_graph(layerer *l, graph *g)
{
	const odo_dependencies *d = &g->forward;
	const odo_fabric *f = d->fabric;
	uint32_t *waiting = l->ahead, *ready = l->behind, head = 0, tail = 0;
	for (uint32_t c = 0; c < d->n_channels; c++) {
		waiting[c] = 0;
		for (unsigned word = 0; word < d->words; word++)
			waiting[c] += (uint32_t)__builtin_popcountll(
				g->backward[(size_t)c * d->words + word]);
		if (!waiting[c])
			ready[tail++] = c;
	}
	while (head < tail) {
		uint32_t c = ready[head];
		g->order[c] = head++;
		for (unsigned word = 0; word < d->words; word++) {
			uint64_t left = d->bits[(size_t)c * d->words + word];
			for (; left; left &= left - 1) {
				unsigned bit = word * 64 + (unsigned)__builtin_ctzll(left);
				uint32_t sw = f->owner[f->peer[c / d->n_vls]];
				uint32_t next = f->first_slot[sw] * d->n_vls + bit;
				if (!--waiting[next])
					ready[tail++] = next;
			}
		}
	}
	return tail == d->n_channels;
}

static void add_whole_block(layerer *l, unsigned k, uint32_t first, uint32_t width)
{
	const odo_forest *w = l->w;
	for (uint32_t s = 0; s < w->n; s++)
		for (uint32_t j = 0; j < width; j++)
			l->block[(size_t)j * w->n + s] = odo_forest_row(w, k, s)[first + j];
	for (uint32_t j = 0; j < width; j++) {
		uint32_t tree = k * w->n + first + j;
		if (!l->fixed[tree])
			continue;
		graph *g = &l->layer[w->layer[tree]];
		g->whole = true;
		list_edges(l, l->block + (size_t)j * w->n, first + j);
		for (uint32_t i = 0; i < l->n_edges; i++)
			if (!has(g, l->edges[i]))
				flip(g, l->edges[i]);
	}
}

static int open_layer(layerer *l, odo_error *err)
{
	graph *g = &l->layer[l->n_graphs];
	int status = odo_dependencies_init(&g->forward, l->w->f, l->w->n_sub, err);
	l->n_graphs++;
	if (status)
		return status;
	g->backward = odo_new((size_t)g->forward.n_channels * g->forward.words,
			      sizeof *g->backward);
	g->order = odo_new(g->forward.n_channels, sizeof *g->order);
	if (!g->backward || !g->order)
		return odo_fail(err, ODO_ENOMEM, "no memory for layers");
	for (uint32_t c = 0; c < g->forward.n_channels; c++)
		g->order[c] = c;
	return 0;
}

static int add_whole_trees(layerer *l, odo_error *err)
{
	int status = 0;
	for (unsigned i = 0; i < l->w->n_layers && !status; i++)
		status = open_layer(l, err);
	for (unsigned k = 0; k < l->w->n_trees && !status; k++)
		for (uint32_t d = 0; d < l->w->n; d += BLOCK)
			add_whole_block(l, k, d, l->w->n - d < BLOCK ? l->w->n - d : BLOCK);
	for (unsigned i = 0; i < l->w->n_layers && !status; i++)
		if (l->layer[i].whole && !sort_graph(l, &l->layer[i]))
			status = odo_fail(
				err, ODO_EDECLINE,
				"the paths of layer %u can deadlock where nothing is broken", i);
	return status;
}

static void reroute(layerer *l, uint32_t tree)
{
	odo_updown_tree(l->updown, tree / l->w->n, tree % l->w->n);
	l->w->layer[tree] = (uint8_t)(l->w->max_layers - 1);
}

/* Makes the last layer up*\/down*: all that was put there so far is routed anew. */
static int spill(layerer *l, const uint32_t *trees, uint32_t n_so_far, odo_error *err)
{
	unsigned last = l->w->max_layers - 1;
	if (last < l->n_graphs && l->layer[last].whole)
		return odo_fail(err, ODO_EDECLINE,
				"detours around what is missing need more than %u VLs",
				l->w->n_vls);
	l->spilt = true;
	for (uint32_t i = 0; i < n_so_far; i++)
		if (l->w->layer[trees[i]] == last)
			reroute(l, trees[i]);
	return 0;
}

static bool place(layerer *l, uint32_t tree, odo_error *err, int *status)
{
	unsigned own = l->w->layer[tree], open = l->w->max_layers - l->spilt;
	cut_column(l, tree, l->block);
	list_edges(l, l->block, tree % l->w->n);
	if (own < open && try_layer(l, &l->layer[own]))
		return true;
	for (unsigned i = 0; i < open; i++) {
		if (i == l->n_graphs && (*status = open_layer(l, err)))
			return false;
		if (i != own && try_layer(l, &l->layer[i])) {
			l->w->layer[tree] = (uint8_t)i;
			return true;
		}
	}
	return false;
}

static int place_all(layerer *l, const uint32_t *trees, uint32_t n_trees, odo_error *err)
{
	int status = 0;
	for (uint32_t i = 0; i < n_trees && !status; i++) {
		if (place(l, trees[i], err, &status) || status)
			continue;
		if (!l->spilt)
			status = spill(l, trees, i, err);
		if (!status)
			reroute(l, trees[i]);
	}
	for (uint32_t tree = 0; tree < l->w->n_trees * l->w->n; tree++)
		if (l->w->layer[tree] >= l->w->n_layers)
			l->w->n_layers = l->w->layer[tree] + 1u;
	return status;
}

static int allocate(layerer *l, const uint32_t *trees, uint32_t n_trees)
{
	odo_forest *w = l->w;
	size_t channels = (size_t)w->f->first_slot[w->n] * w->n_sub;
	l->block = odo_new((size_t)BLOCK * w->n, 1);
	l->fixed = odo_new((size_t)w->n_trees * w->n, 1);
	l->leaving = odo_new(w->n, sizeof *l->leaving);
	l->next_vl = odo_new(w->n, 1);
	l->edges = odo_new((size_t)w->n * w->n_sub, sizeof *l->edges);
	l->journal = odo_new((size_t)w->n * w->n_sub, sizeof *l->journal);
	l->mark = odo_new(channels, 1);
	l->ahead = odo_new(channels, sizeof *l->ahead);
	l->behind = odo_new(channels, sizeof *l->behind);
	l->stack = odo_new(channels, sizeof *l->stack);
	l->pool = odo_new(channels * 4, sizeof *l->pool);
	if (!l->block || !l->fixed || !l->leaving || !l->next_vl || !l->edges || !l->journal ||
	    !l->mark || !l->ahead || !l->behind || !l->stack || !l->pool)
		return ODO_ENOMEM;
	memset(l->fixed, 1, (size_t)w->n_trees * w->n);
	for (uint32_t i = 0; i < n_trees; i++)
		l->fixed[trees[i]] = 0;
	return 0;
}

static void clear(layerer *l)
{
	for (unsigned i = 0; i < l->n_graphs; i++) {
		odo_dependencies_clear(&l->layer[i].forward);
		free(l->layer[i].backward);
		free(l->layer[i].order);
	}
	odo_updown_free(l->updown);
	free(l->block);
	free(l->fixed);
	free(l->leaving);
	free(l->next_vl);
	free(l->edges);
	free(l->journal);
	free(l->mark);
	free(l->ahead);
	free(l->behind);
	free(l->stack);
	free(l->pool);
}

int odo_forest_layer(odo_forest *w, const uint32_t *trees, uint32_t n_trees, odo_error *err)
{
	layerer l = {.w = w};
	int status = allocate(&l, trees, n_trees);
	if (status)
		odo_fail(err, status, "no memory for layers");
	if (!status)
		status = odo_updown_create(w, &l.updown, err);
	if (!status)
		status = add_whole_trees(&l, err);
	if (!status)
		status = place_all(&l, trees, n_trees, err);
	clear(&l);
	return status;
}
