/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/series.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/coordinates.h"
#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* With more classes than this the table of meetings is not built. The classes stay separate, and a
 * fabric of so many cycles stays unknown. */
enum { MOST_CLASSES = 4096 };

/* Structure of the links of one class. */
typedef struct shape {
	uint64_t pairs;                /* pairs of vertices in the same row */
	uint32_t vertices, rows, over; /* vertices with more than two links */
} shape;

typedef struct rower {
	const odo_links *g;
	const uint32_t *of;
	uint32_t *parent;  /* [n_edges] rows as sets of edges */
	uint32_t *members; /* [n_edges] vertices of each row, by root */
	uint32_t *seen;    /* [n] by class: an edge of it at this vertex */
	uint32_t *degree;  /* [n] by class: links at this vertex */
} rower;

/* Unite edges of a class that meet at v, and count vertices with more than two. */
static void meet_at(rower *r, uint32_t v, shape *shapes)
{
	const odo_links *g = r->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t e = g->edge[a], c = r->of[e];
		if (c == ODO_NONE)
			continue;
		if (!r->degree[c]++)
			r->seen[c] = e;
		else
			odo_uf_unite(r->parent, r->seen[c], e);
	}
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t c = r->of[g->edge[a]];
		if (c == ODO_NONE || !r->degree[c])
			continue;
		shapes[c].over += r->degree[c] > 2;
		r->degree[c] = 0;
	}
}

static void count_row_members(rower *r, uint32_t v)
{
	const odo_links *g = r->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t e = g->edge[a], c = r->of[e];
		if (c != ODO_NONE && !r->degree[c]++)
			r->members[odo_uf_find(r->parent, e)]++;
	}
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		if (r->of[g->edge[a]] != ODO_NONE)
			r->degree[r->of[g->edge[a]]] = 0;
}

static void find_shapes(rower *r, const odo_classes *classes, shape *shapes)
{
	const odo_links *g = r->g;
	odo_uf_reset(r->parent, g->n_edges);
	for (uint32_t v = 0; v < g->n; v++)
		meet_at(r, v, shapes);
	for (uint32_t v = 0; v < g->n; v++)
		count_row_members(r, v);
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint64_t k = r->members[e];
		if (!k)
			continue;
		shapes[classes->of[e]].rows++;
		shapes[classes->of[e]].vertices += (uint32_t)k;
		shapes[classes->of[e]].pairs += k * (k - 1) / 2;
	}
}

/* Rows of two members, except for the few that a wrong link joins. */
#define MEMBERS_OF_PAIRS 2.3
#define LINKED_OF_PAIRS 0.9
/* Share of a row's pairs that are linked in a complete graph with missing links. In the columns of
 * a Slim Fly of 9 half of the pairs are linked, so the limit is above a half. */
#define LINKED_OF_COMPLETE 0.65
/* Vertices of a cycle have two links. A wrong link gives a third to at most this share of them. */
static const odo_share more_links = {1, 50};

static odo_rows rows_of_shape(const shape *s, uint32_t n_edges)
{
	double density = (double)n_edges / (double)s->pairs, k = (double)s->vertices / s->rows;
	if (k < MEMBERS_OF_PAIRS && density > LINKED_OF_PAIRS)
		return ODO_ROWS_PAIRS;
	if (density > LINKED_OF_COMPLETE)
		return ODO_ROWS_COMPLETE;
	return !odo_reaches(s->over, more_links, s->vertices) ? ODO_ROWS_CYCLES : ODO_ROWS_OTHER;
}

/* In a path of three two thirds of the pairs are linked, by two classes. The links of a triangle
 * are in one class. */
#define MEMBERS_OF_THREES 3.1
#define LINKED_OF_PATHS 0.75

static bool is_path_of_three(const shape *s, uint32_t n_edges, uint32_t parts)
{
	double density = (double)n_edges / (double)s->pairs, k = (double)s->vertices / s->rows;
	return parts > 1 && k < MEMBERS_OF_THREES && density < LINKED_OF_PATHS;
}

