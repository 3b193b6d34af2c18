/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Short paths on any graph, spread over parallel and equal ways, in layers of VLs. This is the
 * static, minimal case of Distance Based routing in paper 004 (section 3.7), which cannot hop from
 * VL to VL on standard switches.
 *
 * Layers are up*\/down*, each from another root. A tree takes shortest ways as long as some layer
 * allows them (climb.c); with eight layers this is nearly always the case. Among several ways, one
 * is chosen at random, with odds by the load that cables carried in trials (price.c). Switches
 * without such a way are connected with the remaining room of the layers. Each layer's dependencies
 * stay acyclic. A switch takes, of its ways of least distance, one that fits the layer of the path
 * that it joins; otherwise one that fits another layer; otherwise the shortest that fits. If a tree
 * cannot grow because the layers are full, it is squeezed into one layer without changes to its
 * order (squeeze.c), which always works. So this engine serves every graph with any number of VLs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/graph/deal.h"
#include "routing/engines.h"
#include "routing/layered/layered.h"

/* A graph with at most FEW_PATHS paths is also grown in other ways, if the first way leaves more
 * than one path in TOLERATED longer than necessary. */
#define FEW_PATHS 600000u
#define TOLERATED 1000u
/* Number of trial climbs that prices are computed from, and paths of each: a fourth trial gains
 * little. On a small graph chance matters more, and there is time for more trials. */
#define N_TRIALS 3u
#define MANY_TRIALS 10u
#define SAMPLE 400000u
#define SMALL 80000u

typedef odo_grower grower;

/* Write the tables, with SLs by destination alone if pairs do not differ. */
static int write_layered_tables(const grower *g, odo_tables *t, odo_error *err)
{
	const odo_forest *forest = g->forest;
	int status = odo_forest_write(forest, t, err);
	if (status || !g->by_pair)
		return status;
	t->sl_of_pair = odo_new((size_t)forest->n * forest->f->lid_count, 1);
	if (!t->sl_of_pair)
		return odo_fail(err, ODO_ENOMEM, "no memory for the SLs of %u switches", forest->n);
	return odo_forest_gather(forest, g->sl, forest->lid_tree, t->sl_of_pair, err);
}

/* Return true if some cable connects two switches. */
static bool has_channels(const odo_forest *forest)
{
	uint32_t i = 0, end = forest->f->first_slot[forest->n];
	while (i < end && forest->next[i] == ODO_NONE)
		i++;
	return i < end;
}

/* Spread trees over unused layers. Any part of a layer is as safe as the whole. Unused layers
 * therefore take over trees, chosen by destination, from the most loaded layers. If no path has a
 * channel, one layer is enough. */
static void spread_layers(grower *g)
{
	uint64_t load[ODO_N_SLS] = {0};
	size_t n = g->forest->n, paths = n * n * g->forest->n_trees;
	uint8_t parts[ODO_N_SLS], part[ODO_N_SLS][ODO_N_SLS];
	unsigned n_used = 0;
	if (!has_channels(g->forest)) {
		g->forest->n_layers = 1;
		return;
	}
	for (size_t i = 0; i < paths; i++)
		n_used = g->sl[i] >= n_used ? g->sl[i] + 1u : n_used;
	if (n_used == g->n_layers || g->n_layers == 1)
		return;
	for (size_t i = 0; i < paths; i++)
		load[g->sl[i]]++;
	for (unsigned i = 0; i < n_used; i++) {
		parts[i] = 1;
		part[i][0] = (uint8_t)i;
	}
	for (unsigned spare = n_used; spare < g->n_layers; spare++) {
		unsigned most = 0;
		for (unsigned i = 1; i < n_used; i++)
			if (load[i] * parts[most] > load[most] * parts[i])
				most = i;
		part[most][parts[most]++] = (uint8_t)spare;
	}
	for (size_t i = 0; i < paths; i++) {
		uint32_t tree = (uint32_t)(i / n / n), d = (uint32_t)(i % n);
		unsigned layer = g->sl[i];
		g->sl[i] = part[layer][(tree + g->hash[d]) % parts[layer]];
	}
	for (size_t i = 0; i < n * g->forest->n_trees; i++) {
		unsigned layer = g->forest->layer[i];
		g->forest->layer[i] = part[layer][(i / n + g->hash[i % n]) % parts[layer]];
	}
}

static int open_layers(grower *g, odo_error *err)
{
	unsigned most = g->forest->n > 1 ? g->forest->max_layers
					 : 1; /* a lone switch needs no more */
	int status = 0;
	while (g->n_layers < most && !status)
		status = odo_acyclic_init(&g->layer[g->n_layers++], g->forest->f, 1, err);
	return status;
}

