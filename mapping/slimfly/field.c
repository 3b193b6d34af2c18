/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Read the finite field from the links of a Slim Fly. Its vertices (t, x, y) are in 2q columns of
 * equal t and x. From q = 9 on, links within a column close triangles, and other links do not. A
 * link from column (0, x) to column (1, m) leads from y to c if y = m x + c, so each pair of
 * columns shifts y by m x. Number the vertices of column (0, 0). Number the other vertices like
 * their neighbour in column (0, 0) or in column (1, 0). Then every pair of columns is a translation
 * of numbers. There are only q translations. Their sums follow from their effect on numbers, their
 * products from the columns in which they occur. This is the field, except for its automorphisms
 * and a factor of y. The differences y - y' of links within columns determine the factor.
 */
#include "mapping/slimfly/field.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/topology/field.h"
#include "base/arena.h"
#include "base/memory.h"
#include "mapping/slimfly/columns.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

enum { NONE = 0xFFFF, ROUNDS = 4 };

typedef struct reader {
	const odo_links *g;
	const odo_bits *ref;
	uint32_t q;
	const uint32_t *column; /* [n] side * q + index, or ODO_NONE */
	uint32_t *number; /* [n] number of the corresponding vertex of column (0, 0), or ODO_NONE */
	uint16_t *shift;  /* [q * q] translation of number b to a, at b * q + a */
	uint16_t *product, *sum;        /* [q * q] of x and m; of two translations */
	uint8_t *votes;                 /* [q * q * q] scratch */
	uint16_t value[ODO_MMS_MOST_Q]; /* translations as elements of the field */
} reader;

/* Copy the number of each vertex of `column` to its neighbours in other columns that have none. */
static void number_across(reader *r, uint32_t column)
{
	for (uint32_t e = 0; e < r->g->n_edges; e++) {
		for (int side = 0; side < 2; side++) {
			uint32_t u = r->g->end[e][side], v = r->g->end[e][!side];
			if (r->column[u] == column && r->column[v] != column &&
			    r->number[v] == ODO_NONE)
				r->number[v] = r->number[u];
		}
	}
}

static void number_vertices(reader *r)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < r->g->n; v++)
		r->number[v] = r->column[v] == 0 ? n++ : ODO_NONE;
	number_across(r, 0);
	number_across(r, r->q);
}

/* A link between columns, as a translation of numbers. */
typedef struct move {
	uint32_t x, m, from, to;
} move;

static bool move_of(const reader *r, uint32_t e, move *to)
{
	uint32_t q = r->q, u = r->g->end[e][0], v = r->g->end[e][1];
	if (r->number[u] == ODO_NONE || r->number[v] == ODO_NONE || r->column[u] == ODO_NONE ||
	    r->column[v] == ODO_NONE)
		return false;
	if (r->column[u] >= q) {
		uint32_t held = u;
		u = v;
		v = held;
	}
	if (r->column[u] >= q || r->column[v] < q)
		return false;
	*to = (move){r->column[u], r->column[v] - q, r->number[v], r->number[u]};
	return true;
}

/* Find the winner of each q votes; NONE without votes. */
static void count_votes(const reader *r, uint16_t *winner)
{
	for (uint32_t i = 0; i < r->q * r->q; i++) {
		uint32_t most = 0;
		winner[i] = NONE;
		for (uint32_t k = 0; k < r->q; k++) {
			if (r->votes[i * r->q + k] <= most)
				continue;
			most = r->votes[i * r->q + k];
			winner[i] = (uint16_t)k;
		}
	}
}

static void vote_for_number(reader *r, uint32_t i, uint32_t k)
{
	uint8_t *n = &r->votes[(size_t)i * r->q + k];
	*n += *n < UINT8_MAX;
}

/* Let each link vote for the product of its columns, given the translation of its numbers, or the
 * reverse. */
static void poll_links(reader *r, bool columns)
{
	uint32_t q = r->q;
	const uint16_t *known = columns ? r->shift : r->product;
	move t;
	memset(r->votes, 0, (size_t)q * q * q);
	for (uint32_t e = 0; e < r->g->n_edges; e++) {
		if (!move_of(r, e, &t))
			continue;
		uint32_t pair = t.x * q + t.m, numbers = t.from * q + t.to;
		if (known[columns ? numbers : pair] != NONE)
			vote_for_number(r, columns ? pair : numbers,
					known[columns ? numbers : pair]);
	}
	count_votes(r, columns ? r->product : r->shift);
}

/* Share of votes that a number needs. By chance one vote in q agrees. */
static const odo_share agreed = {1, 3};

