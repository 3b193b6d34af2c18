/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/bonds.h"

#include <stdlib.h>
#include <string.h>

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

static int add(collection *c, uint32_t a, uint32_t b)
{
	if (odo_grow(&c->bond, &c->room, c->n + 1, sizeof *c->bond))
		return ODO_ENOMEM;
	c->bond[c->n++] = (bond){a, b};
	return 0;
}

static uint32_t far_end(const odo_links *g, uint32_t e, uint32_t v)
{
	return g->end[e][g->end[e][0] == v];
}

/* A wrong cable makes rectangles of which one diagonal has a third path; a right one does not. */
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

static int add_parallel(const odo_links *g, odo_walk *walk, const bool *use, collection *c)
{
	int status = 0;
	odo_walk_restrict(walk, NULL);
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t n;
		const odo_square *q = odo_walk_from(walk, u, &n);
		for (const odo_square *end = q + n; q < end && !status; q++)
			for (int i = 0; i < 2 && !status; i++)
				if (use[q->near[i]] && use[q->away[!i]])
					status = add(c, q->near[i], q->away[!i]);
	}
	return status;
}

static int add_squares(const odo_links *g, odo_walk *walk, const bool *use, collection *c)
{
	int status = 0;
	odo_walk_restrict(walk, use);
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t n;
		const odo_square *q = odo_walk_from(walk, u, &n);
		for (const odo_square *end = q + n; q < end && !status; q++) {
			uint32_t x = far_end(g, q->near[0], u), y = far_end(g, q->near[1], u);
			uint32_t low = x < y ? x : y;
			bool twice = low < u && odo_walk_starts(walk, low); /* found from there */
			if (twice || (odo_uses("bonds: both diagonals") && !both_ways(g, x, y)))
				continue;
			status = add(c, q->near[0], q->away[1]);
			if (!status)
				status = add(c, q->near[1], q->away[0]);
		}
	}
	return status;
}

/* Links of a complete graph have about equally many triangles. A wrong cable has few, with links
 * of two dimensions that have more. */
static bool alike(const odo_support *support, uint32_t a, uint32_t b, uint32_t c)
{
	if (!support || !odo_uses("bonds: triangles alike"))
		return true;
	uint32_t x = support->triangles[a], y = support->triangles[b], z = support->triangles[c];
	uint32_t low = x < y ? x : y, high = x < y ? y : x;
	low = z < low ? z : low;
	high = z > high ? z : high;
	return odo_half(low, high);
}

/* Triangles at their smallest vertex; without `s`, all. */
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
			for (uint32_t b = g->first[mid + 1];
			     b-- > g->first[mid] && g->to[b] > mid && !status;) {
				uint32_t third = edge_to[g->to[b]];
				if (third == ODO_NONE || !use[g->edge[b]] ||
				    !alike(support, e, g->edge[b], third))
					continue;
				status = add(c, e, g->edge[b]);
				if (!status)
					status = add(c, e, third);
				if (!status)
					status = add(c, g->edge[b], third);
			}
		}
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			edge_to[g->to[a]] = ODO_NONE;
	}
	return status;
}

/* Both directions of all bonds, by edge. */
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

static int finish(collection *c, uint32_t n_edges, int status, odo_bonds *bonds, odo_error *err)
{
	if (!status)
		status = index_bonds(c, n_edges, bonds);
	free(c->bond);
	if (!status)
		return 0;
	odo_bonds_clear(bonds);
	return odo_fail(err, status, "no memory for bonds of links");
}

int odo_bonds_make(const odo_links *g, odo_walk *walk, const odo_support *support, const bool *use,
		   odo_bonds *bonds, odo_error *err)
{
	collection c = {0};
	*bonds = (odo_bonds){0};
	int status = add_triangles(g, walk, support, use, &c);
	if (!status)
		status = add_squares(g, walk, use, &c);
	return finish(&c, g->n_edges, status, bonds, err);
}

int odo_bonds_parallel(const odo_links *g, odo_walk *walk, const bool *use, odo_bonds *bonds,
		       odo_error *err)
{
	collection c = {0};
	*bonds = (odo_bonds){0};
	int status = add_triangles(g, walk, NULL, use, &c);
	if (!status)
		status = add_parallel(g, walk, use, &c);
	return finish(&c, g->n_edges, status, bonds, err);
}

void odo_bonds_clear(odo_bonds *bonds)
{
	free(bonds->first);
	free(bonds->to);
	*bonds = (odo_bonds){0};
}

/* Scratch of a search for what a link holds together, by edge. */
typedef struct holder {
	const odo_bonds *b;
	uint32_t *parent; /* sets of the bonded */
	uint32_t *seen;   /* one of the bonded that is bonded to this edge, ODO_NONE elsewhere */
	uint32_t *size;   /* by root, 0 elsewhere */
} holder;

