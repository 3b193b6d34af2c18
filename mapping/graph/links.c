/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/bits.h"
#include "mapping/graph/bits.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

void odo_links_clear(odo_links *g)
{
	odo_arena_free(&g->memory);
	*g = (odo_links){0};
}

uint32_t odo_links_cables_of(const odo_links *g, uint32_t v)
{
	uint32_t cables = 0;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		cables += g->n_cables[g->edge[a]];
	return cables;
}

uint64_t odo_links_cables(const odo_links *g)
{
	uint64_t cables = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		cables += g->n_cables[e];
	return cables;
}

uint32_t odo_links_arc(const odo_links *g, uint32_t u, uint32_t v)
{
	uint32_t low = g->first[u], high = g->first[u + 1];
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (g->to[mid] < v)
			low = mid + 1;
		else
			high = mid;
	}
	return low < g->first[u + 1] && g->to[low] == v ? low : ODO_NONE;
}

typedef struct ranked {
	uint64_t guid;
	uint32_t node;
} ranked;

static int by_guid_and_node(const void *a, const void *b)
{
	const ranked *x = a, *y = b;
	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Fill vertex[] with the switches by GUID and rank[] with the inverse. */
static void rank_switches(const odo_fabric *f, uint32_t *vertex, uint32_t *rank, ranked *order)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		order[s] = (ranked){f->node_guid[s], s};
	qsort(order, f->n_switches, sizeof *order, by_guid_and_node);
	for (uint32_t v = 0; v < f->n_switches; v++) {
		vertex[v] = order[v].node;
		rank[order[v].node] = v;
	}
}

static int allocate_links(odo_links *g, size_t arcs)
{
	g->first = odo_arena_new(&g->memory, (size_t)g->n + 1, sizeof *g->first);
	g->to = odo_arena_new(&g->memory, arcs, sizeof *g->to);
	g->edge = odo_arena_new(&g->memory, arcs, sizeof *g->edge);
	g->end = odo_arena_new(&g->memory, arcs / 2, sizeof *g->end);
	g->n_cables = odo_arena_new(&g->memory, arcs / 2, sizeof *g->n_cables);
	g->vertex = odo_arena_new(&g->memory, g->n, sizeof *g->vertex);
	return g->memory.failed ? ODO_ENOMEM : 0;
}

static int refuse_links(odo_links *g, odo_error *err)
{
	odo_links_clear(g);
	return odo_fail(err, ODO_ENOMEM, "no memory for the links");
}

/* List the neighbours of all vertices in ascending order, parallel ones repeated. No sort is
 * needed, because cables are distributed in the order of their far ends. */
static void deal_arcs(const odo_fabric *f, const uint32_t *vertex, const uint32_t *rank, uint32_t n,
		      uint32_t *first, uint32_t *to)
{
	for (uint32_t slot = 0; slot < f->first_slot[n]; slot++) {
		uint32_t far = odo_next_switch(f, slot);
		if (far != ODO_NONE && far != f->owner[slot])
			first[rank[far] + 1]++;
	}
	for (uint32_t v = 0; v < n; v++)
		first[v + 1] += first[v];
	for (uint32_t v = 0; v < n; v++) {
		uint32_t s = vertex[v];
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t far = odo_next_switch(f, slot);
			if (far != ODO_NONE && far != s)
				to[first[rank[far]]++] = v;
		}
	}
	for (uint32_t v = n; v > 0; v--)
		first[v] = first[v - 1];
	first[0] = 0;
}

/* Merge parallel neighbours in place and number the edges by (smaller, larger) vertex. */
static void merge_parallel(odo_links *g)
{
	uint32_t out = 0, in = 0;
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t end = g->first[u + 1];
		g->first[u] = out;
		while (in < end) {
			uint32_t v = g->to[in], count = 0;
			for (; in < end && g->to[in] == v; in++)
				count++;
			if (u < v) {
				g->end[g->n_edges][0] = u;
				g->end[g->n_edges][1] = v;
				g->n_cables[g->n_edges] = (uint8_t)(count < 255 ? count : 255);
				g->edge[out] = g->n_edges++;
			}
			g->to[out++] = v;
		}
	}
	g->first[g->n] = out;
}

/* Fill in the edges of arcs to smaller vertices. Edges are numbered in the order of their smaller
 * end, so each vertex gets its edges in ascending order. `next` is scratch. */
