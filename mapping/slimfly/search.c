/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A few vertices are matched by trial. Every two matched vertices then determine a third: most
 * pairs of a Slim Fly have exactly one common neighbour. Contradictions end a trial.
 */
#include "mapping/slimfly/search.h"

#include <string.h>

#include "base/arena.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

enum {
	MAX_SEEDS = 8,
	CANDIDATES = 200,
	FORGIVEN_OF = 64,
	CHANCE = 2,     /* contradictions among the first pairs before their share is considered */
	SCATTER = 7919, /* a prime: vertices with adjacent numbers are linked to the same others */
	NO_VERTEX = ODO_BITS_NONE,
	SEVERAL = ODO_BITS_SEVERAL
};

/* Pairs compared before the search stops: a maximum, and a number for each existing pair. A match
 * takes about 50,000. */
enum { BUDGET = 600000, BUDGET_PER_PAIR = 64 };
/* A Slim Fly has up to two orbits. Before it continues long with one first vertex, the search tries
 * others briefly. Each gets PAIRS_PER_TRY pairs for each link squared, and four times as many after
 * LONGER. If links are missing, it also tries all pairs. */
enum { FIRST_TRIES = 16, PAIRS_PER_TRY = 40, LONGER = 8 };

/* A vertex is compared with the first WINDOW vertices, then with up to four times as many, and so
 * on. The first few determine nearly all others. */
enum { WINDOW = 32, WINDOWS = 5, SMALL = 512 };

typedef struct matching {
	const odo_links *g;
	const odo_bits *ref, *got; /* got is the bits of g */
	uint16_t *to, *from;       /* [ref->n], [got->n] */
	uint16_t *order;           /* [ref->n] matched vertices of ref, in order */
	/* Number of matched vertices; how many of them were compared with all earlier ones. */
	uint32_t n, checked;
	uint32_t seed[MAX_SEEDS], n_seeds;
	uint32_t extra, allowed; /* contradictions so far; allowed ones in FORGIVEN_OF */
	bool whole;              /* nothing is missing */
	uint32_t budget;         /* pairs that may still be compared */
} matching;

static void add_match(matching *m, uint32_t x, uint32_t y)
{
	m->to[x] = (uint16_t)y;
	m->from[y] = (uint16_t)x;
	m->order[m->n++] = (uint16_t)x;
}

static void undo_matches(matching *m, uint32_t n)
{
	while (m->n > n) {
		uint32_t x = m->order[--m->n];
		m->from[m->to[x]] = NO_VERTEX;
		m->to[x] = NO_VERTEX;
	}
	m->checked = n;
}

/* Compare the pairs (x, z) and (y, w), and match their only common neighbours. Additional links are
 * contradictions. Missing links are contradictions only if none are allowed. */
static void compare_matches(matching *m, uint32_t x, uint32_t z)
{
	uint32_t y = m->to[x], w = m->to[z];
	bool strict = m->whole, there = odo_bits_linked(m->got, y, w);
	if (odo_bits_linked(m->ref, x, z) != there && (strict || there))
		m->extra++;
	uint32_t c = odo_bits_common(m->ref, x, z), d = odo_bits_common(m->got, y, w);
	if (c == SEVERAL) {
		m->extra += strict && d != SEVERAL;
		return;
	}
	if (c == NO_VERTEX || d == NO_VERTEX || d == SEVERAL)
		m->extra += strict ? c != d : c == NO_VERTEX && d != NO_VERTEX;
	else if (m->to[c] == NO_VERTEX && m->from[d] == NO_VERTEX)
		add_match(m, c, d);
	else
		m->extra += m->to[c] != d;
}

/* From this share on each remaining vertex has most of its neighbours matched, and no two have the
 * same neighbours. */
static const odo_share tell_others = {4, 5};

/* Return true if enough vertices are matched to identify the others by their neighbours. */
static bool most_matched(const matching *m)
{
	uint32_t n = m->got->n < m->ref->n ? m->got->n : m->ref->n;
	if (m->whole)
		return odo_reaches(m->n, tell_others, n);
	return n <= SMALL ? m->n == n
			  : odo_all_but_rare(m->n, n); /* all pairs of few take no time */
}

/* Compare the i-th match with earlier ones in a window. Return false if contradictions are too
 * many. */
static bool compare_in_window(matching *m, uint32_t i, unsigned window, uint32_t *pairs)
{
	uint32_t first = window ? WINDOW << (2 * window - 2) : 0, last = WINDOW << 2 * window;
	for (uint32_t j = first; j < last && j < i; j++) {
		compare_matches(m, m->order[i], m->order[j]);
		++*pairs;
		if (m->extra > (m->allowed ? CHANCE : 0) &&
		    FORGIVEN_OF * m->extra > m->allowed * *pairs)
			return false;
	}
	return true;
}

