/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The engine `updown`: trees to all destinations, one after another. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "routing/engines.h"
#include "routing/forest/ceiling.h"
#include "routing/forest/updown_deal.h"
#include "routing/graph/columns.h"

/* FEW_TREES: trees per destination if every switch has hosts. FEW_PATHS: limit of the size up to
 * which a fabric whose trunks have more cables than FEW_TREES gets more trees. */
#define FEW_TREES 2u
#define FEW_PATHS 600000u

/* Sort destinations so that those below the same switch follow one another. Rounds of equal ways
 * then begin and end with them. */
static void sort_destinations(const odo_updown *u, uint64_t *sorted)
{
	for (uint32_t j = 0; j < u->n; j++) {
		uint32_t first = u->above[j] < u->below[j] ? u->to[u->above[j]] : 0;
		sorted[j] = (uint64_t)first << 32 | j;
	}
	qsort(sorted, u->n, sizeof *sorted, odo_by_u64);
}

/* Count the LIDs of hosts that follow each tree. Trees without any LID are left out. */
static void count_followers(const odo_forest *forest, uint32_t *followers, uint8_t *followed)
{
	for (uint32_t lid = 0; lid < forest->f->lid_count; lid++) {
		if (forest->lid_tree[lid] == ODO_NONE)
			continue;
		followed[forest->lid_tree[lid]] = 1;
		followers[forest->lid_tree[lid]] += odo_is_sent_to(forest->f, lid);
	}
}

/* Columns of a block of destinations; of each tree, only destinations with LIDs that follow it. */
typedef struct block {
	uint8_t *columns; /* [n_trees * ODO_COLUMNS * stride] */
	uint32_t d[ODO_MOST_TREES][ODO_COLUMNS], n[ODO_MOST_TREES];
} block;

/* Number of times that the assigned paths are compared with the ceiling. */
#define N_LOOKS 64u

typedef struct grower {
	odo_updown *u;
	odo_arena memory;
	uint64_t *sorted;    /* [n] destinations */
	uint32_t *followers; /* [n_trees * n] */
	uint8_t *followed;   /* [n_trees * n] */
	block b;
	odo_ceiling_loads loads;
} grower;

/* Count the patterns' paths to hosts that follow a tree. */
static void count_pattern_paths(grower *g, unsigned k, uint32_t d, const uint8_t *column)
{
	const odo_forest *forest = g->u->forest;
	const odo_fabric *f = forest->f;
	for (uint32_t i = f->first_slot[d]; i < f->first_slot[d + 1]; i++) {
		uint32_t h = f->slot_host[i];
		if (h >= f->n_senders)
			continue;
		uint32_t lid = f->port_lid[f->host_slot[h]];
		uint32_t end = lid ? lid + (1u << f->port_lmc[f->host_slot[h]]) : 0;
		for (; lid < end; lid++)
			if (forest->lid_tree[lid] == k * forest->n + d)
				odo_ceiling_count(&g->loads, lid, g->u->number, column);
	}
}

static void grow_trees(grower *g, uint32_t number)
{
	odo_updown *u = g->u;
	const odo_forest *forest = u->forest;
	size_t stride = odo_column_stride(forest->n);
	uint32_t weight = 0, d = u->sorted[number];
	for (unsigned k = 0; k < forest->n_trees; k++)
		weight += g->followers[k * forest->n + d];
	odo_updown_approach(u, number, weight);
	for (unsigned k = 0; k < forest->n_trees; k++) {
		if (!g->followed[k * forest->n + d])
			continue;
		uint8_t *columns = g->b.columns + k * ODO_COLUMNS * stride;
		uint8_t *column = columns + g->b.n[k] * stride;
		g->b.d[k][g->b.n[k]++] = d;
		odo_updown_deal(u, column, number, g->followers[k * forest->n + d]);
		if (g->loads.ceiling)
			count_pattern_paths(g, k, d, column);
		if (g->b.n[k] == ODO_COLUMNS) {
			odo_updown_put(u, k, columns, g->b.d[k], ODO_COLUMNS);
			g->b.n[k] = 0;
		}
	}
	odo_updown_leave(u);
}

