/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/grid.h"

#include <string.h>

#include "mapping/product/doubtful.h"
#include "mapping/product/lengths.h"

enum { LEAST_SWITCHES = 6 };

/* Wrong cables give a fifth link to few. */
static const odo_share few = {1, 20};

static bool may_be_grid(const odo_links *g)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < g->n; v++)
		n += odo_degree(g, v) > ODO_GRID_LINKS;
	return g->n >= LEAST_SWITCHES && !odo_exceeds(n, few, g->n);
}

static uint32_t opposite(const odo_links *g, const odo_square *q, uint32_t v, uint32_t mid[2])
{
	for (int i = 0; i < 2; i++)
		mid[i] = odo_far_end(g, q->near[i], v);
	return odo_far_end(g, q->away[0], mid[0]);
}

static bool uses_all(const odo_spots *s, const odo_square *q)
{
	return odo_spots_uses(s, q->near[0]) && odo_spots_uses(s, q->near[1]) &&
	       odo_spots_uses(s, q->away[0]) && odo_spots_uses(s, q->away[1]);
}

static uint32_t count_used(const odo_spots *s, uint32_t v)
{
	uint32_t n = 0;
	for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++)
		n += odo_spots_uses(s, s->g->edge[a]);
	return n;
}

/* Begin with the rectangle whose corners have most links. */
static int begin(odo_spots *s, odo_walk *walk)
{
	const odo_links *g = s->g;
	uint32_t mid[2], most = 0;
	for (uint32_t v = 0; v < g->n && most < 4 * ODO_GRID_LINKS; v++) {
		uint32_t n;
		const odo_square *q = odo_walk_squares(walk, v, &n);
		for (const odo_square *end = q + n; q < end; q++) {
			uint32_t far = opposite(g, q, v, mid);
			uint32_t links = count_used(s, v) + count_used(s, far) +
					 count_used(s, mid[0]) + count_used(s, mid[1]);
			if (links <= most || !uses_all(s, q))
				continue;
			most = links;
			memcpy(s->corner, (uint32_t[]){v, mid[0], far, mid[1]}, sizeof s->corner);
		}
	}
	return most ? 0 : ODO_EUNKNOWN;
}

/* A cycle of four is K_2 x K_2, in this order around it, and one of three is K_3. */
static const uint32_t of_four[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};

static unsigned n_factors(const odo_spots *s, int k)
{
	return s->wrap[k] == 4 ? 2 : 1;
}

static void fill_switch(const odo_spots *s, uint32_t v, uint32_t *at)
{
	const odo_choice *c = &s->choice[v];
	for (int k = 0; k < 2; at += n_factors(s, k), k++) {
		uint32_t x = (uint32_t)(c->spot[0].at[k] - (s->wrap[k] ? 0 : s->low.at[k]));
		for (unsigned i = 0; i < n_factors(s, k); i++)
			at[i] = !c->placed ? ODO_NONE : s->wrap[k] == 4 ? of_four[x][i] : x;
	}
}

static int fill(const odo_spots *s, odo_placement *placement, odo_error *err)
{
	unsigned n = 0;
	int status = odo_placement_make(s->g->n, n_factors(s, 0) + n_factors(s, 1), placement, err);
	if (status)
		return status;
	for (int k = 0; k < 2; k++)
		for (unsigned i = 0; i < n_factors(s, k); i++, n++) {
			uint32_t size = (uint32_t)odo_grid_length(s, k) / n_factors(s, k);
			placement->size[n] = size;
			placement->factor[n] = s->wrap[k] > 4            ? ODO_CYCLE
					       : s->wrap[k] || size == 2 ? ODO_COMPLETE
									 : ODO_PATH;
		}
	for (uint32_t v = 0; v < s->g->n; v++)
		fill_switch(s, v, odo_placement_at(placement, v));
	status = odo_placement_index(s->g, placement, odo_placement_room(s->g), err);
	return status ? status : odo_placement_settle(s->g, placement, err);
}

/* So few links left out are wrong cables indeed. */
static const odo_share few_left_out = {1, 60};

/* Links to go by first are in so many rectangles: wrong cables are in few, and others in two, but
 * at borders and by damage. And whether lengths are tried that no link shows. */
static const struct way {
	uint32_t least;
	bool any_length;
} ways[] = {{0, false}, {1, false}, {2, false}, {0, true}, {1, true}, {2, true}};

enum { N_WAYS = sizeof ways / sizeof *ways };

/* The first way that leaves out next to no links, or else the one that leaves out fewest. */
static int place(odo_trials *t, odo_walk *walk)
{
	odo_spots best;
	uint32_t least_cost = ODO_NONE;
	int status = odo_spots_make(t->now.g, t->now.support, &best);
	for (unsigned i = 0; i < N_WAYS && !status; i++) {
		uint32_t cost = 0;
		t->now.least = ways[i].least;
		status = begin(&t->now, walk);
		if (!status)
			status = ways[i].least ? odo_grid_doubtful(t, ways[i].any_length, &cost)
					       : odo_grid_fit(t, ways[i].any_length);
		if (!status && cost < least_cost) {
			least_cost = cost;
			odo_spots_copy(&t->now, &best);
		}
		status = status == ODO_EUNKNOWN ? 0 : status;
		if (!odo_exceeds(least_cost, few_left_out, t->now.g->n_edges))
			break;
	}
	if (!status && least_cost < ODO_NONE)
		odo_spots_copy(&best, &t->now);
	odo_spots_clear(&best);
	return status || least_cost < ODO_NONE ? status : ODO_EUNKNOWN;
}

int odo_grid_place(const odo_links *g, odo_walk *walk, const odo_support *support,
		   odo_placement *placement, odo_error *err)
{
	odo_trials t = {0};
	if (!may_be_grid(g))
		return odo_fail(err, ODO_EUNKNOWN, "switches have more links than in a grid");
	int status = odo_trials_make(g, support, &t);
	odo_walk_restrict(walk, NULL);
	if (!status)
		status = place(&t, walk);
	if (!status)
		status = fill(&t.now, placement, err);
	else if (status == ODO_ENOMEM)
		odo_fail(err, status, "no memory for a grid");
	else
		odo_fail(err, status, "switches lie on no grid");
	odo_trials_clear(&t);
	return status;
}