/* Return the words read when two vertices are compared for their common neighbour. */
static uint32_t work_of_pair(const matching *m)
{
	return 4 + m->ref->words + m->got->words;
}

/* Return the pairs that may still be compared. */
static uint32_t pairs_left(const matching *m)
{
	const odo_budget *b = m->g->budget;
	uint64_t all = b ? b->left / work_of_pair(m) + 1 : UINT32_MAX;
	return all < m->budget ? (uint32_t)all : m->budget;
}

/* Match common neighbours until there are no more, or most vertices are matched. Return false on
 * contradictions. */
static bool close_over(matching *m)
{
	uint32_t done[WINDOWS], pairs = 0;
	bool fine = true;
	m->extra = 0;
	for (unsigned w = 0; w < WINDOWS; w++)
		done[w] = m->checked;
	uint32_t most = pairs_left(m);
	for (unsigned w = 0; w < WINDOWS && fine && !most_matched(m) && pairs < most;) {
		uint32_t before = m->n;
		if (done[w] == m->n) {
			w++;
			continue;
		}
		fine = compare_in_window(m, done[w]++, w, &pairs);
		w = m->n > before ? 0 : w;
	}
	m->checked = m->n;
	odo_charge(m->g->budget, (uint64_t)pairs * work_of_pair(m));
	m->budget -= pairs < m->budget ? pairs : m->budget;
	return fine && m->budget && odo_may_go_on(m->g->budget);
}

/* Return the number of vertices matched with x as the next seed. */
static uint32_t count_matched_by(matching *m, uint32_t x)
{
	uint32_t before = m->n, reached;
	add_match(m, x, x);
	close_over(m);
	reached = m->n;
	undo_matches(m, before);
	return reached;
}

/* Choose the seed that matches most vertices, among CANDIDATES. Prefer neighbours of the first seed
 * if equally good, because they have fewer candidates in the other graph. */
static uint32_t next_seed(matching *m, const odo_bits *ref)
{
	uint32_t best = NO_VERTEX, most = 0, tried = 0;
	for (int near = 1; near >= 0; near--) {
		for (uint32_t i = 0; i < ref->n && tried < CANDIDATES; i++) {
			uint32_t x = (uint32_t)((uint64_t)i * SCATTER % ref->n);
			if (m->to[x] != NO_VERTEX ||
			    (m->n && odo_bits_linked(ref, m->seed[0], x) != near))
				continue;
			if (!odo_may_go_on(m->g->budget))
				return best;
			uint32_t n = count_matched_by(m, x);
			tried++;
			if (n > most) {
				most = n;
				best = x;
			}
			if (odo_reaches(n, tell_others, ref->n))
				return best;
		}
	}
	return best;
}

/* Choose seeds: vertices of the reference that determine all others. */
static void choose_seeds(matching *m, const odo_bits *ref)
{
	const odo_bits *got = m->got;
	m->got = ref;
	while (!most_matched(m) && m->n_seeds < MAX_SEEDS) {
		uint32_t x = m->n ? next_seed(m, ref) : 0;
		if (x == NO_VERTEX)
			break;
		m->seed[m->n_seeds++] = x;
		add_match(m, x, x);
		close_over(m);
	}
	undo_matches(m, 0);
	m->got = got;
}

/* Compare seeds by their links. If links may be missing, a missing link is no reason to reject: a
 * lost cable should not change the labels. */
static bool is_consistent(const matching *m, uint32_t x, uint32_t y)
{
	for (uint32_t i = 0; i < m->n_seeds && m->seed[i] != x; i++) {
		uint32_t z = m->seed[i];
		bool ref = odo_bits_linked(m->ref, x, z);
		bool got = odo_bits_linked(m->got, y, m->to[z]);
		if (got > ref || (m->whole && got < ref))
			return false;
	}
	return true;
}

/* Return true if more than half of the vertices are matched, and their links are those of the
 * reference: all links, or nearly all if something is missing or wrong. */
static bool is_borne_out(const matching *m)
{
	double least = m->whole ? 1 : ODO_MMS_LEAST_FITTING;
	return odo_majority(m->n, m->got->n) && odo_mms_fitting(m->g, m->ref, m->from) >= least;
}

/* Match seed `k` and the later ones in every way, until one is accepted. */
static bool try_seeds(matching *m, uint32_t k)
{
	if (k == m->n_seeds)
		return is_borne_out(m);
	uint32_t x = m->seed[k], before = m->n;
	if (m->to[x] != NO_VERTEX)
		return try_seeds(m, k + 1);
	for (uint32_t y = 0; y < m->got->n && m->budget > 0 && odo_may_go_on(m->g->budget); y++) {
		odo_charge(m->g->budget, m->n_seeds);
		if (m->from[y] != NO_VERTEX || !is_consistent(m, x, y))
			continue;
		add_match(m, x, y);
		if (close_over(m) && try_seeds(m, k + 1))
			return true;
		undo_matches(m, before);
	}
	return false;
}

