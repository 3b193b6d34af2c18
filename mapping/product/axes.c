/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/axes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/graph/shares.h"

/* Links of a switch in two dimensions. */
enum { MOST_LINKS = 4, AXES = 2 };
/* Corners of a rectangle, as each of its links counts them (squares.h). */
enum { CORNERS = 4 };

/* Wrong cables give a fifth link to few. */
static const odo_share few = {1, 20};

bool odo_axes_open(const odo_links *g)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < g->n; v++)
		n += odo_degree(g, v) > MOST_LINKS;
	return g->n > MOST_LINKS && !odo_exceeds(n, few, g->n);
}

/* Union-find in which each edge knows whether it is of the other dimension than its root. */
typedef struct parities {
	uint32_t *parent; /* [n_edges] */
	bool *other;      /* [n_edges] than the parent */
} parities;

static uint32_t find(parities *p, uint32_t e, bool *other)
{
	*other = false;
	while (p->parent[e] != e) {
		uint32_t up = p->parent[e];
		p->other[e] ^= p->other[up]; /* roots are not other than themselves */
		p->parent[e] = p->parent[up];
		*other ^= p->other[e];
		e = p->parent[e];
	}
	return e;
}

/* Two edges of different dimensions. What contradicts is left alone. */
static void part(parities *p, uint32_t a, uint32_t b)
{
	bool other_a, other_b;
	uint32_t x = find(p, a, &other_a), y = find(p, b, &other_b);
	if (x == y)
		return;
	uint32_t high = x < y ? y : x;
	p->parent[high] = x < y ? x : y;
	p->other[high] = other_a == other_b;
}

/* A wrong cable is in fewer rectangles than the two that others are in, away from damage. */
static void find_sure(const odo_links *g, const odo_support *support, uint8_t *sure)
{
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t n = support->corners[e] / CORNERS;
		sure[e] = (uint8_t)(n < ODO_SUREST ? n : ODO_SUREST);
	}
}

static bool is_sure(const uint8_t *sure, const odo_square *q)
{
	return sure[q->near[0]] + sure[q->near[1]] + sure[q->away[0]] + sure[q->away[1]] ==
	       4 * ODO_SUREST;
}

/* Rectangles of which all links are in two come first: what contradicts them is left alone. */
static void part_sides(odo_walk *walk, uint32_t n_vertices, const uint8_t *sure, parities *p)
{
	odo_walk_restrict(walk, NULL);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t v = 0; v < n_vertices; v++) {
			uint32_t n;
			const odo_square *q = odo_walk_squares(walk, v, &n);
			for (const odo_square *end = q + n; q < end; q++) {
				if (is_sure(sure, q) != !pass)
					continue;
				part(p, q->near[0], q->near[1]);
				part(p, q->near[0], q->away[0]);
				part(p, q->near[1], q->away[1]);
			}
		}
	}
}

/* The set of most edges is the fabric's; the rest has no dimension yet. */
static int read_axes(const odo_links *g, parities *p, odo_classes *classes)
{
	uint32_t *count = odo_new(g->n_edges, sizeof *count), most = 0;
	bool other;
	if (!count)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < g->n_edges; e++)
		count[find(p, e, &other)]++;
	for (uint32_t e = 0; e < g->n_edges; e++)
		most = count[e] > count[most] ? e : most;
	for (uint32_t e = 0; e < g->n_edges; e++)
		classes->of[e] = find(p, e, &other) == most ? other : ODO_NONE;
	free(count);
	return 0;
}

/* At a switch with both links of one dimension the others are of the other one. Returns how many
 * got theirs. */
static uint32_t fill_in(const odo_links *g, odo_classes *classes)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t has[AXES] = {0};
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			if (classes->of[g->edge[a]] < AXES)
				has[classes->of[g->edge[a]]]++;
		if (odo_degree(g, v) > MOST_LINKS || (has[0] == 2) == (has[1] == 2))
			continue;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
			uint32_t *of = &classes->of[g->edge[a]];
			n += *of == ODO_NONE;
			*of = *of == ODO_NONE ? has[0] == 2 : *of;
		}
	}
	return n;
}

static int allocate(const odo_links *g, parities *p, odo_classes *classes)
{
	*classes = (odo_classes){.n = AXES};
	p->parent = odo_new(g->n_edges, sizeof *p->parent);
	p->other = odo_new(g->n_edges, sizeof *p->other);
	classes->of = odo_new(g->n_edges, sizeof *classes->of);
	classes->n_edges = odo_new(AXES, sizeof *classes->n_edges);
	classes->trusted = odo_new(g->n_edges, sizeof *classes->trusted);
	classes->sure = odo_new(g->n_edges, sizeof *classes->sure);
	return p->parent && p->other && classes->of && classes->n_edges && classes->trusted &&
			       classes->sure
		       ? 0
		       : ODO_ENOMEM;
}

static int find_axes(const odo_links *g, odo_walk *walk, const odo_support *support, parities *p,
		     odo_classes *classes)
{
	find_sure(g, support, classes->sure);
	for (uint32_t e = 0; e < g->n_edges; e++)
		p->parent[e] = e;
	part_sides(walk, g->n, classes->sure, p);
	int status = read_axes(g, p, classes);
	while (!status && fill_in(g, classes))
		;
	for (uint32_t e = 0; e < g->n_edges && !status; e++) {
		classes->trusted[e] = true;
		if (classes->of[e] < AXES)
			classes->n_edges[classes->of[e]]++;
	}
	return status;
}

int odo_axes_find(const odo_links *g, odo_walk *walk, const odo_support *support,
		  odo_classes *classes, odo_error *err)
{
	parities p;
	int status = allocate(g, &p, classes);
	if (!status)
		status = find_axes(g, walk, support, &p, classes);
	free(p.parent);
	free(p.other);
	if (status)
		return odo_fail(err, status, "no memory for two dimensions");
	if (!odo_half(classes->n_edges[0] + classes->n_edges[1], g->n_edges) ||
	    !classes->n_edges[0] || !classes->n_edges[1])
		return odo_fail(err, ODO_EUNKNOWN, "links form no two dimensions");
	return 0;
}
