/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Room in full layers. A layer's channels have an order (acyclic.h), and paths that ascend in it
 * cannot close a cycle, so no search is needed. Think of places as times of departure. In one tree
 * every switch leaves for the destination as late as it can. This tree reaches every switch that
 * any ascending path reaches, and one pass over the channels from the last to the first finds it.
 *
 * It is not short. So switches take shortest ways as long as these ascend. A switch without one
 * takes the shortest way that ascends. If there is none, switches ahead change to leaving as late
 * as they can. This also suits all switches that joined them before.
 *
 * odo_layered_seed() ensures that an ascending path always exists: up and down a spanning tree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fabric/search.h"
#include "routing/graph/deal.h"
#include "routing/layered/layered.h"

/* MAX_TRIES: layers in which a tree is tried at most. MAX_VISITS: channels examined for all trees
 * in this way. */
#define MAX_TRIES 8u
#define MAX_VISITS 300000000u
#define ARRIVED UINT32_MAX /* later than any place */

static uint32_t slot_in_tree(const odo_grower *growth, uint32_t s)
{
	return growth->forest->f->first_slot[s] + growth->port[s] - 1;
}

static uint32_t departure_place(const odo_grower *growth, const odo_acyclic *acyclic, uint32_t s)
{
	return growth->port[s] ? acyclic->place[slot_in_tree(growth, s)] : ARRIVED;
}

/* Compute the number of links from a root. Each further connected part starts at its first
 * switch. */
static void measure_root_distances(const odo_grower *growth, uint32_t root, uint32_t *depth,
				   uint32_t *queue)
{
	const odo_forest *forest = growth->forest;
	uint32_t done = 0;
	memset(depth, 0xFF, forest->n * sizeof *depth);
	for (uint32_t i = 0; i < forest->n; i++) {
		uint32_t start = (root + i) % forest->n;
		if (depth[start] != ODO_NONE)
			continue;
		depth[start] = 0;
		queue[done] = start;
		done += odo_count_hops(forest->f->first_slot, forest->next, depth, queue + done, 1);
	}
}

/* Order switches from a layer's root outwards, and find the cable that connects each to an earlier
 * switch. Hashes decide ties, so that a failed cable changes little. */
static void span_tree(const odo_grower *growth, unsigned layer, uint32_t root, uint64_t *sorted,
		      uint32_t *order, uint32_t *number, uint32_t *found_by)
{
	const odo_forest *forest = growth->forest;
	uint32_t *depth = found_by; /* used until the last loop overwrites it */
	measure_root_distances(growth, root, depth, order);
	for (uint32_t s = 0; s < forest->n; s++)
		sorted[s] = (uint64_t)depth[s] << 48 |
			    (uint64_t)(odo_mix(growth->hash[s] + layer) >> 16) << 32 | s;
	qsort(sorted, forest->n, sizeof *sorted, odo_by_u64);
	for (uint32_t i = 0; i < forest->n; i++) {
		order[i] = (uint32_t)sorted[i];
		number[order[i]] = i;
	}
	for (uint32_t i = forest->n;
	     i-- > 0;) { /* outside in, so that depths nearer the root remain */
		uint32_t s = order[i], own = depth[s], best = ODO_NONE;
		for (uint32_t j = forest->f->first_slot[s]; j < forest->f->first_slot[s + 1]; j++) {
			uint32_t t = forest->next[j];
			if (t != ODO_NONE && t != s && number[t] < i && depth[t] + 1 == own &&
			    (best == ODO_NONE || number[t] < number[forest->next[best]]))
				best = j;
		}
		found_by[s] = best == ODO_NONE ? ODO_NONE : forest->f->peer[best];
	}
}

/* Sort channels: those up, towards the root, then those down. */
static void sort_channels(const odo_grower *growth, odo_acyclic *acyclic, const uint32_t *order,
			  const uint32_t *number)
{
	const odo_forest *forest = growth->forest;
	uint32_t place = 0;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < forest->n; i++) {
			uint32_t s = order[pass ? i : forest->n - 1 - i];
			for (uint32_t j = forest->f->first_slot[s];
			     j < forest->f->first_slot[s + 1]; j++) {
				bool up = forest->next[j] != ODO_NONE &&
					  number[forest->next[j]] < number[s];
				if (up == pass)
					continue;
				acyclic->at[place] = j;
				acyclic->place[j] = place++;
			}
		}
	}
}

