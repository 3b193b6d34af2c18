/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/squares.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strategies.h"

enum { ADJACENT = 255, PLENTY = 3, ENOUGH_STEPS = 1024 };

/* Maximum number of rectangles kept per edge: 64 bytes. */
enum { MOST_KEPT = 16 };

_Static_assert(ODO_MAX_PORTS <= UINT8_MAX, "odo_kept has a byte for an arc of a vertex");

int odo_walk_make(const odo_links *g, odo_walk *walk, odo_error *err)
{
	*walk = (odo_walk){.g = g, .stride = 1};
	double degree = g->n ? 2.0 * g->n_edges / g->n : 0;
	if (degree * degree > 2 * ENOUGH_STEPS && odo_uses("a share of vertices"))
		walk->stride = (uint32_t)(degree * degree / ENOUGH_STEPS);
	walk->paths = odo_arena_new(&walk->memory, g->n, sizeof *walk->paths);
	walk->square = odo_arena_new(&walk->memory, g->n, sizeof *walk->square);
	walk->list = odo_arena_new(&walk->memory, g->n, sizeof *walk->list);
	walk->touched = odo_arena_new(&walk->memory, g->n, sizeof *walk->touched);
	walk->partly = odo_arena_new(&walk->memory, g->n, sizeof *walk->partly);
	if (!walk->memory.failed)
		return 0;
	odo_walk_clear(walk);
	return odo_fail(err, ODO_ENOMEM, "no memory to look for rectangles");
}

static void free_kept_squares(odo_walk *walk)
{
	free(walk->kept);
	free(walk->first);
	walk->kept = NULL;
	walk->first = NULL;
}

void odo_walk_clear(odo_walk *walk)
{
	free_kept_squares(walk);
	odo_arena_free(&walk->memory);
	*walk = (odo_walk){0};
}

void odo_walk_restrict(odo_walk *walk, const bool *use)
{
	const odo_links *g = walk->g;
	walk->use = use;
	memset(walk->partly, 0, g->n * sizeof *walk->partly);
	for (uint32_t e = 0; use && walk->kept && e < g->n_edges; e++) {
		for (int side = 0; side < 2 && !use[e]; side++) {
			uint32_t v = g->end[e][side];
			walk->partly[v] = true;
			for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
				walk->partly[g->to[a]] = true;
		}
	}
}

/* Record a path of length two to `far`. Return how many vertices were seen. */
static inline uint32_t see_far_vertex(odo_walk *walk, uint32_t far, uint8_t near, uint8_t away,
				      uint32_t n_seen)
{
	uint8_t n = walk->paths[far];
	if (n >= PLENTY)
		return n_seen;
	if (!n)
		walk->touched[n_seen++] = far;
	if (n < 2) {
		walk->square[far].near[n] = near;
		walk->square[far].away[n] = away;
	}
	walk->paths[far] = n + 1;
	return n_seen;
}

/* Follow all paths to vertices above `above`, or to all vertices if it is ODO_NONE, and record the
 * rectangles. With `triangles`, count those of each edge from u to a larger vertex. The function is
 * inlined so that each use has its own loop. */
static inline uint32_t walk_two_links(odo_walk *walks, uint32_t u, const bool *use, uint32_t above,
				      uint32_t *triangles)
{
	const odo_links *g = walks->g;
	uint32_t n_seen = 0, found = 0, work = 0;
	walks->paths[u] = ADJACENT;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		walks->paths[g->to[a]] = ADJACENT;
		walks->square[g->to[a]].near[0] = (uint8_t)(a - g->first[u]);
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t mid = g->to[a];
		if (use && !use[g->edge[a]])
			continue;
		work += odo_degree(g, mid);
		for (uint32_t b = g->first[mid + 1];
		     b-- > g->first[mid] && (above == ODO_NONE || g->to[b] > above);) {
			uint32_t far = g->to[b];
			if (triangles && walks->paths[far] == ADJACENT)
				triangles[g->edge[g->first[u] + walks->square[far].near[0]]]++;
			else if (!use || use[g->edge[b]])
				n_seen = see_far_vertex(walks, far, (uint8_t)(a - g->first[u]),
							(uint8_t)(b - g->first[mid]), n_seen);
		}
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		walks->paths[g->to[a]] = 0;
	walks->paths[u] = 0;
	for (uint32_t i = 0; i < n_seen; i++) {
		uint32_t far = walks->touched[i];
		if (walks->paths[far] == 2)
			walks->touched[found++] = far;
		walks->paths[far] = 0;
	}
	odo_charge(g->budget, work);
	return found;
}

