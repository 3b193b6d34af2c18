/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/torus.h"

#include <string.h>

#include "base/arena.h"
#include "base/strategies.h"
#include "fabric/search.h"
#include "mapping/graph/shares.h"

/* Union-find in which every edge knows whether its direction is opposite to that of its root. A
 * single edge points from its smaller to its larger vertex. */
typedef struct compass {
	uint32_t *parent; /* [n_edges] */
	bool *turned;     /* [n_edges] opposite to the parent */
} compass;

/* Return the root of x; *turned: x has the opposite direction. */
static uint32_t find_direction(compass *c, uint32_t x, bool *turned)
{
	bool t = false;
	while (c->parent[x] != x) {
		uint32_t up = c->parent[x];
		c->turned[x] ^= c->turned[up]; /* roots are not turned */
		c->parent[x] = c->parent[up];
		t ^= c->turned[x];
		x = c->parent[x];
	}
	*turned = t;
	return x;
}

static void unite_directions(compass *c, uint32_t a, uint32_t b, bool against)
{
	bool turn_a, turn_b;
	uint32_t x = find_direction(c, a, &turn_a), y = find_direction(c, b, &turn_b);
	if (x == y)
		return;
	uint32_t high = x < y ? y : x;
	c->parent[high] = x < y ? x : y;
	c->turned[high] = turn_a ^ turn_b ^ against;
}

/* Return true if edge e, in its own direction, leads away from v. */
static bool leaves_vertex(const odo_links *g, uint32_t e, uint32_t v)
{
	return g->end[e][0] == v;
}

/* The corner of q that is opposite to v. */
static uint32_t opposite_corner(const odo_links *g, const odo_square *q, uint32_t v)
{
	uint32_t mid = g->end[q->near[0]][g->end[q->near[0]][0] == v];
	return g->end[q->away[0]][g->end[q->away[0]][0] == mid];
}

static void point_squares(const odo_links *g, odo_walk *walk, const odo_classes *classes,
			  uint32_t v, compass *k)
{
	uint32_t n;
	const odo_square *q = odo_walk_squares(walk, v, &n);
	for (const odo_square *end = q + n; q < end; q++) {
		for (int side = 0; side < 2; side++) {
			uint32_t near = q->near[side], away = q->away[!side];
			uint32_t far = opposite_corner(g, q, v);
			/* v leads to mid, and the other mid leads to the far corner, in the same
			 * direction */
			if (classes->of[near] != ODO_NONE && classes->of[near] == classes->of[away])
				unite_directions(k, near, away,
						 leaves_vertex(g, near, v) ==
							 leaves_vertex(g, away, far));
		}
	}
}

/* At v one link of a cycle arrives and the other one leaves. */
static void point_series(const odo_links *g, const odo_classes *classes, uint32_t v, compass *k)
{
	uint32_t seen[ODO_MAX_DIMS];
	memset(seen, 0xFF, sizeof seen);
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t e = g->edge[a], d = classes->of[e];
		if (d >= ODO_MAX_DIMS)
			continue;
		if (seen[d] != ODO_NONE)
			unite_directions(k, seen[d], e,
					 leaves_vertex(g, e, v) == leaves_vertex(g, seen[d], v));
		seen[d] = e;
	}
}

typedef struct walker {
	const odo_links *g;
	const odo_classes *c;
	unsigned n_dims;
	compass k;
	uint32_t main[ODO_MAX_DIMS];   /* root of most edges of each dimension */
	uint32_t length[ODO_MAX_DIMS]; /* found, of each dimension; 0: none */
	odo_factor factor[ODO_MAX_DIMS];
	int32_t *step; /* [n * n_dims] steps from the start */
	bool *reached; /* [n] from the start */
	uint32_t *queue;
	uint32_t *of_root; /* [n_edges] edges by root */
	uint32_t *off;     /* [n_dims * room] how often steps disagree by so many */
	size_t room;
} walker;

/* Edges have a direction only if most edges of their dimension share their root. */
static void find_main(walker *t)
{
	const odo_links *g = t->g;
	uint32_t most[ODO_MAX_DIMS] = {0};
	for (uint32_t e = 0; e < g->n_edges; e++) {
		bool turned;
		uint32_t d = t->c->of[e];
		if (d >= t->n_dims)
			continue;
		uint32_t root = find_direction(&t->k, e, &turned);
		if (++t->of_root[root] > most[d]) {
			most[d] = t->of_root[root];
			t->main[d] = root;
		}
	}
}

/* Direction of edge e as seen from v: 1, -1, or 0 if not known. */
static int direction_of_link(walker *t, uint32_t e, uint32_t v)
{
	bool turned;
	uint32_t d = t->c->of[e];
	if (d >= t->n_dims || find_direction(&t->k, e, &turned) != t->main[d])
		return 0;
	return leaves_vertex(t->g, e, v) != turned ? 1 : -1;
}

/* Steps of the far end of an arc: the steps of v, plus one in the direction of its edge. */
static uint32_t step_along(void *x, uint32_t v, uint32_t arc)
{
	walker *t = x;
	uint32_t far = t->g->to[arc], e = t->g->edge[arc];
	size_t n_dims = t->n_dims;
	int d = t->reached[far] ? 0 : direction_of_link(t, e, v);
	if (!d)
		return ODO_NONE;
	t->reached[far] = true;
	memcpy(t->step + far * n_dims, t->step + v * n_dims, n_dims * sizeof *t->step);
	t->step[far * n_dims + t->c->of[e]] += d;
	return far;
}

