/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/bonds.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

typedef struct bond {
	uint32_t a, b;
} bond;

typedef struct collection {
	bond *bond;
	size_t n, room;
} collection;

static int add_bond(collection *c, uint32_t a, uint32_t b)
{
	if (odo_grow(&c->bond, &c->room, c->n + 1, sizeof *c->bond))
		return ODO_ENOMEM;
	c->bond[c->n++] = (bond){a, b};
	return 0;
}

/* A wrong cable closes rectangles in which one diagonal has a third common neighbour. A right cable
 * does not. */
static bool both_ways(const odo_links *g, uint32_t u, uint32_t v)
{
	uint32_t a = g->first[u], b = g->first[v], common = 0;
	while (a < g->first[u + 1] && b < g->first[v + 1] && common < 3) {
		uint32_t x = g->to[a], y = g->to[b];
		if (x == v)
			return false;
		common += x == y;
		a += x <= y;
		b += y <= x;
	}
	return common < 3;
}

/* Budget units that collecting and listing one bond costs, compared with visiting one link. */
enum { INDEXING = 8 };

static int add_parallel(const odo_links *g, odo_walk *walk, const bool *use, collection *c)
{
	int status = 0;
	odo_walk_restrict(walk, NULL);
	for (uint32_t u = 0; u < g->n && !status; u++) {
		uint32_t n;
		const odo_square *q = odo_walk_from(walk, u, &n);
		if (!odo_may_go_on(g->budget))
			return ODO_EUNKNOWN;
		for (const odo_square *end = q + n; q < end && !status; q++)
			for (int i = 0; i < 2 && !status; i++)
				if (use[q->near[i]] && use[q->away[!i]])
					status = add_bond(c, q->near[i], q->away[!i]);
	}
	return status;
}

static int add_squares(const odo_links *g, odo_walk *walk, const bool *use, collection *c)
{
	int status = 0;
	odo_walk_restrict(walk, use);
	for (uint32_t u = 0; u < g->n && !status; u++) {
		uint32_t n;
		const odo_square *q = odo_walk_from(walk, u, &n);
		odo_charge(g->budget, (uint64_t)n * odo_degree(g, u));
		if (!odo_may_go_on(g->budget))
			return ODO_EUNKNOWN;
		for (const odo_square *end = q + n; q < end && !status; q++) {
			uint32_t x = odo_far_end(g, q->near[0], u),
				 y = odo_far_end(g, q->near[1], u);
			uint32_t low = x < y ? x : y;
			bool twice = low < u && odo_walk_starts(walk, low); /* found from there */
			if (twice || (odo_uses("bonds: both diagonals") && !both_ways(g, x, y)))
				continue;
			status = add_bond(c, q->near[0], q->away[1]);
			if (!status)
				status = add_bond(c, q->near[1], q->away[0]);
		}
	}
	return status;
}

/* Every triangle counts if no support is given. */
static bool triangle_counts(const odo_support *support, uint32_t a, uint32_t b, uint32_t c)
{
	return !support || !odo_uses("bonds: triangles alike") ||
	       (odo_support_alike(support, a, b) && odo_support_alike(support, b, c) &&
		odo_support_alike(support, a, c));
}

/* Collect each triangle once, at its smallest vertex. */
static int add_triangles(const odo_links *g, const odo_walk *walk, const odo_support *support,
			 const bool *use, collection *c)
{
	uint32_t *edge_to = walk->touched; /* free between walks */
	int status = 0;
	memset(edge_to, 0xFF, g->n * sizeof *edge_to);
	for (uint32_t u = 0; u < g->n; u++) {
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			if (use[g->edge[a]])
				edge_to[g->to[a]] = g->edge[a];
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
			uint32_t mid = g->to[a], e = g->edge[a];
			if (!use[e] || mid < u)
				continue;
			odo_charge(g->budget, odo_degree(g, mid));
			for (uint32_t b = g->first[mid + 1];
			     b-- > g->first[mid] && g->to[b] > mid && !status;) {
				uint32_t third = edge_to[g->to[b]];
				if (third == ODO_NONE || !use[g->edge[b]] ||
				    !triangle_counts(support, e, g->edge[b], third))
					continue;
				status = add_bond(c, e, g->edge[b]);
				if (!status)
					status = add_bond(c, e, third);
				if (!status)
					status = add_bond(c, g->edge[b], third);
			}
		}
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			edge_to[g->to[a]] = ODO_NONE;
	}
	return status;
}

