/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paths that stay when something breaks. Ways of a tree depend on the room that earlier trees left.
 * If all trees grew again after one cable failed, a hundred times as many paths would change as
 * necessary. Instead, paths of the tables before are taken over, with their layers, if they still
 * reach the destination: any part of an acyclic layer is acyclic. The remaining switches are
 * connected as in a growing tree.
 *
 * Packets are still on the broken paths, before and behind the failure, and some switches have the
 * old tables for a while. So these paths stay in the layers until all switches are connected again:
 * old and new paths together close no cycle.
 *
 * Paths are kept only if nothing was added since. A new or repaired cable should get its share of
 * paths, so then all trees grow again. A repaired fabric gets its original tables back. Carried
 * tables (carry.h) do not include cables that were added after they were made, so none of their
 * paths are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fabric/twins.h"
#include "routing/graph/columns.h"
#include "routing/layered/layered.h"

typedef struct keeper {
	odo_grower *g;
	odo_arena memory;
	const odo_tables *before;
	uint32_t *old;        /* [n] number of each switch in the tables before */
	uint32_t *now;        /* [switches before] current number of each, or ODO_NONE */
	uint32_t *lid;        /* [n_trees * n] a LID that followed the tree, or ODO_NONE */
	uint8_t *ports, *sls; /* columns of a block of trees */
	uint8_t *broken;      /* [n_trees * n] */
	size_t stride;
} keeper;

/* Return false if something was added, or memory runs out. */
static bool find_old_switches(keeper *x)
{
	const odo_fabric *now = x->g->forest->f, *then = x->before->fabric;
	int grown = odo_has_grown(now, then);
	x->old = odo_twins(now, now->n_switches, then, then->n_switches);
	x->g->out_of_memory |= grown < 0 || !x->old;
	return x->old && !grown;
}

static bool allocate_keeper(keeper *x)
{
	size_t n = x->g->forest->n, trees = n * x->g->forest->n_trees;
	x->stride = odo_column_stride(x->g->forest->n);
	x->now = odo_arena_new(&x->memory, x->before->fabric->n_switches, sizeof *x->now);
	x->lid = odo_arena_new(&x->memory, trees, sizeof *x->lid);
	x->broken = odo_arena_new(&x->memory, trees, 1);
	x->ports = odo_arena_new(&x->memory, x->stride, ODO_COLUMNS);
	x->sls = odo_arena_new(&x->memory, x->stride, ODO_COLUMNS);
	return !x->memory.failed;
}

/* Find a LID for each tree: of the same switch, and with a key that follows this tree. */
static void find_lids(keeper *x)
{
	const odo_fabric *then = x->before->fabric;
	const odo_forest *forest = x->g->forest;
	memset(x->lid, 0xFF, (size_t)forest->n_trees * forest->n * sizeof *x->lid);
	memset(x->now, 0xFF, then->n_switches * sizeof *x->now);
	for (uint32_t s = 0; s < forest->n; s++)
		x->now[x->old[s]] = s;
	for (uint32_t lid = 0; lid < then->lid_count; lid++) {
		uint32_t s = then->lid_switch[lid];
		if (s != ODO_NONE && x->now[s] != ODO_NONE)
			x->lid[odo_lid_key(then, lid) % forest->n_trees * forest->n + x->now[s]] =
				lid;
	}
}

/* Copy rows of LFTs into rows of the forest. */
static void take_over_rows(keeper *x)
{
	const odo_tables *t = x->before;
	const odo_forest *forest = x->g->forest;
	for (uint32_t s = 0; s < forest->n; s++) {
		const uint8_t *row = t->lft + (size_t)x->old[s] * t->fabric->lid_count;
		for (unsigned k = 0; k < forest->n_trees; k++) {
			const uint32_t *lid = x->lid + (size_t)k * forest->n;
			uint8_t *port = odo_forest_row(forest, k, s);
			uint8_t *sl = x->g->sl + ((size_t)k * forest->n + s) * forest->n;
			for (uint32_t d = 0; d < forest->n; d++) {
				if (lid[d] == ODO_NONE)
					continue;
				port[d] = d == s                               ? 0
					  : forest->part[d] == forest->part[s] ? row[lid[d]]
									       : ODO_NO_PORT;
				sl[d] = odo_path_sl(t, x->old[s], lid[d]);
			}
		}
	}
}

static void cut_tree_block(keeper *x, unsigned k, uint32_t first)
{
	const odo_forest *forest = x->g->forest;
	const uint8_t *sl = x->g->sl + (size_t)k * forest->n * forest->n + first;
	uint32_t width = odo_forest_cut(forest, k, first, x->ports, x->stride);
	odo_columns_cut(sl, forest->n, forest->n, width, x->sls, x->stride);
}

/* Return the current slot of an old channel, or ODO_NONE if it is gone. */
static uint32_t slot_now(const keeper *x, uint32_t s, unsigned port)
{
	const odo_forest *forest = x->g->forest;
	uint32_t slot = x->now[s] == ODO_NONE ? ODO_NONE : odo_slot(forest->f, x->now[s], port);
	return slot != ODO_NONE && forest->next[slot] != ODO_NONE ? slot : ODO_NONE;
}

