/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Moves: a switch sends to a destination by another port, and all switches behind it follow. A move
 * is made if the cost of the loads falls, and its dependencies close no cycle with those of all
 * other entries. The cost is a sum of high powers of loads, so full cables are relieved first.
 */
#include <string.h>

#include "base/bits.h"
#include "routing/turns/pathfinder.h"

/* LONGER: hops that a path may have beyond a shortest one. MOST_REFUSED: ways that a switch tries
 * in a pass. MOST_PASSES: passes over all entries; the first PASSES_IN_ORDER make only moves that
 * agree with the order of the channels. LEAST_GAIN: share that a move must gain of what a move off
 * the fullest cable does. NEARLY_FULL: share of the fullest cable's load from which a cable is
 * worth a move. */
#define LONGER 1u
#define MOST_REFUSED 4u
#define MOST_PASSES 12u
#define PASSES_IN_ORDER 4u
#define LEAST_GAIN 1e-3
#define NEARLY_FULL 0.75

/* List the switches that send to d over s. */
static uint32_t list_behind(const odo_pathfinder *x, uint32_t s, uint32_t *to)
{
	uint32_t n = 0;
	for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1]; i++) {
		uint32_t r = x->forest->next[i];
		if (r != ODO_NONE && odo_pathfinder_slot(x, r) == x->f->peer[i])
			to[n++] = r;
	}
	return n;
}

/* List a switch and all that send over it, itself first.
 * @param n_two gets the number of those with at most two links to it */
static uint32_t list_all_behind(const odo_pathfinder *x, uint32_t s, uint32_t *to, uint32_t *n_two)
{
	uint32_t n = 1, level = 0, end = 1;
	to[0] = s;
	*n_two = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (i == end) {
			end = n;
			level++;
		}
		n += list_behind(x, to[i], to + n);
		if (level < 2)
			*n_two = n;
	}
	return n;
}

/* Let a switch send by another slot. Dependencies change for packets that come over it by at most
 * two links.
 * @return false, with nothing changed, if they would close a cycle */
static bool move_entry(odo_pathfinder *x, uint32_t s, uint32_t slot, uint32_t n_two)
{
	uint8_t port = x->port[s];
	bool moved = true;
	x->n_journal = 0;
	for (uint32_t i = n_two; i-- > 0;)
		odo_pathfinder_remove(x, x->list[i]);
	x->port[s] = (uint8_t)odo_port(x->f, slot);
	for (uint32_t i = 0; i < n_two && moved; i++)
		moved = odo_pathfinder_add(x, odo_pathfinder_slot(x, x->list[i]), x->searches);
	if (moved)
		return true;
	odo_pathfinder_undo(x, 0);
	x->port[s] = port;
	return false;
}

/* Return the links of the path from a switch to d, or ODO_NONE if it leads over s. */
static uint32_t links_beside(const odo_pathfinder *x, uint32_t t, uint32_t s)
{
	uint32_t links = 0;
	for (; t != x->d && t != s; links++)
		t = x->forest->next[odo_pathfinder_slot(x, t)];
	return t == s ? ODO_NONE : links;
}

static bool is_way(const odo_pathfinder *x, uint32_t s, uint32_t slot)
{
	uint32_t t = x->forest->next[slot], most = x->hops[s] + LONGER;
	if (t == ODO_NONE || x->port[t] == ODO_NO_PORT || x->hops[t] >= most)
		return false;
	uint32_t links = links_beside(x, t, s);
	return links < most;
}

/* A switch that could move. */
typedef struct mover {
	uint32_t s, slot;    /* the slot by which it sends now */
	uint32_t n, n_two;   /* switches behind it, in x->list */
	uint64_t refused[4]; /* ports */
} mover;

