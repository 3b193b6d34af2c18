/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries that no tables could keep. An old path may end at a cable that is gone, and yet all its
 * entries before that cable may stay: the last switch can send its packets another way. But not
 * where this way leads back. And where all neighbours of such switches lead back, one of the others
 * has to change as well. If paths are to be no longer than the new ones, more has to: in a tree
 * that lost a leaf's cable, what goes up and then down has to leave its way far from there, where
 * another switch of the top can be chosen.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/search.h"
#include "routing/transition/internal.h"

/* Numbers the parts into which the fabric falls without a switch. */
static void number_parts(const odo_fabric *f, uint32_t without, uint32_t *part, uint32_t *stack)
{
	uint32_t n_parts = 0;
	memset(part, 0xFF, f->n_switches * sizeof *part);
	for (uint32_t start = 0; start < f->n_switches; start++) {
		uint32_t n = 0;
		if (start == without || part[start] != ODO_NONE)
			continue;
		part[start] = n_parts++;
		stack[n++] = start;
		while (n) {
			uint32_t s = stack[--n];
			for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
				uint32_t to = odo_next_switch(f, i);
				if (to == ODO_NONE || to == without || part[to] != ODO_NONE)
					continue;
				part[to] = part[start];
				stack[n++] = to;
			}
		}
	}
}

int odo_least_hopeless(const odo_fabric *f, const odo_broken *broken, const uint32_t *first,
		       uint32_t *n, odo_error *err)
{
	uint32_t *part = odo_new(f->n_switches, sizeof *part);
	uint32_t *stack = odo_new(f->n_switches, sizeof *stack);
	int status = part && stack ? 0
				   : odo_fail(err, ODO_ENOMEM, "no memory for the least change");
	for (uint32_t s = 0; s < f->n_switches && !status; s++) {
		if (first[s] == ODO_NONE)
			continue;
		number_parts(f, s, part, stack);
		for (uint32_t i = first[s]; i != ODO_NONE; i = broken[i].next)
			n[broken[i].lid] += part[broken[i].to] != part[broken[i].home];
	}
	free(part);
	free(stack);
	return status;
}

/* s and all whose old paths lead there arrive. */
static void mark_arriving(const odo_mix *old, uint32_t s, uint8_t *arrives, uint32_t *stack)
{
	uint32_t n = 1;
	stack[0] = s;
	arrives[s] = 1;
	while (n) {
		uint32_t to = stack[--n];
		for (uint32_t hop = old->into[to]; hop != ODO_NONE; hop = old->next[hop]) {
			if (hop % 2 || arrives[hop / 2])
				continue;
			arrives[hop / 2] = 1;
			stack[n++] = hop / 2;
		}
	}
}

static bool has_neighbour_that(const odo_fabric *f, uint32_t s, const uint8_t *arrives)
{
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		uint32_t to = odo_next_switch(f, i);
		if (to != ODO_NONE && arrives[to])
			return true;
	}
	return false;
}

bool odo_least_suffices(const odo_mix *old, const uint32_t *ended, uint32_t n, uint8_t *arrives,
			uint32_t *stack)
{
	uint32_t left = n, before = n + 1;
	memset(arrives, 0, old->f->n_switches);
	if (n)
		mark_arriving(old, old->home, arrives, stack);
	while (left && left < before) {
		before = left;
		left = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (arrives[ended[i]])
				continue;
			if (has_neighbour_that(old->f, ended[i], arrives))
				mark_arriving(old, ended[i], arrives, stack);
			else
				left++;
		}
	}
	return !left;
}

int odo_lengths_init(odo_lengths *x, const odo_fabric *f)
{
	uint32_t n = f->n_switches;
	*x = (odo_lengths){.f = f, .home = ODO_NONE};
	x->shortest = odo_new(n, sizeof *x->shortest);
	x->made = odo_new(n, sizeof *x->made);
	x->queue = odo_new(n, sizeof *x->queue);
	return x->shortest && x->made && x->queue ? 0 : ODO_ENOMEM;
}

void odo_lengths_clear(odo_lengths *x)
{
	free(x->shortest);
	free(x->made);
	free(x->queue);
	*x = (odo_lengths){0};
}

static void begin_search(const odo_lengths *x, uint32_t home, uint32_t *hops)
{
	memset(hops, 0xFF, x->f->n_switches * sizeof *hops);
	hops[home] = 0;
	x->queue[0] = home;
}

void odo_lengths_find(odo_lengths *x, const odo_mix *mix)
{
	if (x->home != mix->home) {
		begin_search(x, mix->home, x->shortest);
		odo_count_hops(x->f->first_slot, mix->far, x->shortest, x->queue, 1);
	}
	x->home = mix->home;
	begin_search(x, mix->home, x->made);
	for (uint32_t head = 0, n = 1; head < n; head++) {
		uint32_t t = x->queue[head];
		for (uint32_t hop = mix->into[t]; hop != ODO_NONE; hop = mix->next[hop]) {
			if (hop % 2 == 0)
				continue;
			x->made[hop / 2] = x->made[t] + 1;
			x->queue[n++] = hop / 2;
		}
	}
}

bool odo_least_is_longer(const odo_lengths *x, const odo_mix *mix, uint32_t s)
{
	uint32_t to = mix->to[2 * s];
	return to != ODO_NONE && x->shortest[to] + 1 > x->made[s];
}