static void note_ups(odo_grower *growth, unsigned layer, const uint32_t *number)
{
	const odo_forest *forest = growth->forest;
	for (uint32_t i = 0; i < forest->f->first_slot[forest->n]; i++)
		if (forest->next[i] != ODO_NONE &&
		    number[forest->next[i]] < number[forest->f->owner[i]])
			growth->up[i] |= (uint16_t)(1u << layer);
}

static bool is_of_tree(const odo_grower *growth, const uint32_t *found_by, uint32_t slot)
{
	uint32_t s = growth->forest->f->owner[slot], t = growth->forest->next[slot];
	return t != ODO_NONE &&
	       (found_by[t] == slot || found_by[s] == growth->forest->f->peer[slot]);
}

/* Add every turn between two cables of the tree. */
static void add_tree_turns(const odo_grower *growth, odo_acyclic *acyclic, const uint32_t *found_by)
{
	const odo_fabric *f = growth->forest->f;
	for (uint32_t i = 0; i < f->first_slot[growth->forest->n]; i++) {
		if (!is_of_tree(growth, found_by, i))
			continue;
		uint32_t t = growth->forest->next[i];
		for (uint32_t j = f->first_slot[t]; j < f->first_slot[t + 1]; j++)
			if (j != f->peer[i] && is_of_tree(growth, found_by, j))
				odo_acyclic_mark(acyclic, (odo_edge){i, j});
	}
}

int odo_layered_seed(odo_grower *growth, odo_error *err)
{
	odo_arena scratch = {0};
	uint32_t n = growth->forest->n;
	uint32_t *order = odo_arena_new(&scratch, n, sizeof *order),
		 *number = odo_arena_new(&scratch, n, sizeof *number);
	uint32_t *found_by = odo_arena_new(&scratch, n, sizeof *found_by);
	uint64_t *sorted = odo_arena_new(&scratch, n, sizeof *sorted);
	int status = scratch.failed ? odo_fail(err, ODO_ENOMEM, "no memory for layers") : 0;
	for (unsigned i = 0; !status && i < growth->n_layers; i++) {
		uint32_t root = 0; /* the switch with the least hash, whatever its number is */
		for (uint32_t s = 1; s < n; s++)
			if (odo_mix(growth->hash[s] + i) < odo_mix(growth->hash[root] + i))
				root = s;
		span_tree(growth, i, root, sorted, order, number, found_by);
		add_tree_turns(growth, &growth->layer[i], found_by);
		sort_channels(growth, &growth->layer[i], order, number);
		note_ups(growth, i, number);
	}
	odo_arena_free(&scratch);
	return status;
}

/* Find the slot by which each switch leaves latest. */
static void find_latest(odo_grower *growth, const odo_acyclic *acyclic, uint32_t d)
{
	const odo_forest *forest = growth->forest;
	uint32_t n_left = growth->n_queue - 1;
	memset(growth->latest, 0xFF, forest->n * sizeof *growth->latest);
	for (uint32_t i = acyclic->forward.n_channels; i-- > 0 && n_left;) {
		uint32_t slot = acyclic->at[i], s = forest->f->owner[slot], t = forest->next[slot];
		if (t == ODO_NONE || s == d || growth->latest[s] != ODO_NONE ||
		    (t != d && growth->latest[t] == ODO_NONE))
			continue;
		growth->latest[s] = slot;
		n_left--;
	}
}

/* Connect s to a switch that is `hops` links from d, by a channel before the one by which that
 * switch leaves. */
static bool join_switch(odo_grower *growth, const odo_acyclic *acyclic, uint32_t s, uint32_t hops,
			uint32_t lot)
{
	const odo_forest *forest = growth->forest;
	uint32_t best = 0;
	for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
		uint32_t t = forest->next[i];
		if (t == ODO_NONE || t == s || growth->hops[t] != hops ||
		    acyclic->place[i] >= departure_place(growth, acyclic, t))
			continue;
		uint32_t value = odo_mix((growth->hash[t] + i - forest->f->first_slot[s]) ^ lot) |
				 1;
		if (value > best) {
			best = value;
			growth->port[s] = (uint8_t)(i - forest->f->first_slot[s] + 1);
		}
	}
	growth->hops[s] = best ? hops + 1 : ODO_NONE;
	return best;
}

