/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/lengths.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SHORTEST_CYCLE = 3 };

/* Return by how much the positions of u and v disagree if their link leads in direction i. Return 0
 * if they disagree in several dimensions. */
static int32_t off_by(const odo_spots *s, uint32_t u, uint32_t v, unsigned i, int *dim)
{
	odo_spot p = s->choice[u].spot[0], q = s->choice[v].spot[0], next = odo_spots_step(s, p, i);
	if (odo_spots_occupant(s, next) != ODO_NONE ||
	    odo_spots_occupant(s, odo_spots_step(s, q, i ^ 1)) != ODO_NONE)
		return 0;
	int differ = 0;
	for (int k = 0; k < s->dims; k++)
		if (next.at[k] != q.at[k]) {
			*dim = k;
			differ++;
		}
	return differ == 1 ? abs(next.at[*dim] - q.at[*dim]) : 0;
}

static int32_t most_frequent(const uint32_t *count, size_t room)
{
	int32_t length = 0;
	uint32_t most = 0;
	for (size_t k = SHORTEST_CYCLE; k < room; k++)
		if (count[k] > most) {
			most = count[k];
			length = (int32_t)k;
		}
	return length;
}

int odo_grid_vote(odo_spots *s)
{
	const odo_links *g = s->g;
	size_t room = 2 * (size_t)g->n + 2;
	uint32_t *count = odo_new((size_t)s->dims * room, sizeof *count);
	if (!count)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1];
		const odo_choice *a = &s->choice[u], *b = &s->choice[v];
		if (!a->placed || !b->placed || odo_spots_adjacent(s, a->spot[0], b->spot[0]))
			continue;
		for (unsigned i = 0; i < odo_spots_links(s); i++) {
			int dim = 0;
			int32_t off = off_by(s, u, v, i, &dim);
			if (off && (size_t)off < room)
				count[(size_t)dim * room + (size_t)off]++;
		}
	}
	for (int dim = 0; dim < s->dims; dim++)
		if (!s->wrap[dim])
			s->wrap[dim] = most_frequent(count + (size_t)dim * room, room);
	free(count);
	return 0;
}

int32_t odo_grid_length(const odo_spots *s, int k)
{
	return s->wrap[k] ? s->wrap[k] : s->high.at[k] - s->low.at[k] + 1;
}

bool odo_grid_closes(const odo_spots *s)
{
	bool closes = false;
	for (int k = 0; k < s->dims; k++)
		closes = closes || s->wrap[k];
	return closes;
}

/* Change of the first dimension's length, up or down, with which a smaller grid is tried. */
enum { STRETCH = 2 };

/* Try a grid of fewer positions, with the first of the two dimensions longer by `by`. */
static bool attempt_smaller(odo_trials *t, const int two[2], int32_t by)
{
	odo_spots *s = &t->now;
	const int i = two[0], j = two[1];
	int64_t places = 1, fewer = (int64_t)odo_grid_length(s, i) * odo_grid_length(s, j) - 1;
	int32_t first = odo_grid_length(s, i) + by, second = odo_grid_length(s, j);
	if (first < 1 || (s->wrap[i] && by) || (s->wrap[j] && fewer / first < second))
		return false;
	if (!s->wrap[j])
		second = (int32_t)(fewer / first);
	for (int k = 0; k < s->dims; k++) {
		s->most[k] = k == i ? first : k == j ? second : odo_grid_length(s, k);
		places *= s->most[k];
	}
	return places >= (int64_t)s->g->n && odo_trials_attempt(t);
}

/* Advance to the next two dimensions and stretch. Return false after the last. */
static bool next_smaller(const odo_spots *s, int two[2], int32_t *by)
{
	if (++*by <= STRETCH)
		return true;
	*by = -STRETCH;
	if (++two[1] == s->dims)
		two[1] = ++two[0] + 1;
	return two[1] < s->dims;
}

/* Find the smallest grid with a position for every switch, because it is the likeliest. */
static int shrink_lengths(odo_trials *t)
{
	odo_arena memory = {0};
	odo_spots best;
	int two[2] = {0, 1};
	int32_t by = -STRETCH - 1;
	odo_spots_make(t->now.g, t->now.support, t->now.dims, &memory, &best);
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		odo_spots_copy(&t->now, &best);
	while (!status && next_smaller(&t->now, two, &by)) {
		if (!attempt_smaller(t, two, by)) {
			odo_spots_copy(&best, &t->now);
			continue;
		}
		odo_spots_copy(&t->now, &best);
		two[0] = 0;
		two[1] = 1;
		by = -STRETCH - 1;
	}
	odo_arena_free(&memory);
	return status;
}

/* Possible lengths of all dimensions; 0 for a path. */
typedef struct lengths {
	int32_t wrap[ODO_GRID_DIMS];
	int64_t places;
	int32_t off; /* difference from the lengths that links show */
} lengths;