static void mirror_edges(odo_links *g, uint32_t *next)
{
	for (uint32_t v = 0; v < g->n; v++)
		next[v] = g->first[v];
	for (uint32_t e = 0; e < g->n_edges; e++)
		g->edge[next[g->end[e][1]]++] = e;
}

/* Find the edge of each slot. `edge_to` is scratch. */
static void number_slots(const odo_fabric *f, const odo_links *g, const uint32_t *rank,
			 uint32_t *edge_to, uint32_t *slot_edge)
{
	memset(slot_edge, 0xFF, f->n_slots * sizeof *slot_edge);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t v = rank[s];
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			edge_to[g->to[a]] = g->edge[a];
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t far = odo_next_switch(f, slot);
			if (far != ODO_NONE && far != s)
				slot_edge[slot] = edge_to[rank[far]];
		}
	}
}

int odo_links_make(const odo_fabric *f, odo_links *g, uint32_t *slot_edge, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *rank = odo_arena_new(&memory, f->n_switches, sizeof *rank);
	uint32_t *next = odo_arena_new(&memory, f->n_switches, sizeof *next);
	ranked *order = odo_arena_new(&memory, f->n_switches, sizeof *order);
	*g = (odo_links){.n = f->n_switches};
	bool failed = allocate_links(g, f->first_slot[f->n_switches]) || memory.failed;
	if (!failed) {
		rank_switches(f, g->vertex, rank, order);
		deal_arcs(f, g->vertex, rank, g->n, g->first, g->to);
		merge_parallel(g);
		mirror_edges(g, next);
		if (slot_edge)
			number_slots(f, g, rank, next, slot_edge);
	}
	odo_arena_free(&memory);
	return failed ? refuse_links(g, err) : 0;
}

int odo_links_part(const odo_links *whole, const uint32_t *members, uint32_t n_members,
		   uint32_t *index, odo_links *part, odo_error *err)
{
	size_t arcs = 0;
	for (uint32_t i = 0; i < n_members; i++) {
		index[members[i]] = i;
		arcs += odo_degree(whole, members[i]);
	}
	*part = (odo_links){.n = n_members, .budget = whole->budget};
	uint32_t *next = odo_new(n_members, sizeof *next), out = 0;
	bool failed = allocate_links(part, arcs) || !next;
	for (uint32_t i = 0; i < n_members && !failed; i++) {
		uint32_t u = members[i];
		part->vertex[i] = u;
		part->first[i] = out;
		for (uint32_t a = whole->first[u]; a < whole->first[u + 1]; a++) {
			uint32_t e = whole->edge[a], j = index[whole->to[a]];
			if (j == ODO_NONE)
				continue;
			if (i < j) {
				part->end[part->n_edges][0] = i;
				part->end[part->n_edges][1] = j;
				part->n_cables[part->n_edges] = whole->n_cables[e];
				part->edge[out] = part->n_edges++;
			}
			part->to[out++] = j;
		}
	}
	for (uint32_t i = 0; i < n_members; i++)
		index[members[i]] = ODO_NONE;
	if (!failed) {
		part->first[n_members] = out;
		mirror_edges(part, next);
	}
	free(next);
	return failed ? refuse_links(part, err) : 0;
}

int odo_links_of_bits(const odo_bits *bits, odo_links *g, odo_error *err)
{
	size_t arcs = odo_count_bits(bits->row, (size_t)bits->n * bits->words);
	uint32_t out = 0, *next = odo_new(bits->n, sizeof *next);
	*g = (odo_links){.n = bits->n};
	if (allocate_links(g, arcs) || !next) {
		free(next);
		return refuse_links(g, err);
	}
	for (uint32_t u = 0; u < bits->n; u++) {
		g->vertex[u] = u;
		g->first[u] = out;
		for (uint32_t v = odo_bits_next(bits, u, 0); v < bits->n;
		     v = odo_bits_next(bits, u, v + 1)) {
			if (u < v) {
				g->end[g->n_edges][0] = u;
				g->end[g->n_edges][1] = v;
				g->n_cables[g->n_edges] = 1;
				g->edge[out] = g->n_edges++;
			}
			g->to[out++] = v;
		}
	}
	g->first[bits->n] = out;
	mirror_edges(g, next);
	free(next);
	return 0;
}
