/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/slimfly/slimfly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/memory.h"
#include "fabric/topology/slimfly.h"
#include "mapping/slimfly/columns.h"
#include "mapping/slimfly/field.h"
#include "mapping/slimfly/search.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Maximum q of a search. Larger Slim Flies need too many comparisons; they are only read. */
enum { MOST_SEARCHED = 37, NO_VERTEX = ODO_BITS_NONE };

/* Vertex pairs at a distance above two, as a share of those in a random graph of the same size and
 * degree. */
#define MOST_FAR_APART 0.8

/* Most vertices of a graph matched with those of a Slim Fly. */
typedef struct places {
	const odo_links *g;
	const odo_bits *ref;
	uint16_t *to, *from; /* [ref->n], [g->n] or NO_VERTEX */
	uint16_t *votes;     /* [the larger of both] scratch */
	uint64_t *open;      /* [ref->words] vertices of ref without a match */
} places;

/* Return the number of links of y that fit if its label were x. */
static uint32_t fitting_links_of(const places *m, uint32_t y, uint32_t x)
{
	const odo_links *g = m->g;
	uint32_t n = 0;
	for (uint32_t a = g->first[y]; a < g->first[y + 1]; a++) {
		uint32_t z = m->from[g->to[a]];
		n += z != NO_VERTEX && odo_bits_linked(m->ref, x, z);
	}
	return n;
}

/* Let every matched neighbour of y vote for the free labels that its own label is linked to. */
static void vote_for_labels(const places *m, uint32_t y)
{
	const odo_bits *r = m->ref;
	for (uint32_t a = m->g->first[y]; a < m->g->first[y + 1]; a++) {
		uint32_t z = m->from[m->g->to[a]];
		for (uint32_t i = 0; z != NO_VERTEX && i < r->words; i++)
			for (uint64_t left = r->row[(size_t)z * r->words + i] & m->open[i]; left;
			     left &= left - 1)
				m->votes[64 * i + odo_lowest_bit(left)]++;
	}
}

/* Match a remaining vertex with the label that most of its links fit. */
static void match_rest(places *m)
{
	memset(m->open, 0, m->ref->words * sizeof *m->open);
	for (uint32_t x = 0; x < m->ref->n; x++)
		if (m->to[x] == NO_VERTEX)
			odo_set_bit(m->open, x);
	for (uint32_t y = 0; y < m->g->n; y++) {
		uint32_t best = NO_VERTEX, most = 0;
		if (m->from[y] != NO_VERTEX)
			continue;
		memset(m->votes, 0, m->ref->n * sizeof *m->votes);
		vote_for_labels(m, y);
		for (uint32_t x = 0; x < m->ref->n; x++) {
			if (m->votes[x] <= most)
				continue;
			most = m->votes[x];
			best = x;
		}
		if (best == NO_VERTEX)
			continue;
		m->to[best] = (uint16_t)y;
		m->from[y] = (uint16_t)best;
		odo_clear_bit(m->open, best);
	}
}

/* A wrong link can cause a wrong match. Undo the matches whose links fit worst, and match these
 * vertices again, worst first. In this way they do not vote with each other's errors. */
static void rematch_misfits(places *m)
{
	match_rest(m);
	for (uint32_t tenths = 5; tenths < 10 && odo_uses("Slim Fly: misfits"); tenths += 2) {
		uint16_t *misfit = m->votes; /* `votes` is free until the next match */
		for (uint32_t y = 0; y < m->g->n; y++)
			misfit[y] = m->from[y] != NO_VERTEX &&
				    10 * fitting_links_of(m, y, m->from[y]) <=
					    tenths * odo_degree(m->g, y);
		for (uint32_t y = 0; y < m->g->n; y++) {
			if (!misfit[y])
				continue;
			m->to[m->from[y]] = NO_VERTEX;
			m->from[y] = NO_VERTEX;
		}
		match_rest(m);
	}
}

/* Complete a match, and check it by the links: more than half of the vertices matched, and nearly
 * all links right. */