/* @param parts [classes->n] number of classes united into each, or NULL: one */
static int classify_rows(const odo_links *g, const odo_classes *classes, const uint32_t *parts,
			 odo_rows *rows)
{
	odo_arena memory = {0};
	uint32_t most = classes->n > g->n ? classes->n : g->n;
	shape *shapes = odo_arena_new(&memory, classes->n, sizeof *shapes);
	rower r = {.g = g,
		   .of = classes->of,
		   .parent = odo_arena_new(&memory, g->n_edges, sizeof *r.parent),
		   .members = odo_arena_new(&memory, g->n_edges, sizeof *r.members),
		   .seen = odo_arena_new(&memory, most, sizeof *r.seen),
		   .degree = odo_arena_new(&memory, most, sizeof *r.degree)};
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		find_shapes(&r, classes, shapes);
	for (uint32_t i = 0; i < classes->n && !status; i++)
		rows[i] = is_path_of_three(&shapes[i], classes->n_edges[i], parts ? parts[i] : 1)
				  ? ODO_ROWS_CYCLES
				  : rows_of_shape(&shapes[i], classes->n_edges[i]);
	odo_arena_free(&memory);
	return status;
}

/* Counts of how often two classes meet at a vertex, and how often they close a rectangle there. */
typedef struct meetings {
	uint32_t n, *number;    /* [classes] place in the tables, or ODO_NONE */
	uint32_t *meet, *close; /* [n * n] */
	bool *open;             /* [n_edges] edges whose class is in the tables */
} meetings;

static void note_meeting(const meetings *m, uint32_t *table, uint32_t a, uint32_t b)
{
	if (a == ODO_NONE || b == ODO_NONE || a == b)
		return;
	a = m->number[a];
	b = m->number[b];
	if (a != ODO_NONE && b != ODO_NONE)
		table[a < b ? (size_t)a * m->n + b : (size_t)b * m->n + a]++;
}

static void count_meetings(const odo_links *g, odo_walk *walk, const odo_classes *classes,
			   meetings *m)
{
	odo_walk_restrict(walk, m->open);
	for (uint32_t v = 0; v < g->n; v++) {
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			for (uint32_t b = g->first[v]; b < a; b++)
				note_meeting(m, m->meet, classes->of[g->edge[a]],
					     classes->of[g->edge[b]]);
		uint32_t n;
		const odo_square *q = odo_walk_squares(walk, v, &n);
		for (const odo_square *end = q + n; q < end; q++) {
			note_meeting(m, m->close, classes->of[q->near[0]], classes->of[q->near[1]]);
			note_meeting(m, m->close, classes->of[q->away[0]], classes->of[q->away[1]]);
		}
	}
}

/* Meeting links of two classes close rectangles at nearly all vertices if the classes are two
 * dimensions. They close almost none if the classes are one dimension. */
static const odo_share next_to_none = {1, 4};
/* Each step of a cycle meets the next step at both ends, except where damage removed links. */
static const odo_share nearly_along = {1, 4};

static void unite_series(const meetings *m, const odo_classes *classes, uint32_t *parent)
{
	for (uint32_t a = 0; a < classes->n; a++) {
		for (uint32_t b = a + 1; b < classes->n; b++) {
			uint32_t i = m->number[a], j = m->number[b];
			if (i == ODO_NONE || j == ODO_NONE)
				continue;
			uint32_t meet = m->meet[(size_t)i * m->n + j];
			uint32_t close = m->close[(size_t)i * m->n + j];
			/* A splinter rarely closes a rectangle where it meets another class. So the
			 * two must meet along nearly all of both. Classes are sorted by size. */
			if (!odo_reaches(close, next_to_none, meet) &&
			    odo_exceeds(meet, nearly_along, classes->n_edges[a]))
				odo_uf_unite(parent, a, b);
		}
	}
}

