/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/matching.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/fabric.h"

int odo_matching_create(odo_matching *m, uint32_t n_from, uint32_t n_to, odo_error *err)
{
	*m = (odo_matching){.n_from = n_from, .n_to = n_to};
	m->matched = odo_arena_new(&m->memory, n_to, sizeof *m->matched);
	m->room = odo_arena_new(&m->memory, n_from, sizeof *m->room);
	m->price_from = odo_arena_new(&m->memory, n_from, sizeof *m->price_from);
	m->price_to = odo_arena_new(&m->memory, n_to, sizeof *m->price_to);
	m->first = odo_arena_new(&m->memory, n_from + 2ul, sizeof *m->first);
	m->next = odo_arena_new(&m->memory, n_from, sizeof *m->next);
	m->reached_from = odo_arena_new(&m->memory, n_from, sizeof *m->reached_from);
	m->reached_to = odo_arena_new(&m->memory, n_to, sizeof *m->reached_to);
	m->path = odo_arena_new(&m->memory, n_to + 1ul, sizeof *m->path);
	m->by = odo_arena_new(&m->memory, n_to + 1ul, sizeof *m->by);
	return m->memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory to match %u hosts", n_to)
				: 0;
}

void odo_matching_clear(odo_matching *m)
{
	odo_arena_free(&m->memory);
	free(m->edge);
	*m = (odo_matching){0};
}

/* Sort edges by source. Counts are stored two places higher, so that filling leaves correct first
 * indices. */
static int sort_edges_by_source(odo_matching *m, const odo_edge *edges, size_t n, odo_error *err)
{
	if (odo_grow(&m->edge, &m->edge_room, n, sizeof *m->edge))
		return odo_fail(err, ODO_ENOMEM, "no memory to match %zu pairs", n);
	memset(m->first, 0, (m->n_from + 2ul) * sizeof *m->first);
	for (size_t i = 0; i < n; i++)
		m->first[edges[i].from + 2]++;
	for (uint32_t s = 2; s < m->n_from + 2; s++)
		m->first[s] += m->first[s - 1];
	for (size_t i = 0; i < n; i++)
		m->edge[m->first[edges[i].from + 1]++] = edges[i];
	return 0;
}

static bool is_tight(const odo_matching *m, const odo_edge *edge)
{
	return m->price_from[edge->from] + m->price_to[edge->to] == edge->weight;
}

/* Return the next unreached target that source s can reach; ODO_NONE if none. */
static uint32_t next_target(odo_matching *m, uint32_t s)
{
	while (m->next[s] < m->first[s + 1]) {
		const odo_edge *edge = &m->edge[m->next[s]++];
		if (!m->reached_to[edge->to] && is_tight(m, edge))
			return edge->to;
	}
	return ODO_NONE;
}

/* Match one more edge, starting at `root`. A target that was reached in vain stays marked until the
 * next phase. */
static bool augment_matching(odo_matching *m, uint32_t root)
{
	uint32_t depth = 0;
	m->path[0] = root;
	for (;;) {
		uint32_t s = m->path[depth], d = next_target(m, s);
		m->reached_from[s] = 1;
		if (d == ODO_NONE) {
			if (!depth--)
				return false;
			continue;
		}
		m->reached_to[d] = 1;
		m->by[depth] = d;
		if (m->matched[d] == ODO_NONE)
			break;
		m->path[++depth] = m->matched[d];
	}
	for (uint32_t i = 0; i <= depth; i++)
		m->matched[m->by[i]] = m->path[i];
	m->room[root]--;
	return true;
}

/* @return false if no edge could be added; then everything reachable has been reached */
static bool run_phase(odo_matching *m)
{
	bool added = false;
	memset(m->reached_from, 0, m->n_from);
	memset(m->reached_to, 0, m->n_to);
	memcpy(m->next, m->first, m->n_from * sizeof *m->next);
	for (uint32_t s = 0; s < m->n_from; s++)
		while (m->room[s] && m->next[s] < m->first[s + 1] && augment_matching(m, s))
			added = true;
	return added;
}

static void change_prices(odo_matching *m)
{
	for (uint32_t s = 0; s < m->n_from; s++)
		m->price_from[s] -= m->reached_from[s] || m->room[s];
	for (uint32_t d = 0; d < m->n_to; d++)
		m->price_to[d] += m->reached_to[d];
}

static uint64_t sum_matched(const odo_matching *m)
{
	uint64_t sum = 0;
	for (uint32_t s = 0; s < m->n_from; s++)
		for (uint32_t i = m->first[s]; i < m->first[s + 1]; i++)
			sum += m->matched[m->edge[i].to] == s ? m->edge[i].weight : 0;
	return sum;
}

static uint64_t sum_prices(const odo_matching *m, const uint32_t *room)
{
	uint64_t sum = 0;
	for (uint32_t s = 0; s < m->n_from; s++)
		sum += (uint64_t)m->price_from[s] * room[s];
	for (uint32_t d = 0; d < m->n_to; d++)
		sum += m->price_to[d];
	return sum;
}

int odo_matching_find(odo_matching *m, const uint32_t *room, const odo_edge *edges, size_t n,
		      uint64_t *weight, uint64_t *prices, odo_error *err)
{
	int status = sort_edges_by_source(m, edges, n, err);
	if (status)
		return status;
	uint32_t highest = 0;
	for (size_t i = 0; i < n; i++)
		highest = edges[i].weight > highest ? edges[i].weight : highest;
	for (uint32_t s = 0; s < m->n_from; s++) {
		m->price_from[s] = highest;
		m->room[s] = room[s];
	}
	for (uint32_t d = 0; d < m->n_to; d++) {
		m->price_to[d] = 0;
		m->matched[d] = ODO_NONE;
	}
	for (uint32_t stage = 0; stage < highest; stage++) {
		while (run_phase(m))
			;
		change_prices(m);
	}
	*weight = sum_matched(m);
	*prices = sum_prices(m, room);
	return 0;
}