/* Add the remaining parts of an old path to its layers. */
static void mark_remaining_parts(keeper *x, uint32_t s, uint32_t lid)
{
	const odo_fabric *then = x->before->fabric;
	unsigned sls = 1u << odo_path_sl(x->before, s, lid) | odo_held_sls(x->before, s, lid);
	uint32_t last = ODO_NONE;
	for (uint32_t hops = 0; s != then->lid_switch[lid] && hops < then->n_switches; hops++) {
		unsigned port = odo_next_port(x->before, s, lid);
		if (port - 1u >= odo_n_ports(then, s))
			return;
		uint32_t slot = slot_now(x, s, port);
		for (unsigned sl = 0; sl < x->g->n_layers && last != ODO_NONE; sl++)
			if (slot != ODO_NONE && sls >> sl & 1)
				odo_acyclic_mark(&x->g->layer[sl], (odo_edge){last, slot});
		last = slot;
		s = odo_next_switch(then, odo_slot(then, s, port));
		if (s == ODO_NONE)
			return;
	}
}

/* Mark broken paths, and paths from removed switches, to a LID that still exists. */
static void mark_broken(keeper *x, uint32_t lid)
{
	const odo_fabric *then = x->before->fabric;
	for (uint32_t s = 0; s < then->n_switches; s++)
		if (x->now[s] == ODO_NONE || x->g->hops[x->now[s]] == ODO_NONE)
			mark_remaining_parts(x, s, lid);
}

/* Mark paths to removed switches. */
static void mark_lost(keeper *x)
{
	const odo_fabric *then = x->before->fabric;
	for (uint32_t lid = 0; lid < then->lid_count; lid++) {
		uint32_t d = then->lid_switch[lid];
		for (uint32_t s = 0; d != ODO_NONE && x->now[d] == ODO_NONE && s < then->n_switches;
		     s++)
			mark_remaining_parts(x, s, lid);
	}
}

static void mark_old_paths(keeper *x)
{
	odo_forest *forest = x->g->forest;
	for (unsigned k = 0; k < forest->n_trees; k++) {
		for (uint32_t d = 0; d < forest->n; d++) {
			uint32_t j = d % ODO_COLUMNS, tree = k * forest->n + d;
			if (!j)
				cut_tree_block(x, k, d);
			if (x->lid[tree] == ODO_NONE)
				continue;
			const uint8_t *port = x->ports + j * x->stride,
				      *sl = x->sls + j * x->stride;
			odo_layered_measure(x->g, port, d);
			x->broken[tree] = odo_layered_mark(x->g, port, sl, d);
			mark_broken(x, x->lid[tree]);
			forest->layer[tree] = sl[d];
		}
	}
	mark_lost(x);
}

/* Connect the switches that a tree has lost. @return false if they fit no layer */
static bool reconnect_tree(keeper *x, unsigned k, uint32_t d)
{
	odo_layered_fetch(x->g, k, d);
	return odo_layered_grow(x->g, k, d, false);
}

/* Return true if a LID follows the tree. A tree that no LID followed before or follows now is left
 * out. */
static bool is_followed(const keeper *x, uint32_t tree)
{
	const odo_forest *forest = x->g->forest;
	for (uint32_t lid = 0; lid < forest->f->lid_count; lid++)
		if (forest->lid_tree[lid] == tree)
			return true;
	return false;
}

static bool keep_trees(keeper *x)
{
	odo_grower *growth = x->g;
	odo_forest *forest = growth->forest;
	bool kept = true;
	take_over_rows(x);
	mark_old_paths(x);
	for (unsigned i = 0; i < growth->n_layers && kept; i++)
		kept = odo_acyclic_sort(&growth->layer[i]);
	for (uint32_t tree = 0; kept && tree < forest->n_trees * forest->n; tree++) {
		unsigned k = tree / forest->n;
		uint32_t d = tree % forest->n;
		if (x->lid[tree] == ODO_NONE && is_followed(x, tree))
			kept = odo_layered_grow(growth, k, d, true);
		else if (x->broken[tree])
			kept = reconnect_tree(x, k, d);
	}
	return kept;
}

bool odo_layered_keep(odo_grower *growth, const odo_tables *before)
{
	keeper x = {.g = growth, .before = before};
	const odo_fabric *then = before->fabric;
	bool alike = !strcmp(before->engine, "layered") && !before->from.carried &&
		     before->n_sls <= growth->n_layers &&
		     odo_layered_trees(then) == growth->forest->n_trees;
	growth->out_of_memory |= alike && !allocate_keeper(&x);
	bool kept = alike && !x.memory.failed && find_old_switches(&x);
	if (kept) {
		find_lids(&x);
		kept = keep_trees(&x);
	}
	free(x.old);
	odo_arena_free(&x.memory);
	growth->forest->n_layers = growth->n_layers;
	return kept;
}
