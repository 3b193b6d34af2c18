/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Short paths on any graph, dealt out over parallel and equal ways, in layers of VLs: the
 * static, minimal case of paper 004's Distance Based routing (section 3.7), which on standard
 * switches cannot hop from VL to VL.
 *
 * Every tree is grown from its destination outwards, each layer's dependencies staying
 * acyclic: a switch takes, of its ways of least distance, one that fits the layer of the path
 * that it joins, then one that fits another layer (which gives the pair an SL of its own), and
 * where none does, the shortest that does. The first layers are filled before others are begun,
 * which makes the most of them; what is left over then takes trees from the fullest. A tree that
 * cannot be grown, since the layers have become full, is squeezed into one as it is
 * (layered_squeeze.c), which always works. So this engine serves every graph with any number of
 * VLs.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/deal.h"
#include "routing/engines.h"
#include "routing/layered.h"

/* Dependencies that layers may refuse one tree before it is squeezed in; trees in a row before
 * all others are; and channels looked at or moved for all of them, a few seconds' worth. */
#define PATIENCE 1024u
#define MAX_REFUSALS 32u
#define MAX_WORK 1000000000u

typedef odo_grower grower;

static void breadth_first(grower *g, uint32_t d)
{
	const odo_forest *w = g->w;
	uint32_t head = 0, tail = 1;
	memset(g->depth, 0xFF, w->n * sizeof *g->depth);
	g->depth[d] = 0;
	g->queue[0] = d;
	while (head < tail) {
		uint32_t t = g->queue[head++];
		for (uint32_t i = w->f->first_slot[t]; i < w->f->first_slot[t + 1]; i++) {
			uint32_t s = w->next[i];
			if (s != ODO_NONE && g->depth[s] == ODO_NONE) {
				g->depth[s] = g->depth[t] + 1;
				g->queue[tail++] = s;
			}
		}
	}
	g->n_queue = tail;
}

/* Ways of a switch, best first: the one that it had; then those that the layer's order allows as
 * it is before those that may need it changed, and lots decide among equals. Lots alone would give
 * half as many paths another way when a cable dies, in twelve times the time. */
typedef struct ways {
	uint32_t n;
	uint64_t key[ODO_MAX_PORTS]; /* class, lot, port */
} ways;

static void insert(ways *x, uint64_t key)
{
	uint32_t i = x->n++;
	for (; i && x->key[i - 1] > key; i--)
		x->key[i] = x->key[i - 1];
	x->key[i] = key;
}

static odo_edge edge_by(const grower *g, uint32_t slot)
{
	uint32_t t = g->w->next[slot];
	return (odo_edge){slot, g->w->f->first_slot[t] + g->port[t] - 1};
}

static void add_way(const grower *g, uint32_t slot, uint32_t lot, ways *x)
{
	uint32_t t = g->w->next[slot], port = slot - g->w->f->first_slot[g->w->f->owner[slot]] + 1;
	bool fits = true;
	if (g->hops[t]) { /* else it is the destination */
		odo_edge e = edge_by(g, slot);
		const odo_acyclic *o = &g->layer[g->own[t]];
		fits = o->place[e.from] < o->place[e.to];
	}
	bool had = g->port[g->w->f->owner[slot]] == port;
	insert(x, (uint64_t)!had << 41 | (uint64_t)!fits << 40 |
			  (uint64_t)odo_mix((g->hash[t] + port) ^ lot) << 8 | port);
}

static void take_back(grower *g, uint32_t n_journal)
{
	while (g->n_journal > n_journal) {
		const odo_layered_entry *e = &g->journal[--g->n_journal];
		odo_acyclic_remove(&g->layer[e->layer], e->edge);
	}
}

/* Adds the dependencies of the way by `slot` and on to the destination to a layer, as far as
 * they are not there; false, and nothing added, where they would close a cycle (or where there
 * is no memory: then too the path has to go elsewhere). */
static bool add_path(grower *g, unsigned layer, uint32_t slot)
{
	odo_acyclic *o = &g->layer[layer];
	uint32_t n_before = g->n_journal;
	for (uint32_t at = slot; g->hops[g->w->next[at]];) {
		odo_edge e = edge_by(g, at);
		if (!odo_acyclic_has(o, e)) {
			if (odo_grow(&g->journal, &g->journal_room, g->n_journal + 1ul,
				     sizeof *g->journal) ||
			    !odo_acyclic_add(o, e)) {
				g->patience--;
				take_back(g, n_before);
				return false;
			}
			g->journal[g->n_journal++] = (odo_layered_entry){e, layer};
		}
		if (layer == g->own[g->w->next[at]])
			break; /* the rest of the path is there */
		at = e.to;
	}
	return true;
}

