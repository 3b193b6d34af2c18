/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shortest paths on any graph, dealt out over parallel and equal paths, in layers of VLs: the
 * static, minimal case of paper 004's Distance Based routing (section 3.7), which on standard
 * switches cannot hop from VL to VL. Destinations that no layer takes are routed up*\/down*
 * in the last one, so this engine serves every graph with any number of VLs.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/deal.h"
#include "routing/engines.h"
#include "routing/forest.h"

/* Trees per destination switch: more spread, and more to fit into layers. */
#define MAX_SPREAD 4u

typedef struct finder {
	odo_forest *w;
	uint32_t *depth, *queue;
	uint32_t *hash;
} finder;

static uint32_t breadth_first(finder *x, uint32_t d)
{
	const odo_forest *w = x->w;
	uint32_t head = 0, tail = 1;
	memset(x->depth, 0xFF, w->n * sizeof *x->depth);
	x->depth[d] = 0;
	x->queue[0] = d;
	while (head < tail) {
		uint32_t t = x->queue[head++];
		for (uint32_t i = w->f->first_slot[t]; i < w->f->first_slot[t + 1]; i++) {
			uint32_t s = w->next[i];
			if (s != ODO_NONE && x->depth[s] == ODO_NONE) {
				x->depth[s] = x->depth[t] + 1;
				x->queue[tail++] = s;
			}
		}
	}
	return tail;
}

/* Cables of s on shortest paths, dealt out among the trees: another start for every pair. */
static void choose(finder *x, uint32_t s, uint32_t d)
{
	const odo_forest *w = x->w;
	uint32_t first = w->f->first_slot[s], n = 0, port[ODO_MAX_PORTS], id[ODO_MAX_PORTS];
	uint32_t pick[ODO_MAX_PHASES];
	for (uint32_t i = first; i < w->f->first_slot[s + 1]; i++) {
		uint32_t t = w->next[i];
		if (t == ODO_NONE || x->depth[t] + 1 != x->depth[s])
			continue;
		port[n] = i - first + 1;
		id[n++] = odo_mix(x->hash[d] ^ odo_mix(x->hash[t] + i - first));
	}
	odo_deal(id, n, w->n_trees, pick);
	for (unsigned k = 0; k < w->n_trees; k++)
		odo_forest_row(w, k, s)[d] = (uint8_t)port[pick[k]];
}

static int find_paths(odo_forest *w, odo_error *err)
{
	finder x = {.w = w};
	x.depth = odo_new(w->n, sizeof *x.depth);
	x.queue = odo_new(w->n, sizeof *x.queue);
	x.hash = odo_new(w->n, sizeof *x.hash);
	bool room = x.depth && x.queue && x.hash;
	for (uint32_t s = 0; room && s < w->n; s++)
		x.hash[s] = odo_node_hash(w->f, s);
	for (uint32_t d = 0; room && d < w->n; d++) {
		uint32_t n = breadth_first(&x, d);
		for (uint32_t i = 1; i < n; i++)
			choose(&x, x.queue[i], d);
	}
	free(x.depth);
	free(x.queue);
	free(x.hash);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for shortest paths");
}

/* Destinations in an order that scatters neighbours. */
static uint32_t *all_trees(const odo_forest *w, uint32_t *n)
{
	*n = w->n_trees * w->n;
	uint32_t *trees = odo_new(*n, sizeof *trees);
	for (uint32_t i = 0; trees && i < *n; i++)
		trees[i] = i;
	return trees;
}

int odo_route_layered(const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)c;
	uint32_t keys = odo_max_keys(f), n_trees = 0, *trees = NULL;
	odo_forest *w;
	int status = odo_forest_create(f, NULL, options, keys < MAX_SPREAD ? keys : MAX_SPREAD, 1,
				       1, &w, err);
	if (status)
		return status;
	status = find_paths(w, err);
	if (!status && !(trees = all_trees(w, &n_trees)))
		status = odo_fail(err, ODO_ENOMEM, "no memory for layers");
	if (!status)
		status = odo_forest_layer(w, trees, n_trees, err);
	if (!status)
		status = odo_forest_write(w, t, err);
	free(trees);
	odo_forest_free(w);
	return status;
}
