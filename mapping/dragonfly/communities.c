/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/dragonfly/communities.h"

#include <string.h>

#include "base/arena.h"
#include "base/gcd.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

enum { ROUNDS = 8, PASSES = 8 };
/* Links visited in the time of moving one end of a link (for the budget). */
enum { WORK_OF_MOVE = 3 };
/* The result of hill climbing depends on the order in which switches move. Several orders are
 * tried, and the best result wins. Small graphs try all orders, because they take almost no
 * time. */
enum { ORDERS = 3, SMALL = 512 };

/* A graph of vertices, or a smaller graph whose vertices are communities. */
typedef struct level {
	uint32_t n;
	uint32_t *first, *to, *weight; /* [n + 1], [arcs] */
	uint32_t *size;                /* [n] switches of each */
} level;

typedef struct work {
	const odo_links *g;
	double price;     /* cost of a pair of switches in one community, in links */
	uint32_t stride;  /* vertices move in the order 0, stride, 2 * stride, ... */
	uint32_t *of;     /* [n] community of each switch; owned by the caller */
	uint32_t *to;     /* [n] community of each vertex of a level */
	uint32_t *total;  /* [n] switches of each community */
	uint32_t *into;   /* [n] scratch, zero: weight of one vertex into each community */
	uint32_t *near;   /* [n] scratch: communities next to a vertex */
	uint32_t *member; /* [n] switches by community */
	uint32_t *start;  /* [n + 2] into member */
	level base, merged;
} work;

/* List the communities around v, its own first, and the weight of v's links into each. Return how
 * many. */
static uint32_t list_near_communities(work *w, const level *l, uint32_t v)
{
	uint32_t n = 0;
	w->near[n++] = w->to[v];
	for (uint32_t a = l->first[v]; a < l->first[v + 1]; a++) {
		uint32_t c = w->to[l->to[a]];
		if (!w->into[c] && c != w->to[v])
			w->near[n++] = c;
		w->into[c] += l->weight[a];
	}
	return n;
}

/* Move v to the community of highest worth, or to a new one. Return true if it moved. */
static bool move_to_community(work *w, const level *l, uint32_t v)
{
	uint32_t own = w->to[v], best = own, n = list_near_communities(w, l, v);
	double most = 0;
	w->total[own] -= l->size[v];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = w->near[i];
		double worth = w->into[c] - w->price * l->size[v] * w->total[c];
		if (i == 0 || worth > most) {
			most = worth;
			best = c;
		}
		w->into[c] = 0;
	}
	if (most < 0 && !w->total[v]) /* number v is free for a new community */
		best = v;
	w->total[best] += l->size[v];
	w->to[v] = best;
	return best != own;
}

static bool move_vertices(work *w, const level *l)
{
	bool moved = true, any = false;
	uint32_t stride = odo_gcd(w->stride, l->n) == 1 ? w->stride : 1;
	for (int pass = 0; pass < PASSES && moved; pass++) {
		moved = false;
		odo_charge(w->g->budget, WORK_OF_MOVE * (uint64_t)(l->first[l->n] + l->n));
		for (uint32_t i = 0; i < l->n; i++)
			moved |= move_to_community(w, l, (uint32_t)((uint64_t)i * stride % l->n));
		any |= moved;
	}
	return any;
}

/* Build the graph of communities. */
static void build_merged_level(work *w)
{
	uint32_t *number = w->total, arcs = 0; /* `total` is free between levels */
	level *l = &w->merged;
	l->n = odo_uf_number(w->of, w->g->n, number);
	odo_uf_list(w->of, w->g->n, number, l->n, w->start, w->member);
	for (uint32_t c = 0; c < l->n; c++) {
		uint32_t begin = arcs;
		l->first[c] = begin;
		l->size[c] = w->start[c + 1] - w->start[c];
		for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++) {
			uint32_t v = w->member[i];
			for (uint32_t a = w->base.first[v]; a < w->base.first[v + 1]; a++) {
				uint32_t d = number[w->of[w->base.to[a]]];
				if (d == c)
					continue;
				if (!w->into[d])
					l->to[arcs++] = d;
				w->into[d] += w->base.weight[a];
			}
		}
		for (uint32_t a = begin; a < arcs; a++) {
			l->weight[a] = w->into[l->to[a]];
			w->into[l->to[a]] = 0;
		}
	}
	l->first[l->n] = arcs;
}

/* Merge whole communities until no merge gains anything. */
static void merge_all(work *w)
{
	bool moved = true;
	for (int round = 0; round < ROUNDS && moved; round++) {
		build_merged_level(w);
		for (uint32_t c = 0; c < w->merged.n; c++) {
			w->to[c] = c;
			w->total[c] = w->merged.size[c];
		}
		moved = move_vertices(w, &w->merged);
		for (uint32_t c = 0; c < w->merged.n && moved; c++)
			for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++)
				w->of[w->member[i]] = w->member[w->start[w->to[c]]];
	}
}