/* Count steps from the vertex `start` breadth first. Return how many vertices were reached. */
static uint32_t walk_from_start(walker *t, uint32_t start)
{
	t->queue[0] = start;
	t->reached[start] = true;
	return odo_breadth_first(t->g->first, t->g->first + 1, step_along, t, t->queue, 1);
}

/* Find the lowest and highest step of dimension i. */
static void find_span(const walker *t, unsigned i, int32_t span[2])
{
	span[0] = span[1] = 0;
	for (uint32_t v = 0; v < t->g->n; v++) {
		int32_t at = t->reached[v] ? t->step[(size_t)v * t->n_dims + i] : 0;
		span[0] = at < span[0] ? at : span[0];
		span[1] = at > span[1] ? at : span[1];
	}
}

/* A cycle closes with one link of each copy. At least this share of them survives damage, and wrong
 * links are fewer. */
static const odo_share closing = {1, 6};

/* If steps seldom disagree, the dimension is a path, and its steps are counted from one end. A path
 * of two is K_2. */
static bool is_path(walker *t, unsigned i, uint32_t n_votes)
{
	int32_t span[2];
	find_span(t, i, span);
	uint32_t length = (uint32_t)(span[1] - span[0]);
	if (!length || odo_reaches((uint64_t)n_votes * length, closing, t->c->n_edges[i]))
		return false;
	for (uint32_t v = 0; v < t->g->n; v++)
		t->step[(size_t)v * t->n_dims + i] -= span[0];
	t->factor[i] = length > 1 ? ODO_PATH : ODO_COMPLETE;
	t->length[i] = length + 1;
	return true;
}

/* The length of each dimension is its most frequent disagreement. */
static void find_lengths(walker *t)
{
	unsigned n_dims = t->n_dims;
	const odo_links *g = t->g;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1];
		int d = direction_of_link(t, e, u);
		if (!d || !t->reached[u] || !t->reached[v])
			continue;
		for (unsigned i = 0; i < n_dims; i++) {
			int32_t off = t->step[(size_t)v * n_dims + i] -
				      t->step[(size_t)u * n_dims + i] - (t->c->of[e] == i ? d : 0);
			uint32_t size = (uint32_t)(off < 0 ? -off : off);
			if (size && size < t->room)
				t->off[i * t->room + size]++;
		}
	}
	for (unsigned i = 0; i < n_dims; i++) {
		uint32_t best = 0, *of = t->off + i * t->room;
		for (uint32_t k = 1; k < t->room; k++)
			best = of[k] > of[best] ? k : best;
		if (odo_uses("torus: paths") && is_path(t, i, of[best]))
			continue;
		t->length[i] = best;
		t->factor[i] = best > 3 ? ODO_CYCLE : ODO_COMPLETE;
	}
}

static void orient_links(walker *t, odo_walk *walk)
{
	const odo_links *g = t->g;
	for (uint32_t e = 0; e < g->n_edges; e++)
		t->k.parent[e] = e;
	odo_walk_restrict(walk, t->c->trusted);
	for (uint32_t v = 0; v < g->n; v++)
		point_squares(g, walk, t->c, v, &t->k);
	for (uint32_t v = 0; v < g->n && odo_uses("torus: along cycles"); v++)
		point_series(g, t->c, v, &t->k);
}

static void wrap_coordinates(const walker *t, odo_placement *placement)
{
	for (uint32_t v = 0; v < placement->n; v++) {
		uint32_t *at = odo_placement_at(placement, v);
		for (unsigned i = 0; i < placement->n_dims && t->reached[v]; i++) {
			int32_t k = (int32_t)placement->size[i];
			at[i] = (uint32_t)((t->step[(size_t)v * placement->n_dims + i] % k + k) %
					   k);
		}
	}
}

static int place_torus(walker *t, odo_walk *walk, odo_placement *placement, odo_error *err)
{
	uint32_t start = 0, n = 0;
	orient_links(t, walk);
	find_main(t);
	/* Find a start that reaches most vertices: the first that reaches half. */
	for (; start < placement->n && !odo_half(n, placement->n); start++) {
		if (t->reached[start] || (n && !odo_uses("torus: another start")))
			continue;
		memset(t->reached, 0, placement->n);
		memset(t->step, 0, (size_t)placement->n * placement->n_dims * sizeof *t->step);
		n = walk_from_start(t, start);
	}
	find_lengths(t);
	for (unsigned i = 0; i < placement->n_dims; i++) {
		placement->size[i] = t->length[i];
		placement->factor[i] = t->factor[i];
		if (!t->length[i])
			return odo_fail(err, ODO_EUNKNOWN, "rows of links close no cycles");
	}
	wrap_coordinates(t, placement);
	return 0;
}

int odo_torus_place(const odo_links *g, odo_walk *walk, const odo_classes *classes,
		    odo_placement *placement, odo_error *err)
{
	odo_arena memory = {0};
	size_t n_dims = placement->n_dims, room = (size_t)g->n + 2;
	walker t = {.g = g,
		    .c = classes,
		    .n_dims = placement->n_dims,
		    .room = room,
		    .k = {odo_arena_new(&memory, g->n_edges, sizeof *t.k.parent),
			  odo_arena_new(&memory, g->n_edges, sizeof *t.k.turned)},
		    .step = odo_arena_new(&memory, g->n * n_dims, sizeof *t.step),
		    .reached = odo_arena_new(&memory, g->n, sizeof *t.reached),
		    .queue = odo_arena_new(&memory, g->n, sizeof *t.queue),
		    .of_root = odo_arena_new(&memory, g->n_edges, sizeof *t.of_root),
		    .off = odo_arena_new(&memory, room * n_dims, sizeof *t.off)};
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a torus")
				   : place_torus(&t, walk, placement, err);
	odo_arena_free(&memory);
	return status;
}
