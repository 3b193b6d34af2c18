/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/order.h"

#include <stdlib.h>

#include "fabric/memory.h"

int odo_order_init(odo_order *o, const odo_fabric *f, unsigned n_vls, odo_error *err)
{
	*o = (odo_order){0};
	int status = odo_dependencies_init(&o->forward, f, n_vls, err);
	if (status)
		return status;
	size_t n = o->forward.n_channels;
	o->backward = odo_new(n * o->forward.words, sizeof *o->backward);
	o->place = odo_new(n, sizeof *o->place);
	o->mark = odo_new(n, 1);
	o->ahead = odo_new(n, sizeof *o->ahead);
	o->behind = odo_new(n, sizeof *o->behind);
	o->stack = odo_new(n, sizeof *o->stack);
	o->pool = odo_new(n * 4, sizeof *o->pool);
	if (!o->backward || !o->place || !o->mark || !o->ahead || !o->behind || !o->stack ||
	    !o->pool)
		return odo_fail(err, ODO_ENOMEM, "no memory for channel dependencies");
	for (uint32_t c = 0; c < n; c++)
		o->place[c] = c;
	return 0;
}

void odo_order_clear(odo_order *o)
{
	odo_dependencies_clear(&o->forward);
	free(o->backward);
	free(o->place);
	free(o->mark);
	free(o->ahead);
	free(o->behind);
	free(o->stack);
	free(o->pool);
}

static uint64_t *bit_of(const odo_order *o, odo_edge e, bool backward, uint64_t *mask)
{
	const odo_dependencies *d = &o->forward;
	const odo_fabric *f = d->fabric;
	uint32_t from = e.from / d->n_vls, to = e.to / d->n_vls;
	unsigned bit = backward ? (odo_port(f, f->peer[from]) - 1) * d->n_vls + e.from % d->n_vls
				: (odo_port(f, to) - 1) * d->n_vls + e.to % d->n_vls;
	*mask = 1ull << bit % 64;
	return (backward ? o->backward : d->bits) + (size_t)(backward ? e.to : e.from) * d->words +
	       bit / 64;
}

bool odo_order_has(const odo_order *o, odo_edge e)
{
	uint64_t mask, *word = bit_of(o, e, false, &mask);
	return *word & mask;
}

static void flip(odo_order *o, odo_edge e)
{
	uint64_t mask, *word = bit_of(o, e, false, &mask);
	*word ^= mask;
	word = bit_of(o, e, true, &mask);
	*word ^= mask;
}

void odo_order_mark(odo_order *o, odo_edge e)
{
	if (!odo_order_has(o, e))
		flip(o, e);
}

void odo_order_remove(odo_order *o, odo_edge e)
{
	if (odo_order_has(o, e))
		flip(o, e);
}

/* Collects what is reachable from `root` without leaving the order's stretch [low, high].
 * Returns false where `goal` is met. */
static bool reach(odo_order *o, uint32_t root, bool backward, uint32_t low, uint32_t high,
		  uint32_t goal, uint32_t *found, uint32_t *n_found)
{
	const odo_dependencies *d = &o->forward;
	const odo_fabric *f = d->fabric;
	const uint64_t *bits = backward ? o->backward : d->bits;
	uint32_t depth = 1;
	*n_found = 0;
	o->stack[0] = root;
	o->mark[root] = 1;
	found[(*n_found)++] = root;
	while (depth) {
		uint32_t at = o->stack[--depth], slot = at / d->n_vls;
		uint32_t sw = backward ? f->owner[slot] : f->owner[f->peer[slot]];
		for (unsigned word = 0; word < d->words; word++) {
			uint64_t left = bits[(size_t)at * d->words + word];
			for (; left; left &= left - 1) {
				unsigned bit = word * 64 + (unsigned)__builtin_ctzll(left);
				uint32_t next_slot = f->first_slot[sw] + bit / d->n_vls;
				if (backward)
					next_slot = f->peer[next_slot];
				uint32_t next = next_slot * d->n_vls + bit % d->n_vls;
				if (next == goal)
					return false;
				if (o->mark[next] || o->place[next] < low || o->place[next] > high)
					continue;
				o->mark[next] = 1;
				found[(*n_found)++] = next;
				o->stack[depth++] = next;
			}
		}
	}
	return true;
}

static void unmark(odo_order *o, const uint32_t *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		o->mark[list[i]] = 0;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Deals the numbers of both sets out again: first to what leads to the edge's tail, then to
 * what its head leads to, each in its old order. */
static void reorder(odo_order *o)
{
	uint32_t n = o->n_behind + o->n_ahead;
	uint64_t *key = o->pool, *number = o->pool + n;
	for (uint32_t i = 0; i < n; i++) {
		bool ahead = i >= o->n_behind;
		uint32_t c = ahead ? o->ahead[i - o->n_behind] : o->behind[i];
		number[i] = o->place[c];
		key[i] = (uint64_t)o->place[c] << 32 | c;
	}
	qsort(key, o->n_behind, sizeof *key, by_value);
	qsort(key + o->n_behind, o->n_ahead, sizeof *key, by_value);
	qsort(number, n, sizeof *number, by_value);
	for (uint32_t i = 0; i < n; i++)
		o->place[(uint32_t)key[i]] = (uint32_t)number[i];
}

bool odo_order_add(odo_order *o, odo_edge e)
{
	uint32_t low = o->place[e.to], high = o->place[e.from];
	if (e.from == e.to)
		return false;
	if (high > low) {
		bool free_of_cycles = reach(o, e.to, false, low, high, e.from, o->ahead,
					    &o->n_ahead);
		unmark(o, o->ahead, o->n_ahead);
		if (!free_of_cycles)
			return false;
		reach(o, e.from, true, low, high, ODO_NONE, o->behind, &o->n_behind);
		unmark(o, o->behind, o->n_behind);
		reorder(o);
	}
	flip(o, e);
	return true;
}

/* Kahn's algorithm. */
bool odo_order_sort(odo_order *o)
{
	const odo_dependencies *d = &o->forward;
	const odo_fabric *f = d->fabric;
	uint32_t *waiting = o->ahead, *ready = o->behind, head = 0, tail = 0;
	for (uint32_t c = 0; c < d->n_channels; c++) {
		waiting[c] = 0;
		for (unsigned word = 0; word < d->words; word++)
			waiting[c] += (uint32_t)__builtin_popcountll(
				o->backward[(size_t)c * d->words + word]);
		if (!waiting[c])
			ready[tail++] = c;
	}
	while (head < tail) {
		uint32_t c = ready[head];
		o->place[c] = head++;
		for (unsigned word = 0; word < d->words; word++) {
			uint64_t left = d->bits[(size_t)c * d->words + word];
			for (; left; left &= left - 1) {
				unsigned bit = word * 64 + (unsigned)__builtin_ctzll(left);
				uint32_t sw = f->owner[f->peer[c / d->n_vls]];
				uint32_t next = f->first_slot[sw] * d->n_vls + bit;
				if (!--waiting[next])
					ready[tail++] = next;
			}
		}
	}
	return tail == d->n_channels;
}
