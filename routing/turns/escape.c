/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Escape paths over a spanning tree, and the first order of the channels. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fabric/search.h"
#include "routing/turns/pathfinder.h"

static uint32_t follow_to_child(void *context, uint32_t s, uint32_t slot)
{
	odo_pathfinder *x = context;
	uint32_t t = x->forest->next[slot];
	(void)s;
	if (t == ODO_NONE || x->forced[t])
		return ODO_NONE;
	x->forced[t] = 1;
	x->up[t] = x->f->peer[slot];
	return t;
}

/* List the switches of each part breadth first, from `root` or the next that is not listed. */
static void span_parts(odo_pathfinder *x, uint32_t root)
{
	const uint32_t *first = x->f->first_slot;
	uint32_t n = 0;
	memset(x->up, 0xFF, x->n * sizeof *x->up);
	memset(x->forced, 0, x->n);
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t s = (root + i) % x->n;
		if (x->forced[s])
			continue;
		x->forced[s] = 1;
		x->order[n] = s;
		n += odo_breadth_first(first, first + 1, follow_to_child, x, x->order + n, 1);
	}
}

/* Put the channels of a VL into the order of up*\/down* paths by x->order: up, the lowest switches
 * first, then down, the highest first. */
static void order_vl(odo_pathfinder *x, unsigned vl)
{
	uint32_t slots = x->f->first_slot[x->n], *number = x->number;
	uint32_t first = (x->falls ? x->n_vls - 1 - vl : vl) * slots;
	uint64_t *key = x->key;
	odo_acyclic *graph = &x->channels.graph;
	for (uint32_t i = 0; i < x->n; i++)
		number[x->order[i]] = i;
	for (uint32_t i = 0; i < slots; i++) {
		uint32_t s = x->f->owner[i], t = x->forest->next[i];
		bool up = t != ODO_NONE && number[t] < number[s];
		key[i] = (uint64_t)(up ? x->n - number[s] : x->n + number[s]) << 32 | i;
	}
	qsort(key, slots, sizeof *key, odo_by_u64);
	for (uint32_t i = 0; i < slots; i++) {
		uint32_t channel = odo_channel_at(&x->channels, (uint32_t)key[i], vl);
		graph->place[channel] = first + i;
		graph->at[first + i] = channel;
	}
}

/* Let VLs fall or rise along paths: a turn to a lower VL, or to a higher one, agrees with the
 * order. Trees grow from their destinations, and turns get the lowest VL. So if VLs fall, higher
 * ones are left for switches further off; if they rise, fewer are needed. Within a VL, up*\/down*
 * paths agree with the order, from a root for each VL. The spanning tree has the root of VL 0. */
void odo_pathfinder_order(odo_pathfinder *x)
{
	for (unsigned vl = x->n_vls; vl-- > 0 && x->n;) {
		span_parts(x, odo_rng_below(&x->rng, x->n));
		order_vl(x, vl);
	}
}

static bool is_in_tree(const odo_pathfinder *x, uint32_t slot)
{
	uint32_t t = x->forest->next[slot];
	return t != ODO_NONE && (x->up[x->f->owner[slot]] == slot || x->up[t] == x->f->peer[slot]);
}

static void hold_edge(odo_pathfinder *x, odo_edge edge, bool hold)
{
	if (hold)
		odo_pathfinder_add_edge(x, edge); /* a tree without U-turns has no cycle */
	else
		odo_pathfinder_remove_edge(x, edge);
}

static void hold_turns_from(odo_pathfinder *x, uint32_t slot, bool hold)
{
	const odo_fabric *f = x->f;
	uint32_t t = x->forest->next[slot], start = odo_pathfinder_turn(x, 0, slot);
	odo_pathfinder_use(x, start, hold ? 0 : x->vl[start], hold);
	for (uint32_t next = f->first_slot[t]; next < f->first_slot[t + 1]; next++) {
		if (!is_in_tree(x, next) || next == f->peer[slot])
			continue;
		uint32_t turn = odo_pathfinder_turn(x, odo_port(f, f->peer[slot]), next);
		odo_pathfinder_use(x, turn, hold ? 0 : x->vl[turn], hold);
		hold_edge(x,
			  (odo_edge){odo_channel_at(&x->channels, slot, 0),
				     odo_channel_at(&x->channels, next, 0)},
			  hold);
	}
}

void odo_pathfinder_hold_escapes(odo_pathfinder *x, bool hold)
{
	for (uint32_t slot = 0; slot < x->f->first_slot[x->n]; slot++)
		if (is_in_tree(x, slot))
			hold_turns_from(x, slot, hold);
	x->n_journal = 0;
}

static uint32_t follow_to_escape(void *context, uint32_t s, uint32_t slot)
{
	odo_pathfinder *x = context;
	uint32_t t = x->forest->next[slot];
	(void)s;
	if (t == ODO_NONE || t == x->d || x->escape[t] != ODO_NONE || !is_in_tree(x, slot))
		return ODO_NONE;
	x->escape[t] = x->f->peer[slot];
	return t;
}

void odo_pathfinder_find_escapes(odo_pathfinder *x)
{
	const uint32_t *first = x->f->first_slot;
	memset(x->escape, 0xFF, x->n * sizeof *x->escape);
	memset(x->forced, 0, x->n);
	x->list[0] = x->d;
	odo_breadth_first(first, first + 1, follow_to_escape, x, x->list, 1);
}
