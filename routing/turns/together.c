/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The engine `turns`: paths and a VL for each turn, found together. Packets of all SLs take the
 * same VLs, so the tables are safe whatever SL a packet carries.
 *
 * Nue routing (Domke, Hoefler and Matsuoka, 2016) searches paths within the complete graph of
 * channel dependencies of each VL, with escape paths for what does not fit. Here the graph has all
 * VLs, and packets change the VL from link to link. Moves of entries then even out the loads.
 */
#include <string.h>

#include "routing/engines.h"
#include "routing/turns/pathfinder.h"

/* FEW_TREES: trees to each switch, unless hosts have more LIDs (LMC). MOST_TRIES: seeds whose trees
 * are compared. MOST_WORK: limit of the time for all of them, in about nanoseconds; the first two
 * are grown in any case. */
#define FEW_TREES 2u
#define MOST_TRIES 4u
#define MOST_WORK 800000000u

/* The best trees so far. */
typedef struct best_trees {
	odo_arena memory;
	uint8_t *ports, *vl; /* as in odo_pathfinder */
	double rate;
} best_trees;

static unsigned count_trees_to_switch(const odo_fabric *f)
{
	uint32_t keys = odo_max_keys(f), most = FEW_TREES;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (1u << f->port_lmc[f->host_slot[h]] > most)
			most = 1u << f->port_lmc[f->host_slot[h]];
	most = most < ODO_MAX_TREES ? most : ODO_MAX_TREES;
	return keys < most ? keys : most;
}

static int keep_best(best_trees *best, const odo_pathfinder *x, odo_error *err)
{
	double rate = odo_pathfinder_rate(x);
	size_t turns = x->turn_at[x->n], ports = (size_t)x->n_trees * x->n;
	bool first = !best->ports;
	if (!first && rate >= best->rate)
		return 0;
	if (first) {
		best->ports = odo_arena_new(&best->memory, ports, 1);
		best->vl = odo_arena_new(&best->memory, turns, 1);
	}
	if (best->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for paths with VLs by turn");
	memcpy(best->ports, x->ports, ports);
	memcpy(best->vl, x->vl, turns);
	best->rate = rate;
	return 0;
}

static int fail_without_room(const odo_pathfinder *x, odo_error *err)
{
	return x->channels.no_memory
		       ? odo_fail(err, ODO_ENOMEM, "no memory for paths with VLs by turn")
		       : 0;
}

static int find_paths(odo_pathfinder *x, unsigned number, uint64_t most_work, odo_error *err)
{
	int status = odo_pathfinder_begin(x, number, number % 2, err);
	if (status)
		return status;
	odo_pathfinder_grow(x);
	status = fail_without_room(x, err);
	if (status)
		return status;
	odo_pathfinder_count(x);
	odo_pathfinder_improve(x, most_work);
	return fail_without_room(x, err);
}

/* VLs rise in every second try, and fall in the others. One of each is always made: in some trees
 * one of them leads nearly all paths over one switch. */
static int try_seeds(odo_pathfinder *x, best_trees *best, odo_error *err)
{
	int status = 0;
	for (unsigned i = 0; i < MOST_TRIES && !status && (i < 2 || x->work < MOST_WORK); i++) {
		status = find_paths(x, i, i ? MOST_WORK : MOST_WORK / 2, err);
		if (!status)
			status = keep_best(best, x, err);
		x->work = odo_pathfinder_work(x);
	}
	return status;
}

static void put_ports(odo_forest *forest, const best_trees *best)
{
	const uint8_t *port = best->ports;
	for (uint32_t tree = 0; tree < forest->n_trees * forest->n; tree++)
		for (uint32_t s = 0; s < forest->n; s++)
			odo_forest_row(forest, tree / forest->n, s)[tree % forest->n] = *port++;
}

/* Hosts of a switch share the VLs of its input 0. Outputs to hosts keep VL 0: no link follows.
 */
static void put_vls(const odo_forest *forest, const uint8_t *vl, const uint16_t *row, odo_tables *t)
{
	const odo_fabric *f = forest->f;
	for (uint32_t s = 0; s < forest->n; s++) {
		unsigned n_ports = odo_n_ports(f, s);
		for (unsigned in = 0; in <= n_ports; in++) {
			bool linked = in && forest->next[odo_slot(f, s, in)] != ODO_NONE;
			const uint8_t *from = vl + t->sl2vl_at[s] +
					      (linked ? in : 0) * (n_ports + 1);
			for (unsigned out = 1; out <= n_ports; out++) {
				if (forest->next[odo_slot(f, s, out)] == ODO_NONE)
					continue;
				*odo_sl2vl_entry(t, s, in, out) = row[from[out]];
				t->n_vls = from[out] < t->n_vls ? t->n_vls : from[out] + 1;
			}
		}
	}
}

static int write_turns(odo_forest *forest, const best_trees *best, odo_tables *t, odo_error *err)
{
	uint16_t row[ODO_MAX_VLS] = {0};
	put_ports(forest, best);
	int status = odo_forest_write(forest, t, err);
	for (unsigned vl = 0; vl < forest->n_vls && !status; vl++) {
		odo_sl2vl map;
		memset(map.vl, (int)vl, sizeof map.vl);
		status = odo_tables_row(t, &map, &row[vl], err);
	}
	if (!status)
		put_vls(forest, best->vl, row, t);
	t->from.by_turn = t->n_vls > 1;
	return status;
}

int odo_route_turns(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		    const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)row;
	(void)c;
	odo_forest *forest;
	odo_pathfinder x;
	best_trees best = {.rate = 0};
	int status = odo_forest_create(f, NULL, options, count_trees_to_switch(f), 1, 1, &forest,
				       err);
	if (status)
		return status;
	status = odo_pathfinder_init(&x, forest, err);
	if (!status)
		status = try_seeds(&x, &best, err);
	odo_pathfinder_clear(&x);
	if (!status)
		status = write_turns(forest, &best, t, err);
	odo_arena_free(&best.memory);
	odo_forest_free(forest);
	return status;
}
