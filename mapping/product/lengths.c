/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/lengths.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SHORTEST_CYCLE = 3 };

/* By how far the places of v are off if the link from u leads in direction i: along one dimension,
 * or the answer is 0. */
static int32_t off_by(const odo_spots *s, uint32_t u, uint32_t v, unsigned i, int *dim)
{
	odo_spot p = s->choice[u].spot[0], q = s->choice[v].spot[0], next = odo_spots_step(s, p, i);
	if (odo_spots_occupant(s, next) != ODO_NONE ||
	    odo_spots_occupant(s, odo_spots_step(s, q, i ^ 1)) != ODO_NONE)
		return 0;
	int32_t off[2] = {next.at[0] - q.at[0], next.at[1] - q.at[1]};
	*dim = !off[0];
	return off[0] && off[1] ? 0 : abs(off[*dim]);
}

int odo_grid_vote(odo_spots *s)
{
	const odo_links *g = s->g;
	size_t room = 2 * (size_t)g->n + 2;
	uint32_t *count = odo_new(2 * room, sizeof *count);
	const bool open[2] = {s->wrap[0] == 0, s->wrap[1] == 0};
	if (!count)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1];
		const odo_choice *a = &s->choice[u], *b = &s->choice[v];
		if (!a->placed || !b->placed || odo_spots_adjacent(s, a->spot[0], b->spot[0]))
			continue;
		for (unsigned i = 0; i < ODO_GRID_LINKS; i++) {
			int dim = 0;
			int32_t off = off_by(s, u, v, i, &dim);
			if (off && (size_t)off < room)
				count[(size_t)dim * room + (size_t)off]++;
		}
	}
	for (int dim = 0; dim < 2; dim++)
		for (size_t k = SHORTEST_CYCLE, most = 0; k < room && open[dim]; k++)
			if (count[(size_t)dim * room + k] > most) {
				most = count[(size_t)dim * room + k];
				s->wrap[dim] = (int32_t)k;
			}
	free(count);
	return 0;
}

int32_t odo_grid_length(const odo_spots *s, int k)
{
	return s->wrap[k] ? s->wrap[k] : s->high.at[k] - s->low.at[k] + 1;
}

/* Positions of the first dimension more or fewer that a smaller grid is looked for with. */
enum { STRETCH = 2 };

/* A grid of fewer positions, its first dimension so much longer. */
static bool attempt_smaller(odo_trials *t, int32_t by)
{
	odo_spots *s = &t->now;
	const int32_t size[2] = {odo_grid_length(s, 0), odo_grid_length(s, 1)};
	int64_t fewer = (int64_t)size[0] * size[1] - 1;
	int32_t first = size[0] + by;
	if (first < 1 || (s->wrap[0] && by) || (s->wrap[1] && fewer / first < size[1]))
		return false;
	int32_t second = s->wrap[1] ? size[1] : (int32_t)(fewer / first);
	if ((int64_t)first * second < (int64_t)s->g->n)
		return false;
	s->most[0] = first;
	s->most[1] = second;
	return odo_trials_attempt(t);
}

/* The smallest grid that all finds a place in is the likeliest. */
static int shrink(odo_trials *t)
{
	odo_spots best;
	int status = odo_spots_make(t->now.g, t->now.support, &best);
	if (!status)
		odo_spots_copy(&t->now, &best);
	for (int32_t by = -STRETCH; by <= STRETCH && !status; by++) {
		if (attempt_smaller(t, by)) {
			odo_spots_copy(&t->now, &best);
			by = -STRETCH - 1;
		} else {
			odo_spots_copy(&best, &t->now);
		}
	}
	odo_spots_clear(&best);
	return status;
}

/* Lengths of both dimensions that may be, 0 for a path. */
typedef struct lengths {
	int32_t wrap[2];
	int64_t places;
	int32_t off; /* from what was seen */
} lengths;