static int meet_all(const odo_links *g, odo_walk *walk, const odo_classes *classes,
		    const odo_rows *rows, uint32_t *parent)
{
	odo_arena memory = {0};
	meetings m = {.number = odo_arena_new(&memory, classes->n, sizeof *m.number),
		      .open = odo_arena_new(&memory, g->n_edges, sizeof *m.open)};
	for (uint32_t i = 0; i < classes->n && !memory.failed; i++)
		m.number[i] = rows[i] == ODO_ROWS_COMPLETE || m.n == MOST_CLASSES ? ODO_NONE
										  : m.n++;
	for (uint32_t e = 0; e < g->n_edges && !memory.failed; e++)
		m.open[e] = classes->of[e] != ODO_NONE && m.number[classes->of[e]] != ODO_NONE;
	if (m.n > 1) {
		m.meet = odo_arena_new(&memory, (size_t)m.n * m.n, sizeof *m.meet);
		m.close = odo_arena_new(&memory, (size_t)m.n * m.n, sizeof *m.close);
	}
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status && m.n > 1 && odo_uses("cycles united")) {
		count_meetings(g, walk, classes, &m);
		unite_series(&m, classes, parent);
	}
	odo_arena_free(&memory);
	return status;
}

typedef struct sized {
	uint32_t n_edges, root, parts;
} sized;

static int by_edges(const void *a, const void *b)
{
	const sized *x = a, *y = b;
	if (x->n_edges != y->n_edges)
		return x->n_edges > y->n_edges ? -1 : 1;
	return x->root < y->root ? -1 : x->root > y->root;
}

/* Number the united classes, the largest first.
 * @param parts [classes->n] gets the number of classes united into each */
static void renumber_united(const odo_links *g, odo_classes *classes, uint32_t *parent,
			    uint32_t *parts, sized *order, uint32_t *number)
{
	uint32_t n = 0;
	odo_uf_flatten(parent, classes->n);
	for (uint32_t i = 0; i < classes->n; i++) {
		order[i].root = i;
		order[parent[i]].n_edges += classes->n_edges[i];
		order[parent[i]].parts++;
	}
	qsort(order, classes->n, sizeof *order, by_edges);
	for (uint32_t i = 0; i < classes->n && order[i].n_edges; i++) {
		number[order[i].root] = n;
		parts[n] = order[i].parts;
		classes->n_edges[n++] = order[i].n_edges;
	}
	for (uint32_t e = 0; e < g->n_edges; e++)
		if (classes->of[e] != ODO_NONE)
			classes->of[e] = number[parent[classes->of[e]]];
	classes->n = n;
}

int odo_series_merge(const odo_links *g, odo_walk *walk, odo_classes *classes, odo_rows **rows,
		     odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *parent = odo_arena_new(&memory, classes->n, sizeof *parent);
	uint32_t *parts = odo_arena_new(&memory, classes->n, sizeof *parts);
	uint32_t *number = odo_arena_new(&memory, classes->n, sizeof *number);
	sized *order = odo_arena_new(&memory, classes->n, sizeof *order);
	*rows = odo_new(classes->n < ODO_MAX_DIMS ? ODO_MAX_DIMS : classes->n, sizeof **rows);
	int status = *rows && !memory.failed ? classify_rows(g, classes, NULL, *rows) : ODO_ENOMEM;
	if (!status) {
		odo_uf_reset(parent, classes->n);
		status = meet_all(g, walk, classes, *rows, parent);
	}
	if (!status) {
		renumber_united(g, classes, parent, parts, order, number);
		status = classify_rows(g, classes, parts, *rows);
	}
	odo_arena_free(&memory);
	if (!status)
		return 0;
	free(*rows);
	*rows = NULL;
	return odo_fail(err, status, "no memory for dimensions");
}
