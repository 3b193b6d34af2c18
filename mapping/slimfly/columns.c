/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Columns of a Slim Fly: sets of vertices whose links close triangles, and the links between
 * columns. */
#include "mapping/slimfly/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

enum { ROUNDS = 4 };

typedef struct sorter {
	const odo_links *g;
	const uint8_t *triangles; /* [n_edges] */
	uint32_t q;
	uint32_t *column;               /* [n] set of a vertex, or ODO_NONE */
	uint32_t *root, *size, *number; /* [n] scratch: sets by a vertex of each */
} sorter;

/* A column, found as a set of vertices. */
typedef struct pile {
	uint32_t size, linked; /* vertices; links to the base */
} pile;

/* Move v to the column with most of its neighbours, if these are at least two. A vertex is linked
 * to half of its own column, and to at most one vertex of each other column. `links` [n] is zero,
 * also on return. */
static void move_home(const sorter *r, uint32_t v, uint32_t *root, uint32_t *links)
{
	const odo_links *g = r->g;
	uint32_t best = root[v];
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		links[root[g->to[a]]]++;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t there = root[g->to[a]];
		if (links[there] > 1 && links[there] > links[best])
			best = there;
	}
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		links[root[g->to[a]]] = 0;
	root[v] = best;
}

/* Unite vertices by links in many triangles first, up to the size of a column. Wrong links come
 * late, when columns are full. */
static void unite_columns(sorter *r)
{
	uint32_t *root = r->root, *size = r->size;
	uint8_t most = 0;
	for (uint32_t e = 0; e < r->g->n_edges; e++)
		most = r->triangles[e] > most ? r->triangles[e] : most;
	odo_uf_reset(root, r->g->n);
	for (uint32_t v = 0; v < r->g->n; v++)
		size[v] = 1;
	for (uint8_t n = most; n > 0; n--) {
		for (uint32_t e = 0; e < r->g->n_edges; e++) {
			if (r->triangles[e] != n)
				continue;
			uint32_t a = odo_uf_find(root, r->g->end[e][0]);
			uint32_t b = odo_uf_find(root, r->g->end[e][1]);
			if (a == b || size[a] + size[b] > r->q)
				continue;
			size[a < b ? a : b] = size[a] + size[b];
			odo_uf_unite(root, a, b);
		}
	}
	odo_uf_flatten(root, r->g->n);
}

/* Number the connected sets of vertices in r->column. Return their number without splinters. More
 * than 2q mean that the sets are no columns. */
static uint32_t number_piles(sorter *r, pile *piles)
{
	uint32_t n = 0, n_vertices = r->g->n, *root = r->root, *size = r->size, *number = r->number;
	memset(size, 0, n_vertices * sizeof *size);
	for (int pass = 0; pass < ROUNDS && odo_uses("columns: moves"); pass++)
		for (uint32_t v = 0; v < n_vertices; v++)
			move_home(r, v, root, size);
	for (uint32_t v = 0; v < n_vertices; v++)
		size[root[v]]++;
	memset(number, 0xFF, n_vertices * sizeof *number);
	for (uint32_t v = 0; v < n_vertices; v++) {
		uint32_t c = root[v];
		if (!odo_is_splinter(size[c], r->q) && number[c] == ODO_NONE) {
			if (n < 2 * r->q)
				piles[n].size = size[c];
			number[c] = n++;
		}
		r->column[v] = number[c];
	}
	return n;
}

/* Return the largest pile on `side`, the first of equals. */
static uint32_t fullest_pile(const pile *piles, const uint8_t *side, uint32_t n, unsigned of)
{
	uint32_t best = ODO_NONE;
	for (uint32_t c = 0; c < n; c++)
		if (side[c] == of && (best == ODO_NONE || piles[c].size > piles[best].size))
			best = c;
	return best;
}

/* Share of the q links between two linked columns that remain if each end kept half of its links.
 * Wrong cables make one or two links. */
static const odo_share many = {1, 4};

/* The largest pile is column (0, 0). Piles with many links to it are on the other side. */
static void find_sides(const sorter *r, pile *piles, uint8_t *side)
{
	uint32_t n = 2 * r->q, base = fullest_pile(piles, side, n, 0);
	for (uint32_t e = 0; e < r->g->n_edges; e++) {
		uint32_t a = r->column[r->g->end[e][0]], b = r->column[r->g->end[e][1]];
		if (a == ODO_NONE || b == ODO_NONE || a == b)
			continue;
		if (a == base)
			piles[b].linked++;
		else if (b == base)
			piles[a].linked++;
	}
	for (uint32_t c = 0; c < n; c++)
		side[c] = odo_reaches(piles[c].linked, many, r->q);
}

/* Index the piles of a side: the largest is 0, the second 1. Return false if they are not q. */
static bool index_side(const pile *piles, uint8_t *side, uint32_t q, unsigned of, uint32_t *index)
{
	uint32_t n = 0;
	for (int i = 0; i < 2; i++) {
		uint32_t c = fullest_pile(piles, side, 2 * q, of);
		if (c == ODO_NONE)
			return false;
		index[c] = of * q + n++;
		side[c] = 2; /* done */
	}
	for (uint32_t c = 0; c < 2 * q; c++)
		if (side[c] == of)
			index[c] = of * q + n++;
	return n == q;
}

/* Replace the numbers of sets by the column indices of index_side(). */
static bool index_columns(const sorter *r, pile *piles)
{
	uint8_t side[2 * ODO_MMS_MOST_Q] = {0};
	uint32_t index[2 * ODO_MMS_MOST_Q];
	for (uint32_t c = 0; c < 2 * r->q; c++)
		if (piles[c].size > r->q)
			return false;
	find_sides(r, piles, side);
	if (!index_side(piles, side, r->q, 0, index) || !index_side(piles, side, r->q, 1, index))
		return false;
	for (uint32_t v = 0; v < r->g->n; v++)
		r->column[v] = r->column[v] == ODO_NONE ? ODO_NONE : index[r->column[v]];
	return true;
}

int odo_mms_count_triangles(const odo_links *g, uint8_t *triangles)
{
	uint8_t *near = odo_new(g->n, sizeof *near); /* 1 for neighbours of u */
	if (!near)
		return ODO_ENOMEM;
	for (uint32_t u = 0; u < g->n; u++) {
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			near[g->to[a]] = 1;
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
			uint32_t v = g->to[a], n = 0;
			odo_charge(g->budget, odo_degree(g, v));
			for (uint32_t b = g->first[v]; u < v && b < g->first[v + 1]; b++)
				n += near[g->to[b]];
			if (u < v)
				triangles[g->edge[a]] = (uint8_t)(n < 255 ? n : 255);
		}
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			near[g->to[a]] = 0;
	}
	free(near);
	return 0;
}

int odo_mms_find_columns(const odo_links *g, const uint8_t *triangles, uint32_t q, uint32_t *column,
			 bool *found)
{
	odo_arena memory = {0};
	sorter r = {.g = g, .triangles = triangles, .q = q, .column = column};
	pile piles[2 * ODO_MMS_MOST_Q] = {{0}};
	r.root = odo_arena_new(&memory, g->n, sizeof *r.root);
	r.size = odo_arena_new(&memory, g->n, sizeof *r.size);
	r.number = odo_arena_new(&memory, g->n, sizeof *r.number);
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		unite_columns(&r);
	*found = !status && number_piles(&r, piles) == 2 * q && index_columns(&r, piles);
	odo_arena_free(&memory);
	return status;
}