static void close_all_layers(grower *g)
{
	while (g->n_layers)
		odo_acyclic_clear(&g->layer[--g->n_layers]);
}

static int allocate_grower(grower *g, odo_error *err)
{
	size_t n = g->forest->n;
	g->depth = odo_arena_new(&g->memory, n, sizeof *g->depth);
	g->queue = odo_arena_new(&g->memory, n, sizeof *g->queue);
	g->port = odo_arena_new(&g->memory, n, 1);
	g->hops = odo_arena_new(&g->memory, n, sizeof *g->hops);
	g->lost = odo_arena_new(&g->memory, n, sizeof *g->lost);
	g->own = odo_arena_new(&g->memory, n, 1);
	g->sl = odo_arena_new(&g->memory, n * n * g->forest->n_trees, 1);
	g->hash = odo_arena_new(&g->memory, n, sizeof *g->hash);
	g->path = odo_arena_new(&g->memory, n, sizeof *g->path);
	g->up = odo_arena_new(&g->memory, g->forest->f->first_slot[n], sizeof *g->up);
	g->price = odo_arena_new(&g->memory, g->forest->f->first_slot[n], sizeof *g->price);
	g->load = odo_arena_new(&g->memory, g->forest->f->first_slot[n], sizeof *g->load);
	g->latest = odo_arena_new(&g->memory, n, sizeof *g->latest);
	g->best = odo_arena_new(&g->memory, n, 1);
	g->hosts = odo_arena_new(&g->memory, n, sizeof *g->hosts);
	g->followers = odo_arena_new(&g->memory, n * g->forest->n_trees, sizeof *g->followers);
	if (g->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for shortest paths");
	for (uint32_t i = 0; i < g->forest->f->first_slot[n]; i++)
		g->price[i] = ODO_FAIR_PRICE;
	for (uint32_t s = 0; s < n; s++)
		g->hash[s] = odo_node_hash(g->forest->f, s);
	odo_forest_count_hosts(g->forest, g->hosts, g->followers);
	return open_layers(g, err);
}

static void clear_grower(grower *g)
{
	close_all_layers(g);
	odo_arena_free(&g->memory);
	free(g->journal);
}

/* Add the dependencies of all existing paths to the layers. The orders of the layers already allow
 * them. */
static void mark_all_trees(grower *g)
{
	for (unsigned k = 0; k < g->forest->n_trees; k++) {
		for (uint32_t d = 0; d < g->forest->n; d++) {
			odo_layered_fetch(g, k, d);
			odo_layered_mark(g, g->port, g->own, d);
		}
	}
}

/* Give the forest new arrays, without paths except those of the destinations themselves. */
static int empty_forest(grower *g, odo_error *err)
{
	odo_forest *forest = g->forest;
	size_t n = forest->n, paths = n * n * forest->n_trees;
	forest->port = odo_arena_new(&g->memory, paths, 1);
	forest->layer = odo_arena_new(&g->memory, n, forest->n_trees);
	g->sl = odo_arena_new(&g->memory, paths, 1);
	if (g->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for shortest paths");
	memset(forest->port, ODO_NO_PORT, paths);
	for (unsigned k = 0; k < forest->n_trees; k++)
		for (uint32_t s = 0; s < n; s++)
			odo_forest_row(forest, k, s)[s] = 0;
	return 0;
}

/* Ways to grow all trees, in the order of their cost. */
typedef enum way {
	CLIMB, /* up and down, also on longer ways; if a tree cannot, it is squeezed in */
	MEND,  /* up and down; switches without a shortest way are connected as layers allow */
	GROW,  /* all switches are connected as layers allow */
	N_WAYS
} way;

static int empty_layers(grower *g, odo_error *err)
{
	g->by_pair = false;
	close_all_layers(g);
	memset(g->up, 0, g->forest->f->first_slot[g->forest->n] * sizeof *g->up);
	int status = open_layers(g, err);
	g->forest->n_layers = g->n_layers;
	return status ? status : odo_layered_seed(g, err);
}

/*
 * Grow all trees from nothing.
 * @param n_longer gets the number of switches without a shortest way up and down
 */
static int grow_forest(grower *g, way how, uint64_t *n_longer, odo_error *err)
{
	uint32_t n_trees = g->forest->n_trees * g->forest->n;
	odo_climbed climbed = {.lost = odo_new(n_trees, 1)};
	int status = climbed.lost ? empty_layers(g, err)
				  : odo_fail(err, ODO_ENOMEM, "no memory for shortest paths");
	if (!status && how == GROW)
		memset(climbed.lost, 1, n_trees);
	else if (!status)
		status = odo_layered_climb(g, how == CLIMB, 0, &climbed, err);
	if (!status && how == MEND)
		mark_all_trees(g);
	for (uint32_t tree = 0; !status && tree < n_trees; tree++)
		if (climbed.lost[tree])
			odo_layered_connect(g, tree / g->forest->n, tree % g->forest->n,
					    how != CLIMB);
	*n_longer = climbed.n_longer;
	free(climbed.lost);
	return status;
}

/* Grow the trees in another way. Keep them if paths get shorter, or the load of the fullest cable
 * falls by more. */
static int try_another_way(grower *g, way how, odo_error *err)
{
	odo_forest *forest = g->forest;
	uint8_t *port = forest->port, *layer = forest->layer, *sl = g->sl;
	bool by_pair = g->by_pair;
	uint64_t n_longer, cost = odo_layered_rate(g);
	int status = empty_forest(g, err);
	if (!status)
		status = grow_forest(g, how, &n_longer, err);
	if (status || odo_layered_rate(g) >= cost) {
		forest->port = port;
		forest->layer = layer;
		g->sl = sl;
		g->by_pair = by_pair;
	}
	return status;
}

/* Make a trial climb. On a large graph, limit the destinations so that it takes no longer than with
 * SAMPLE paths. */
static int try_prices(grower *g, uint64_t paths, odo_climbed *climbed, odo_error *err)
{
	int status = empty_layers(g, err);
	uint32_t one_in = 1 + (uint32_t)(paths / SAMPLE);
	return status ? status : odo_layered_climb(g, true, one_in, climbed, err);
}

/* Compute prices from the loads of trial climbs. On a small graph, keep the prices with the least
 * load on the fullest cable. */
static int find_prices(grower *g, odo_error *err)
{
	uint64_t paths = (uint64_t)g->forest->n * g->forest->n * g->forest->n_trees,
		 least = UINT64_MAX;
	size_t size = g->forest->f->first_slot[g->forest->n] * sizeof *g->price;
	odo_climbed climbed = {.lost = odo_new((size_t)g->forest->n * g->forest->n_trees, 1)};
	uint32_t *best = malloc(size + 1);
	bool small = paths <= SMALL, room = climbed.lost && best;
	int status = room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for shortest paths");
	for (unsigned i = 0; i < (small ? MANY_TRIALS : N_TRIALS) && !status; i++) {
		status = try_prices(g, paths, &climbed, err);
		if (!status && odo_layered_most_load(g) < least) {
			least = odo_layered_most_load(g);
			memcpy(best, g->price, size);
		}
		odo_layered_reprice(g, small);
	}
	if (!status && small)
		memcpy(g->price, best, size);
	free(best);
	free(climbed.lost);
	return status;
}

static int grow_from_nothing(grower *g, odo_error *err)
{
	uint64_t n_longer, paths = (uint64_t)g->forest->n * g->forest->n * g->forest->n_trees;
	int status = find_prices(g, err);
	if (!status)
		status = grow_forest(g, CLIMB, &n_longer, err);
	bool again = !status && g->n_layers > 1 && paths <= FEW_PATHS &&
		     n_longer * TOLERATED > paths;
	for (way how = MEND; how < N_WAYS && again && !status; how++)
		status = try_another_way(g, how, err);
	if (!status)
		spread_layers(g);
	return status;
}

unsigned odo_layered_trees(const odo_fabric *f)
{
	uint32_t keys = odo_max_keys(f), lids = 2;
	uint64_t pairs = (uint64_t)f->n_switches * f->n_switches;
	bool trunks = odo_most_parallel(f) > lids;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (1u << f->port_lmc[f->host_slot[h]] > lids)
			lids = 1u << f->port_lmc[f->host_slot[h]];
	lids = lids < ODO_SPREAD ? lids : ODO_SPREAD;
	while (trunks && lids < ODO_MOST_SPREAD && 2 * lids * pairs <= SMALL)
		lids *= 2;
	return keys < lids && !trunks ? keys : lids; /* hosts that leave change nothing */
}

int odo_route_layered(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)row;
	(void)c;
	grower g = {0};
	int status = odo_forest_create(f, NULL, options, odo_layered_trees(f), 1, 1, &g.forest,
				       err);
	if (status)
		return status;
	status = allocate_grower(&g, err);
	if (!status && !(options && options->before && odo_layered_keep(&g, options->before)) &&
	    !g.out_of_memory)
		status = grow_from_nothing(&g, err);
	if (!status && g.out_of_memory)
		status = odo_fail(err, ODO_ENOMEM, "no memory for layers");
	if (!status)
		status = write_layered_tables(&g, t, err);
	clear_grower(&g);
	odo_forest_free(g.forest);
	return status;
}
