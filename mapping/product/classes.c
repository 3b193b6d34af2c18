/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/unionfind.h"

void odo_support_ratio(const odo_links *g, const odo_support *support, uint8_t *ratio)
{
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t a = odo_degree(g, g->end[e][0]), b = odo_degree(g, g->end[e][1]);
		uint32_t others = (a < b ? a : b) - 1;
		/* The walk meets a rectangle at both of its diagonals, each time at a corner of
		 * e. */
		uint32_t halves = 2 * support->triangles[e] + support->corners[e];
		uint64_t r = others ? ODO_RATIO_ONE / 2 * halves / others : 0;
		ratio[e] = (uint8_t)(r < 255 ? r : 255);
	}
}

uint8_t odo_ratio_quantile(const uint8_t *ratio, uint32_t n_edges, double share)
{
	uint32_t count[256] = {0}, total = 0, below = 0;
	for (uint32_t e = 0; e < n_edges; e++)
		count[ratio[e]]++;
	for (int r = 1; r < 256; r++)
		total += count[r];
	for (int r = 1; r < 256; r++) {
		below += count[r];
		if (below > share * total)
			return (uint8_t)r;
	}
	return 0;
}

/* Return true if opposite sides of the rectangle at u are alike and the other two corners are not
 * linked. */
static bool is_square(const odo_links *g, const odo_support *alike, uint32_t u, const odo_square *q)
{
	return odo_support_alike(alike, q->near[0], q->away[1]) &&
	       odo_support_alike(alike, q->near[1], q->away[0]) &&
	       odo_links_arc(g, odo_far_end(g, q->near[0], u), odo_far_end(g, q->near[1], u)) ==
		       ODO_NONE;
}

static bool is_triangle(const odo_support *alike, uint32_t a, uint32_t b, uint32_t c)
{
	return odo_support_alike(alike, a, b) && odo_support_alike(alike, b, c) &&
	       odo_support_alike(alike, a, c);
}

/* Rule 4: opposite sides of a rectangle run in the same dimension. */
static void unite_squares(const odo_links *g, odo_walk *walk, const odo_support *alike,
			  const bool *use, uint32_t *parent)
{
	odo_walk_restrict(walk, use);
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t n;
		const odo_square *q = odo_walk_from(walk, u, &n);
		for (const odo_square *end = q + n; q < end; q++) {
			if (alike && !is_square(g, alike, u, q))
				continue;
			odo_uf_unite(parent, q->near[0], q->away[1]);
			odo_uf_unite(parent, q->near[1], q->away[0]);
		}
	}
}

/* Rule 3. Paper 004 says "three links forming a rectangle" but means a triangle: a product of
 * graphs has triangles only within one dimension. */
static void unite_triangles(const odo_links *g, const odo_walk *walk, const odo_support *alike,
			    const bool *use, uint32_t *parent)
{
	uint32_t *edge_to = walk->touched; /* free between walks */
	for (uint32_t v = 0; v < g->n; v++)
		edge_to[v] = ODO_NONE;
	for (uint32_t u = 0; u < g->n; u++) {
		if (!odo_walk_starts(walk, u))
			continue;
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			if (use[g->edge[a]])
				edge_to[g->to[a]] = g->edge[a];
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
			uint32_t mid = g->to[a];
			if (!use[g->edge[a]] || (walk->stride == 1 && mid < u))
				continue;
			odo_charge(g->budget, odo_degree(g, mid));
			for (uint32_t b = g->first[mid + 1];
			     b-- > g->first[mid] && g->to[b] > mid;) {
				uint32_t third = edge_to[g->to[b]];
				if (third == ODO_NONE || !use[g->edge[b]])
					continue;
				if (alike && !is_triangle(alike, g->edge[a], g->edge[b], third))
					continue;
				odo_uf_unite(parent, g->edge[a], g->edge[b]);
				odo_uf_unite(parent, g->edge[a], third);
			}
		}
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			edge_to[g->to[a]] = ODO_NONE;
	}
}

