/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Layers: a tree that could close a cycle of dependencies moves to other VLs. A tree fits a layer
 * if the layer's graph stays acyclic with the dependencies of the tree. It takes the first layer
 * that it fits. A tree that fits no layer is routed again, up*\/down*, in the last layer. This
 * always works if that layer has no other trees.
 *
 * Most detours ascend in the ranks of channels, as the engine's own paths do, and close no cycle
 * where they are. Only a tree with a detour that does not ascend (a wild tree) is examined, and
 * only wild trees ever move.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/graph/acyclic.h"
#include "routing/graph/columns.h"
#include "routing/forest/forest.h"
#include "routing/forest/updown.h"

/* Consecutive trees that a layer may refuse before it counts as full. */
#define MAX_REFUSALS 48u

/* Properties of a port that trees use. */
typedef struct hop {
	uint32_t to;
	uint8_t class, far_class;
} hop;

typedef struct layerer {
	odo_forest *forest;
	odo_arena memory;
	hop *hops; /* [slots of switches] */
	odo_acyclic layer[ODO_N_SLS];
	bool whole[ODO_N_SLS]; /* contains trees that are assumed to be safe */
	unsigned refusals[ODO_N_SLS];
	unsigned n_open;
	odo_updown *updown;
	uint8_t *block; /* columns */
	size_t stride;
	uint8_t *fixed; /* [trees] do not assign a layer */
	uint32_t *slot; /* [n] slots of the current tree, or ODO_NONE */
	uint16_t *leaving;
	uint8_t *next_vl;
	odo_edge *edges;
	uint32_t n_edges;
} layerer;

/* Find the VLs within the layer on which packets leave each switch of a tree. Every switch is a
 * source. */
static void find_tree_vls(layerer *l, const uint8_t *column, uint32_t d)
{
	const odo_forest *forest = l->forest;
	const uint32_t *first = forest->f->first_slot;
	for (uint32_t s = 0; s < forest->n; s++)
		l->slot[s] = s == d || column[s] == ODO_NO_PORT ? ODO_NONE
								: first[s] + column[s] - 1u;
	memset(l->leaving, 0, forest->n * sizeof *l->leaving);
	for (uint32_t s = 0; s < forest->n; s++) {
		if (l->slot[s] == ODO_NONE)
			continue;
		hop h = l->hops[l->slot[s]];
		l->leaving[s] |= (uint16_t)(1u << forest->sub[ODO_CLASS_HOST][h.class]);
		if (h.to == d)
			continue;
		l->next_vl[s] = forest->sub[h.far_class][l->hops[l->slot[h.to]].class];
		l->leaving[h.to] |= (uint16_t)(1u << l->next_vl[s]);
	}
}

static void list_tree_edges(layerer *l, const uint8_t *column, uint32_t d)
{
	const odo_forest *forest = l->forest;
	find_tree_vls(l, column, d);
	l->n_edges = 0;
	for (uint32_t s = 0; s < forest->n; s++) {
		uint32_t slot = l->slot[s], t = slot == ODO_NONE ? d : l->hops[slot].to;
		if (t == d)
			continue;
		uint32_t to = l->slot[t] * forest->n_sub + l->next_vl[s];
		for (unsigned left = l->leaving[s]; left; left &= left - 1) {
			uint32_t from = slot * forest->n_sub + (unsigned)__builtin_ctz(left);
			l->edges[l->n_edges++] = (odo_edge){from, to};
		}
	}
}

/* Add the dependencies of a tree to a layer, without a check. Wild trees add only those that
 * ascend, which do no harm in the old or the new layer. */
static void mark_tree(layerer *l, const odo_dependencies *layer, const uint8_t *column,
		      uint32_t tree)
{
	const odo_forest *forest = l->forest;
	uint32_t k = tree / forest->n, d = tree % forest->n;
	bool wild = !l->fixed[tree];
	find_tree_vls(l, column, d);
	for (uint32_t s = 0; s < forest->n; s++) {
		uint32_t slot = l->slot[s], t = slot == ODO_NONE ? d : l->hops[slot].to;
		if (t == d)
			continue;
		for (unsigned left = l->leaving[s]; left; left &= left - 1) {
			unsigned sub = (unsigned)__builtin_ctz(left), next = l->next_vl[s];
			if (wild && !odo_forest_ascends(forest, k, slot, sub, l->slot[t], next))
				continue;
			odo_depend(layer, slot, sub, column[t], next);
		}
	}
}

