/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/graph/dependency.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/arena.h"
#include "base/memory.h"

static odo_dependencies size_dependencies(const odo_fabric *f, unsigned n_vls)
{
	unsigned ports = 1;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (odo_n_ports(f, s) > ports)
			ports = odo_n_ports(f, s);
	return (odo_dependencies){.fabric = f,
				  .n_channels = f->first_slot[f->n_switches] * n_vls,
				  .n_vls = n_vls,
				  .words = (unsigned)odo_bit_words(ports * n_vls)};
}

int odo_dependencies_init(odo_dependencies *d, const odo_fabric *f, unsigned n_vls, odo_error *err)
{
	*d = size_dependencies(f, n_vls);
	d->bits = odo_new((size_t)d->n_channels * d->words, sizeof *d->bits);
	return d->bits ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for channel dependencies");
}

odo_dependencies odo_dependencies_proved(const odo_tables *t)
{
	odo_dependencies d = size_dependencies(t->fabric, t->n_vls);
	d.bits = t->proved;
	return d;
}

void odo_dependencies_clear(odo_dependencies *d)
{
	free(d->bits);
	d->bits = NULL;
}

uint64_t odo_dependencies_count(const odo_dependencies *d)
{
	return odo_count_bits(d->bits, (size_t)d->n_channels * d->words);
}

enum { UNSEEN, OPEN, DONE };

/* Search depth first from `root`. @return a channel on a cycle, or ODO_NONE */
static uint32_t search_cycle(const odo_dependencies *d, uint32_t root, uint8_t *state,
			     odo_successor_walk *stack)
{
	size_t depth = 1;
	stack[0] = odo_walk_successors(d, root);
	state[root] = OPEN;
	while (depth) {
		uint32_t next = odo_next_successor(d, &stack[depth - 1]);
		if (next == ODO_NONE) {
			state[stack[--depth].channel] = DONE;
		} else if (state[next] == OPEN) {
			return next;
		} else if (state[next] == UNSEEN) {
			state[next] = OPEN;
			stack[depth++] = odo_walk_successors(d, next);
		}
	}
	return ODO_NONE;
}

/*
 * Find a shortest cycle through `root`, breadth first; `from` links it backwards.
 * @return its last channel
 */
static uint32_t shortest_cycle_through(const odo_dependencies *d, uint32_t root, uint32_t *from,
				       uint32_t *queue)
{
	uint32_t head = 0, tail = 1;
	memset(from, 0xFF, d->n_channels * sizeof *from);
	queue[0] = root;
	while (head < tail) {
		odo_successor_walk w = odo_walk_successors(d, queue[head++]);
		for (uint32_t next; (next = odo_next_successor(d, &w)) != ODO_NONE;) {
			if (next == root)
				return w.channel;
			if (from[next] == ODO_NONE) {
				from[next] = w.channel;
				queue[tail++] = next;
			}
		}
	}
	return ODO_NONE;
}

static int write_cycle(const odo_dependencies *d, uint32_t root, uint32_t last,
		       const uint32_t *from, odo_channel **cycle, uint32_t *n)
{
	uint32_t length = 1;
	for (uint32_t at = last; at != root; at = from[at])
		length++;
	*cycle = odo_new(length, sizeof **cycle);
	if (!*cycle)
		return ODO_ENOMEM;
	*n = length;
	for (uint32_t at = last; length--; at = at == root ? root : from[at])
		(*cycle)[length] = (odo_channel){at / d->n_vls, (uint8_t)(at % d->n_vls)};
	return 0;
}

int odo_dependencies_cycle(const odo_dependencies *d, odo_channel **cycle, uint32_t *n,
			   odo_error *err)
{
	odo_arena scratch = {0};
	uint32_t found = ODO_NONE;
	uint8_t *state = odo_arena_new(&scratch, d->n_channels, 1);
	odo_successor_walk *stack = odo_arena_new(&scratch, d->n_channels, sizeof *stack);
	*cycle = NULL;
	*n = 0;
	for (uint32_t i = 0; i < d->n_channels && found == ODO_NONE && !scratch.failed; i++)
		if (state[i] == UNSEEN)
			found = search_cycle(d, i, state, stack);
	int status = scratch.failed ? ODO_ENOMEM : 0;
	if (found != ODO_NONE) {
		uint32_t *from = odo_arena_new(&scratch, d->n_channels, sizeof *from);
		uint32_t *queue = odo_arena_new(&scratch, d->n_channels, sizeof *queue);
		status = scratch.failed ? ODO_ENOMEM
					: write_cycle(d, found,
						      shortest_cycle_through(d, found, from, queue),
						      from, cycle, n);
	}
	odo_arena_free(&scratch);
	return status ? odo_fail(err, status, "no memory to look for cycles") : 0;
}

uint32_t odo_dependencies_sort(const odo_dependencies *d, uint32_t *waiting, uint32_t *order)
{
	uint32_t head = 0, tail = 0, next;
	memset(waiting, 0, d->n_channels * sizeof *waiting);
	for (uint32_t c = 0; c < d->n_channels; c++) {
		odo_successor_walk w = odo_walk_successors(d, c);
		while ((next = odo_next_successor(d, &w)) != ODO_NONE)
			waiting[next]++;
	}
	for (uint32_t c = 0; c < d->n_channels; c++)
		if (!waiting[c])
			order[tail++] = c;
	while (head < tail) {
		odo_successor_walk w = odo_walk_successors(d, order[head++]);
		while ((next = odo_next_successor(d, &w)) != ODO_NONE)
			if (!--waiting[next])
				order[tail++] = next;
	}
	return tail;
}

int odo_dependencies_levels(const odo_dependencies *d, uint32_t **level, odo_error *err)
{
	uint32_t *order = odo_new(d->n_channels, sizeof *order), next;
	*level = odo_new(d->n_channels, sizeof **level);
	if (!*level || !order) {
		free(order);
		return odo_fail(err, ODO_ENOMEM, "no memory to measure paths");
	}
	odo_dependencies_sort(d, *level, order); /* leaves `level` at 0 */
	for (uint32_t i = 0; i < d->n_channels; i++) {
		odo_successor_walk w = odo_walk_successors(d, order[i]);
		while ((next = odo_next_successor(d, &w)) != ODO_NONE)
			if ((*level)[next] <= (*level)[order[i]])
				(*level)[next] = (*level)[order[i]] + 1;
	}
	free(order);
	return 0;
}

int odo_dependencies_longest(const odo_dependencies *d, uint32_t *longest, odo_error *err)
{
	uint32_t *level, highest = 0;
	int status = odo_dependencies_levels(d, &level, err);
	for (uint32_t c = 0; !status && c < d->n_channels; c++)
		highest = level[c] > highest ? level[c] : highest;
	*longest = highest + 1;
	free(level);
	return status;
}
