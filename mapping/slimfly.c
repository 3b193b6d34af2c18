/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/slimfly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "fabric/topology.h"

/* Larger Slim Flies need switches of more than 64 ports. */
enum { MAX_Q = 37, MAX_SEEDS = 8, CANDIDATES = 200, NO_VERTEX = 0xFFFF, SEVERAL = 0xFFFE };

/* Pairs far apart, as a share of those in a random graph of the same size and degree. */
#define MOST_FAR_APART 0.8

/* Pairs compared before the search is given up; a match takes about 50,000. */
enum { BUDGET = 4000000 };

/* A graph as tables: links, and the only common neighbour of each pair. */
typedef struct tabled {
	uint32_t n;
	uint8_t *adjacent; /* [n * n] */
	uint16_t *common;  /* [n * n] vertex, NO_VERTEX or SEVERAL */
} tabled;

static void tabled_clear(tabled *t)
{
	free(t->adjacent);
	free(t->common);
	*t = (tabled){0};
}

static int tabled_make(const odo_links *g, tabled *t)
{
	size_t n = g->n;
	*t = (tabled){.n = g->n};
	t->adjacent = odo_new(n * n, sizeof *t->adjacent);
	t->common = odo_new(n * n, sizeof *t->common);
	if (!t->adjacent || !t->common)
		return ODO_ENOMEM;
	memset(t->common, 0xFF, n * n * sizeof *t->common);
	for (uint32_t v = 0; v < g->n; v++) {
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
			t->adjacent[v * n + g->to[a]] = 1;
			for (uint32_t b = g->first[v]; b < g->first[v + 1]; b++) {
				uint16_t *c = &t->common[g->to[a] * n + g->to[b]];
				*c = *c == NO_VERTEX ? (uint16_t)v : (uint16_t)SEVERAL;
			}
		}
	}
	return 0;
}

typedef struct matching {
	const tabled *ref, *got;
	uint16_t *to, *from; /* [ref->n], [got->n] */
	uint16_t *order;     /* [ref->n] matched vertices of ref, in order */
	uint32_t n, checked; /* matched; of those, compared with all before */
	uint32_t seed[MAX_SEEDS], n_seeds;
	uint32_t extra, allowed; /* contradictions so far, and how many are forgiven in 64 */
	bool whole;              /* nothing is missing */
	int64_t budget;
} matching;

static void add(matching *m, uint32_t x, uint32_t y)
{
	m->to[x] = (uint16_t)y;
	m->from[y] = (uint16_t)x;
	m->order[m->n++] = (uint16_t)x;
}

static void undo(matching *m, uint32_t n)
{
	while (m->n > n) {
		uint32_t x = m->order[--m->n];
		m->from[m->to[x]] = NO_VERTEX;
		m->to[x] = NO_VERTEX;
	}
	m->checked = n;
}

/* Compare the pairs (x, z) and (y, w) and match their only common neighbours. Links that are
 * missing are no contradiction where some are forgiven, links too many are. */
static void compare(matching *m, uint32_t x, uint32_t z)
{
	const tabled *r = m->ref, *g = m->got;
	size_t xz = (size_t)x * r->n + z, yw = (size_t)m->to[x] * g->n + m->to[z];
	bool strict = m->whole;
	if (r->adjacent[xz] != g->adjacent[yw] && (strict || g->adjacent[yw]))
		m->extra++;
	uint16_t c = r->common[xz], d = g->common[yw];
	if (c == SEVERAL) {
		m->extra += strict && d != SEVERAL;
		return;
	}
	if (c == NO_VERTEX || d == NO_VERTEX || d == SEVERAL)
		m->extra += strict ? c != d : c == NO_VERTEX && d != NO_VERTEX;
	else if (m->to[c] == NO_VERTEX && m->from[d] == NO_VERTEX)
		add(m, c, d);
	else
		m->extra += m->to[c] != d;
}

/* Follow all common neighbours. False where that leads to contradictions. */
static bool close_over(matching *m)
{
	uint32_t pairs = 0;
	m->extra = 0;
	for (; m->checked < m->n; m->checked++) {
		uint32_t x = m->order[m->checked];
		for (uint32_t i = 0; i < m->checked; i++) {
			compare(m, x, m->order[i]);
			pairs++;
			if (m->extra && 64 * m->extra > m->allowed * pairs)
				return false;
		}
		m->budget -= m->checked + 1;
	}
	return m->budget > 0;
}

/* Vertices that x brings in as the next seed. */
static uint32_t worth(matching *m, uint32_t x)
{
	uint32_t before = m->n, reached;
	add(m, x, x);
	close_over(m);
	reached = m->n;
	undo(m, before);
	return reached;
}

/* The seed that brings in most of up to CANDIDATES vertices, of those linked to the first
 * seed if that is as good, since such have fewer choices in the other graph. */
