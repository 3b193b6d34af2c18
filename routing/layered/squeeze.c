/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Room in full layers. A layer's channels have an order (acyclic.h), and paths that ascend in it
 * cannot close a cycle, so no search for one is needed. Take places for times of departure, then
 * the tree in which every switch leaves for the destination as late as it can reaches whatever
 * any ascending path reaches, from one pass over the channels from the last to the first. It is
 * not short. So shortest ways are taken as long as they ascend; who finds none takes the
 * shortest that does; and where there is none either, switches ahead change over to leaving as
 * late as they can, which suits all that came to them before as well.
 *
 * That there always is an ascending path is what odo_layered_seed() is for: up and down a
 * spanning tree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "fabric/search.h"
#include "routing/graph/deal.h"
#include "routing/layered/layered.h"

/* Layers in which a tree is tried at most, and channels looked at for all trees that way. */
#define MAX_TRIES 8u
#define MAX_VISITS 300000000u
#define ARRIVED UINT32_MAX /* later than any place */

static uint32_t slot_of(const odo_grower *g, uint32_t s)
{
	return g->w->f->first_slot[s] + g->port[s] - 1;
}

static uint32_t place_of(const odo_grower *g, const odo_acyclic *o, uint32_t s)
{
	return g->port[s] ? o->place[slot_of(g, s)] : ARRIVED;
}

/* Links from a root, part after part each from its first switch. */
static void measure(const odo_grower *g, uint32_t root, uint32_t *depth, uint32_t *queue)
{
	const odo_forest *w = g->w;
	uint32_t done = 0;
	memset(depth, 0xFF, w->n * sizeof *depth);
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t start = (root + i) % w->n;
		if (depth[start] != ODO_NONE)
			continue;
		depth[start] = 0;
		queue[done] = start;
		done += odo_count_hops(w->f->first_slot, w->next, depth, queue + done, 1);
	}
}

/* Switches in order from a layer's root outwards, and the cable by which each hangs on one before
 * it. By hashes among equals, so that a cable that dies changes little of it. */
static void span(const odo_grower *g, unsigned layer, uint32_t root, uint64_t *sorted,
		 uint32_t *order, uint32_t *number, uint32_t *found_by)
{
	const odo_forest *w = g->w;
	uint32_t *depth = found_by; /* until the last loop has done with it */
	measure(g, root, depth, order);
	for (uint32_t s = 0; s < w->n; s++)
		sorted[s] = (uint64_t)depth[s] << 48 |
			    (uint64_t)(odo_mix(g->hash[s] + layer) >> 16) << 32 | s;
	qsort(sorted, w->n, sizeof *sorted, odo_by_u64);
	for (uint32_t i = 0; i < w->n; i++) {
		order[i] = (uint32_t)sorted[i];
		number[order[i]] = i;
	}
	for (uint32_t i = w->n; i-- > 0;) { /* outside in: depths nearer the root are still there */
		uint32_t s = order[i], own = depth[s], best = ODO_NONE;
		for (uint32_t j = w->f->first_slot[s]; j < w->f->first_slot[s + 1]; j++) {
			uint32_t t = w->next[j];
			if (t != ODO_NONE && t != s && number[t] < i && depth[t] + 1 == own &&
			    (best == ODO_NONE || number[t] < number[w->next[best]]))
				best = j;
		}
		found_by[s] = best == ODO_NONE ? ODO_NONE : w->f->peer[best];
	}
}

/* Up before down, towards the root and then away from it. */
static void sort_channels(const odo_grower *g, odo_acyclic *o, const uint32_t *order,
			  const uint32_t *number)
{
	const odo_forest *w = g->w;
	uint32_t place = 0;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < w->n; i++) {
			uint32_t s = order[pass ? i : w->n - 1 - i];
			for (uint32_t j = w->f->first_slot[s]; j < w->f->first_slot[s + 1]; j++) {
				bool up = w->next[j] != ODO_NONE && number[w->next[j]] < number[s];
				if (up == pass)
					continue;
				o->at[place] = j;
				o->place[j] = place++;
			}
		}
	}
}