/* Move single switches, starting from the present communities. */
static bool move_switches(work *w)
{
	memset(w->total, 0, w->g->n * sizeof *w->total);
	for (uint32_t v = 0; v < w->g->n; v++) {
		w->to[v] = w->of[v];
		w->total[w->of[v]]++;
	}
	bool moved = move_vertices(w, &w->base);
	memcpy(w->of, w->to, w->g->n * sizeof *w->of);
	return moved;
}

/* Allocate the work. The base level borrows the graph. */
static void communities_make(work *w, odo_arena *memory)
{
	const odo_links *g = w->g;
	size_t arcs = 2 * (size_t)g->n_edges;
	w->to = odo_arena_new(memory, g->n, sizeof *w->to);
	w->total = odo_arena_new(memory, g->n, sizeof *w->total);
	w->into = odo_arena_new(memory, g->n, sizeof *w->into);
	w->near = odo_arena_new(memory, (size_t)g->n + 1, sizeof *w->near);
	w->member = odo_arena_new(memory, g->n, sizeof *w->member);
	w->start = odo_arena_new(memory, (size_t)g->n + 2, sizeof *w->start);
	w->merged = (level){.first = odo_arena_new(memory, (size_t)g->n + 1, sizeof(uint32_t)),
			    .to = odo_arena_new(memory, arcs, sizeof(uint32_t)),
			    .weight = odo_arena_new(memory, arcs, sizeof(uint32_t)),
			    .size = odo_arena_new(memory, g->n, sizeof(uint32_t))};
	w->base = (level){g->n, g->first, g->to, odo_arena_new(memory, arcs, sizeof(uint32_t)),
			  odo_arena_new(memory, g->n, sizeof(uint32_t))};
	for (size_t a = 0; a < arcs && !memory->failed; a++)
		w->base.weight[a] = 1;
	for (uint32_t v = 0; v < g->n && !memory->failed; v++)
		w->base.size[v] = 1;
}

static void climb_levels(work *w)
{
	bool moved = true;
	for (uint32_t v = 0; v < w->g->n; v++)
		w->of[v] = v;
	for (int round = 0; round < ROUNDS && moved && odo_may_go_on(w->g->budget); round++) {
		moved = move_switches(w);
		if (moved && odo_uses("communities merged"))
			merge_all(w);
	}
}

/* Return the worth of the present communities. */
static double worth_of_communities(work *w)
{
	double sum = 0;
	memset(w->total, 0, w->g->n * sizeof *w->total);
	for (uint32_t v = 0; v < w->g->n; v++) {
		sum -= w->price * w->total[w->of[v]]++;
		for (uint32_t a = w->base.first[v]; a < w->base.first[v + 1]; a++)
			if (w->of[w->base.to[a]] == w->of[v])
				sum += w->base.weight[a] / 2.0;
	}
	return sum;
}

/* Return true if no community is much smaller than the others, as a part of a group would be. */
static bool have_similar_sizes(work *w)
{
	uint32_t n = 0, least = UINT32_MAX;
	memset(w->total, 0, w->g->n * sizeof *w->total);
	for (uint32_t v = 0; v < w->g->n; v++)
		n += !w->total[w->of[v]]++;
	for (uint32_t c = 0; c < w->g->n; c++)
		least = w->total[c] && w->total[c] < least ? w->total[c] : least;
	return !odo_is_undersized(least, n, w->g->n);
}

int odo_communities_find(const odo_links *g, double price, uint32_t *of, odo_error *err)
{
	static const uint32_t strides[ORDERS] = {1, 7919, 104729}; /* primes */
	odo_arena memory = {0};
	uint32_t *best = odo_arena_new(&memory, g->n, sizeof *best);
	work w = {.g = g, .price = price, .of = of};
	double most = 0;
	communities_make(&w, &memory);
	bool done = memory.failed;
	for (int i = 0; i < ORDERS && !done && (!i || odo_may_go_on(g->budget)) &&
			(!i || odo_uses("communities in other orders"));
	     i++) {
		w.stride = strides[i];
		climb_levels(&w);
		double now = worth_of_communities(&w);
		done = g->n > SMALL && have_similar_sizes(&w);
		if (i && now <= most)
			continue;
		most = now;
		memcpy(best, of, g->n * sizeof *best);
	}
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for communities") : 0;
	if (!status)
		memcpy(of, best, g->n * sizeof *best);
	odo_arena_free(&memory);
	return status;
}