/* Convert a rectangle of u to edges. */
static inline odo_square edges_of(const odo_links *g, uint32_t u, const odo_kept *k)
{
	odo_square q;
	for (int side = 0; side < 2; side++) {
		uint32_t a = g->first[u] + k->near[side];
		q.near[side] = g->edge[a];
		q.away[side] = g->edge[g->first[g->to[a]] + k->away[side]];
	}
	return q;
}

/* Collect the rectangles of u into a separate list after a walk, so that they stay valid until the
 * next one. */
static const odo_square *gather_squares(odo_walk *walk, uint32_t u, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		walk->list[i] = edges_of(walk->g, u, &walk->square[walk->touched[i]]);
	return walk->list;
}

/* Return the rectangles of u that were kept. */
static const odo_square *recall_squares(odo_walk *walk, uint32_t u, uint32_t n)
{
	odo_charge(walk->g->budget, n);
	for (uint32_t i = 0; i < n; i++)
		walk->list[i] = edges_of(walk->g, u, &walk->kept[walk->first[u] + i]);
	return walk->list;
}

const odo_square *odo_walk_squares(odo_walk *walks, uint32_t u, uint32_t *n)
{
	if (walks->kept && !walks->partly[u] && odo_walk_starts(walks, u)) {
		*n = (uint32_t)(walks->first[u + 1] - walks->first[u]);
		return recall_squares(walks, u, *n);
	}
	*n = walks->use ? walk_two_links(walks, u, walks->use, u, NULL)
			: walk_two_links(walks, u, NULL, u, NULL);
	return gather_squares(walks, u, *n);
}

const odo_square *odo_walk_corners(odo_walk *walks, uint32_t u, uint32_t *n)
{
	*n = walk_two_links(walks, u, walks->use, ODO_NONE, NULL);
	return gather_squares(walks, u, *n);
}

/* Count the triangles of each edge from u to a larger vertex. */
static void count_triangles(odo_walk *walk, uint32_t u, uint32_t *triangles)
{
	const odo_links *g = walk->g;
	uint32_t *edge_to = walk->touched; /* `touched` is free between walks */
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		walk->paths[g->to[a]] = ADJACENT;
		edge_to[g->to[a]] = g->edge[a];
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t mid = g->to[a];
		odo_charge(g->budget, odo_degree(g, mid));
		for (uint32_t b = g->first[mid + 1]; b-- > g->first[mid] && g->to[b] > u;)
			if (walk->paths[g->to[b]])
				triangles[edge_to[g->to[b]]]++;
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		walk->paths[g->to[a]] = 0;
}

/* Add the rectangles of u to the kept ones, or keep none if they become too many. Lack of memory is
 * no failure: the rectangles are then found again by walking. */
static void keep_squares(odo_walk *walk, uint32_t u, uint32_t n, size_t *room)
{
	if (!walk->first || !odo_uses("rectangles kept"))
		return;
	size_t before = walk->first[u];
	if (before + n > MOST_KEPT * (size_t)walk->g->n_edges ||
	    odo_grow(&walk->kept, room, before + n, sizeof *walk->kept)) {
		free_kept_squares(walk);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		walk->kept[before + i] = walk->square[walk->touched[i]];
	walk->first[u + 1] = before + n;
}

static void count_corners(const odo_walk *walk, uint32_t u, uint32_t n, odo_support *support)
{
	for (uint32_t i = 0; i < n; i++) {
		odo_square q = edges_of(walk->g, u, &walk->square[walk->touched[i]]);
		for (int side = 0; side < 2; side++) {
			support->corners[q.near[side]] += walk->stride;
			support->corners[q.away[side]] += walk->stride;
		}
	}
}

int odo_support_find(odo_walk *walks, odo_support *support, odo_error *err)
{
	const odo_links *g = walks->g;
	size_t room = 0;
	support->triangles = odo_new(g->n_edges, sizeof *support->triangles);
	support->corners = odo_new(g->n_edges, sizeof *support->corners);
	if (!support->triangles || !support->corners) {
		odo_support_clear(support);
		return odo_fail(err, ODO_ENOMEM, "no memory to count rectangles");
	}
	free_kept_squares(walks);
	walks->first = odo_new((size_t)g->n + 1, sizeof *walks->first);
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t n = 0;
		if (odo_walk_starts(walks, u))
			n = walk_two_links(walks, u, NULL, u, support->triangles);
		else if (odo_uses("triangles of all vertices"))
			count_triangles(walks, u, support->triangles);
		count_corners(walks, u, n, support);
		keep_squares(walks, u, n, &room);
	}
	return 0;
}

void odo_support_clear(odo_support *support)
{
	free(support->triangles);
	free(support->corners);
	*support = (odo_support){0};
}
