/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Trees grown from their destinations outwards. Of all ways to reach a tree, the cheapest is taken
 * whose dependencies close no cycle. The price of a cable rises with its load. Shortest ways that
 * agree with the order of the channels are tried first, since they cost no search.
 */
#include <string.h>

#include "routing/turns/pathfinder.h"

/* Ways that a tree may take, tried in this order. */
typedef enum grade {
	SHORT_IN_ORDER,
	SHORT,
	LONGER_IN_ORDER, /* of any length */
	LONGER,
	N_GRADES
} grade;

/* Rounds after which a tree takes escape paths only. */
#define FEW_ROUNDS 4u
/* Random part of a price: it decides between equal ways. */
#define CHANCE 0.01

static uint64_t key_of_way(double cost, uint32_t slot)
{
	float value = (float)cost; /* floats of one sign are ordered as their bits are */
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return (uint64_t)bits << 32 | slot;
}

static double cost_of_key(uint64_t key)
{
	uint32_t bits = (uint32_t)(key >> 32);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void push_way(odo_pathfinder *x, uint64_t key)
{
	uint32_t i = x->n_heap++;
	for (; i && x->heap[(i - 1) / 2] > key; i = (i - 1) / 2)
		x->heap[i] = x->heap[(i - 1) / 2];
	x->heap[i] = key;
}

static uint64_t pop_cheapest_way(odo_pathfinder *x)
{
	uint64_t cheapest = x->heap[0], last = x->heap[--x->n_heap];
	uint32_t i = 0, child;
	for (; (child = 2 * i + 1) < x->n_heap; i = child) {
		if (child + 1 < x->n_heap && x->heap[child + 1] < x->heap[child])
			child++;
		if (x->heap[child] >= last)
			break;
		x->heap[i] = x->heap[child];
	}
	x->heap[i] = last;
	return cheapest;
}

static double price_of_cable(odo_pathfinder *x, uint32_t slot)
{
	double part = x->load[slot] / x->fair, square = part * part;
	return 1 + square * square + CHANCE * 0x1p-32 * odo_rng_next(&x->rng);
}

/* Push ways of neighbours over a switch with an entry. */
static void push_ways_over(odo_pathfinder *x, uint32_t t, bool longer)
{
	x->work += ODO_LINK_WORK;
	for (uint32_t i = x->f->first_slot[t]; i < x->f->first_slot[t + 1]; i++) {
		uint32_t s = x->forest->next[i], slot = x->f->peer[i];
		if (s == ODO_NONE || x->port[s] != ODO_NO_PORT ||
		    (!longer && x->depth[t] >= x->hops[s]))
			continue;
		push_way(x, key_of_way(x->cost[t] + price_of_cable(x, slot), slot));
	}
}

static void settle_switch(odo_pathfinder *x, uint32_t slot, double cost)
{
	uint32_t s = x->f->owner[slot], t = x->forest->next[slot];
	x->port[s] = (uint8_t)odo_port(x->f, slot);
	x->depth[s] = x->depth[t] + 1;
	x->cost[s] = cost;
	x->settled[x->n_settled++] = s;
	odo_pathfinder_load(x, slot, x->hosts[s]);
}

static void take_ways(odo_pathfinder *x, grade allowed)
{
	bool longer = allowed >= LONGER_IN_ORDER, search = allowed == SHORT || allowed == LONGER;
	x->n_late = 0;
	while (x->n_heap) {
		uint64_t key = pop_cheapest_way(x);
		x->work += ODO_LINK_WORK;
		uint32_t slot = (uint32_t)key, s = x->f->owner[slot];
		if (x->port[s] != ODO_NO_PORT)
			continue;
		if (!odo_pathfinder_add(x, slot, search)) {
			x->late[x->n_late++] = key;
			continue;
		}
		settle_switch(x, slot, cost_of_key(key));
		push_ways_over(x, s, longer);
	}
	for (uint32_t i = 0; i < x->n_late; i++)
		push_way(x, x->late[i]);
}

static void begin_with_destination(odo_pathfinder *x)
{
	memset(x->port, ODO_NO_PORT, x->n);
	x->port[x->d] = 0;
	x->depth[x->d] = 0;
	x->cost[x->d] = 0;
	x->settled[0] = x->d;
	x->n_settled = 1;
	x->n_heap = x->n_journal = 0;
}

/* Settle the switches that must take escape paths, nearest first. */
static void settle_escapes(odo_pathfinder *x)
{
	for (uint32_t i = 1; i < x->n_near; i++) {
		uint32_t s = x->list[i], slot = x->escape[s];
		if (x->forced[s] && odo_pathfinder_add(x, slot, true))
			settle_switch(x, slot, x->cost[x->forest->next[slot]] + 1);
	}
}

static void settle_others(odo_pathfinder *x)
{
	for (grade allowed = 0; allowed < N_GRADES && x->n_settled < x->n_near; allowed++) {
		bool again = allowed == LONGER_IN_ORDER;
		if (again)
			x->n_heap = 0;
		for (uint32_t i = 0; (!allowed || again) && i < x->n_settled; i++)
			push_ways_over(x, x->settled[i], again);
		take_ways(x, allowed);
	}
}

/* Force the escape path of each switch without an entry; after some rounds, of all switches. */
static void force_escapes(odo_pathfinder *x, unsigned round)
{
	for (uint32_t i = 1; i < x->n_near; i++) {
		uint32_t s = x->list[i];
		bool forced = x->port[s] == ODO_NO_PORT || round >= FEW_ROUNDS;
		for (; forced && s != x->d && !x->forced[s]; s = x->forest->next[x->escape[s]])
			x->forced[s] = 1;
	}
}

/* Remove all entries, the last first. */
static void empty_tree(odo_pathfinder *x)
{
	while (x->n_settled > 1) {
		uint32_t s = x->settled[--x->n_settled], slot = odo_pathfinder_slot(x, s);
		odo_pathfinder_load(x, slot, -(double)x->hosts[s]);
		odo_pathfinder_remove(x, s);
		x->port[s] = ODO_NO_PORT;
	}
}

/* After FEW_ROUNDS, all switches take escape paths, which are always free. */
static void grow_tree(odo_pathfinder *x)
{
	begin_with_destination(x);
	settle_others(x);
	for (unsigned round = 0; x->n_settled < x->n_near && round <= FEW_ROUNDS; round++) {
		if (!round)
			odo_pathfinder_find_escapes(x);
		force_escapes(x, round);
		empty_tree(x);
		begin_with_destination(x);
		settle_escapes(x);
		settle_others(x);
	}
}

static double mean_load(const odo_pathfinder *x)
{
	double sum = 0;
	uint32_t n = 0, slots = x->f->first_slot[x->n];
	for (uint32_t i = 0; i < slots; i++) {
		sum += x->load[i];
		n += x->forest->next[i] != ODO_NONE;
	}
	return n ? sum / n : 0;
}

/* Loads are compared with what they will be: their mean after all trees, as far as it is known. */
void odo_pathfinder_grow(odo_pathfinder *x)
{
	odo_pathfinder_hold_escapes(x, true);
	for (uint32_t i = 0; i < x->n_trees && !x->channels.no_memory; i++) {
		odo_forest_tell(x->forest, "routing, VLs by turn", i, x->n_trees);
		odo_pathfinder_select(x, x->sequence[i]);
		x->fair = mean_load(x) + 1;
		grow_tree(x);
	}
	odo_pathfinder_hold_escapes(x, false);
}