static int finish_match(const odo_links *g, const odo_bits *ref, bool whole, uint16_t *label,
			bool *found)
{
	odo_arena memory = {0};
	uint32_t n = ref->n > g->n ? ref->n : g->n, matched = 0;
	places m = {g,
		    ref,
		    odo_arena_new(&memory, n, sizeof *m.to),
		    label,
		    odo_arena_new(&memory, n, sizeof *m.votes),
		    odo_arena_new(&memory, ref->words, sizeof *m.open)};
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		memset(m.to, 0xFF, n * sizeof *m.to);
	for (uint32_t v = 0; v < g->n && !status; v++) {
		if (label[v] != NO_VERTEX && m.to[label[v]] != NO_VERTEX)
			label[v] = NO_VERTEX; /* another vertex has this label */
		else if (label[v] != NO_VERTEX)
			m.to[label[v]] = (uint16_t)v;
		matched += label[v] != NO_VERTEX;
	}
	double least = whole ? 1 : ODO_MMS_LEAST_FITTING;
	*found = !status && odo_majority(matched, g->n) && odo_mms_fitting(g, ref, label) >= least;
	if (*found) {
		rematch_misfits(&m);
		*found = odo_mms_fitting(g, ref, label) >= least;
	}
	odo_arena_free(&memory);
	return status;
}

static int make_reference(uint32_t q, odo_bits *bits, odo_error *err)
{
	uint32_t *next, degree;
	int status = odo_slimfly_neighbours(q, &next, &degree, err);
	if (status)
		return status;
	status = odo_bits_make(2 * q * q, bits);
	for (uint32_t v = 0; v < 2 * q * q && !status; v++)
		for (uint32_t i = 0; i < degree; i++)
			odo_bits_set(bits, v, next[(size_t)v * degree + i]);
	free(next);
	return status;
}

/* Return the number of links of a vertex: (3q - delta) / 2 with q = 4w + delta. */
static uint32_t degree_of(uint32_t q)
{
	return q % 4 == 3 ? (3 * q + 1) / 2 : q % 4 == 1 ? (3 * q - 1) / 2 : 3 * q / 2;
}

static bool is_prime_power(uint32_t q)
{
	uint32_t p = 2;
	while (q % p)
		p++;
	while (q % p == 0)
		q /= p;
	return q == 1;
}

/* Share of its links that the least damaged switch keeps. */
static const odo_share kept = {2, 3};

/* Return true if sizes and degrees fit, with up to half of the vertices missing. */
static bool is_possible(const odo_links *g, uint32_t q)
{
	uint32_t most = 0, n = 2 * q * q;
	if (q % 4 == 2 || !is_prime_power(q) || g->n > n || !odo_half(g->n, n))
		return false;
	for (uint32_t v = 0; v < g->n; v++)
		if (odo_degree(g, v) > most)
			most = odo_degree(g, v);
	/* the least damaged switch has nearly all of its links; wrong cables may add one or two */
	return most <= degree_of(q) + 2 && odo_reaches(most, kept, degree_of(q)) &&
	       odo_half(2 * (uint64_t)g->n_edges, (uint64_t)g->n * degree_of(q));
}

/* Search for a complete graph, then with missing links and switches, then with wrong links too. */
static int search_match(const odo_links *g, uint32_t q, const odo_bits *ref, const odo_bits *got,
			uint16_t *label, bool *found)
{
	static const struct {
		bool whole;
		uint32_t allowed;
	} as[] = {{true, 0}, {false, 0}, {false, 3}};
	double degree = 2.0 * g->n_edges / g->n;
	bool whole = g->n == ref->n && 2 * g->n_edges == g->n * degree_of(q);
	double far_apart = 0;
	int status = odo_bits_far_apart(got, &far_apart);
	if (status || (odo_uses("Slim Fly: far apart") &&
		       far_apart > MOST_FAR_APART * exp(-degree * degree / g->n)))
		return status;
	static const char *const names[] = {"Slim Fly: as whole", "Slim Fly: links missing",
					    "Slim Fly: links wrong"};
	for (size_t i = !whole; i < sizeof as / sizeof *as && !status && !*found; i++) {
		if (!odo_uses(names[i]))
			continue;
		status = odo_mms_seek(g, ref, got, as[i].whole, as[i].allowed, label, found);
		if (!status && *found)
			status = finish_match(g, ref, as[i].whole, label, found);
	}
	return status;
}

/* A graph that may be a Slim Fly. */
typedef struct candidate {
	const odo_links *g;
	bool searching;
	odo_bits got;       /* the links of g, for a search */
	uint8_t *triangles; /* [n_edges] for reading */
	uint32_t *column;   /* [n] scratch */
	uint16_t *label;    /* [n] */
} candidate;