static uint32_t next_seed(matching *m, const tabled *ref)
{
	uint32_t best = NO_VERTEX, most = 0, tried = 0;
	for (int near = 1; near >= 0; near--) {
		for (uint32_t x = 0; x < ref->n && tried < CANDIDATES; x++) {
			if (m->to[x] != NO_VERTEX ||
			    (m->n && ref->adjacent[m->seed[0] * (size_t)ref->n + x] != near))
				continue;
			uint32_t n = worth(m, x);
			tried++;
			if (n > most) {
				most = n;
				best = x;
			}
		}
	}
	return best;
}

/* Choose seeds: vertices of the reference whose closure is everything. */
static void choose_seeds(matching *m, const tabled *ref)
{
	const tabled *got = m->got;
	m->got = ref;
	while (m->n < ref->n && m->n_seeds < MAX_SEEDS) {
		uint32_t x = m->n ? next_seed(m, ref) : 0;
		m->seed[m->n_seeds++] = x;
		add(m, x, x);
		close_over(m);
	}
	undo(m, 0);
	m->got = got;
}

/* Where links may be missing, a missing one does not decide the choice of seeds: losing a cable
 * should not change the labels. */
static bool consistent(const matching *m, uint32_t x, uint32_t y)
{
	for (uint32_t i = 0; i < m->n_seeds && m->seed[i] != x; i++) {
		uint32_t z = m->seed[i];
		bool ref = m->ref->adjacent[(size_t)x * m->ref->n + z];
		bool got = m->got->adjacent[(size_t)y * m->got->n + m->to[z]];
		if (got > ref || (m->whole && got < ref))
			return false;
	}
	return true;
}

/* Match seed `k` and those after it, every way until one holds. */
static bool try_seeds(matching *m, uint32_t k)
{
	if (k == m->n_seeds)
		return 2 * m->n > m->got->n;
	uint32_t x = m->seed[k], before = m->n;
	if (m->to[x] != NO_VERTEX)
		return try_seeds(m, k + 1);
	for (uint32_t y = 0; y < m->got->n && m->budget > 0; y++) {
		if (m->from[y] != NO_VERTEX || !consistent(m, x, y))
			continue;
		add(m, x, y);
		if (close_over(m) && try_seeds(m, k + 1))
			return true;
		undo(m, before);
	}
	return false;
}

/* Links of y that fit if its label were x. */
static uint32_t fit(const matching *m, const odo_links *g, uint32_t y, uint32_t x)
{
	uint32_t n = 0;
	for (uint32_t a = g->first[y]; a < g->first[y + 1]; a++) {
		uint32_t z = m->from[g->to[a]];
		n += z != NO_VERTEX && m->ref->adjacent[(size_t)x * m->ref->n + z];
	}
	return n;
}

/* Match what is left where most of its links fit. */
static void match_rest(matching *m, const odo_links *g)
{
	for (uint32_t y = 0; y < g->n; y++) {
		uint32_t best = NO_VERTEX, most = 0;
		for (uint32_t x = 0; x < m->ref->n && m->from[y] == NO_VERTEX; x++) {
			uint32_t n = m->to[x] == NO_VERTEX ? fit(m, g, y, x) : 0;
			if (n > most) {
				most = n;
				best = x;
			}
		}
		if (best != NO_VERTEX) {
			m->to[best] = (uint16_t)y;
			m->from[y] = (uint16_t)best;
		}
	}
}

/* A wrong link can bring in a wrong match. Undo those whose links fit worst and match them
 * anew, worst first, since the others then vote on them without each other's errors. */
static void settle(matching *m, const odo_links *g)
{
	match_rest(m, g);
	for (uint32_t tenths = 5; tenths < 10; tenths += 2) {
		for (uint32_t y = 0; y < g->n; y++) {
			uint32_t x = m->from[y];
			if (x == NO_VERTEX || 10 * fit(m, g, y, x) > tenths * odo_degree(g, y))
				continue;
			m->to[x] = NO_VERTEX;
			m->from[y] = NO_VERTEX;
		}
		match_rest(m, g);
	}
}

/* Share of the graph's links that are links of the reference too. */
static double fitting(const matching *m, const odo_links *g)
{
	uint32_t n = 0;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t x = m->from[g->end[e][0]], z = m->from[g->end[e][1]];
		n += x != NO_VERTEX && z != NO_VERTEX &&
		     m->ref->adjacent[(size_t)x * m->ref->n + z];
	}
	return g->n_edges ? (double)n / g->n_edges : 0;
}

