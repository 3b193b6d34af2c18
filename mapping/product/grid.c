/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/grid.h"

#include <string.h>

#include "mapping/product/doubtful.h"
#include "mapping/product/lengths.h"

enum { LEAST_SWITCHES = 6 };

/* Share of switches to which wrong cables can give more links than the grid has. */
static const odo_share few = {1, 20};
/* In a small grid two wrong cables give extra links to at most FEW_SWITCHES, a larger share. */
enum { FEW_SWITCHES = 4 };
static const odo_share few_of_small = {1, 10};

static bool many_are_above(const odo_links *g, uint32_t degree)
{
	uint32_t n = 0;
	for (uint32_t v = 0; v < g->n; v++)
		n += odo_degree(g, v) > degree;
	return odo_exceeds(n, n > FEW_SWITCHES ? few : few_of_small, g->n);
}

int odo_grid_dims(const odo_links *g)
{
	int dims = 2; /* nearly every switch has at most two links for each */
	while (dims <= ODO_GRID_DIMS && many_are_above(g, 2 * (uint32_t)dims))
		dims++;
	return dims;
}

/* Links of a switch that are examined: the links of a grid, and a few wrong ones. */
enum { MOST_LINKS = 2 * ODO_GRID_DIMS + 2 };

/* A switch to start from, and its rectangles: far[i][j] is the corner opposite to it in the
 * rectangle of its links i and j. */
typedef struct start {
	odo_spots *s;
	uint32_t v, most; /* links of the best corners so far */
	/* The switch tried last. The next one has fewer links, or as many and a higher number. */
	uint32_t last_v, last_links;
	uint32_t far[MOST_LINKS][MOST_LINKS];
	uint32_t chosen[ODO_GRID_DIMS]; /* a link of each dimension */
} start;

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

static uint32_t index_of_link(const odo_links *g, uint32_t v, uint32_t e)
{
	uint32_t i = 0;
	while (g->edge[g->first[v] + i] != e)
		i++;
	return i;
}

static void list_rectangles(start *t, odo_walk *walk)
{
	const odo_links *g = t->s->g;
	uint32_t n;
	const odo_square *q = odo_walk_corners(walk, t->v, &n);
	memset(t->far, 0xFF, sizeof t->far);
	for (const odo_square *end = q + n; q < end; q++) {
		uint32_t i = index_of_link(g, t->v, q->near[0]),
			 j = index_of_link(g, t->v, q->near[1]);
		if (i < MOST_LINKS && j < MOST_LINKS && uses_all(t->s, q))
			t->far[i][j] = t->far[j][i] = odo_far_end(g, q->away[0],
								  odo_far_end(g, q->near[0], t->v));
	}
}

/* Keep the corners that the chosen links lead to, if they have more links than the best so far. */
static void keep_best_corners(start *t)
{
	odo_spots *s = t->s;
	uint32_t corner[ODO_GRID_CORNERS], n = 0, links = 0;
	corner[n++] = t->v;
	for (int k = 0; k < s->dims; k++)
		corner[n++] = s->g->to[s->g->first[t->v] + t->chosen[k]];
	for (int k = 0; k < s->dims; k++)
		for (int j = 0; j < k; j++)
			corner[n++] = t->far[t->chosen[j]][t->chosen[k]];
	for (uint32_t i = 0; i < n; i++)
		links += count_used(s, corner[i]);
	if (links <= t->most || links > t->last_links ||
	    (links == t->last_links && t->v <= t->last_v))
		return;
	t->most = links;
	memcpy(s->corner, corner, n * sizeof *corner);
}

/* Choose links of v for dimension `dim` and later ones. Every two must be sides of a rectangle. */
static void choose_start_links(start *t, int dim, uint32_t from)
{
	uint32_t degree = odo_degree(t->s->g, t->v);
	for (uint32_t i = from; i < degree && i < MOST_LINKS && dim < ODO_GRID_DIMS; i++) {
		bool fits = true;
		for (int k = 0; k < dim; k++)
			fits = fits && t->far[t->chosen[k]][i] != ODO_NONE;
		t->chosen[dim] = i;
		if (fits && dim + 1 < t->s->dims)
			choose_start_links(t, dim + 1, i + 1);
		else if (fits)
			keep_best_corners(t);
	}
}

static uint32_t n_corners(const odo_spots *s)
{
	return 1 + (uint32_t)s->dims * ((uint32_t)s->dims + 1) / 2;
}

/* Choose the next switch with a rectangle for every two dimensions, the one whose corners have most
 * links. */
static bool next_start(start *t, odo_walk *walk)
{
	const uint32_t all = n_corners(t->s) * odo_spots_links(t->s);
	uint32_t best = 0;
	t->most = 0;
	for (t->v = 0; t->v < t->s->g->n && t->most < all && odo_may_go_on(t->s->g->budget);
	     t->v++) {
		uint32_t most = t->most;
		list_rectangles(t, walk);
		choose_start_links(t, 0, 0);
		best = t->most > most ? t->v : best;
	}
	t->last_v = best;
	t->last_links = t->most;
	return t->most > 0;
}

/* Coordinates around a cycle of four, which is K_2 x K_2. A cycle of three is K_3. */
static const uint32_t of_four[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};