/* Find columns first, because other graphs have none. */
static int read_q(candidate *c, uint32_t q, odo_bits *ref, bool *found, odo_error *err)
{
	int status = odo_mms_find_columns(c->g, c->triangles, q, c->column, found);
	if (status || !*found)
		return status;
	status = make_reference(q, ref, err);
	if (!status)
		status = odo_mms_read_field(c->g, ref, q, c->column, c->label, found);
	if (!status && *found)
		status = finish_match(c->g, ref, false, c->label, found);
	return status;
}

static int search_q(candidate *c, uint32_t q, odo_bits *ref, bool *found, odo_error *err)
{
	int status = make_reference(q, ref, err);
	return status ? status : search_match(c->g, q, ref, &c->got, c->label, found);
}

/* Prepare data that is the same for every q, once. */
static int start_candidate(candidate *c)
{
	if (c->searching)
		return c->got.n ? 0 : odo_bits_of_links(c->g, &c->got);
	if (c->triangles)
		return 0;
	c->triangles = odo_new(c->g->n_edges, sizeof *c->triangles);
	c->column = odo_new(c->g->n, sizeof *c->column);
	return c->triangles && c->column ? odo_mms_count_triangles(c->g, c->triangles) : ODO_ENOMEM;
}

static int match_any_q(const odo_links *g, bool searching, odo_mms *mms, odo_error *err)
{
	candidate c = {.g = g, .searching = searching, .label = odo_new(g->n, sizeof *c.label)};
	uint32_t most = searching ? MOST_SEARCHED : ODO_MMS_MOST_Q;
	bool found = false;
	*mms = (odo_mms){.label = odo_new(g->n, sizeof *mms->label)};
	int status = mms->label && c.label ? 0 : ODO_ENOMEM;
	for (uint32_t q = 3; q <= most && !status && !found; q++) {
		if (!is_possible(g, q))
			continue;
		status = start_candidate(&c);
		if (!status)
			status = (searching ? search_q : read_q)(&c, q, &mms->adjacent, &found,
								 err);
		mms->q = q;
		mms->n = mms->adjacent.n;
		if (!found)
			odo_bits_clear(&mms->adjacent);
	}
	for (uint32_t v = 0; v < g->n && found; v++)
		mms->label[v] = c.label[v] == NO_VERTEX ? ODO_NONE : c.label[v];
	odo_bits_clear(&c.got);
	free(c.triangles);
	free(c.column);
	free(c.label);
	if (status == ODO_ENOMEM)
		odo_fail(err, status, "no memory for a Slim Fly");
	else if (!status && !found)
		status = odo_fail(err, ODO_EUNKNOWN, "%u vertices form no Slim Fly", g->n);
	if (status)
		odo_mms_clear(mms);
	return status;
}

int odo_mms_read(const odo_links *g, odo_mms *mms, odo_error *err)
{
	return match_any_q(g, false, mms, err);
}

int odo_mms_search(const odo_links *g, odo_mms *mms, odo_error *err)
{
	return match_any_q(g, true, mms, err);
}

int odo_mms_relabel(uint32_t q, uint32_t *label, odo_error *err)
{
	odo_bits ref = {0};
	odo_links g = {0};
	bool found = false;
	uint32_t n = 2 * q * q;
	uint16_t *short_label = odo_new(n, sizeof *short_label);
	int status = short_label ? make_reference(q, &ref, err)
				 : odo_fail(err, ODO_ENOMEM, "no memory for a Slim Fly");
	if (!status)
		status = odo_links_of_bits(&ref, &g, err);
	for (uint32_t v = 0; v < n && !status; v++)
		short_label[v] = label[v] == ODO_NONE ? NO_VERTEX : (uint16_t)label[v];
	if (!status && odo_mms_extend(&g, &ref, short_label, &found))
		status = odo_fail(err, ODO_ENOMEM, "no memory for a Slim Fly");
	if (!status && !found)
		status = odo_fail(err, ODO_EUNKNOWN, "a Slim Fly has no such labels");
	for (uint32_t v = 0; v < n && !status; v++)
		label[v] = short_label[v];
	free(short_label);
	odo_links_clear(&g);
	odo_bits_clear(&ref);
	return status;
}

void odo_mms_clear(odo_mms *mms)
{
	odo_bits_clear(&mms->adjacent);
	free(mms->label);
	*mms = (odo_mms){0};
}