static bool is_ceiling_low(const grower *g)
{
	const odo_updown *u = g->u;
	double most = 0;
	for (uint32_t j = 0; j < u->n; j++) {
		uint32_t first = u->forest->f->first_slot[u->sorted[j]];
		for (uint32_t i = u->above[j]; i < u->above[j + 1]; i++) {
			double use = u->load[i] * g->loads.ceiling->part[first + u->port[i] - 1];
			most = use > most ? use : most;
		}
	}
	return odo_ceiling_is_low(&g->loads, most);
}

static bool allocate_columns(grower *g)
{
	const odo_forest *forest = g->u->forest;
	size_t n_trees = (size_t)forest->n * forest->n_trees;
	g->sorted = odo_arena_new(&g->memory, forest->n, sizeof *g->sorted);
	g->followers = odo_arena_new(&g->memory, n_trees, sizeof *g->followers);
	g->followed = odo_arena_new(&g->memory, n_trees, 1);
	g->b.columns = odo_arena_new(&g->memory, forest->n_trees * ODO_COLUMNS,
				     odo_column_stride(forest->n));
	return !g->memory.failed;
}

static int grow_all_trees(odo_updown *u, odo_ceiling *ceiling, odo_error *err)
{
	const odo_forest *forest = u->forest;
	grower g = {.u = u};
	uint32_t step = forest->n / N_LOOKS + 1;
	bool low = false,
	     room = !odo_ceiling_begin(forest, ceiling, &g.loads) && allocate_columns(&g);
	if (room) {
		sort_destinations(u, g.sorted);
		count_followers(forest, g.followers, g.followed);
	}
	for (uint32_t i = 0; room && !low && i < forest->n; i++) {
		odo_forest_tell(forest, "routing, up*/down*", i, forest->n);
		grow_trees(&g, (uint32_t)g.sorted[i]);
		low = ceiling && i % step == step - 1 && is_ceiling_low(&g);
	}
	size_t size = ODO_COLUMNS * odo_column_stride(forest->n);
	for (unsigned k = 0; room && !low && k < forest->n_trees; k++)
		odo_updown_put(u, k, g.b.columns + k * size, g.b.d[k], g.b.n[k]);
	odo_ceiling_end(&g.loads);
	odo_arena_free(&g.memory);
	if (low)
		return odo_fail(err, ODO_EDECLINE, "carries less than the other tables");
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
}

/* Some switches may have no hosts except their own aggregation nodes, as in a tree. Then return one
 * tree per LID behind a switch, as far as memory allows: every host of a leaf needs a spine of its
 * own. Do the same if trunks join the switches, so that all cables of a trunk are used alike. In
 * other fabrics the cables next to the root fill first, and more than two trees would not help. */
static unsigned count_trees(const odo_fabric *f)
{
	uint64_t keys = odo_max_keys(f), pairs = (uint64_t)f->n_switches * f->n_switches;
	bool trunks = keys * pairs <= FEW_PATHS && odo_most_parallel(f) > FEW_TREES;
	uint64_t most = trunks ? ODO_MOST_TREES : FEW_TREES;
	for (uint32_t s = 0; s < f->n_switches && most == FEW_TREES; s++)
		if (!odo_hosts_of(f, s))
			most = ODO_MOST_TREES;
	if (keys > most)
		keys = most;
	while (keys > 1 && keys * pairs > UINT32_MAX)
		keys--;
	return (unsigned)keys;
}

int odo_route_updown(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		     const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)row;
	(void)c;
	odo_forest *forest;
	odo_updown *u = NULL;
	int status = odo_forest_create(f, NULL, options, count_trees(f), 1, 1, &forest, err);
	if (status)
		return status;
	status = odo_updown_create(forest, &u, err);
	if (!status)
		status = grow_all_trees(u, options ? options->ceiling : NULL, err);
	if (!status)
		status = odo_forest_write(forest, t, err);
	odo_updown_free(u);
	odo_forest_free(forest);
	return status;
}
