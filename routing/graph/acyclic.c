/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/graph/acyclic.h"

#include "base/arena.h"
#include "base/bits.h"

int odo_acyclic_init(odo_acyclic *acyclic, const odo_fabric *f, unsigned n_vls, odo_error *err)
{
	*acyclic = (odo_acyclic){0};
	int status = odo_dependencies_init(&acyclic->forward, f, n_vls, err);
	if (status)
		return status;
	size_t n = acyclic->forward.n_channels;
	acyclic->base = odo_arena_new(&acyclic->memory, n, sizeof *acyclic->base);
	acyclic->place = odo_arena_new(&acyclic->memory, n, sizeof *acyclic->place);
	acyclic->at = odo_arena_new(&acyclic->memory, n, sizeof *acyclic->at);
	acyclic->mark = odo_arena_new(&acyclic->memory, n, 1);
	acyclic->list = odo_arena_new(&acyclic->memory, n, sizeof *acyclic->list);
	if (acyclic->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for channel dependencies");
	for (uint32_t c = 0; c < n; c++) {
		acyclic->place[c] = acyclic->at[c] = c;
		acyclic->base[c] = f->first_slot[f->owner[c / n_vls]] * n_vls;
	}
	return 0;
}

void odo_acyclic_clear(odo_acyclic *acyclic)
{
	odo_dependencies_clear(&acyclic->forward);
	odo_arena_free(&acyclic->memory);
}

static uint64_t *channel_successors(const odo_acyclic *acyclic, uint32_t channel)
{
	return acyclic->forward.bits + (size_t)channel * acyclic->forward.words;
}

/* Return the bit of a dependency among those of its first channel. */
static uint32_t bit_of_edge(const odo_acyclic *acyclic, odo_edge edge)
{
	return edge.to - acyclic->base[edge.to];
}

bool odo_acyclic_has(const odo_acyclic *acyclic, odo_edge edge)
{
	return odo_has_bit(channel_successors(acyclic, edge.from), bit_of_edge(acyclic, edge));
}

void odo_acyclic_mark(odo_acyclic *acyclic, odo_edge edge)
{
	odo_set_bit(channel_successors(acyclic, edge.from), bit_of_edge(acyclic, edge));
}

void odo_acyclic_remove(odo_acyclic *acyclic, odo_edge edge)
{
	odo_clear_bit(channel_successors(acyclic, edge.from), bit_of_edge(acyclic, edge));
}

/*
 * Push unmarked successors of a channel that come before `high`.
 * @return false if one is at `high` itself
 */
static bool push_successors(odo_acyclic *acyclic, uint32_t channel, uint32_t high, uint32_t *n)
{
	const uint64_t *bits = channel_successors(acyclic, channel);
	uint32_t first = odo_first_successor(&acyclic->forward, channel);
	for (unsigned word = 0; word < acyclic->forward.words; word++) {
		for (uint64_t left = bits[word]; left; left &= left - 1) {
			uint32_t next = first + word * 64 + odo_lowest_bit(left);
			if (acyclic->place[next] == high)
				return false;
			if (acyclic->mark[next] || acyclic->place[next] > high)
				continue;
			acyclic->mark[next] = 1;
			acyclic->list[(*n)++] = next;
		}
	}
	return true;
}

/*
 * Mark all channels that depend on `root`, up to place `high`.
 * @return false, with nothing marked, if the channel at `high` is among them
 */
static bool mark_dependent(odo_acyclic *acyclic, uint32_t root, uint32_t high)
{
	uint32_t n = 1;
	bool free_of_cycles = true;
	acyclic->list[0] = root;
	acyclic->mark[root] = 1;
	for (uint32_t i = 0; i < n && free_of_cycles; i++, acyclic->work++)
		free_of_cycles = push_successors(acyclic, acyclic->list[i], high, &n);
	for (uint32_t i = 0; i < n && !free_of_cycles; i++)
		acyclic->mark[acyclic->list[i]] = 0;
	return free_of_cycles;
}

/* Move marked channels in [low, high] to its end, and the others down; both keep their order. */
static void shift_marked(odo_acyclic *acyclic, uint32_t low, uint32_t high)
{
	uint32_t n = 0;
	acyclic->work += high - low;
	for (uint32_t i = low; i <= high; i++) {
		uint32_t c = acyclic->at[i];
		if (acyclic->mark[c]) {
			acyclic->mark[c] = 0;
			acyclic->list[n++] = c;
		} else {
			acyclic->at[i - n] = c;
			acyclic->place[c] = i - n;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		acyclic->at[high + 1 - n + i] = acyclic->list[i];
		acyclic->place[acyclic->list[i]] = high + 1 - n + i;
	}
}

bool odo_acyclic_add(odo_acyclic *acyclic, odo_edge edge)
{
	uint32_t low = acyclic->place[edge.to], high = acyclic->place[edge.from];
	if (edge.from == edge.to)
		return false;
	if (high > low) {
		if (!mark_dependent(acyclic, edge.to, high))
			return false;
		shift_marked(acyclic, low, high);
	}
	odo_acyclic_mark(acyclic, edge);
	return true;
}

bool odo_acyclic_add_all(odo_acyclic *acyclic, odo_edge *edges, uint32_t n)
{
	uint32_t n_new = 0;
	for (uint32_t i = 0; i < n; i++) {
		odo_edge edge = edges[i];
		if (odo_acyclic_has(acyclic, edge))
			continue;
		if (!odo_acyclic_add(acyclic, edge)) {
			while (n_new)
				odo_acyclic_remove(acyclic, edges[--n_new]);
			return false;
		}
		edges[i] = edges[n_new];
		edges[n_new++] = edge;
	}
	return true;
}

/* Sort by Kahn's algorithm; `at` is its queue. */
bool odo_acyclic_sort(odo_acyclic *acyclic)
{
	uint32_t n = odo_dependencies_sort(&acyclic->forward, acyclic->list, acyclic->at);
	for (uint32_t i = 0; i < n; i++)
		acyclic->place[acyclic->at[i]] = i;
	return n == acyclic->forward.n_channels;
}