static unsigned n_factors(const odo_spots *s, int k)
{
	return s->wrap[k] == 4 ? 2 : 1;
}

static void place_grid_switch(const odo_spots *s, uint32_t v, uint32_t *at)
{
	const odo_choice *c = &s->choice[v];
	for (int k = 0; k < s->dims; at += n_factors(s, k), k++) {
		uint32_t x = (uint32_t)(c->spot[0].at[k] - (s->wrap[k] ? 0 : s->low.at[k]));
		for (unsigned i = 0; i < n_factors(s, k); i++)
			at[i] = !c->placed ? ODO_NONE : s->wrap[k] == 4 ? of_four[x][i] : x;
	}
}

static int fill_placement(const odo_spots *s, odo_placement *placement, odo_error *err)
{
	unsigned n = 0;
	for (int k = 0; k < s->dims; k++)
		n += n_factors(s, k);
	int status = odo_placement_make(s->g->n, n, placement, err);
	if (status)
		return status;
	n = 0;
	for (int k = 0; k < s->dims; k++)
		for (unsigned i = 0; i < n_factors(s, k); i++, n++) {
			uint32_t size = (uint32_t)odo_grid_length(s, k) / n_factors(s, k);
			placement->size[n] = size;
			placement->factor[n] = s->wrap[k] > 4            ? ODO_CYCLE
					       : s->wrap[k] || size == 2 ? ODO_COMPLETE
									 : ODO_PATH;
		}
	for (uint32_t v = 0; v < s->g->n; v++)
		place_grid_switch(s, v, odo_placement_at(placement, v));
	status = odo_placement_index(s->g, placement, odo_placement_room(s->g), err);
	return status ? status : odo_placement_settle(s->g, placement, err);
}

/* If at most this share of links is omitted, they are probably wrong cables. */
static const odo_share few_left_out = {1, 60};

/* Rectangles that a link must be in to be trusted first. Wrong cables are in few; right ones are in
 * two or more, except at borders and beside damage. `any_length` says whether to try lengths that
 * no link shows. */
static const struct way {
	uint32_t least;
	bool any_length;
} ways[] = {{0, false}, {1, false}, {2, false}, {0, true}, {1, true}, {2, true}};

enum { N_WAYS = sizeof ways / sizeof *ways };

/* Starts that are tried: the first rectangles may exist by chance, or be a cycle of four. */
enum { STARTS = 8 };

/* Try one way from its next start.
 * @param cost gets the number of omitted links */
static int try_one_way(odo_trials *t, odo_walk *walk, const struct way *way, start *from,
		       uint32_t *cost)
{
	*cost = 0;
	t->now.least = way->least;
	if (!next_start(from, walk))
		return ODO_EUNKNOWN;
	return way->least ? odo_grid_doubtful(t, way->any_length, cost)
			  : odo_grid_fit(t, way->any_length);
}

/* Keep the first way that omits almost no links, or else the one that omits fewest. Try other
 * starts if no way succeeds. */
static int try_ways(odo_trials *t, odo_walk *walk, unsigned n_ways, odo_spots *best)
{
	start from[N_WAYS];
	uint32_t least_cost = ODO_NONE;
	int status = 0;
	for (unsigned i = 0; i < n_ways; i++)
		from[i] = (start){.s = &t->now, .last_v = ODO_NONE, .last_links = ODO_NONE};
	for (unsigned i = 0; i < STARTS * n_ways && !status; i++) {
		uint32_t cost;
		if (i % n_ways == 0 && least_cost < ODO_NONE)
			break;
		status = try_one_way(t, walk, &ways[i % n_ways], &from[i % n_ways], &cost);
		if (!status && cost < least_cost) {
			least_cost = cost;
			odo_spots_copy(&t->now, best);
		}
		status = status == ODO_EUNKNOWN ? 0 : status;
		if (!odo_exceeds(least_cost, few_left_out, t->now.g->n_edges))
			break;
	}
	if (!status && least_cost < ODO_NONE)
		odo_spots_copy(best, &t->now);
	return status || least_cost < ODO_NONE ? status : ODO_EUNKNOWN;
}

int odo_grid_place(const odo_links *g, odo_walk *walk, const odo_support *support,
		   odo_grid_wish wish, odo_placement *placement, odo_error *err)
{
	odo_trials t;
	odo_spots best;
	odo_arena memory = {0};
	const int dims = odo_grid_dims(g);
	if (dims > ODO_GRID_DIMS || g->n < LEAST_SWITCHES)
		return odo_fail(err, ODO_EUNKNOWN, "switches have more links than in a grid");
	odo_spots_make(g, support, dims, &memory, &best);
	int status = odo_trials_make(g, support, dims, &memory, &t);
	odo_walk_restrict(walk, NULL);
	if (!status)
		status = try_ways(&t, walk, wish == ODO_GRID_ALL_FIT ? 1 : N_WAYS, &best);
	if (!status)
		status = fill_placement(&t.now, placement, err);
	else if (status == ODO_ENOMEM)
		odo_fail(err, status, "no memory for a grid");
	else
		odo_fail(err, status, "switches lie on no grid");
	odo_arena_free(&memory);
	return status;
}
