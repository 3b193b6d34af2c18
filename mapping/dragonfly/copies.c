/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every vertex of a FlatFly is like every other, so a copy is grown from its smallest vertex at the
 * origin, position by position. Each position has an earlier neighbour, and its vertex is one of
 * the neighbours of that vertex. It must have the right cables, or none, to all earlier vertices.
 * Values of a dimension, and equal dimensions, are in order of vertices, so that each copy is found
 * only once.
 */
#include "mapping/dragonfly/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Limit of copies: if chance makes more, examining all of them decides nothing. */
#define MOST_COPIES 50000u

typedef struct growth {
	const odo_links *g;
	const uint8_t *table;
	const odo_flat_shape *shape;
	uint8_t *expected; /* [members * members] cables between positions */
	uint32_t *from;    /* [members] an earlier neighbour */
	uint32_t *after;   /* [members] the position whose vertex must be smaller */
	uint32_t *vertex;  /* [members] vertices found so far */
	uint32_t *arc;     /* [members] arc to examine next */
	uint32_t *degree;  /* [n] cables of each vertex */
	bool *met;         /* [n] vertex is in some copy */
	uint64_t budget;
} growth;

uint8_t *odo_copies_table(const odo_links *g)
{
	uint8_t *table = odo_new((size_t)g->n * g->n, 1);
	for (uint32_t v = 0; v < g->n && table; v++) {
		table[(size_t)v * g->n + v] = 255;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			table[(size_t)v * g->n + g->to[a]] = g->n_cables[g->edge[a]];
	}
	return table;
}

/* Return the number of cables between two positions. */
static uint8_t cables_between(const odo_flat_shape *s, uint32_t p, uint32_t q)
{
	uint8_t cables = 0;
	for (unsigned i = 0; i < s->n_dims; p /= s->size[i], q /= s->size[i], i++) {
		if (p % s->size[i] == q % s->size[i])
			continue;
		if (cables)
			return 0;
		cables = (uint8_t)s->width[i];
	}
	return cables;
}

/* Return the position with value `x` in dimension `dim` and 0 in the others. */
static uint32_t on_axis(const odo_flat_shape *s, unsigned dim, uint32_t x)
{
	for (unsigned i = 0; i < dim; i++)
		x *= s->size[i];
	return x;
}

static void plan_positions(growth *w)
{
	const odo_flat_shape *s = w->shape;
	for (uint32_t p = 0; p < s->members; p++)
		for (uint32_t q = 0; q < p; q++) {
			w->expected[p * s->members + q] = cables_between(s, p, q);
			if (w->expected[p * s->members + q])
				w->from[p] = q;
		}
	for (unsigned i = 0; i < s->n_dims; i++) {
		for (uint32_t x = 2; x < s->size[i]; x++)
			w->after[on_axis(s, i, x)] = on_axis(s, i, x - 1);
		if (i > 0 && s->size[i] == s->size[i - 1] && s->width[i] == s->width[i - 1])
			w->after[on_axis(s, i, 1)] = on_axis(s, i - 1, 1);
	}
}

static int growth_make(growth *w, odo_error *err)
{
	uint32_t m = w->shape->members;
	w->expected = odo_new((size_t)m * m, sizeof *w->expected);
	w->from = odo_new(m, sizeof *w->from);
	w->after = odo_new(m, sizeof *w->after);
	w->vertex = odo_new(m, sizeof *w->vertex);
	w->arc = odo_new(m, sizeof *w->arc);
	w->degree = odo_new(w->g->n, sizeof *w->degree);
	w->met = odo_new(w->g->n, sizeof *w->met);
	if (!w->expected || !w->from || !w->after || !w->vertex || !w->arc || !w->degree || !w->met)
		return odo_fail(err, ODO_ENOMEM, "no memory for groups");
	plan_positions(w);
	for (uint32_t v = 0; v < w->g->n; v++)
		w->degree[v] = odo_links_cables_of(w->g, v);
	return 0;
}

static void growth_clear(growth *w)
{
	free(w->expected);
	free(w->from);
	free(w->after);
	free(w->vertex);
	free(w->arc);
	free(w->degree);
	free(w->met);
}

static bool fits_position(growth *w, uint32_t position, uint32_t v)
{
	const uint8_t *row = w->table + (size_t)v * w->g->n;
	const uint8_t *expected = w->expected + (size_t)position * w->shape->members;
	if (v <= w->vertex[w->after[position]])
		return false;
	for (uint32_t q = 0; q < position; q++)
		if (row[w->vertex[q]] != expected[q]) {
			w->budget -= q < w->budget ? q : w->budget;
			return false;
		}
	w->budget -= position < w->budget ? position : w->budget;
	return true;
}

static int store_copy(growth *w, odo_copies *to)
{
	uint32_t m = to->members, ports = 0;
	for (uint32_t i = 0; i < m; i++)
		ports += w->degree[w->vertex[i]] - w->shape->cables;
	if (ports != w->shape->ports)
		return 0;
	if (to->n >= MOST_COPIES)
		return ODO_EUNKNOWN;
	if (odo_grow(&to->member, &to->room, (size_t)(to->n + 1) * m, sizeof *to->member))
		return ODO_ENOMEM;
	memcpy(to->member + (size_t)to->n++ * m, w->vertex, m * sizeof *w->vertex);
	for (uint32_t i = 0; i < m; i++)
		w->met[w->vertex[i]] = true;
	return 0;
}

/* List the copies whose smallest vertex is v. */
static int list_copies_from(growth *w, uint32_t v, odo_copies *to)
{
	const odo_links *g = w->g;
	uint32_t m = to->members, at = 1;
	int status = 0;
	w->vertex[0] = v;
	w->arc[1] = g->first[v];
	while (at > 0 && !status) {
		uint32_t u = w->vertex[w->from[at]], next = ODO_NONE;
		while (w->arc[at] < g->first[u + 1] && next == ODO_NONE && w->budget) {
			uint32_t far = g->to[w->arc[at]++];
			w->budget--;
			if (far > v && fits_position(w, at, far))
				next = far;
		}
		if (!w->budget)
			return ODO_EUNKNOWN;
		if (next == ODO_NONE) {
			at--;
			continue;
		}
		w->vertex[at] = next;
		if (at + 1 == m) {
			status = store_copy(w, to);
			continue;
		}
		at++;
		w->arc[at] = g->first[w->vertex[w->from[at]]];
	}
	return status;
}

int odo_copies_find(const odo_links *g, const uint8_t *table, const odo_flat_shape *shape,
		    uint64_t *budget, odo_copies *out, odo_error *err)
{
	growth w = {.g = g, .table = table, .shape = shape, .budget = *budget};
	*out = (odo_copies){.members = shape->members};
	int status = growth_make(&w, err);
	for (uint32_t v = 0; v < g->n && !status; v++) {
		status = list_copies_from(&w, v, out);
		if (!status && !w.met[v])
			status = ODO_EUNKNOWN;
		if (status)
			odo_fail(err, status,
				 status == ODO_ENOMEM ? "no memory for groups"
						      : "switches form no such groups");
	}
	*budget = w.budget;
	growth_clear(&w);
	if (status)
		odo_copies_clear(out);
	return status;
}

void odo_copies_clear(odo_copies *c)
{
	free(c->member);
	*c = (odo_copies){0};
}
