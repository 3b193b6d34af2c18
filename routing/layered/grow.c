/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A tree grown from its destination outwards. The dependencies of each layer stay acyclic. A switch
 * takes, of its ways of least distance, one that fits the layer of the path that it joins.
 * Otherwise it takes a way that fits another layer, so that the pair has an SL of its own. If there
 * is none, it takes the shortest way that fits any layer.
 */
#include <string.h>

#include "base/memory.h"
#include "fabric/search.h"
#include "routing/layered/layered.h"

/* PATIENCE: dependencies that layers may refuse to one tree. MAX_WORK: channels that may be
 * examined or moved for all trees. Beyond these limits, only dependencies that agree with a layer's
 * order are added. */
#define PATIENCE 1024u
#define MAX_WORK 100000000u

typedef odo_grower grower;

static void find_distances(grower *g, uint32_t d)
{
	const odo_forest *forest = g->forest;
	memset(g->depth, 0xFF, forest->n * sizeof *g->depth);
	g->depth[d] = 0;
	g->queue[0] = d;
	g->n_queue = odo_count_hops(forest->f->first_slot, forest->next, g->depth, g->queue, 1);
}

/* Ways of a switch, the best first. The old way comes first. Ways that the layer's order already
 * allows come before ways that may change it, and hashes decide ties. Hashes alone would change
 * half as many paths again when a cable fails, and take twelve times as long. */
typedef struct ways {
	uint32_t n;
	uint64_t key[ODO_MAX_PORTS]; /* class, lot, port */
} ways;

static void insert_way(ways *x, uint64_t key)
{
	uint32_t i = x->n++;
	for (; i && x->key[i - 1] > key; i--)
		x->key[i] = x->key[i - 1];
	x->key[i] = key;
}

static odo_edge edge_by(const grower *g, uint32_t slot)
{
	uint32_t t = g->forest->next[slot];
	return (odo_edge){slot, g->forest->f->first_slot[t] + g->port[t] - 1};
}

static void add_way(const grower *g, uint32_t slot, uint32_t lot, ways *x)
{
	uint32_t t = g->forest->next[slot],
		 port = slot - g->forest->f->first_slot[g->forest->f->owner[slot]] + 1;
	bool fits = true;
	if (g->hops[t]) { /* otherwise it is the destination */
		odo_edge edge = edge_by(g, slot);
		const odo_acyclic *acyclic = &g->layer[g->own[t]];
		fits = acyclic->place[edge.from] < acyclic->place[edge.to];
	}
	bool had = g->port[g->forest->f->owner[slot]] == port;
	uint64_t cost = odo_layered_cost(odo_mix((g->hash[t] + port) ^ lot), g->price[slot]);
	insert_way(x, (uint64_t)!had << 49 | (uint64_t)!fits << 48 | cost << 8 | port);
}

static void take_back_edges(grower *g, uint32_t n_journal)
{
	while (g->n_journal > n_journal) {
		const odo_layered_entry *e = &g->journal[--g->n_journal];
		odo_acyclic_remove(&g->layer[e->layer], e->edge);
	}
}

/* Add a new dependency. This costs a search if the order is against it. */
static bool add_layer_edge(grower *g, unsigned layer, odo_edge edge)
{
	odo_acyclic *acyclic = &g->layer[layer];
	bool fits = acyclic->place[edge.from] < acyclic->place[edge.to];
	if (!fits && !g->patience)
		return false;
	if (odo_grow(&g->journal, &g->journal_room, g->n_journal + 1ul, sizeof *g->journal)) {
		g->out_of_memory = true;
		return false;
	}
	if (!odo_acyclic_add(acyclic, edge)) {
		g->patience -= g->patience > 0;
		return false;
	}
	g->journal[g->n_journal++] = (odo_layered_entry){edge, layer};
	return true;
}

/*
 * Add the dependencies of the path by `slot` to the destination to a layer, unless the layer has
 * them.
 * @return false, with nothing added, if they would close a cycle, or if memory runs out: then the
 * path must also take another layer
 */
static bool add_path(grower *g, unsigned layer, uint32_t slot)
{
	uint32_t n_before = g->n_journal;
	for (uint32_t at = slot; g->hops[g->forest->next[at]];) {
		odo_edge edge = edge_by(g, at);
		if (!odo_acyclic_has(&g->layer[layer], edge) && !add_layer_edge(g, layer, edge)) {
			take_back_edges(g, n_before);
			return false;
		}
		if (layer == g->own[g->forest->next[at]])
			break; /* the layer has the rest of the path */
		at = edge.to;
	}
	return true;
}

/* Take the first way that a layer allows. Try the layer that the switch had, then the layer of the
 * path that it joins, then other layers, the lowest first. */
static bool take_first_way(grower *g, uint32_t s, const ways *x)
{
	unsigned had = g->own[s];
	for (unsigned turn = had < g->n_layers ? 0 : 1; turn <= g->n_layers; turn++) {
		uint32_t n = turn > 1 && x->n > 2 ? 2 : x->n;
		for (uint32_t i = 0; i < n; i++) {
			unsigned port = x->key[i] & 0xFF;
			uint32_t slot = odo_slot(g->forest->f, s, port), t = g->forest->next[slot];
			unsigned other = turn - 1 - (turn - 1 <= g->own[t]);
			unsigned layer = turn == 0 ? had : turn == 1 ? g->own[t] : other;
			if (!add_path(g, layer, slot))
				continue;
			g->port[s] = (uint8_t)port;
			g->own[s] = (uint8_t)layer;
			g->hops[s] = g->hops[t] + 1;
			return true;
		}
	}
	return false;
}