/* Give v the number on which enough neighbours agree, by translations. If a vertex of column (0, 0)
 * is missing, the corresponding vertices get no number. */
static void number_by(reader *r, uint32_t v)
{
	uint32_t q = r->q, own = r->column[v], most = 0, asked = 0;
	uint8_t votes[ODO_MMS_MOST_Q] = {0};
	for (uint32_t a = r->g->first[v]; a < r->g->first[v + 1]; a++) {
		uint32_t far = r->column[r->g->to[a]], b = r->number[r->g->to[a]];
		if (far == ODO_NONE || b == ODO_NONE || (far < q) == (own < q))
			continue;
		uint32_t by = own < q ? r->product[own * q + far - q]
				      : r->product[far * q + own - q];
		asked++;
		for (uint32_t c = 0; c < q && by != NONE; c++)
			votes[c] += (own < q ? r->shift[b * q + c] : r->shift[c * q + b]) == by;
	}
	for (uint32_t c = 0; c < q; c++) {
		if (votes[c] <= most || !odo_reaches(votes[c], agreed, asked))
			continue;
		most = votes[c];
		r->number[v] = c;
	}
}

static void number_rest(reader *r)
{
	for (uint32_t v = 0; v < r->g->n; v++)
		if (r->column[v] != ODO_NONE && r->number[v] == ODO_NONE)
			number_by(r, v);
}

/* Find the translations: links to column (0, 1) name them, and all other links vote for the
 * products. */
static void find_products(reader *r)
{
	uint32_t q = r->q;
	move t;
	memset(r->shift, 0xFF, (size_t)q * q * sizeof *r->shift);
	for (uint32_t i = 0; i < q; i++)
		r->shift[i * q + i] = 0;
	for (uint32_t e = 0; e < r->g->n_edges; e++)
		if (move_of(r, e, &t) && t.x == 1)
			r->shift[t.from * q + t.to] = (uint16_t)t.m;
	for (int round = 0; round < ROUNDS && (!round || odo_uses("field: rounds")); round++) {
		poll_links(r, true);
		poll_links(r, false);
		if (odo_uses("field: numbers by neighbours"))
			number_rest(r);
	}
	poll_links(r, true);
}

/* Find the sums of translations: apply one after the other to each number. */
static void find_sums(reader *r)
{
	uint32_t q = r->q;
	memset(r->votes, 0, (size_t)q * q * q);
	for (uint32_t a = 0; a < q; a++) {
		for (uint32_t b = 0; b < q; b++) {
			uint32_t first = r->shift[a * q + b];
			for (uint32_t c = 0; c < q && first != NONE; c++) {
				uint32_t second = r->shift[b * q + c], both = r->shift[a * q + c];
				if (second != NONE && both != NONE)
					vote_for_number(r, first * q + second, both);
			}
		}
	}
	count_votes(r, r->sum);
}

/* Find products of translations: times [q * q]. The translation between x = 1 and m = 1 is the
 * unit. Return false if a product is no permutation of the columns. */
static bool find_times(const reader *r, uint16_t *times)
{
	uint32_t q = r->q;
	bool seen[ODO_MMS_MOST_Q] = {false};
	for (uint32_t x = 0; x < q; x++) {
		uint32_t factor = r->product[x * q + 1];
		if (factor == NONE || seen[factor])
			return false;
		seen[factor] = true;
		for (uint32_t m = 0; m < q; m++)
			if ((times[factor * q + m] = r->product[x * q + m]) == NONE)
				return false;
	}
	return true;
}

/* Map translations to elements of the field if `g` is the primitive element. Return false if it is
 * not primitive, or if sums disagree. */
static bool try_primitive(reader *r, const odo_field *field, const uint16_t *times, uint32_t g)
{
	uint32_t q = r->q, power = 1;
	memset(r->value, 0xFF, sizeof r->value);
	r->value[0] = 0;
	for (uint32_t i = 0; i + 1 < q; i++) {
		if (power == 0 || r->value[power] != NONE)
			return false;
		r->value[power] = field->power[i];
		power = times[g * q + power];
	}
	for (uint32_t i = 0; i < q; i++) {
		uint32_t next = r->sum[i * q + 1];
		if (next == NONE || r->value[next] != odo_field_add(field, r->value[i], 1))
			return false;
	}
	return true;
}

/* Find the differences y - y' within the columns of each side. A difference counts if its links are
 * more than half as many as those of the most frequent one. */