static int by_promise(const void *a, const void *b)
{
	const lengths *x = a, *y = b;
	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->places != y->places)
		return x->places < y->places ? -1 : 1;
	for (int k = 0; k < ODO_GRID_DIMS - 1; k++)
		if (x->wrap[k] != y->wrap[k])
			return x->wrap[k] < y->wrap[k] ? -1 : 1;
	return x->wrap[ODO_GRID_DIMS - 1] < y->wrap[ODO_GRID_DIMS - 1] ? -1 : 1;
}

/* Largest difference between a cycle's length and the length that links show, by number of
 * dimensions. */
static const int32_t most_off[ODO_GRID_DIMS + 1] = {0, 0, 16, 4, 1};

/* Sets of lengths to choose from, and sets that are tried. */
enum { MOST_SETS = 34 * 34, MOST_TRIED = 200 };

/* Accept a grid if damage left at least two thirds of its positions, or if it has a path. */
static bool may_hold(const lengths *l, uint32_t n)
{
	return !l->places || (l->places >= n && 2 * l->places <= 3 * (int64_t)n);
}

/* Compute set number `i`: lengths near those that links show, or paths. Return false if a cycle
 * would be too short, or if every dimension would be a path. */
static bool lengths_numbered(const odo_spots *s, const int32_t *seen, uint32_t i, lengths *l)
{
	const int32_t off = most_off[s->dims], choices = 2 * off + 2;
	*l = (lengths){.places = 1};
	bool fits = true, closes = false;
	for (int k = s->dims - 1; k >= 0; k--, i /= (uint32_t)choices) {
		int32_t by = (int32_t)i % choices - off;
		l->wrap[k] = by > off ? 0 : seen[k] + by;
		l->off += by > off ? 0 : abs(by);
		l->places *= l->wrap[k];
		fits = fits && (by > off || l->wrap[k] >= SHORTEST_CYCLE);
		closes = closes || by <= off;
	}
	return fits && closes;
}

/* List the sets of lengths near those that links show, except paths only. Return how many. */
static unsigned list_lengths(const odo_trials *t, const int32_t *seen, lengths *all)
{
	unsigned n = 0;
	uint32_t sets = 1;
	lengths l;
	for (int k = 0; k < t->now.dims; k++)
		sets *= 2 * (uint32_t)most_off[t->now.dims] + 2;
	for (uint32_t i = 0; i < sets; i++)
		if (lengths_numbered(&t->now, seen, i, &l) && may_hold(&l, t->now.g->n))
			all[n++] = l;
	qsort(all, n, sizeof *all, by_promise);
	return n;
}

bool odo_grid_try_lengths(odo_trials *t, const int32_t seen[ODO_GRID_DIMS], bool (*fits)(void *x),
			  void *x)
{
	lengths all[MOST_SETS];
	unsigned n = list_lengths(t, seen, all);
	for (unsigned i = 0; i < n && i < MOST_TRIED; i++) {
		memcpy(t->now.wrap, all[i].wrap, sizeof t->now.wrap);
		if (fits(x))
			return true;
	}
	return false;
}

static bool attempt_trials(void *x)
{
	return odo_trials_attempt(x);
}

/* Corners were found by chance if less than 1 / least_placed of the switches is placed from them;
 * by number of dimensions. */
static const uint32_t least_placed[ODO_GRID_DIMS + 1] = {0, 0, 16, 3, 3};

static uint32_t count_placed(const odo_spots *s)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < s->g->n; v++)
		n += s->choice[v].placed;
	return n;
}

int odo_grid_see(odo_spots *s, int32_t seen[ODO_GRID_DIMS])
{
	int status = 0;
	int32_t reached[ODO_GRID_DIMS] = {0};
	s->strict = false;
	memset(s->wrap, 0, sizeof s->wrap);
	memset(s->most, 0, sizeof s->most);
	for (int i = 0; i < 2 && !status; i++) { /* one length can reveal another */
		odo_spots_grow(s);
		for (int k = 0; k < s->dims && !i; k++)
			reached[k] = odo_grid_length(s, k);
		status = odo_grid_vote(s);
	}
	for (int k = 0; k < s->dims; k++)
		seen[k] = s->wrap[k] ? s->wrap[k] : reached[k];
	s->strict = true;
	return status || count_placed(s) >= s->g->n / least_placed[s->dims] ? status : ODO_EUNKNOWN;
}

/* Try the lengths that links show, then a mesh: a switch with a wrong position may have suggested a
 * length that does not exist. Then try other lengths. */
int odo_grid_fit(odo_trials *t, bool any_length)
{
	bool found = false;
	int32_t seen[ODO_GRID_DIMS];
	int status = odo_grid_see(&t->now, seen);
	if (status)
		return status;
	for (bool again = odo_grid_closes(&t->now); !(found = odo_trials_attempt(t)) && again;
	     again = false)
		memset(t->now.wrap, 0, sizeof t->now.wrap);
	if (!found && any_length)
		found = odo_grid_try_lengths(t, seen, attempt_trials, t);
	return found ? shrink_lengths(t) : ODO_EUNKNOWN;
}