typedef struct sized {
	uint32_t size, root;
} sized;

static int by_class_size(const void *a, const void *b)
{
	const sized *x = a, *y = b;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->root < y->root ? -1 : x->root > y->root;
}

/* Number the classes of at least `smallest` edges by size; roots become class numbers. */
static int number_by_size(const odo_links *g, const uint32_t *parent, uint32_t smallest,
			  odo_classes *classes)
{
	odo_arena memory = {0};
	uint32_t *size = odo_arena_new(&memory, g->n_edges, sizeof *size);
	sized *order = odo_arena_new(&memory, g->n_edges, sizeof *order);
	int status = memory.failed ? ODO_ENOMEM : 0;
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		if (classes->trusted[e])
			size[parent[e]]++;
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		if (size[e] && size[e] >= smallest)
			order[classes->n++] = (sized){size[e], e};
	classes->n_edges = status ? NULL : odo_new(classes->n, sizeof *classes->n_edges);
	if (!classes->n_edges)
		status = ODO_ENOMEM;
	if (!status) {
		qsort(order, classes->n, sizeof *order, by_class_size);
		memset(size, 0xFF, g->n_edges * sizeof *size);
		for (uint32_t i = 0; i < classes->n; i++) {
			classes->n_edges[i] = order[i].size;
			size[order[i].root] = i;
		}
		for (uint32_t e = 0; e < g->n_edges; e++)
			classes->of[e] = classes->trusted[e] ? size[parent[e]] : ODO_NONE;
	}
	odo_arena_free(&memory);
	return status;
}

static int classes_make(const odo_links *g, const bool *trusted, odo_classes *classes,
			uint32_t **parent)
{
	*classes = (odo_classes){0};
	classes->of = odo_new(g->n_edges, sizeof *classes->of);
	classes->trusted = odo_new(g->n_edges, sizeof *classes->trusted);
	*parent = odo_new(g->n_edges, sizeof **parent);
	if (!classes->of || !classes->trusted || !*parent)
		return ODO_ENOMEM;
	memcpy(classes->trusted, trusted, g->n_edges * sizeof *trusted);
	odo_uf_reset(*parent, g->n_edges);
	return 0;
}

static int finish_classes(const odo_links *g, uint32_t *parent, uint32_t smallest, int status,
			  odo_classes *classes, odo_error *err)
{
	if (!status) {
		odo_uf_flatten(parent, g->n_edges);
		status = number_by_size(g, parent, smallest, classes);
	}
	free(parent);
	if (!status)
		return 0;
	odo_classes_clear(classes);
	return odo_fail(err, status, "no memory for classes of links");
}

int odo_classes_find(const odo_links *g, odo_walk *walk, const odo_support *alike,
		     const bool *trusted, uint32_t smallest, odo_classes *classes, odo_error *err)
{
	uint32_t *parent;
	int status = classes_make(g, trusted, classes, &parent);
	if (!status) {
		unite_triangles(g, walk, alike, trusted, parent);
		unite_squares(g, walk, alike, trusted, parent);
	}
	return finish_classes(g, parent, smallest, status, classes, err);
}

int odo_classes_bonded(const odo_links *g, const odo_bonds *bonds, const bool *trusted,
		       uint32_t smallest, odo_classes *classes, odo_error *err)
{
	uint32_t *parent;
	int status = classes_make(g, trusted, classes, &parent);
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		for (uint32_t i = bonds->first[e]; trusted[e] && i < bonds->first[e + 1]; i++)
			if (trusted[bonds->to[i]])
				odo_uf_unite(parent, e, bonds->to[i]);
	return finish_classes(g, parent, smallest, status, classes, err);
}

void odo_classes_clear(odo_classes *classes)
{
	free(classes->of);
	free(classes->n_edges);
	free(classes->trusted);
	*classes = (odo_classes){0};
}