/* Takes the first way that a layer bears: the one that the switch had, that of the path it joins,
 * then the lowest. */
static bool settle(grower *g, uint32_t s, const ways *x)
{
	unsigned had = g->own[s];
	for (unsigned turn = had < g->n_layers ? 0 : 1; turn <= g->n_layers; turn++) {
		uint32_t n = turn > 1 && x->n > 2 ? 2 : x->n;
		for (uint32_t i = 0; i < n && g->patience; i++) {
			unsigned port = x->key[i] & 0xFF;
			uint32_t slot = odo_slot(g->w->f, s, port), t = g->w->next[slot];
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

/* Switch s by ways over switches with `hops` links to go, of those that have any. */
static bool connect(grower *g, uint32_t s, uint32_t hops, uint32_t lot)
{
	const odo_forest *w = g->w;
	ways x = {.n = 0};
	for (uint32_t i = w->f->first_slot[s]; i < w->f->first_slot[s + 1]; i++) {
		uint32_t t = w->next[i];
		if (t != ODO_NONE && t != s && g->hops[t] == hops)
			add_way(g, i, lot, &x);
	}
	return settle(g, s, &x);
}

/* What no shortest way fits takes the shortest that does; true if all find one. */
static bool connect_lost(grower *g, uint32_t lot)
{
	uint32_t longest = 0; /* links from a switch that has a way */
	for (uint32_t j = 0; j < g->n_queue; j++)
		if (g->hops[g->queue[j]] != ODO_NONE && g->hops[g->queue[j]] > longest)
			longest = g->hops[g->queue[j]];
	for (uint32_t hops = 0; hops <= longest && g->n_lost && g->patience; hops++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < g->n_lost; i++)
			if (!connect(g, g->lost[i], hops, lot))
				g->lost[n++] = g->lost[i];
		if (n < g->n_lost && hops == longest)
			longest++;
		g->n_lost = n;
	}
	return !g->n_lost;
}

static void keep(grower *g, unsigned k)
{
	uint32_t d = g->queue[0];
	for (uint32_t j = 1; j < g->n_queue; j++) {
		uint32_t s = g->queue[j];
		odo_forest_row(g->w, k, s)[d] = g->port[s];
		g->sl[((size_t)k * g->w->n + s) * g->w->n + d] = g->own[s];
		g->by_pair |= g->own[s] != g->own[d];
	}
	g->w->layer[(size_t)k * g->w->n + d] = g->own[d];
}

static uint32_t lot_of(const grower *g, unsigned k, uint32_t d)
{
	return odo_mix(g->hash[d] + k * 0x9E3779B1u);
}

/* Connects what has no way yet to the destination at queue[0]; false, and the layers as they were,
 * where there is no room. */
static bool grow(grower *g, uint32_t lot)
{
	g->n_journal = g->n_lost = 0;
	g->patience = PATIENCE;
	for (uint32_t j = 1; j < g->n_queue && g->patience; j++) {
		uint32_t s = g->queue[j];
		if (g->hops[s] == ODO_NONE && !connect(g, s, g->depth[s] - 1, lot))
			g->lost[g->n_lost++] = s;
	}
	bool grown = g->patience && connect_lost(g, lot);
	if (!grown)
		take_back(g, 0);
	return grown;
}

/* Nothing is connected but the destination. */
static void start(grower *g, uint32_t d)
{
	memset(g->hops, 0xFF, g->w->n * sizeof *g->hops);
	memset(g->port, ODO_NO_PORT, g->w->n);
	memset(g->own, ODO_N_SLS, g->w->n);
	g->hops[d] = g->port[d] = g->own[d] = 0;
}

bool odo_layered_grow(grower *g, unsigned k, uint32_t d, bool whole)
{
	breadth_first(g, d);
	if (whole)
		start(g, d);
	if (!grow(g, lot_of(g, k, d)))
		return false;
	keep(g, k);
	return true;
}

static uint64_t work_so_far(const grower *g)
{
	uint64_t work = 0;
	for (unsigned i = 0; i < g->n_layers; i++)
		work += g->layer[i].work;
	return work;
}

/* Any part of a layer is as safe as the whole: layers that are not in use take over trees, dealt
 * out by destination, from those that carry most. */
static void spread_layers(grower *g)
{
	uint64_t load[ODO_N_SLS] = {0};
	size_t n = g->w->n, paths = n * n * g->w->n_trees;
	uint8_t parts[ODO_N_SLS], part[ODO_N_SLS][ODO_N_SLS];
	unsigned n_used = 0;
	for (size_t i = 0; i < paths; i++)
		load[g->sl[i]]++;
	for (unsigned i = 0; i < g->n_layers; i++)
		n_used = load[i] ? i + 1 : n_used;
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
	for (size_t i = 0; i < n * g->w->n_trees; i++) {
		unsigned layer = g->w->layer[i];
		g->w->layer[i] = part[layer][(i / n + g->hash[i % n]) % parts[layer]];
	}
}

static int grow_all(grower *g, odo_error *err)
{
	odo_forest *w = g->w;
	/* In a single layer what is grown takes the order that the rest would need: up*\/down*. */
	uint32_t refusals = g->n_layers > 1 ? 0 : MAX_REFUSALS;
	int status = odo_layered_seed(g, err);
	w->n_layers = g->n_layers;
	for (uint32_t d = 0; d < w->n && !status; d++) {
		breadth_first(g, d);
		for (unsigned k = 0; k < w->n_trees; k++) {
			uint32_t lot = lot_of(g, k, d);
			start(g, d);
			bool grown = refusals < MAX_REFUSALS && work_so_far(g) < MAX_WORK &&
				     grow(g, lot);
			refusals = grown ? 0 : refusals + 1;
			if (!grown)
				odo_layered_squeeze(g, lot);
			keep(g, k);
		}
	}
	if (!status)
		spread_layers(g);
	return status;
}

/* SLs by destination alone where that is all there is to them. */
static int write_tables(const grower *g, odo_tables *t, odo_error *err)
{
	const odo_forest *w = g->w;
	int status = odo_forest_write(w, t, err);
	if (status || !g->by_pair)
		return status;
	t->sl_of_pair = odo_new((size_t)w->n * w->f->lid_count, 1);
	if (!t->sl_of_pair)
		return odo_fail(err, ODO_ENOMEM, "no memory for the SLs of %u switches", w->n);
	return odo_forest_gather(w, g->sl, w->lid_tree, t->sl_of_pair, err);
}

static int open_layers(grower *g, odo_error *err)
{
	int status = 0;
	while (g->n_layers < g->w->max_layers && !status)
		status = odo_acyclic_init(&g->layer[g->n_layers++], g->w->f, 1, err);
	return status;
}

static void close_layers(grower *g)
{
	while (g->n_layers)
		odo_acyclic_clear(&g->layer[--g->n_layers]);
}

static int allocate(grower *g, odo_error *err)
{
	size_t n = g->w->n;
	g->depth = odo_new(n, sizeof *g->depth);
	g->queue = odo_new(n, sizeof *g->queue);
	g->port = odo_new(n, 1);
	g->hops = odo_new(n, sizeof *g->hops);
	g->lost = odo_new(n, sizeof *g->lost);
	g->own = odo_new(n, 1);
	g->sl = odo_new(n * n * g->w->n_trees, 1);
	g->hash = odo_new(n, sizeof *g->hash);
	g->latest = odo_new(n, sizeof *g->latest);
	g->best = odo_new(n, 1);
	if (!g->latest || !g->best || !g->depth || !g->queue || !g->port || !g->hops || !g->lost ||
	    !g->own || !g->sl || !g->hash)
		return odo_fail(err, ODO_ENOMEM, "no memory for shortest paths");
	for (uint32_t s = 0; s < n; s++)
		g->hash[s] = odo_node_hash(g->w->f, s);
	return open_layers(g, err);
}

static void clear(grower *g)
{
	close_layers(g);
	free(g->depth);
	free(g->queue);
	free(g->port);
	free(g->hops);
	free(g->lost);
	free(g->journal);
	free(g->own);
	free(g->sl);
	free(g->hash);
	free(g->latest);
	free(g->best);
}

static int grow_anew(grower *g, odo_error *err)
{
	g->by_pair = false;
	close_layers(g);
	int status = open_layers(g, err);
	return status ? status : grow_all(g, err);
}

int odo_route_layered(const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)c;
	uint32_t keys = odo_max_keys(f);
	grower g = {0};
	int status = odo_forest_create(f, NULL, options, keys < ODO_SPREAD ? keys : ODO_SPREAD, 1,
				       1, &g.w, err);
	if (status)
		return status;
	status = allocate(&g, err);
	if (!status && !(options && options->before && odo_layered_keep(&g, options->before)))
		status = grow_anew(&g, err);
	if (!status)
		status = write_tables(&g, t, err);
	clear(&g);
	odo_forest_free(g.w);
	return status;
}