static int by_promise(const void *a, const void *b)
{
	const lengths *x = a, *y = b;
	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->places != y->places)
		return x->places < y->places ? -1 : 1;
	return x->wrap[0] < y->wrap[0] ? -1 : 1;
}

/* How far cycles may be from the lengths that were seen, for each dimension; and how many lengths
 * are tried. */
enum { MOST_OFF = 16, PER_DIM = 2 * MOST_OFF + 2, MOST_TRIED = 200 };

/* Places of which damage leaves two in three, or more. */
static bool may_hold(const lengths *l, uint32_t n)
{
	return !l->wrap[0] || !l->wrap[1] || (l->places >= n && 2 * l->places <= 3 * (int64_t)n);
}

/* All lengths of both dimensions about those seen, not two paths. Returns how many. */
static unsigned list_lengths(const odo_trials *t, const int32_t seen[2], lengths *all)
{
	unsigned n = 0;
	for (int32_t i = 0; i < PER_DIM * PER_DIM - 1; i++) {
		const int32_t by[2] = {i / PER_DIM - MOST_OFF, i % PER_DIM - MOST_OFF};
		lengths l = {.places = 1};
		bool fits = true;
		for (int k = 0; k < 2; k++) {
			bool path = by[k] > MOST_OFF;
			l.wrap[k] = path ? 0 : seen[k] + by[k];
			l.off += path ? 0 : abs(by[k]);
			l.places *= l.wrap[k];
			fits = fits && (path || l.wrap[k] >= SHORTEST_CYCLE);
		}
		if (fits && may_hold(&l, t->now.g->n))
			all[n++] = l;
	}
	qsort(all, n, sizeof *all, by_promise);
	return n;
}

bool odo_grid_try_lengths(odo_trials *t, const int32_t seen[2], bool (*fits)(void *x), void *x)
{
	lengths all[PER_DIM * PER_DIM];
	unsigned n = list_lengths(t, seen, all);
	for (unsigned i = 0; i < n && i < MOST_TRIED; i++) {
		memcpy(t->now.wrap, all[i].wrap, sizeof t->now.wrap);
		if (fits(x))
			return true;
	}
	return false;
}

static bool attempt(void *x)
{
	return odo_trials_attempt(x);
}

/* Where a rectangle grows into less, it was one by chance. */
enum { LEAST_PLACED = 16 };

static uint32_t count_placed(const odo_spots *s)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < s->g->n; v++)
		n += s->choice[v].placed;
	return n;
}

int odo_grid_see(odo_spots *s, int32_t seen[2])
{
	int status = 0;
	int32_t reached[2] = {0};
	s->strict = false;
	memset(s->wrap, 0, sizeof s->wrap);
	memset(s->most, 0, sizeof s->most);
	for (int i = 0; i < 2 && !status; i++) { /* one length may show the other */
		odo_spots_grow(s);
		for (int k = 0; k < 2 && !i; k++)
			reached[k] = odo_grid_length(s, k);
		status = odo_grid_vote(s);
	}
	for (int k = 0; k < 2; k++)
		seen[k] = s->wrap[k] ? s->wrap[k] : reached[k];
	s->strict = true;
	return status || count_placed(s) >= s->g->n / LEAST_PLACED ? status : ODO_EUNKNOWN;
}

/* With the lengths that links show, and else as a mesh: a link that was placed wrong before may
 * have shown a length where there is none. Then with others. */
int odo_grid_fit(odo_trials *t, bool any_length)
{
	bool found = false;
	int32_t seen[2];
	int status = odo_grid_see(&t->now, seen);
	if (status)
		return status;
	for (bool again = t->now.wrap[0] || t->now.wrap[1];
	     !(found = odo_trials_attempt(t)) && again; again = false)
		memset(t->now.wrap, 0, sizeof t->now.wrap);
	if (!found && any_length)
		found = odo_grid_try_lengths(t, seen, attempt, t);
	return found ? shrink(t) : ODO_EUNKNOWN;
}