static void load_tree_edges(layerer *l, uint32_t tree)
{
	uint32_t d = tree % l->forest->n;
	for (uint32_t s = 0; s < l->forest->n; s++)
		l->block[s] = odo_forest_row(l->forest, tree / l->forest->n, s)[d];
	list_tree_edges(l, l->block, d);
}

static int open_layer(layerer *l, odo_error *err)
{
	return odo_acyclic_init(&l->layer[l->n_open++], l->forest->f, l->forest->n_sub, err);
}

static void close_open_layers(layerer *l)
{
	while (l->n_open)
		odo_acyclic_clear(&l->layer[--l->n_open]);
}

/*
 * Try the listed edges of a tree in a layer.
 * @return false if it does not fit; the layer is then unchanged
 */
static bool try_layer(layerer *l, unsigned i)
{
	bool fits = odo_acyclic_add_all(&l->layer[i], l->edges, l->n_edges);
	l->refusals[i] = fits ? 0 : l->refusals[i] + 1;
	return fits;
}

static void add_whole_block(layerer *l, unsigned k, uint32_t first)
{
	const odo_forest *forest = l->forest;
	uint32_t width = odo_forest_cut(forest, k, first, l->block, l->stride);
	for (uint32_t j = 0; j < width; j++) {
		uint32_t tree = k * forest->n + first + j, layer = forest->layer[tree];
		if (layer < forest->n_closed)
			continue;
		l->whole[layer] |= l->fixed[tree];
		mark_tree(l, &l->layer[layer].forward, l->block + j * l->stride, tree);
	}
}

static int add_whole_trees(layerer *l, odo_error *err)
{
	int status = 0;
	for (unsigned i = 0; i < l->forest->n_layers && !status; i++)
		status = open_layer(l, err);
	for (unsigned k = 0; k < l->forest->n_trees && !status; k++)
		for (uint32_t d = 0; d < l->forest->n; d += ODO_COLUMNS)
			add_whole_block(l, k, d);
	return status;
}

static int sort_whole_trees(layerer *l, odo_error *err)
{
	for (unsigned i = 0; i < l->forest->n_layers; i++)
		if (!odo_acyclic_sort(&l->layer[i])) /* can_all_stay() may have left it unsorted */
			return odo_fail(err, ODO_EDECLINE,
					"paths of layer %u can deadlock without any damage", i);
	return 0;
}

/*
 * Try to leave all trees in their layers. This costs one search for cycles per layer, and is enough
 * after little damage. If it fails, the layers are unchanged.
 * @param status set to ODO_ENOMEM if memory runs out
 */
static bool can_all_stay(layerer *l, const uint32_t *trees, uint32_t n_trees, int *status)
{
	odo_edge *added = NULL;
	uint8_t *into = NULL;
	size_t room = 0, into_room = 0;
	uint32_t n = 0;
	bool stay = true;
	for (uint32_t i = 0; i < n_trees && stay; i++) {
		unsigned layer = l->forest->layer[trees[i]];
		load_tree_edges(l, trees[i]);
		if (odo_grow(&added, &room, (size_t)n + l->n_edges, sizeof *added) ||
		    odo_grow(&into, &into_room, (size_t)n + l->n_edges, 1))
			*status = ODO_ENOMEM;
		stay = !*status && layer >= l->forest->n_closed && layer < l->n_open;
		for (uint32_t j = 0; j < l->n_edges && stay; j++) {
			if (odo_acyclic_has(&l->layer[layer], l->edges[j]))
				continue;
			odo_acyclic_mark(&l->layer[layer], l->edges[j]);
			into[n] = (uint8_t)layer;
			added[n++] = l->edges[j];
		}
	}
	for (unsigned i = l->forest->n_closed; i < l->n_open && stay; i++)
		stay = odo_acyclic_sort(&l->layer[i]);
	for (uint32_t i = 0; i < n && !stay; i++)
		odo_acyclic_remove(&l->layer[into[i]], added[i]);
	free(added);
	free(into);
	return stay;
}

static void reroute_tree(layerer *l, uint32_t tree)
{
	odo_updown_tree(l->updown, tree / l->forest->n, tree % l->forest->n);
	l->forest->layer[tree] = (uint8_t)(l->forest->max_layers - 1);
}