static void find_differences(const reader *r, bool has[2][ODO_MMS_MOST_Q])
{
	uint32_t count[2][ODO_MMS_MOST_Q] = {{0}}, q = r->q;
	for (uint32_t e = 0; e < r->g->n_edges; e++) {
		uint32_t u = r->g->end[e][0], v = r->g->end[e][1];
		uint32_t a = r->number[u], b = r->number[v], c = r->column[u];
		if (c == ODO_NONE || c != r->column[v] || a == ODO_NONE || b == ODO_NONE)
			continue;
		for (int way = 0; way < 2; way++) {
			uint32_t d = way ? r->shift[a * q + b] : r->shift[b * q + a];
			if (d != NONE)
				count[c >= q][d]++;
		}
	}
	for (int side = 0; side < 2; side++) {
		uint32_t most = 0;
		for (uint32_t d = 0; d < q; d++)
			most = count[side][d] > most ? count[side][d] : most;
		for (uint32_t d = 0; d < q; d++)
			has[side][d] = odo_majority(count[side][d], most);
	}
}

/* Transformation of the columns: sides exchanged or not, and y times a factor. */
typedef struct fit {
	uint32_t matched, factor;
	bool exchanged;
	uint16_t value[ODO_MMS_MOST_Q];
} fit;

static void fit_differences(const reader *r, const odo_field *field, bool has[2][ODO_MMS_MOST_Q],
			    fit *best)
{
	uint32_t q = r->q;
	for (uint32_t factor = 1; factor < q; factor++) {
		for (uint32_t swap = 0; swap < 2; swap++) {
			uint32_t matched = 0;
			for (uint32_t d = 1; d < q; d++) {
				uint32_t y = odo_field_multiply(field, factor, r->value[d]);
				for (uint32_t side = 0; side < 2; side++) {
					uint32_t zero = (side ^ swap) * q * q;
					matched += has[side][d] ==
						   odo_bits_linked(r->ref, zero, zero + y);
				}
			}
			if (matched <= best->matched)
				continue;
			*best = (fit){matched, factor, swap, {0}};
			memcpy(best->value, r->value, sizeof best->value);
		}
	}
}

/* (0, x, y) and (1, m, c) are linked if y = m x + c. With exchanged sides, c = (-x) m + y. */
static uint16_t label_of(const reader *r, const odo_field *field, const fit *to, uint32_t v)
{
	uint32_t q = r->q, c = r->column[v], y = r->number[v];
	if (c == ODO_NONE || y == ODO_NONE || r->shift[y] == NONE)
		return ODO_BITS_NONE;
	uint32_t side = c >= q, x = side ? c - q : r->product[c * q + 1];
	x = to->value[x];
	x = side ? odo_field_multiply(field, to->factor, x) : x;
	if (to->exchanged && !side)
		x = odo_field_negative(field, x);
	y = odo_field_multiply(field, to->factor, to->value[r->shift[y]]);
	return (uint16_t)(((side ^ to->exchanged) * q + x) * q + y);
}

static int read_field_of_columns(reader *r, uint16_t *label, bool *found)
{
	odo_field field;
	bool has[2][ODO_MMS_MOST_Q];
	fit best = {0};
	uint32_t q = r->q;
	uint16_t *times = odo_new((size_t)q * q, sizeof *times);
	if (!times || odo_field_make(&field, q, NULL)) {
		free(times);
		return ODO_ENOMEM;
	}
	number_vertices(r);
	find_products(r);
	find_sums(r);
	find_differences(r, has);
	if (find_times(r, times))
		for (uint32_t g = 2; g < q; g++)
			if (try_primitive(r, &field, times, g))
				fit_differences(r, &field, has, &best);
	*found = best.factor != 0;
	for (uint32_t v = 0; v < r->g->n && *found; v++)
		label[v] = label_of(r, &field, &best, v);
	free(times);
	return 0;
}

int odo_mms_read_field(const odo_links *g, const odo_bits *ref, uint32_t q, const uint32_t *column,
		       uint16_t *label, bool *found)
{
	odo_arena memory = {0};
	size_t square = (size_t)q * q;
	reader r = {.g = g,
		    .ref = ref,
		    .q = q,
		    .column = column,
		    .number = odo_arena_new(&memory, g->n, sizeof *r.number),
		    .shift = odo_arena_new(&memory, square, sizeof *r.shift),
		    .product = odo_arena_new(&memory, square, sizeof *r.product),
		    .sum = odo_arena_new(&memory, square, sizeof *r.sum),
		    .votes = odo_arena_new(&memory, square * q, sizeof *r.votes)};
	*found = false;
	int status = memory.failed ? ODO_ENOMEM : read_field_of_columns(&r, label, found);
	odo_arena_free(&memory);
	return status;
}
