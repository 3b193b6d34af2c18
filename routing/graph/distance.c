/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A word represents 64 sources: bit i of reached[v] says that source i reaches v within the levels
 * done so far. A level ORs the words of neighbours, so it costs one pass over the cables. The
 * number of levels is the diameter, which is small in the usual fabrics.
 */
#include "routing/graph/distance.h"

#include <string.h>

#include "base/bits.h"

/* Adjacency of switches; parallel cables count once. */
typedef struct graph {
	uint32_t n;
	uint32_t *first, *to;
} graph;

static bool make_graph(const odo_fabric *f, odo_arena *scratch, graph *g)
{
	uint32_t slots = f->first_slot[f->n_switches], count = 0;
	g->n = f->n_switches;
	g->first = odo_arena_new(scratch, g->n + 1ul, sizeof *g->first);
	g->to = odo_arena_new(scratch, slots, sizeof *g->to);
	uint32_t *seen_from = odo_arena_new(scratch, g->n, sizeof *seen_from);
	for (uint32_t s = 0; !scratch->failed && s < g->n; s++) {
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			uint32_t v = odo_next_switch(f, i);
			if (v == ODO_NONE || v == s || seen_from[v] == s + 1)
				continue;
			seen_from[v] = s + 1;
			g->to[count++] = v;
		}
		g->first[s + 1] = count;
	}
	return !scratch->failed;
}

static void record_level(uint8_t *dist, uint32_t n, uint32_t source, uint32_t v, uint64_t fresh,
			 unsigned level)
{
	while (fresh) {
		uint32_t i = odo_lowest_bit(fresh);
		fresh &= fresh - 1;
		dist[(size_t)(source + i) * n + v] = (uint8_t)level;
	}
}

/* Search from the 64 switches from `source` on. @return true if the limit of levels was exceeded */
static bool search_64_sources(const graph *g, uint32_t source, uint64_t *reached, uint64_t *next,
			      uint8_t *dist)
{
	uint32_t n = g->n, end = n - source < 64 ? n : source + 64;
	memset(reached, 0, n * sizeof *reached);
	for (uint32_t s = source; s < end; s++) {
		reached[s] = 1ull << (s - source);
		dist[(size_t)s * n + s] = 0;
	}
	bool grew = true;
	for (unsigned level = 1; grew; level++) {
		if (level == ODO_FAR)
			return true;
		grew = false;
		for (uint32_t v = 0; v < n; v++) {
			uint64_t all = reached[v];
			for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++)
				all |= reached[g->to[i]];
			next[v] = all;
			if (all != reached[v]) {
				record_level(dist, n, source, v, all & ~reached[v], level);
				grew = true;
			}
		}
		uint64_t *held = reached;
		reached = next;
		next = held;
	}
	return false;
}

int odo_distances(const odo_fabric *f, odo_arena *memory, uint8_t **out, odo_error *err)
{
	uint32_t n = f->n_switches;
	odo_arena scratch = {0};
	graph g = {0};
	int status = 0;
	uint64_t *words = odo_arena_new(&scratch, 2ul * n, sizeof *words);
	uint8_t *dist = *out = odo_arena_new(memory, n, n);
	if (!make_graph(f, &scratch, &g) || !dist)
		status = odo_fail(err, ODO_ENOMEM, "no memory for distances of %u switches", n);
	else
		memset(dist, ODO_FAR, (size_t)n * n);
	for (uint32_t s = 0; s < n && !status; s += 64)
		if (search_64_sources(&g, s, words, words + n, dist))
			status = odo_fail(err, ODO_EDECLINE,
					  "expected paths of fewer than %d hops, found longer ones",
					  ODO_FAR - 1);
	odo_arena_free(&scratch);
	return status;
}