static uint32_t budget_of(const matching *m)
{
	uint64_t all = BUDGET_PER_PAIR * (uint64_t)m->ref->n * m->ref->n;
	return all < BUDGET ? (uint32_t)all : BUDGET;
}

/* Match the first seed with one vertex after another, with a few pairs each. */
static bool try_briefly(matching *m)
{
	const odo_bits *got = m->got;
	uint32_t x = m->seed[0], degree = 2 * m->g->n_edges / got->n;
	uint32_t tries = m->whole ? FIRST_TRIES : LONGER;
	uint32_t pairs = m->whole ? 0 : got->n * got->n;
	for (uint32_t i = 0; i < tries && i < got->n && odo_may_go_on(m->g->budget); i++) {
		uint32_t y = (uint32_t)((uint64_t)i * SCATTER % got->n);
		m->budget = (pairs + PAIRS_PER_TRY * degree * degree) << 2 * (i / LONGER);
		add_match(m, x, y);
		if (close_over(m) && try_seeds(m, 1))
			return true;
		undo_matches(m, 0);
	}
	m->budget = budget_of(m);
	return false;
}

double odo_mms_fitting(const odo_links *g, const odo_bits *ref, const uint16_t *label)
{
	uint32_t n = 0, links = 0;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t x = label[g->end[e][0]], z = label[g->end[e][1]];
		if (x == NO_VERTEX || z == NO_VERTEX)
			continue;
		links++;
		n += odo_bits_linked(ref, x, z);
	}
	return links ? (double)n / links : 0;
}

static int matching_make(matching *m, odo_arena *memory)
{
	uint32_t most = m->ref->n > m->got->n ? m->ref->n : m->got->n;
	m->to = odo_arena_new(memory, m->ref->n, sizeof *m->to);
	m->from = odo_arena_new(memory, most,
				sizeof *m->from); /* choosing seeds matches ref to itself */
	m->order = odo_arena_new(memory, m->ref->n, sizeof *m->order);
	if (memory->failed)
		return ODO_ENOMEM;
	memset(m->to, 0xFF, m->ref->n * sizeof *m->to);
	memset(m->from, 0xFF, most * sizeof *m->from);
	return 0;
}

int odo_mms_seek(const odo_links *g, const odo_bits *ref, const odo_bits *got, bool whole,
		 uint32_t allowed, uint16_t *label, bool *found)
{
	odo_arena memory = {0};
	matching m = {.g = g, .ref = ref, .got = got, .whole = whole, .allowed = allowed};
	m.budget = BUDGET;
	int status = matching_make(&m, &memory);
	if (!status) {
		choose_seeds(&m, ref);
		m.budget = budget_of(&m);
		*found = (odo_uses("search: briefly") && try_briefly(&m)) ||
			 (!whole && odo_uses("search: at length") && try_seeds(&m, 0));
		memcpy(label, m.from, g->n * sizeof *label);
	}
	odo_arena_free(&memory);
	return status;
}

/* Start from known matches. Return false if two vertices have the same label. */
static bool adopt_labels(matching *m, const uint16_t *label)
{
	for (uint32_t y = 0; y < m->got->n; y++) {
		if (label[y] == NO_VERTEX)
			continue;
		if (m->to[label[y]] != NO_VERTEX)
			return false;
		add_match(m, label[y], y);
	}
	return true;
}

/* Match the remaining vertices to labels that are linked to the labels of their neighbours. */
static void match_left(matching *m)
{
	const odo_links *g = m->g;
	for (uint32_t y = 0; y < g->n; y++) {
		for (uint32_t x = 0; x < m->ref->n && m->from[y] == NO_VERTEX; x++) {
			bool fits = m->to[x] == NO_VERTEX;
			for (uint32_t a = g->first[y]; a < g->first[y + 1] && fits; a++) {
				uint32_t z = m->from[g->to[a]];
				fits = z == NO_VERTEX || odo_bits_linked(m->ref, x, z);
			}
			if (fits)
				add_match(m, x, y);
		}
	}
}

int odo_mms_extend(const odo_links *g, const odo_bits *ref, uint16_t *label, bool *found)
{
	odo_arena memory = {0};
	matching m = {.g = g, .ref = ref, .got = ref, .whole = true, .budget = BUDGET};
	int status = matching_make(&m, &memory);
	*found = false;
	if (!status) {
		choose_seeds(&m, ref);
		m.budget = budget_of(&m);
		*found = adopt_labels(&m, label) && close_over(&m) && try_seeds(&m, 0);
	}
	if (*found) {
		match_left(&m);
		*found = m.n == g->n && odo_mms_fitting(g, ref, m.from) >= 1;
		memcpy(label, m.from, g->n * sizeof *label);
	}
	odo_arena_free(&memory);
	return status;
}