static void note_ups(odo_grower *g, unsigned layer, const uint32_t *number)
{
	const odo_forest *w = g->w;
	for (uint32_t i = 0; i < w->f->first_slot[w->n]; i++)
		if (w->next[i] != ODO_NONE && number[w->next[i]] < number[w->f->owner[i]])
			g->up[i] |= (uint16_t)(1u << layer);
}

static bool is_of_tree(const odo_grower *g, const uint32_t *found_by, uint32_t slot)
{
	uint32_t s = g->w->f->owner[slot], t = g->w->next[slot];
	return t != ODO_NONE && (found_by[t] == slot || found_by[s] == g->w->f->peer[slot]);
}

/* Every turn between two cables of the tree. */
static void keep_tree(const odo_grower *g, odo_acyclic *o, const uint32_t *found_by)
{
	const odo_fabric *f = g->w->f;
	for (uint32_t i = 0; i < f->first_slot[g->w->n]; i++) {
		if (!is_of_tree(g, found_by, i))
			continue;
		uint32_t t = g->w->next[i];
		for (uint32_t j = f->first_slot[t]; j < f->first_slot[t + 1]; j++)
			if (j != f->peer[i] && is_of_tree(g, found_by, j))
				odo_acyclic_mark(o, (odo_edge){i, j});
	}
}

int odo_layered_seed(odo_grower *g, odo_error *err)
{
	uint32_t n = g->w->n;
	uint32_t *order = odo_new(n, sizeof *order), *number = odo_new(n, sizeof *number);
	uint32_t *found_by = odo_new(n, sizeof *found_by);
	uint64_t *sorted = odo_new(n, sizeof *sorted);
	bool room = order && number && found_by && sorted;
	for (unsigned i = 0; room && i < g->n_layers; i++) {
		uint32_t root =
			0; /* the switches with the least hashes, whatever they are called */
		for (uint32_t s = 1; s < n; s++)
			if (odo_mix(g->hash[s] + i) < odo_mix(g->hash[root] + i))
				root = s;
		span(g, i, root, sorted, order, number, found_by);
		keep_tree(g, &g->layer[i], found_by);
		sort_channels(g, &g->layer[i], order, number);
		note_ups(g, i, number);
	}
	free(order);
	free(number);
	free(found_by);
	free(sorted);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for layers");
}

/* The slot by which each switch leaves latest. */
static void find_latest(odo_grower *g, const odo_acyclic *o, uint32_t d)
{
	const odo_forest *w = g->w;
	uint32_t n_left = g->n_queue - 1;
	memset(g->latest, 0xFF, w->n * sizeof *g->latest);
	for (uint32_t i = o->forward.n_channels; i-- > 0 && n_left;) {
		uint32_t slot = o->at[i], s = w->f->owner[slot], t = w->next[slot];
		if (t == ODO_NONE || s == d || g->latest[s] != ODO_NONE ||
		    (t != d && g->latest[t] == ODO_NONE))
			continue;
		g->latest[s] = slot;
		n_left--;
	}
}

/* Joins s to a switch with `hops` links to go by a channel before the one it leaves by. */
static bool join(odo_grower *g, const odo_acyclic *o, uint32_t s, uint32_t hops, uint32_t lot)
{
	const odo_forest *w = g->w;
	uint32_t best = 0;
	for (uint32_t i = w->f->first_slot[s]; i < w->f->first_slot[s + 1]; i++) {
		uint32_t t = w->next[i];
		if (t == ODO_NONE || t == s || g->hops[t] != hops ||
		    o->place[i] >= place_of(g, o, t))
			continue;
		uint32_t value = odo_mix((g->hash[t] + i - w->f->first_slot[s]) ^ lot) | 1;
		if (value > best) {
			best = value;
			g->port[s] = (uint8_t)(i - w->f->first_slot[s] + 1);
		}
	}
	g->hops[s] = best ? hops + 1 : ODO_NONE;
	return best;
}

static void join_lost(odo_grower *g, const odo_acyclic *o, uint32_t lot)
{
	uint32_t longest = g->depth[g->queue[g->n_queue - 1]];
	for (uint32_t hops = 0; hops <= longest && g->n_lost; hops++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < g->n_lost; i++)
			if (!join(g, o, g->lost[i], hops, lot))
				g->lost[n++] = g->lost[i];
		if (n < g->n_lost && hops == longest)
			longest++;
		g->n_lost = n;
	}
}

