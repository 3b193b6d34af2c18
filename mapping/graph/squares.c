/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/squares.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strategies.h"

enum { ADJACENT = 255, PLENTY = 3, ENOUGH_STEPS = 1024 };

/* Rectangles kept for each edge, at most: 64 bytes. */
enum { MOST_KEPT = 16 };

_Static_assert(ODO_MAX_PORTS <= UINT8_MAX, "odo_kept has a byte for an arc of a vertex");

int odo_walk_make(const odo_links *g, odo_walk *w, odo_error *err)
{
	*w = (odo_walk){.g = g, .stride = 1};
	double degree = g->n ? 2.0 * g->n_edges / g->n : 0;
	if (degree * degree > 2 * ENOUGH_STEPS && odo_uses("a share of vertices"))
		w->stride = (uint32_t)(degree * degree / ENOUGH_STEPS);
	w->paths = odo_new(g->n, sizeof *w->paths);
	w->square = odo_new(g->n, sizeof *w->square);
	w->list = odo_new(g->n, sizeof *w->list);
	w->touched = odo_new(g->n, sizeof *w->touched);
	w->partly = odo_new(g->n, sizeof *w->partly);
	if (w->paths && w->square && w->list && w->touched && w->partly)
		return 0;
	odo_walk_clear(w);
	return odo_fail(err, ODO_ENOMEM, "no memory to look for rectangles");
}

static void forget(odo_walk *w)
{
	free(w->kept);
	free(w->first);
	w->kept = NULL;
	w->first = NULL;
}

void odo_walk_clear(odo_walk *w)
{
	forget(w);
	free(w->paths);
	free(w->square);
	free(w->list);
	free(w->touched);
	free(w->partly);
	*w = (odo_walk){0};
}

void odo_walk_restrict(odo_walk *w, const bool *use)
{
	const odo_links *g = w->g;
	w->use = use;
	memset(w->partly, 0, g->n * sizeof *w->partly);
	for (uint32_t e = 0; use && w->kept && e < g->n_edges; e++) {
		for (int side = 0; side < 2 && !use[e]; side++) {
			uint32_t v = g->end[e][side];
			w->partly[v] = true;
			for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
				w->partly[g->to[a]] = true;
		}
	}
}

/* One path of length two to `far`. Returns how many vertices were seen. */
static inline uint32_t see(odo_walk *w, uint32_t far, uint8_t near, uint8_t away, uint32_t n_seen)
{
	uint8_t n = w->paths[far];
	if (n >= PLENTY)
		return n_seen;
	if (!n)
		w->touched[n_seen++] = far;
	if (n < 2) {
		w->square[far].near[n] = near;
		w->square[far].away[n] = away;
	}
	w->paths[far] = n + 1;
	return n_seen;
}

/* Follow all paths to vertices above `above`, or to any where that is ODO_NONE, and note the
 * rectangles. With `triangles`, count those of each edge from u to a larger vertex. Inlined, so
 * that each use has a loop of its own. */
static inline uint32_t walk(odo_walk *w, uint32_t u, const bool *use, uint32_t above,
			    uint32_t *triangles)
{
	const odo_links *g = w->g;
	uint32_t n_seen = 0, found = 0;
	w->paths[u] = ADJACENT;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		w->paths[g->to[a]] = ADJACENT;
		w->square[g->to[a]].near[0] = (uint8_t)(a - g->first[u]);
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t mid = g->to[a];
		if (use && !use[g->edge[a]])
			continue;
		for (uint32_t b = g->first[mid + 1];
		     b-- > g->first[mid] && (above == ODO_NONE || g->to[b] > above);) {
			uint32_t far = g->to[b];
			if (triangles && w->paths[far] == ADJACENT)
				triangles[g->edge[g->first[u] + w->square[far].near[0]]]++;
			else if (!use || use[g->edge[b]])
				n_seen = see(w, far, (uint8_t)(a - g->first[u]),
					     (uint8_t)(b - g->first[mid]), n_seen);
		}
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		w->paths[g->to[a]] = 0;
	w->paths[u] = 0;
	for (uint32_t i = 0; i < n_seen; i++) {
		uint32_t far = w->touched[i];
		if (w->paths[far] == 2)
			w->touched[found++] = far;
		w->paths[far] = 0;
	}
	return found;
}