/* Make the last layer up*\/down*: route again all trees that were put there so far. */
static int spill_last_layer(layerer *l, const uint32_t *trees, uint32_t n_so_far, odo_error *err)
{
	unsigned last = l->forest->max_layers - 1;
	if (l->whole[last] || last < l->forest->n_closed)
		return odo_fail(err, ODO_EDECLINE,
				"detours around missing cables need more than %u VLs",
				l->forest->n_vls);
	int status = odo_updown_create(l->forest, &l->updown, err);
	if (status)
		return status;
	l->forest->spilt = true;
	for (uint32_t i = 0; i < n_so_far; i++)
		if (l->forest->layer[trees[i]] == last)
			reroute_tree(l, trees[i]);
	return 0;
}

/*
 * Put a tree into the first layer that it fits, beginning with its own.
 * @return false if it fits none
 */
static bool place_tree(layerer *l, uint32_t tree, int *status, odo_error *err)
{
	unsigned own = l->forest->layer[tree], usable = l->forest->max_layers - l->forest->spilt;
	unsigned first = l->forest->n_closed;
	load_tree_edges(l, tree);
	if (own >= first && own < usable && try_layer(l, own))
		return true;
	for (unsigned i = first; i < usable && !*status; i++) {
		if (i == l->n_open)
			*status = open_layer(l, err);
		if (!*status && i != own && l->refusals[i] < MAX_REFUSALS && try_layer(l, i)) {
			l->forest->layer[tree] = (uint8_t)i;
			return true;
		}
	}
	return false;
}

static int place_trees(layerer *l, const uint32_t *trees, uint32_t n_trees, odo_error *err)
{
	odo_forest *forest = l->forest;
	int status = add_whole_trees(l, err);
	if (status || can_all_stay(l, trees, n_trees, &status))
		return status;
	if (status)
		return odo_fail(err, status, "no memory for layers");
	status = sort_whole_trees(l, err);
	for (uint32_t i = 0; i < n_trees && !status; i++) {
		odo_forest_tell(forest, "finding VLs for detours", i, n_trees);
		if (place_tree(l, trees[i], &status, err) || status)
			continue;
		if (!forest->spilt)
			status = spill_last_layer(l, trees, i, err);
		if (!status)
			reroute_tree(l, trees[i]);
	}
	for (uint32_t tree = 0; tree < forest->n_trees * forest->n; tree++)
		if (forest->layer[tree] >= forest->n_layers)
			forest->n_layers = forest->layer[tree] + 1u;
	return status;
}

static int allocate_layerer(layerer *l, const uint32_t *trees, uint32_t n_trees)
{
	odo_forest *forest = l->forest;
	l->stride = odo_column_stride(forest->n);
	l->block = odo_arena_new(&l->memory, l->stride, ODO_COLUMNS);
	l->hops = odo_arena_new(&l->memory, forest->f->first_slot[forest->n], sizeof *l->hops);
	l->slot = odo_arena_new(&l->memory, forest->n, sizeof *l->slot);
	l->fixed = odo_arena_new(&l->memory, (size_t)forest->n_trees * forest->n, 1);
	l->leaving = odo_arena_new(&l->memory, forest->n, sizeof *l->leaving);
	l->next_vl = odo_arena_new(&l->memory, forest->n, 1);
	l->edges = odo_arena_new(&l->memory, (size_t)forest->n * forest->n_sub, sizeof *l->edges);
	if (l->memory.failed)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < forest->f->first_slot[forest->n]; i++)
		if (forest->next[i] != ODO_NONE)
			l->hops[i] = (hop){forest->next[i], forest->class_of[i],
					   forest->class_of[forest->f->peer[i]]};
	memset(l->fixed, 1, (size_t)forest->n_trees * forest->n);
	for (uint32_t i = 0; i < n_trees; i++)
		l->fixed[trees[i]] = 0;
	return 0;
}

static void clear_layerer(layerer *l)
{
	close_open_layers(l);
	odo_updown_free(l->updown);
	odo_arena_free(&l->memory);
}

int odo_forest_layer(odo_forest *forest, const uint32_t *trees, uint32_t n_trees, odo_error *err)
{
	layerer l = {.forest = forest};
	int status = allocate_layerer(&l, trees, n_trees);
	if (status)
		odo_fail(err, status, "no memory for layers");
	if (!status)
		status = place_trees(&l, trees, n_trees, err);
	clear_layerer(&l);
	return status;
}
