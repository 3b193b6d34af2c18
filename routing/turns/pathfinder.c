/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/turns/pathfinder.h"

#include <stdlib.h>
#include <string.h>

static bool allocate_pathfinder(odo_pathfinder *x)
{
	odo_arena *memory = &x->memory;
	size_t n = x->n, slots = x->f->first_slot[n], turns = x->turn_at[n];
	x->vl = odo_arena_new(memory, turns, 1);
	x->uses = odo_arena_new(memory, turns, sizeof *x->uses);
	x->ports = odo_arena_new(memory, x->n_trees, n);
	x->sequence = odo_arena_new(memory, x->n_trees, sizeof *x->sequence);
	x->hosts = odo_arena_new(memory, n, sizeof *x->hosts);
	x->weight = odo_arena_new(memory, x->n_trees, sizeof *x->weight);
	x->part = odo_arena_new(memory, slots, sizeof *x->part);
	x->load = odo_arena_new(memory, slots, sizeof *x->load);
	x->hops = odo_arena_new(memory, n, sizeof *x->hops);
	x->near = odo_arena_new(memory, n, sizeof *x->near);
	x->depth = odo_arena_new(memory, n, sizeof *x->depth);
	x->cost = odo_arena_new(memory, n, sizeof *x->cost);
	x->settled = odo_arena_new(memory, n, sizeof *x->settled);
	x->heap = odo_arena_new(memory, slots, 2 * sizeof *x->heap);
	x->late = odo_arena_new(memory, slots, 2 * sizeof *x->late);
	x->carried = odo_arena_new(memory, n, sizeof *x->carried);
	x->list = odo_arena_new(memory, n, sizeof *x->list);
	x->order = odo_arena_new(memory, n, sizeof *x->order);
	x->up = odo_arena_new(memory, n, sizeof *x->up);
	x->escape = odo_arena_new(memory, n, sizeof *x->escape);
	x->forced = odo_arena_new(memory, n, 1);
	x->number = odo_arena_new(memory, n, sizeof *x->number);
	x->key = odo_arena_new(memory, slots, sizeof *x->key);
	return !memory->failed;
}

/* A slow cable is as full as a fast one with fewer paths. */
static void find_parts(odo_pathfinder *x)
{
	uint32_t slots = x->f->first_slot[x->n], fastest = 0;
	for (uint32_t i = 0; i < slots; i++)
		if (x->forest->next[i] != ODO_NONE && odo_cable_rate(x->f, i) > fastest)
			fastest = odo_cable_rate(x->f, i);
	for (uint32_t i = 0; i < slots; i++) {
		uint32_t rate = odo_cable_rate(x->f, i);
		x->part[i] = rate ? (double)fastest / rate : 1;
	}
}

int odo_pathfinder_init(odo_pathfinder *x, odo_forest *forest, odo_error *err)
{
	const odo_fabric *f = forest->f;
	*x = (odo_pathfinder){.forest = forest,
			      .f = f,
			      .n = forest->n,
			      .n_trees = forest->n_trees * forest->n,
			      .n_vls = forest->n_vls};
	x->turn_at = odo_arena_new(&x->memory, x->n + 1ul, sizeof *x->turn_at);
	for (uint32_t s = 0; x->turn_at && s < x->n; s++)
		x->turn_at[s + 1] = x->turn_at[s] +
				    (odo_n_ports(f, s) + 1) * (odo_n_ports(f, s) + 1);
	if (!x->turn_at || !allocate_pathfinder(x) || odo_pathfinder_rank(x))
		return odo_fail(err, ODO_ENOMEM, "no memory for paths with VLs by turn");
	odo_forest_count_hosts(forest, x->hosts, x->weight);
	find_parts(x);
	return 0;
}

int odo_pathfinder_begin(odo_pathfinder *x, uint64_t seed, bool falls, odo_error *err)
{
	uint32_t slots = x->f->first_slot[x->n], turns = x->turn_at[x->n];
	odo_channels_clear(&x->channels);
	int status = odo_channels_init(&x->channels, x->f, x->n_vls, err);
	x->rng = odo_rng_make(seed, 0);
	x->falls = falls;
	memset(x->ports, ODO_NO_PORT, (size_t)x->n_trees * x->n);
	memset(x->vl, 0, turns);
	memset(x->uses, 0, turns * sizeof *x->uses);
	memset(x->load, 0, slots * sizeof *x->load);
	for (uint32_t i = 0; i < x->n_trees; i++)
		x->sequence[i] = i;
	odo_rng_shuffle(&x->rng, x->sequence, x->n_trees);
	if (!status)
		odo_pathfinder_order(x);
	return status;
}

void odo_pathfinder_clear(odo_pathfinder *x)
{
	odo_channels_clear(&x->channels);
	odo_arena_free(&x->memory);
	free(x->journal);
}