/* Find the way by which the cost falls most. */
static uint32_t best_way(odo_pathfinder *x, const mover *by, double least)
{
	uint32_t best = ODO_NONE, hosts = x->carried[by->s];
	double off = odo_pathfinder_shift(x, by->slot, x->list, by->n, hosts, -1);
	for (uint32_t i = x->f->first_slot[by->s]; i < x->f->first_slot[by->s + 1]; i++) {
		if (i == by->slot || odo_has_bit(by->refused, odo_port(x->f, i)) ||
		    !is_way(x, by->s, i))
			continue;
		double change = off + odo_pathfinder_shift(x, i, x->list, by->n, hosts, 1);
		odo_pathfinder_shift(x, i, x->list, by->n, hosts, -1);
		if (-change > least) {
			least = -change;
			best = i;
		}
	}
	odo_pathfinder_shift(x, by->slot, x->list, by->n, hosts, 1);
	return best;
}

static void carry(odo_pathfinder *x, uint32_t slot, uint32_t hosts)
{
	for (; slot != ODO_NONE; slot = odo_pathfinder_next(x, slot))
		x->carried[x->forest->next[slot]] += hosts;
}

/* Count hosts and loads of a move that was made. */
static void follow_move(odo_pathfinder *x, const mover *by, uint32_t slot)
{
	uint32_t hosts = x->carried[by->s];
	odo_pathfinder_shift(x, by->slot, x->list, by->n, hosts, -1);
	odo_pathfinder_shift(x, slot, x->list, by->n, hosts, 1);
	carry(x, by->slot, -hosts);
	carry(x, slot, hosts);
}

/* Return true if some cable of the path is nearly as full as the fullest one, or shifts are
 * counted, since any cable may be full under some shift. */
static bool is_path_full(const odo_pathfinder *x, uint32_t slot)
{
	while (slot != ODO_NONE && x->load[slot] < NEARLY_FULL * x->fair)
		slot = odo_pathfinder_next(x, slot);
	return x->count || slot != ODO_NONE;
}

/* Return true if the switch moved. */
static bool improve_entry(odo_pathfinder *x, uint32_t s)
{
	mover by = {.s = s, .slot = odo_pathfinder_slot(x, s)};
	uint32_t pairs = x->carried[s] * x->weight[x->tree];
	if (by.slot == ODO_NONE || !pairs || !is_path_full(x, by.slot))
		return false;
	by.n = list_all_behind(x, s, x->list, &by.n_two);
	for (unsigned i = 0; i < MOST_REFUSED; i++) {
		uint32_t slot = best_way(x, &by, LEAST_GAIN * pairs / x->fair);
		if (slot == ODO_NONE)
			return false;
		if (move_entry(x, s, slot, by.n_two)) {
			follow_move(x, &by, slot);
			return true;
		}
		odo_set_bit(by.refused, odo_port(x->f, slot));
	}
	return false;
}

static uint32_t improve_tree(odo_pathfinder *x, uint32_t tree, uint64_t most_work)
{
	uint32_t n_moved = 0;
	odo_pathfinder_select(x, tree);
	memset(x->carried, 0, x->n * sizeof *x->carried);
	for (uint32_t i = 0; i < x->n_near; i++) {
		x->order[i] = x->near[i];
		x->carried[x->near[i]] += x->hosts[x->near[i]];
		carry(x, odo_pathfinder_slot(x, x->near[i]), x->hosts[x->near[i]]);
	}
	odo_rng_shuffle(&x->rng, x->order, x->n_near);
	for (uint32_t i = 0; i < x->n_near; i++)
		if (odo_pathfinder_work(x) < most_work)
			n_moved += improve_entry(x, x->order[i]);
	return n_moved;
}

/* A search for a new order of channels costs most of the time, and few moves need it. */
void odo_pathfinder_improve(odo_pathfinder *x, uint64_t most_work)
{
	uint32_t n_moved = 1;
	x->searches = false;
	for (unsigned pass = 0; pass < MOST_PASSES && (n_moved || !x->searches); pass++) {
		odo_pathfinder_rescale(x);
		x->searches = pass >= PASSES_IN_ORDER || !n_moved;
		n_moved = 0;
		for (uint32_t i = 0; i < x->n_trees && !x->channels.no_memory; i++)
			if (x->weight[x->sequence[i]] && odo_pathfinder_work(x) < most_work)
				n_moved += improve_tree(x, x->sequence[i], most_work);
	}
}
