/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/graph/unionfind.h"

void odo_support_ratio(const odo_links *g, const odo_support *s, uint8_t *ratio)
{
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t a = odo_degree(g, g->end[e][0]), b = odo_degree(g, g->end[e][1]);
		uint32_t others = (a < b ? a : b) - 1;
		/* A rectangle is met at both of its diagonals, each time at a corner of e. */
		uint32_t halves = 2 * s->triangles[e] + s->corners[e];
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

/* Rule 4: opposite sides of a rectangle run in the same dimension. */
static void unite_squares(const odo_links *g, odo_walk *w, const bool *use, uint32_t *parent)
{
	odo_walk_restrict(w, use);
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t n;
		const odo_square *q = odo_walk_from(w, u, &n);
		for (const odo_square *end = q + n; q < end; q++) {
			odo_uf_unite(parent, q->near[0], q->away[1]);
			odo_uf_unite(parent, q->near[1], q->away[0]);
		}
	}
}

/* Rule 3. Paper 004 says "three links forming a rectangle", and means a triangle: a product
 * of graphs has triangles only within one dimension. */
static void unite_triangles(const odo_links *g, const odo_walk *w, const bool *use,
			    uint32_t *parent)
{
	uint32_t *edge_to = w->touched; /* free between walks */
	for (uint32_t v = 0; v < g->n; v++)
		edge_to[v] = ODO_NONE;
	for (uint32_t u = 0; u < g->n; u++) {
		if (!odo_walk_starts(w, u))
			continue;
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
			if (use[g->edge[a]])
				edge_to[g->to[a]] = g->edge[a];
		for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
			uint32_t mid = g->to[a];
			if (!use[g->edge[a]] || (w->stride == 1 && mid < u))
				continue;
			for (uint32_t b = g->first[mid + 1];
			     b-- > g->first[mid] && g->to[b] > mid;) {
				uint32_t third = edge_to[g->to[b]];
				if (third == ODO_NONE || !use[g->edge[b]])
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

static int by_size(const void *a, const void *b)
{
	const sized *x = a, *y = b;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->root < y->root ? -1 : x->root > y->root;
}

/* Number the classes of at least `smallest` edges by size; roots become class numbers. */
static int number(const odo_links *g, const uint32_t *parent, uint32_t smallest, odo_classes *c)
{
	uint32_t *size = odo_new(g->n_edges, sizeof *size);
	sized *order = odo_new(g->n_edges, sizeof *order);
	int status = size && order ? 0 : ODO_ENOMEM;
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		if (c->trusted[e])
			size[parent[e]]++;
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		if (size[e] && size[e] >= smallest)
			order[c->n++] = (sized){size[e], e};
	c->n_edges = status ? NULL : odo_new(c->n, sizeof *c->n_edges);
	if (!c->n_edges)
		status = ODO_ENOMEM;
	if (!status) {
		qsort(order, c->n, sizeof *order, by_size);
		memset(size, 0xFF, g->n_edges * sizeof *size);
		for (uint32_t i = 0; i < c->n; i++) {
			c->n_edges[i] = order[i].size;
			size[order[i].root] = i;
		}
		for (uint32_t e = 0; e < g->n_edges; e++)
			c->of[e] = c->trusted[e] ? size[parent[e]] : ODO_NONE;
	}
	free(size);
	free(order);
	return status;
}

static int make(const odo_links *g, const bool *trusted, odo_classes *c, uint32_t **parent)
{
	*c = (odo_classes){0};
	c->of = odo_new(g->n_edges, sizeof *c->of);
	c->trusted = odo_new(g->n_edges, sizeof *c->trusted);
	*parent = odo_new(g->n_edges, sizeof **parent);
	if (!c->of || !c->trusted || !*parent)
		return ODO_ENOMEM;
	memcpy(c->trusted, trusted, g->n_edges * sizeof *trusted);
	odo_uf_reset(*parent, g->n_edges);
	return 0;
}

static int finish(const odo_links *g, uint32_t *parent, uint32_t smallest, int status,
		  odo_classes *c, odo_error *err)
{
	if (!status) {
		odo_uf_flatten(parent, g->n_edges);
		status = number(g, parent, smallest, c);
	}
	free(parent);
	if (!status)
		return 0;
	odo_classes_clear(c);
	return odo_fail(err, status, "no memory for classes of links");
}

int odo_classes_find(const odo_links *g, odo_walk *w, const bool *trusted, uint32_t smallest,
		     odo_classes *c, odo_error *err)
{
	uint32_t *parent;
	int status = make(g, trusted, c, &parent);
	if (!status) {
		unite_triangles(g, w, trusted, parent);
		unite_squares(g, w, trusted, parent);
	}
	return finish(g, parent, smallest, status, c, err);
}

int odo_classes_bonded(const odo_links *g, const odo_bonds *b, const bool *trusted,
		       uint32_t smallest, odo_classes *c, odo_error *err)
{
	uint32_t *parent;
	int status = make(g, trusted, c, &parent);
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		for (uint32_t i = b->first[e]; trusted[e] && i < b->first[e + 1]; i++)
			if (trusted[b->to[i]])
				odo_uf_unite(parent, e, b->to[i]);
	return finish(g, parent, smallest, status, c, err);
}

void odo_classes_clear(odo_classes *c)
{
	free(c->of);
	free(c->n_edges);
	free(c->trusted);
	*c = (odo_classes){0};
}
