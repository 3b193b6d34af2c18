/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/doubtful.h"

#include <string.h>

#include "base/arena.h"
#include "mapping/product/lengths.h"

/* Orders in which links are tried. In LONGER of them paths may get longer. */
enum { ORDERS = 12, LONGER = 4 };

/* Cost of one more position along a path, counted in omitted links. */
enum { PER_POSITION = 2 };

typedef struct doubt {
	odo_trials *t;
	odo_spots core, before, best;
	uint32_t *edge; /* [n_edges] doubtful edges */
	bool *open;     /* [n_edges] not yet tried */
	uint32_t n_edges, left_out;
	uint32_t cost; /* of the best attempt */
	bool found;
} doubt;

static bool is_seen(const odo_spots *s, uint32_t e, int ends)
{
	return (s->choice[s->g->end[e][0]].n > 0) + (s->choice[s->g->end[e][1]].n > 0) >= ends;
}

/* Add one more link to the trusted ones, unless it causes a contradiction. */
static bool trust_link_too(doubt *d, uint32_t e)
{
	odo_spots *s = &d->t->now;
	const uint32_t *end = s->g->end[e];
	const odo_choice *a = &s->choice[end[0]], *b = &s->choice[end[1]];
	if (a->placed && b->placed)
		return odo_spots_adjacent(s, a->spot[0], b->spot[0]);
	odo_spots_copy(s, &d->before);
	s->added[e] = true;
	odo_spots_look(s, end[0]);
	odo_spots_look(s, end[1]);
	odo_spots_settle(s);
	if (!s->failed)
		return true;
	s->added[e] = false;
	odo_spots_copy(&d->before, s);
	return false;
}

/* Try the open links with `ends` ends of known position, beginning at number `from`: either links
 * in a rectangle, or the others. A link with one known end cannot contradict anything, so only the
 * first such link is added. */
static bool add_seen(doubt *d, uint32_t from, int ends, bool in_rectangle)
{
	const odo_support *support = d->t->now.support;
	bool any = false;
	for (uint32_t i = 0; i < d->n_edges && !(any && ends == 1); i++) {
		uint32_t at = (from + i) % d->n_edges;
		if (!d->open[at] || (support->corners[d->edge[at]] > 0) != in_rectangle ||
		    !is_seen(&d->t->now, d->edge[at], ends))
			continue;
		d->open[at] = false;
		any = true;
		d->left_out += !trust_link_too(d, d->edge[at]);
	}
	return any;
}

static void try_order(doubt *d, uint32_t from, bool longer)
{
	odo_spots *s = &d->t->now;
	uint32_t cost = 0;
	odo_spots_copy(&d->core, s);
	for (int k = 0; k < s->dims; k++)
		s->most[k] = longer ? 0 : odo_grid_length(s, k);
	memset(s->added, 0, s->g->n_edges * sizeof *s->added);
	memset(d->open, true, d->n_edges * sizeof *d->open);
	d->left_out = 0;
	while (add_seen(d, from, 2, true) || add_seen(d, from, 1, true) ||
	       add_seen(d, from, 2, false) || add_seen(d, from, 1, false))
		;
	odo_trials_rest(d->t);
	for (int k = 0; k < s->dims; k++)
		cost += PER_POSITION *
			(uint32_t)(odo_grid_length(s, k) - odo_grid_length(&d->core, k));
	cost += d->left_out;
	if (s->failed || (d->found && cost >= d->cost))
		return;
	d->found = true;
	d->cost = cost;
	odo_spots_copy(s, &d->best);
}

static int doubt_make(odo_trials *t, odo_arena *memory, doubt *d)
{
	const odo_links *g = t->now.g;
	*d = (doubt){.t = t,
		     .edge = odo_arena_new(memory, g->n_edges, sizeof *d->edge),
		     .open = odo_arena_new(memory, g->n_edges, sizeof *d->open)};
	odo_spots_make(g, t->now.support, t->now.dims, memory, &d->core);
	odo_spots_make(g, t->now.support, t->now.dims, memory, &d->before);
	odo_spots_make(g, t->now.support, t->now.dims, memory, &d->best);
	for (uint32_t e = 0; e < g->n_edges && !memory->failed; e++)
		if (!odo_spots_uses(&t->now, e))
			d->edge[d->n_edges++] = e;
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Try several orders with the current lengths. */
static bool try_orders(void *x)
{
	doubt *d = x;
	odo_spots *s = &d->t->now;
	memset(s->most, 0, sizeof s->most);
	memset(s->added, 0, s->g->n_edges * sizeof *s->added);
	odo_spots_grow(s);
	if (s->failed)
		return false;
	odo_spots_copy(s, &d->core);
	for (uint32_t i = 0; i < ORDERS && odo_may_go_on(s->g->budget); i++)
		try_order(d, i * d->n_edges / ORDERS, i % (ORDERS / LONGER) == 1);
	return d->found;
}

/* Try the lengths that links show, then no lengths, then the lengths that the omitted links
 * show. */
static int try_lengths(doubt *d, bool any_length)
{
	odo_spots *s = &d->t->now;
	int32_t seen[ODO_GRID_DIMS];
	int status = odo_grid_see(s, seen);
	bool again = odo_grid_closes(s);
	if (!status)
		try_orders(d);
	if (!status && again) {
		memset(s->wrap, 0, sizeof s->wrap);
		try_orders(d);
	}
	if (!status && !d->found && any_length)
		odo_grid_try_lengths(d->t, seen, try_orders, d);
	for (int i = 0; i < 2 && !status && d->found; i++) {
		odo_spots_copy(&d->best, s);
		status = odo_grid_vote(s);
		if (!status && memcmp(s->wrap, d->best.wrap, sizeof s->wrap))
			try_orders(d);
	}
	return status;
}

int odo_grid_doubtful(odo_trials *t, bool any_length, uint32_t *cost)
{
	doubt d;
	odo_arena memory = {0};
	int status = doubt_make(t, &memory, &d);
	if (!status)
		status = try_lengths(&d, any_length);
	if (!status && !d.found)
		status = ODO_EUNKNOWN;
	if (!status)
		odo_spots_copy(&d.best, &t->now);
	*cost = status ? ODO_NONE : d.cost;
	odo_arena_free(&memory);
	return status;
}