/* Unite the edges that e is bonded to where they are, or have another edge in common. */
static void unite_bonded(const holder *h, uint32_t e)
{
	const odo_bonds *bonds = h->b;
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++) {
		h->parent[bonds->to[i]] = bonds->to[i];
		h->seen[bonds->to[i]] = bonds->to[i];
	}
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++) {
		uint32_t p = bonds->to[i];
		for (uint32_t j = bonds->first[p]; j < bonds->first[p + 1]; j++) {
			uint32_t q = bonds->to[j];
			if (q == e)
				continue;
			if (h->seen[q] == ODO_NONE)
				h->seen[q] = p;
			else
				odo_uf_unite(h->parent, h->seen[q], p);
		}
	}
}

static void forget(const holder *h, uint32_t e)
{
	const odo_bonds *bonds = h->b;
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++) {
		uint32_t p = bonds->to[i];
		h->seen[p] = ODO_NONE;
		h->size[p] = 0;
		for (uint32_t j = bonds->first[p]; j < bonds->first[p + 1]; j++)
			h->seen[bonds->to[j]] = ODO_NONE;
	}
}

/* Of the bonds of a link that holds two dimensions together so many are with the lesser one. */
static const odo_share more_than_splinter = {1, 8};

/* True if the second largest set that e is bonded to is more than a splinter. */
static bool holds_two(const holder *h, uint32_t e)
{
	const odo_bonds *bonds = h->b;
	uint32_t n = bonds->first[e + 1] - bonds->first[e], most = 0, second = 0;
	unite_bonded(h, e);
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++)
		h->size[odo_uf_find(h->parent, bonds->to[i])]++;
	for (uint32_t i = bonds->first[e]; i < bonds->first[e + 1]; i++) {
		uint32_t size = h->size[bonds->to[i]];
		h->size[bonds->to[i]] = 0;
		if (size > most) {
			second = most;
			most = size;
		} else if (size > second) {
			second = size;
		}
	}
	forget(h, e);
	return second > 1 && odo_exceeds(second, more_than_splinter, n);
}

int odo_bonds_distrust(const odo_bonds *bonds, bool *use, odo_error *err)
{
	holder h = {bonds, odo_new(bonds->n, sizeof *h.parent), odo_new(bonds->n, sizeof *h.seen),
		    odo_new(bonds->n, sizeof *h.size)};
	int status = h.parent && h.seen && h.size ? 0 : ODO_ENOMEM;
	if (!status)
		memset(h.seen, 0xFF, bonds->n * sizeof *h.seen);
	for (uint32_t e = 0; e < bonds->n && !status; e++)
		if (use[e] && holds_two(&h, e))
			use[e] = false;
	free(h.parent);
	free(h.seen);
	free(h.size);
	return status ? odo_fail(err, status, "no memory for bonds of links") : 0;
}

/* Triangles of each edge with two others of its class. `edge_to` [g->n] is scratch. */
static void count_within(const odo_links *g, const uint32_t *of, uint32_t *edge_to, uint32_t *count)
{
	memset(edge_to, 0xFF, g->n * sizeof *edge_to);
	for (uint32_t u = 0; u < g->n; u++) {
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			edge_to[g->to[a]] = g->edge[a];
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
			uint32_t mid = g->to[a], class = of[g->edge[a]];
			for (uint32_t b = g->first[mid + 1];
			     b-- > g->first[mid] && g->to[b] > u && class != ODO_NONE;) {
				uint32_t third = edge_to[g->to[b]];
				if (third != ODO_NONE && of[third] == class &&
				    of[g->edge[b]] == class)
					count[third]++;
			}
		}
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			edge_to[g->to[a]] = ODO_NONE;
	}
}

/* Where links of a class have fewer triangles than that on average, nothing follows from a link
 * that has none. */
enum { TRIANGLES = 3 };
/* Than the others of its class. A wrong link has one or two. */
static const odo_share far_fewer = {1, 4};

int odo_bonds_trim(const odo_links *g, uint32_t *of, uint32_t n_classes, odo_error *err)
{
	uint32_t *edge_to = odo_new(g->n, sizeof *edge_to);
	uint32_t *count = odo_new(g->n_edges, sizeof *count);
	uint64_t *sum = odo_new(n_classes, sizeof *sum);
	uint32_t *n = odo_new(n_classes, sizeof *n);
	int status = edge_to && count && sum && n ? 0 : ODO_ENOMEM;
	if (!status)
		count_within(g, of, edge_to, count);
	for (uint32_t e = 0; e < g->n_edges && !status; e++) {
		if (of[e] == ODO_NONE)
			continue;
		sum[of[e]] += count[e];
		n[of[e]]++;
	}
	for (uint32_t e = 0; e < g->n_edges && !status; e++) {
		uint32_t class = of[e];
		if (class != ODO_NONE && sum[class] >= TRIANGLES * (uint64_t)n[class] &&
		    !odo_reaches((uint64_t)count[e] * n[class], far_fewer, sum[class]))
			of[e] = ODO_NONE;
	}
	free(edge_to);
	free(count);
	free(sum);
	free(n);
	return status ? odo_fail(err, status, "no memory for bonds of links") : 0;
}