/* Index every bond in both directions, by edge. */
static int index_bonds(const collection *c, uint32_t n_edges, odo_bonds *bonds)
{
	if (c->n > UINT32_MAX / 2)
		return ODO_ENOMEM;
	bonds->n = n_edges;
	bonds->first = odo_new((size_t)n_edges + 2, sizeof *bonds->first);
	bonds->to = odo_new(2 * c->n, sizeof *bonds->to);
	if (!bonds->first || !bonds->to)
		return ODO_ENOMEM;
	for (size_t i = 0; i < c->n; i++) {
		bonds->first[c->bond[i].a + 2]++;
		bonds->first[c->bond[i].b + 2]++;
	}
	for (uint32_t e = 0; e < n_edges; e++)
		bonds->first[e + 2] += bonds->first[e + 1];
	for (size_t i = 0; i < c->n; i++) {
		bonds->to[bonds->first[c->bond[i].a + 1]++] = c->bond[i].b;
		bonds->to[bonds->first[c->bond[i].b + 1]++] = c->bond[i].a;
	}
	return 0;
}

static int finish_bonds(collection *c, const odo_links *g, int status, odo_bonds *bonds,
			odo_error *err)
{
	odo_charge(g->budget, INDEXING * (uint64_t)c->n);
	if (!status)
		status = odo_may_go_on(g->budget) ? index_bonds(c, g->n_edges, bonds)
						  : ODO_EUNKNOWN;
	free(c->bond);
	if (!status)
		return 0;
	odo_bonds_clear(bonds);
	return status == ODO_EUNKNOWN ? odo_fail(err, status, ODO_GAVE_UP)
				      : odo_fail(err, status, "no memory for bonds of links");
}

int odo_bonds_make(const odo_links *g, odo_walk *walk, const odo_support *support, const bool *use,
		   odo_bonds *bonds, odo_error *err)
{
	collection c = {0};
	*bonds = (odo_bonds){.budget = g->budget};
	int status = add_triangles(g, walk, support, use, &c);
	if (!status)
		status = add_squares(g, walk, use, &c);
	return finish_bonds(&c, g, status, bonds, err);
}

int odo_bonds_parallel(const odo_links *g, odo_walk *walk, const bool *use, odo_bonds *bonds,
		       odo_error *err)
{
	collection c = {0};
	*bonds = (odo_bonds){.budget = g->budget};
	int status = add_triangles(g, walk, NULL, use, &c);
	if (!status)
		status = add_parallel(g, walk, use, &c);
	return finish_bonds(&c, g, status, bonds, err);
}

void odo_bonds_clear(odo_bonds *bonds)
{
	free(bonds->first);
	free(bonds->to);
	*bonds = (odo_bonds){0};
}

/* Scratch memory of the search for links that join two dimensions, indexed by edge. */
typedef struct holder {
	const odo_bonds *b;
	uint32_t *parent; /* sets of the edges that e is bonded to */
	uint32_t *size;   /* by root: bonds of e with the set */
	uint32_t *seen;   /* an edge bonded to e that is also bonded to this edge; */
	uint32_t *stamp;  /* valid where this is e + 1 */
	uint32_t most;    /* bonds of e with the largest set */
} holder;

/* Put each edge that e is bonded to into a set of its own. */
static void make_sets(holder *h, uint32_t e)
{
	const odo_bonds *bonds = h->b;
	h->most = 0;
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++) {
		uint32_t p = bonds->to[i];
		h->parent[p] = h->seen[p] = p;
		h->size[p] = h->stamp[p] == e + 1 ? h->size[p] + 1 : 1;
		h->stamp[p] = e + 1;
		h->most = h->size[p] > h->most ? h->size[p] : h->most;
	}
}