static int match_tables(const odo_links *g, const tabled *ref, const tabled *got, bool whole,
			uint32_t allowed, uint32_t *label, bool *found)
{
	matching m = {.ref = ref, .got = got, .whole = whole, .allowed = allowed};
	m.budget = BUDGET;
	m.to = odo_new(ref->n, sizeof *m.to);
	m.from = odo_new(ref->n > got->n ? ref->n : got->n, sizeof *m.from);
	m.order = odo_new(ref->n, sizeof *m.order);
	int status = m.to && m.from && m.order ? 0 : ODO_ENOMEM;
	if (!status) {
		memset(m.to, 0xFF, ref->n * sizeof *m.to);
		memset(m.from, 0xFF, (ref->n > got->n ? ref->n : got->n) * sizeof *m.from);
		choose_seeds(&m, ref);
		m.budget = BUDGET;
		*found = try_seeds(&m, 0);
		if (*found)
			settle(&m, g);
		*found = *found && fitting(&m, g) > 0.9;
		for (uint32_t v = 0; v < g->n; v++)
			label[v] = m.from[v] == NO_VERTEX ? ODO_NONE : m.from[v];
	}
	free(m.to);
	free(m.from);
	free(m.order);
	return status;
}

static int reference(uint32_t q, tabled *t, odo_error *err)
{
	char spec[40];
	odo_fabric *f = NULL;
	odo_links g = {0};
	snprintf(spec, sizeof spec, "slimfly:q=%u,c=0", q);
	int status = odo_topology_generate(spec, 0, &f, NULL, err);
	if (status)
		return status;
	/* Vertices must be labels, not ranks of made-up GUIDs. */
	for (uint32_t s = 0; s < f->n_switches; s++)
		f->node_guid[s] = s;
	status = odo_links_make(f, &g, NULL, err);
	if (!status)
		status = tabled_make(&g, t);
	odo_links_clear(&g);
	odo_fabric_free(f);
	return status;
}

/* Links of each vertex: (3q - delta) / 2, where q = 4w + delta. */
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

/* Share of the pairs of vertices that are neither linked nor have a common neighbour: none in
 * a Slim Fly, whose diameter is 2. */
static double far_apart(const tabled *t)
{
	size_t pairs = (size_t)t->n * t->n, apart = 0;
	for (size_t i = 0; i < pairs; i++)
		apart += !t->adjacent[i] && t->common[i] == NO_VERTEX;
	return pairs ? (double)apart / (double)pairs : 1;
}

/* Sizes and degrees allow it, with up to half of the vertices missing. */
static bool possible(const odo_links *g, uint32_t q)
{
	uint32_t most = 0, n = 2 * q * q;
	if (q % 4 == 2 || !is_prime_power(q) || g->n > n || 2 * g->n < n)
		return false;
	for (uint32_t v = 0; v < g->n; v++)
		if (odo_degree(g, v) > most)
			most = odo_degree(g, v);
	/* Some switch has kept nearly all of its links; wrong cables may add one or two. */
	return most <= degree_of(q) + 2 && 3 * most >= 2 * degree_of(q) &&
	       4 * (uint64_t)g->n_edges >= (uint64_t)g->n * degree_of(q);
}

static int try_q(const odo_links *g, uint32_t q, const tabled *got, odo_mms *m, bool *found,
		 odo_error *err)
{
	tabled ref = {0};
	double degree = 2.0 * g->n_edges / g->n;
	if (far_apart(got) > MOST_FAR_APART * exp(-degree * degree / g->n))
		return 0;
	int status = reference(q, &ref, err);
	bool whole = !status && g->n == ref.n && 2 * g->n_edges == g->n * degree_of(q);
	/* Whole; with links and switches missing; and with wrong links, too. */
	if (whole)
		status = match_tables(g, &ref, got, true, 0, m->label, found);
	for (uint32_t allowed = 0; allowed <= 3 && !status && !*found; allowed += 3)
		status = match_tables(g, &ref, got, false, allowed, m->label, found);
	if (!status && *found) {
		m->q = q;
		m->n = ref.n;
		m->adjacent = ref.adjacent;
		ref.adjacent = NULL;
	}
	tabled_clear(&ref);
	return status;
}

int odo_mms_match(const odo_links *g, odo_mms *m, odo_error *err)
{
	tabled got = {0};
	bool found = false;
	int status = 0;
	*m = (odo_mms){.label = odo_new(g->n, sizeof *m->label)};
	if (!m->label)
		return odo_fail(err, ODO_ENOMEM, "no memory for a Slim Fly");
	for (uint32_t q = 3; q <= MAX_Q && !status && !found; q++) {
		if (!possible(g, q))
			continue;
		if (!got.n)
			status = tabled_make(g, &got);
		if (!status)
			status = try_q(g, q, &got, m, &found, err);
	}
	tabled_clear(&got);
	if (status == ODO_ENOMEM)
		odo_fail(err, status, "no memory for a Slim Fly");
	else if (!status && !found)
		status = odo_fail(err, ODO_EUNKNOWN, "%u vertices form no Slim Fly", g->n);
	if (status)
		odo_mms_clear(m);
	return status;
}

void odo_mms_clear(odo_mms *m)
{
	free(m->adjacent);
	free(m->label);
	*m = (odo_mms){0};
}
