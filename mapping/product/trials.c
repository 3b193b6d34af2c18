/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/trials.h"

/* Return the unplaced switch with the lowest ratio of possible positions to contradictions. If no
 * unplaced switch has a possible position, return the one with most links, as the start of a
 * separate part. ODO_NONE: every switch with links is placed, or every switch that trusted links
 * reach. */
static uint32_t next_switch(const odo_trials *t)
{
	const odo_choice *choice = t->now.choice;
	const odo_links *g = t->now.g;
	uint32_t best = ODO_NONE, most = 0;
	for (uint32_t v = 0; v < g->n; v++) {
		uint64_t n = choice[v].n;
		if (choice[v].placed || !n)
			continue;
		if (best == ODO_NONE ||
		    n * t->failures[best] < (uint64_t)choice[best].n * t->failures[v])
			best = v;
	}
	for (uint32_t v = 0; v < g->n && best == ODO_NONE && !t->now.least; v++)
		most = !choice[v].placed && odo_degree(g, v) > most ? odo_degree(g, v) : most;
	for (uint32_t v = 0; v < g->n && best == ODO_NONE && most; v++)
		if (!choice[v].placed && odo_degree(g, v) == most)
			best = v;
	return best;
}

static bool is_within_bounds(odo_spot p, odo_spot low, odo_spot high)
{
	bool is_within = true;
	for (int k = 0; k < ODO_GRID_DIMS; k++)
		is_within = is_within && p.at[k] >= low.at[k] && p.at[k] <= high.at[k];
	return is_within;
}

static void add_open(odo_trials *t, odo_spot p)
{
	if (t->n_open < t->n_room)
		t->open[t->n_open++] = p;
}

/* List the free positions within the present grid, for the first switch of a separate part. */
static void list_free(odo_trials *t, const odo_spots *s)
{
	odo_spot p = s->low;
	for (int k = 0; k >= 0 && t->n_open < t->n_room;) {
		if (odo_spots_occupant(s, p) == ODO_NONE)
			add_open(t, p);
		for (k = s->dims - 1; k >= 0 && p.at[k] == s->high.at[k]; k--)
			p.at[k] = s->low.at[k];
		if (k >= 0)
			p.at[k]++;
	}
}

/* List the possible positions of v. Positions within the present bounds come first, so that the
 * grid stays small. */
static void list_open(odo_trials *t, const odo_spots *s, uint32_t v)
{
	const odo_choice *c = &s->choice[v];
	t->n_open = 0;
	for (unsigned i = 0; i < 2u * c->n; i++) {
		odo_spot p = c->spot[(i + t->attempt) % c->n];
		if (is_within_bounds(p, s->low, s->high) == (i < c->n))
			add_open(t, p);
	}
	if (!c->n)
		list_free(t, s);
}

static void push_guess(odo_trials *t, uint32_t v)
{
	if (t->depth == ODO_TRIAL_DEPTH)
		t->first = (t->first + 1) % ODO_TRIAL_DEPTH;
	else
		t->depth++;
	odo_guess *top = &t->guess[(t->first + t->depth - 1) % ODO_TRIAL_DEPTH];
	odo_spots_copy(&t->now, &top->before);
	top->v = v;
	top->next = 0;
}

/* Contradictions after which an attempt stops. */
enum { CONTRADICTIONS = 100 };

/* Try the next option of the last guess that causes no contradiction, or else of the guess before
 * it. Return the number of contradictions. No guess is left if all options failed. */
static unsigned try_next_option(odo_trials *t, unsigned most)
{
	unsigned n = 0;
	while (t->depth && n < most) {
		odo_guess *top = &t->guess[(t->first + t->depth - 1) % ODO_TRIAL_DEPTH];
		list_open(t, &top->before, top->v);
		while (top->next < t->n_open && n < most) {
			odo_spots_copy(&top->before, &t->now);
			t->now.failed = !odo_spots_put(&t->now, top->v, t->open[top->next++]);
			odo_spots_settle(&t->now);
			if (!t->now.failed)
				return n;
			if (t->now.culprit != ODO_NONE)
				t->failures[t->now.culprit]++;
			n++;
		}
		t->failures[top->v]++;
		t->depth--;
	}
	t->now.failed = true;
	return n;
}

/* Place the remaining switches by trial. */
void odo_trials_rest(odo_trials *t)
{
	uint32_t v;
	unsigned n = 0;
	t->first = t->depth = 0;
	while (!t->now.failed && (v = next_switch(t)) != ODO_NONE &&
	       odo_may_go_on(t->now.g->budget)) {
		push_guess(t, v);
		n += try_next_option(t, CONTRADICTIONS - n);
	}
}

/* Return true if all trusted links join neighbouring positions. */
static bool is_grid(const odo_spots *s)
{
	const odo_links *g = s->g;
	for (uint32_t e = 0; e < g->n_edges && !s->failed; e++) {
		const odo_choice *a = &s->choice[g->end[e][0]], *b = &s->choice[g->end[e][1]];
		if (!odo_spots_uses(s, e) || (s->least && !(a->placed && b->placed)))
			continue;
		if (!a->placed || !b->placed || !odo_spots_adjacent(s, a->spot[0], b->spot[0]))
			return false;
	}
	return !s->failed;
}

/* Attempts to place all switches; each uses the failure counts of earlier ones. */
enum { ATTEMPTS = 4 };

bool odo_trials_attempt(odo_trials *t)
{
	for (t->attempt = 0; t->attempt < ATTEMPTS && odo_may_go_on(t->now.g->budget);
	     t->attempt++) {
		odo_spots_grow(&t->now);
		if (t->now.failed)
			return false;
		if (!t->now.least)
			odo_trials_rest(t);
		if (is_grid(&t->now))
			return true;
	}
	return false;
}

int odo_trials_make(const odo_links *g, const odo_support *support, int dims, odo_arena *memory,
		    odo_trials *t)
{
	*t = (odo_trials){.n_room = 2 * g->n + ODO_MOST_SPOTS};
	t->failures = odo_arena_new(memory, g->n, sizeof *t->failures);
	t->open = odo_arena_new(memory, t->n_room, sizeof *t->open);
	odo_spots_make(g, support, dims, memory, &t->now);
	t->now.added = odo_arena_new(memory, g->n_edges, sizeof *t->now.added);
	for (unsigned i = 0; i < ODO_TRIAL_DEPTH; i++)
		odo_spots_make(g, support, dims, memory, &t->guess[i].before);
	if (memory->failed)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < g->n; v++)
		t->failures[v] = 1;
	return 0;
}