static void join_lost_switches(odo_grower *growth, const odo_acyclic *acyclic, uint32_t lot)
{
	uint32_t longest = growth->depth[growth->queue[growth->n_queue - 1]];
	for (uint32_t hops = 0; hops <= longest && growth->n_lost; hops++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < growth->n_lost; i++)
			if (!join_switch(growth, acyclic, growth->lost[i], hops, lot))
				growth->lost[n++] = growth->lost[i];
		if (n < growth->n_lost && hops == longest)
			longest++;
		growth->n_lost = n;
	}
}

/* From s on, let each switch leave as late as it can, up to the first one that already leaves late
 * enough. */
static void leave_late(odo_grower *growth, const odo_acyclic *acyclic, uint32_t s, uint32_t d)
{
	const odo_forest *forest = growth->forest;
	for (;;) {
		uint32_t slot = growth->latest[s], t = forest->next[slot];
		growth->port[s] = (uint8_t)(slot - forest->f->first_slot[s] + 1);
		if (growth->hops[s] == ODO_NONE)
			growth->hops[s] = 0;
		if (t == d || (growth->hops[t] != ODO_NONE &&
			       departure_place(growth, acyclic, t) > acyclic->place[slot]))
			return;
		s = t;
	}
}

/* Count each switch's hops to d once the ports are final. @return their sum */
static uint64_t count_hops(odo_grower *growth, uint32_t d)
{
	uint64_t sum = 0;
	odo_layered_measure(growth, growth->port, d);
	for (uint32_t j = 1; j < growth->n_queue; j++)
		sum += growth->hops[growth->queue[j]];
	return sum;
}

/* Make a tree that ascends in one layer. @return the sum of its paths' hops */
static uint64_t make_ascending_tree(odo_grower *growth, unsigned layer, uint32_t lot)
{
	const odo_acyclic *acyclic = &growth->layer[layer];
	uint32_t d = growth->queue[0];
	memset(growth->hops, 0xFF, growth->forest->n * sizeof *growth->hops);
	growth->hops[d] = growth->n_lost = 0;
	growth->port[d] = 0;
	for (uint32_t j = 1; j < growth->n_queue; j++)
		if (!join_switch(growth, acyclic, growth->queue[j],
				 growth->depth[growth->queue[j]] - 1, lot))
			growth->lost[growth->n_lost++] = growth->queue[j];
	join_lost_switches(growth, acyclic, lot);
	if (growth->n_lost)
		find_latest(growth, acyclic, d);
	for (uint32_t i = 0; i < growth->n_lost; i++)
		if (growth->hops[growth->lost[i]] == ODO_NONE)
			leave_late(growth, acyclic, growth->lost[i], d);
	return count_hops(growth, d);
}

/* Add dependencies of a tree that ascends: the order stays the same. */
static void add_dependencies(odo_grower *growth, unsigned layer)
{
	for (uint32_t j = 1; j < growth->n_queue; j++) {
		uint32_t s = growth->queue[j], slot = slot_in_tree(growth, s),
			 t = growth->forest->next[slot];
		growth->own[s] = (uint8_t)layer;
		if (t != growth->queue[0])
			odo_acyclic_mark(&growth->layer[layer],
					 (odo_edge){slot, slot_in_tree(growth, t)});
	}
	growth->own[growth->queue[0]] = (uint8_t)layer;
}

static unsigned affordable_tries(const odo_grower *growth)
{
	uint64_t visits = (uint64_t)growth->forest->n_trees * growth->forest->n *
			  growth->forest->f->first_slot[growth->forest->n];
	uint64_t tries = MAX_VISITS / (visits + 1);
	return tries < 1 ? 1 : tries < MAX_TRIES ? (unsigned)tries : MAX_TRIES;
}

void odo_layered_squeeze(odo_grower *growth, uint32_t lot)
{
	unsigned first = lot % growth->n_layers, chosen = first;
	uint64_t least = UINT64_MAX;
	for (unsigned i = 0; i < growth->n_layers && i < affordable_tries(growth); i++) {
		unsigned layer = (first + i) % growth->n_layers;
		uint64_t sum = make_ascending_tree(growth, layer, lot);
		if (sum >= least)
			continue;
		least = sum;
		chosen = layer;
		memcpy(growth->best, growth->port, growth->forest->n);
	}
	memcpy(growth->port, growth->best, growth->forest->n);
	add_dependencies(growth, chosen);
}
