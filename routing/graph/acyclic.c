/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/graph/acyclic.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"

int odo_acyclic_init(odo_acyclic *o, const odo_fabric *f, unsigned n_vls, odo_error *err)
{
	*o = (odo_acyclic){0};
	int status = odo_dependencies_init(&o->forward, f, n_vls, err);
	if (status)
		return status;
	size_t n = o->forward.n_channels;
	o->place = odo_new(n, sizeof *o->place);
	o->at = odo_new(n, sizeof *o->at);
	o->mark = odo_new(n, 1);
	o->list = odo_new(n, sizeof *o->list);
	if (!o->place || !o->at || !o->mark || !o->list)
		return odo_fail(err, ODO_ENOMEM, "no memory for channel dependencies");
	for (uint32_t c = 0; c < n; c++)
		o->place[c] = o->at[c] = c;
	return 0;
}

void odo_acyclic_clear(odo_acyclic *o)
{
	odo_dependencies_clear(&o->forward);
	free(o->place);
	free(o->at);
	free(o->mark);
	free(o->list);
}

static uint64_t *successors(const odo_acyclic *o, uint32_t channel)
{
	return o->forward.bits + (size_t)channel * o->forward.words;
}

/* Of a dependency, among those of its first channel. */
static uint32_t bit_of(const odo_acyclic *o, odo_edge e)
{
	const odo_dependencies *d = &o->forward;
	uint32_t to = e.to / d->n_vls;
	uint32_t first = d->fabric->first_slot[d->fabric->owner[to]];
	return (to - first) * d->n_vls + e.to % d->n_vls;
}

bool odo_acyclic_has(const odo_acyclic *o, odo_edge e)
{
	return odo_has_bit(successors(o, e.from), bit_of(o, e));
}

void odo_acyclic_mark(odo_acyclic *o, odo_edge e)
{
	odo_set_bit(successors(o, e.from), bit_of(o, e));
}

void odo_acyclic_remove(odo_acyclic *o, odo_edge e)
{
	odo_clear_bit(successors(o, e.from), bit_of(o, e));
}

/* Pushes the successors of a channel that come before `high` and are not marked yet. Returns
 * false where one is at `high` itself. */
static bool push_successors(odo_acyclic *o, uint32_t channel, uint32_t high, uint32_t *n)
{
	const odo_dependencies *d = &o->forward;
	uint32_t sw = d->fabric->owner[d->fabric->peer[channel / d->n_vls]];
	uint32_t first = d->fabric->first_slot[sw] * d->n_vls;
	for (unsigned word = 0; word < d->words; word++) {
		uint64_t left = successors(o, channel)[word];
		for (; left; left &= left - 1) {
			uint32_t next = first + word * 64 + odo_lowest_bit(left);
			if (o->place[next] == high)
				return false;
			if (o->mark[next] || o->place[next] > high)
				continue;
			o->mark[next] = 1;
			o->list[(*n)++] = next;
		}
	}
	return true;
}

/* Marks all that depends on `root` up to place `high`; false, and nothing marked, where the
 * channel there is among it. */
static bool mark_dependent(odo_acyclic *o, uint32_t root, uint32_t high)
{
	uint32_t n = 1;
	bool free_of_cycles = true;
	o->list[0] = root;
	o->mark[root] = 1;
	for (uint32_t i = 0; i < n && free_of_cycles; i++, o->work++)
		free_of_cycles = push_successors(o, o->list[i], high, &n);
	for (uint32_t i = 0; i < n && !free_of_cycles; i++)
		o->mark[o->list[i]] = 0;
	return free_of_cycles;
}

/* Moves what is marked in [low, high] to its end, all else down, both in their old order. */
static void shift(odo_acyclic *o, uint32_t low, uint32_t high)
{
	uint32_t n = 0;
	o->work += high - low;
	for (uint32_t i = low; i <= high; i++) {
		uint32_t c = o->at[i];
		if (o->mark[c]) {
			o->mark[c] = 0;
			o->list[n++] = c;
		} else {
			o->at[i - n] = c;
			o->place[c] = i - n;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		o->at[high + 1 - n + i] = o->list[i];
		o->place[o->list[i]] = high + 1 - n + i;
	}
}

bool odo_acyclic_add(odo_acyclic *o, odo_edge e)
{
	uint32_t low = o->place[e.to], high = o->place[e.from];
	if (e.from == e.to)
		return false;
	if (high > low) {
		if (!mark_dependent(o, e.to, high))
			return false;
		shift(o, low, high);
	}
	odo_acyclic_mark(o, e);
	return true;
}

/* Calls for every successor of a channel in turn: counts it, or takes one off its count. */
static void count_successors(const odo_acyclic *o, uint32_t channel, uint32_t *waiting, int by,
			     uint32_t *ready, uint32_t *tail)
{
	const odo_dependencies *d = &o->forward;
	for (unsigned word = 0; word < d->words; word++) {
		uint64_t left = successors(o, channel)[word];
		for (; left; left &= left - 1) {
			uint32_t sw = d->fabric->owner[d->fabric->peer[channel / d->n_vls]];
			uint32_t next = d->fabric->first_slot[sw] * d->n_vls + word * 64 +
					odo_lowest_bit(left);
			waiting[next] += (uint32_t)by;
			if (by < 0 && !waiting[next])
				ready[(*tail)++] = next;
		}
	}
}

/* Kahn's algorithm; `at` is its queue. */
bool odo_acyclic_sort(odo_acyclic *o)
{
	uint32_t n = o->forward.n_channels, *waiting = o->list, head = 0, tail = 0;
	for (uint32_t c = 0; c < n; c++)
		waiting[c] = 0;
	for (uint32_t c = 0; c < n; c++)
		count_successors(o, c, waiting, 1, NULL, NULL);
	for (uint32_t c = 0; c < n; c++)
		if (!waiting[c])
			o->at[tail++] = c;
	while (head < tail) {
		uint32_t c = o->at[head];
		o->place[c] = head++;
		count_successors(o, c, waiting, -1, o->at, &tail);
	}
	return tail == n;
}