/* A link joins two dimensions if more than this share of its bonds lead to the smaller one. */
static const odo_share more_than_splinter = {1, 8};

/* Sets only grow. An edge outside the largest set belongs to a splinter, and remains in one. */
static bool are_splinters(const holder *h, uint32_t n)
{
	return n - h->most <= 1 || !odo_exceeds(n - h->most, more_than_splinter, n);
}

static void unite_sides(holder *h, uint32_t p, uint32_t q)
{
	uint32_t a = odo_uf_find(h->parent, p), b = odo_uf_find(h->parent, q);
	if (a == b)
		return;
	uint32_t size = h->size[a] + h->size[b];
	odo_uf_unite(h->parent, a, b);
	h->size[a < b ? a : b] = size;
	h->most = size > h->most ? size : h->most;
}

/* Unite p with each edge that is bonded to p, or that shares a bonded edge other than e with p. */
static void unite_by(holder *h, uint32_t e, uint32_t p)
{
	const odo_bonds *bonds = h->b;
	odo_charge(bonds->budget, bonds->first[p + 1] - bonds->first[p]);
	for (uint32_t i = bonds->first[p]; i < bonds->first[p + 1]; i++) {
		uint32_t q = bonds->to[i];
		if (q == e)
			continue;
		if (h->stamp[q] == e + 1) {
			unite_sides(h, h->seen[q], p);
		} else {
			h->stamp[q] = e + 1;
			h->seen[q] = p;
		}
	}
}

/* Visit every SCATTER-th bond first, because neighbouring bonds unite the same sets. */
enum { SCATTER = 8 };

/* Unite the edges bonded to e if they are bonded to each other, or share a bonded edge other than
 * e. Return false as soon as only splinters can remain beside the largest set. */
static bool unite_bonded(holder *h, uint32_t e)
{
	const odo_bonds *bonds = h->b;
	uint32_t n = bonds->first[e + 1] - bonds->first[e];
	make_sets(h, e);
	for (uint32_t offset = 0; offset < SCATTER; offset++)
		for (uint32_t i = offset; i < n; i += SCATTER) {
			if (are_splinters(h, n))
				return false;
			unite_by(h, e, bonds->to[bonds->first[e] + i]);
		}
	return true;
}

/* True if the second largest set that e is bonded to is more than a splinter. */
static bool holds_two(holder *h, uint32_t e)
{
	const odo_bonds *bonds = h->b;
	uint32_t n = bonds->first[e + 1] - bonds->first[e], most = 0, second = 0;
	if (!n || !unite_bonded(h, e))
		return false;
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++) {
		uint32_t root = odo_uf_find(h->parent, bonds->to[i]), size = h->size[root];
		h->size[root] = 0;
		if (size > most) {
			second = most;
			most = size;
		} else if (size > second) {
			second = size;
		}
	}
	return second > 1 && odo_exceeds(second, more_than_splinter, n);
}

int odo_bonds_distrust(const odo_bonds *bonds, bool *use, odo_error *err)
{
	odo_arena memory = {0};
	holder h = {.b = bonds,
		    .parent = odo_arena_new(&memory, bonds->n, sizeof *h.parent),
		    .size = odo_arena_new(&memory, bonds->n, sizeof *h.size),
		    .seen = odo_arena_new(&memory, bonds->n, sizeof *h.seen),
		    .stamp = odo_arena_new(&memory, bonds->n, sizeof *h.stamp)};
	int status = memory.failed ? ODO_ENOMEM : 0;
	for (uint32_t e = 0; e < bonds->n && !status; e++) {
		if (!odo_may_go_on(bonds->budget))
			status = ODO_EUNKNOWN;
		else if (use[e] && holds_two(&h, e))
			use[e] = false;
	}
	odo_arena_free(&memory);
	if (status == ODO_EUNKNOWN)
		return odo_fail(err, status, ODO_GAVE_UP);
	return status ? odo_fail(err, status, "no memory for bonds of links") : 0;
}