/* A rectangle of u as edges. */
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

/* Rectangles of u after a walk, where nothing overwrites them before the next. */
static const odo_square *gather(odo_walk *w, uint32_t u, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		w->list[i] = edges_of(w->g, u, &w->square[w->touched[i]]);
	return w->list;
}

/* Those that were kept. */
static const odo_square *recall(odo_walk *w, uint32_t u, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		w->list[i] = edges_of(w->g, u, &w->kept[w->first[u] + i]);
	return w->list;
}

const odo_square *odo_walk_squares(odo_walk *w, uint32_t u, uint32_t *n)
{
	if (w->kept && !w->partly[u] && odo_walk_starts(w, u)) {
		*n = (uint32_t)(w->first[u + 1] - w->first[u]);
		return recall(w, u, *n);
	}
	*n = w->use ? walk(w, u, w->use, u, NULL) : walk(w, u, NULL, u, NULL);
	return gather(w, u, *n);
}

const odo_square *odo_walk_corners(odo_walk *w, uint32_t u, uint32_t *n)
{
	*n = walk(w, u, w->use, ODO_NONE, NULL);
	return gather(w, u, *n);
}

/* Triangles of each edge from u to a larger vertex. */
static void count_triangles(odo_walk *w, uint32_t u, uint32_t *triangles)
{
	const odo_links *g = w->g;
	uint32_t *edge_to = w->touched; /* free between walks */
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		w->paths[g->to[a]] = ADJACENT;
		edge_to[g->to[a]] = g->edge[a];
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t mid = g->to[a];
		for (uint32_t b = g->first[mid + 1]; b-- > g->first[mid] && g->to[b] > u;)
			if (w->paths[g->to[b]])
				triangles[edge_to[g->to[b]]]++;
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		w->paths[g->to[a]] = 0;
}

/* Add the rectangles of u to those kept, or keep none where they become too many. Memory that is
 * not to be had is no failure: they are walked to again. */
static void keep(odo_walk *w, uint32_t u, uint32_t n, size_t *room)
{
	if (!w->first || !odo_uses("rectangles kept"))
		return;
	size_t before = w->first[u];
	if (before + n > MOST_KEPT * (size_t)w->g->n_edges ||
	    odo_grow(&w->kept, room, before + n, sizeof *w->kept)) {
		forget(w);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		w->kept[before + i] = w->square[w->touched[i]];
	w->first[u + 1] = before + n;
}

static void count_corners(const odo_walk *w, uint32_t u, uint32_t n, odo_support *s)
{
	for (uint32_t i = 0; i < n; i++) {
		odo_square q = edges_of(w->g, u, &w->square[w->touched[i]]);
		for (int side = 0; side < 2; side++) {
			s->corners[q.near[side]] += w->stride;
			s->corners[q.away[side]] += w->stride;
		}
	}
}

int odo_support_find(odo_walk *w, odo_support *s, odo_error *err)
{
	const odo_links *g = w->g;
	size_t room = 0;
	s->triangles = odo_new(g->n_edges, sizeof *s->triangles);
	s->corners = odo_new(g->n_edges, sizeof *s->corners);
	if (!s->triangles || !s->corners) {
		odo_support_clear(s);
		return odo_fail(err, ODO_ENOMEM, "no memory to count rectangles");
	}
	forget(w);
	w->first = odo_new((size_t)g->n + 1, sizeof *w->first);
	for (uint32_t u = 0; u < g->n; u++) {
		uint32_t n = 0;
		if (odo_walk_starts(w, u))
			n = walk(w, u, NULL, u, s->triangles);
		else if (odo_uses("triangles of all vertices"))
			count_triangles(w, u, s->triangles);
		count_corners(w, u, n, s);
		keep(w, u, n, &room);
	}
	return 0;
}

void odo_support_clear(odo_support *s)
{
	free(s->triangles);
	free(s->corners);
	*s = (odo_support){0};
}