/* Connect switch s through switches that are `hops` links from the destination. */
static bool connect_switch(grower *g, uint32_t s, uint32_t hops, uint32_t lot)
{
	const odo_forest *forest = g->forest;
	ways x = {.n = 0};
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t != ODO_NONE && t != s && g->hops[t] == hops)
			add_way(g, i, lot, &x);
	}
	return take_first_way(g, s, &x);
}

/*
 * Connect switches without a shortest way by the shortest way that fits.
 * @return true if all are connected
 */
static bool connect_lost(grower *g, uint32_t lot)
{
	uint32_t longest = 0; /* number of links from the farthest connected switch */
	for (uint32_t j = 0; j < g->n_queue; j++)
		if (g->hops[g->queue[j]] != ODO_NONE && g->hops[g->queue[j]] > longest)
			longest = g->hops[g->queue[j]];
	for (uint32_t hops = 0; hops <= longest && g->n_lost; hops++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < g->n_lost; i++)
			if (!connect_switch(g, g->lost[i], hops, lot))
				g->lost[n++] = g->lost[i];
		if (n < g->n_lost && hops == longest)
			longest++;
		g->n_lost = n;
	}
	return !g->n_lost;
}

static void store_tree(grower *g, unsigned k)
{
	uint32_t d = g->queue[0];
	for (uint32_t j = 1; j < g->n_queue; j++) {
		uint32_t s = g->queue[j];
		odo_forest_row(g->forest, k, s)[d] = g->port[s];
		g->sl[((size_t)k * g->forest->n + s) * g->forest->n + d] = g->own[s];
		g->by_pair |= g->own[s] != g->own[d];
	}
	g->forest->layer[(size_t)k * g->forest->n + d] = g->own[d];
}

static uint64_t work_so_far(const grower *g)
{
	uint64_t work = 0;
	for (unsigned i = 0; i < g->n_layers; i++)
		work += g->layer[i].work;
	return work;
}

/*
 * Connect switches without a way to the destination at queue[0].
 * @return false if there is no room; the layers are then unchanged
 */
static bool connect_all(grower *g, uint32_t lot)
{
	g->n_journal = g->n_lost = 0;
	g->patience = work_so_far(g) < MAX_WORK ? PATIENCE : 0;
	for (uint32_t j = 1; j < g->n_queue; j++) {
		uint32_t s = g->queue[j];
		if (g->hops[s] == ODO_NONE && !connect_switch(g, s, g->depth[s] - 1, lot))
			g->lost[g->n_lost++] = s;
	}
	bool grown = connect_lost(g, lot);
	if (!grown)
		take_back_edges(g, 0);
	return grown;
}

/* Begin with the destination alone. */
static void begin_tree(grower *g, uint32_t d)
{
	memset(g->hops, 0xFF, g->forest->n * sizeof *g->hops);
	memset(g->port, ODO_NO_PORT, g->forest->n);
	memset(g->own, ODO_N_SLS, g->forest->n);
	g->hops[d] = g->port[d] = g->own[d] = 0;
}

bool odo_layered_grow(grower *g, unsigned k, uint32_t d, bool whole)
{
	find_distances(g, d);
	if (whole)
		begin_tree(g, d);
	if (!connect_all(g, odo_layered_lot(g, k, d)))
		return false;
	store_tree(g, k);
	return true;
}

static uint32_t slot_by_port(const odo_grower *growth, const uint8_t *port, uint32_t s)
{
	return port[s] == ODO_NO_PORT ? ODO_NONE : growth->forest->f->first_slot[s] + port[s] - 1u;
}

bool odo_layered_mark(odo_grower *growth, const uint8_t *port, const uint8_t *sl, uint32_t d)
{
	const odo_forest *forest = growth->forest;
	bool broken = false;
	for (uint32_t s = 0; s < forest->n; s++) {
		broken |= growth->hops[s] == ODO_NONE && forest->part[s] == forest->part[d];
		if (growth->hops[s] == ODO_NONE || s == d)
			continue;
		growth->by_pair |= sl[s] != sl[d];
		uint32_t at = slot_by_port(growth, port, s), t = forest->next[at];
		while (t != d) {
			uint32_t on = slot_by_port(growth, port, t);
			odo_acyclic_mark(&growth->layer[sl[s]], (odo_edge){at, on});
			if (sl[t] == sl[s])
				break; /* the rest is marked for t */
			at = on;
			t = forest->next[on];
		}
	}
	return broken;
}

void odo_layered_fetch(grower *g, unsigned k, uint32_t d)
{
	const odo_forest *forest = g->forest;
	for (uint32_t s = 0; s < forest->n; s++) {
		g->port[s] = odo_forest_row(forest, k, s)[d];
		g->own[s] = g->sl[((size_t)k * forest->n + s) * forest->n + d];
	}
	odo_layered_measure(g, g->port, d);
}

void odo_layered_connect(grower *g, unsigned k, uint32_t d, bool growing)
{
	uint32_t lot = odo_layered_lot(g, k, d);
	odo_layered_fetch(g, k, d);
	find_distances(g, d);
	if (g->n_layers == 1 || !growing || !connect_all(g, lot))
		odo_layered_squeeze(g, lot);
	store_tree(g, k);
}