/* From s on, all leave as late as they can, up to one that leaves late enough as it is. */
static void leave_late(odo_grower *g, const odo_acyclic *o, uint32_t s, uint32_t d)
{
	const odo_forest *w = g->w;
	for (;;) {
		uint32_t slot = g->latest[s], t = w->next[slot];
		g->port[s] = (uint8_t)(slot - w->f->first_slot[s] + 1);
		if (g->hops[s] == ODO_NONE)
			g->hops[s] = 0;
		if (t == d || (g->hops[t] != ODO_NONE && place_of(g, o, t) > o->place[slot]))
			return;
		s = t;
	}
}

/* Hops to d of every switch, now that no port changes any more. @return their sum */
static uint64_t count_hops(odo_grower *g, uint32_t d)
{
	uint64_t sum = 0;
	for (uint32_t j = 1; j < g->n_queue; j++)
		g->hops[g->queue[j]] = ODO_NONE;
	g->hops[d] = 0;
	for (uint32_t j = 1; j < g->n_queue; j++) {
		uint32_t n = 0, at = g->queue[j], *path = g->lost;
		for (; g->hops[at] == ODO_NONE; at = g->w->next[slot_of(g, at)])
			path[n++] = at;
		for (uint32_t hops = g->hops[at]; n;)
			g->hops[path[--n]] = ++hops;
		sum += g->hops[g->queue[j]];
	}
	return sum;
}

/* A tree that ascends in one layer. @return the sum of its paths' hops */
static uint64_t ascend(odo_grower *g, unsigned layer, uint32_t lot)
{
	const odo_acyclic *o = &g->layer[layer];
	uint32_t d = g->queue[0];
	memset(g->hops, 0xFF, g->w->n * sizeof *g->hops);
	g->hops[d] = g->n_lost = 0;
	g->port[d] = 0;
	for (uint32_t j = 1; j < g->n_queue; j++)
		if (!join(g, o, g->queue[j], g->depth[g->queue[j]] - 1, lot))
			g->lost[g->n_lost++] = g->queue[j];
	join_lost(g, o, lot);
	if (g->n_lost)
		find_latest(g, o, d);
	for (uint32_t i = 0; i < g->n_lost; i++)
		if (g->hops[g->lost[i]] == ODO_NONE)
			leave_late(g, o, g->lost[i], d);
	return count_hops(g, d);
}

/* What ascends is safe: the order stays as it is. */
static void add_dependencies(odo_grower *g, unsigned layer)
{
	for (uint32_t j = 1; j < g->n_queue; j++) {
		uint32_t s = g->queue[j], slot = slot_of(g, s), t = g->w->next[slot];
		g->own[s] = (uint8_t)layer;
		if (t != g->queue[0])
			odo_acyclic_mark(&g->layer[layer], (odo_edge){slot, slot_of(g, t)});
	}
	g->own[g->queue[0]] = (uint8_t)layer;
}

static unsigned affordable_tries(const odo_grower *g)
{
	uint64_t visits = (uint64_t)g->w->n_trees * g->w->n * g->w->f->first_slot[g->w->n];
	uint64_t tries = MAX_VISITS / (visits + 1);
	return tries < 1 ? 1 : tries < MAX_TRIES ? (unsigned)tries : MAX_TRIES;
}

void odo_layered_squeeze(odo_grower *g, uint32_t lot)
{
	unsigned first = lot % g->n_layers, chosen = first;
	uint64_t least = UINT64_MAX;
	for (unsigned i = 0; i < g->n_layers && i < affordable_tries(g); i++) {
		unsigned layer = (first + i) % g->n_layers;
		uint64_t sum = ascend(g, layer, lot);
		if (sum >= least)
			continue;
		least = sum;
		chosen = layer;
		memcpy(g->best, g->port, g->w->n);
	}
	memcpy(g->port, g->best, g->w->n);
	add_dependencies(g, chosen);
}
