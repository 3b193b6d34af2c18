/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/squares.h"

#include <stdlib.h>

#include "fabric/memory.h"

enum { ADJACENT = 255, PLENTY = 3, ENOUGH_STEPS = 1024 };

int odo_walk_make(const odo_links *g, odo_walk *w, odo_error *err)
{
	*w = (odo_walk){.g = g, .stride = 1};
	double degree = g->n ? 2.0 * g->n_edges / g->n : 0;
	if (degree * degree > 2 * ENOUGH_STEPS)
		w->stride = (uint32_t)(degree * degree / ENOUGH_STEPS);
	w->paths = odo_new(g->n, sizeof *w->paths);
	w->square = odo_new(g->n, sizeof *w->square);
	w->touched = odo_new(g->n, sizeof *w->touched);
	if (w->paths && w->square && w->touched)
		return 0;
	odo_walk_clear(w);
	return odo_fail(err, ODO_ENOMEM, "no memory to look for rectangles");
}

void odo_walk_clear(odo_walk *w)
{
	free(w->paths);
	free(w->square);
	free(w->touched);
	*w = (odo_walk){0};
}

static void see(odo_walk *w, uint32_t far, uint32_t near, uint32_t away)
{
	uint8_t n = w->paths[far];
	if (n >= PLENTY) /* ADJACENT too */
		return;
	if (!n)
		w->touched[w->n_touched++] = far;
	if (n < 2) {
		w->square[far].near[n] = near;
		w->square[far].away[n] = away;
	}
	w->paths[far] = n + 1;
}

/* Far vertices are larger than `above`; any where it is ODO_NONE. */
static uint32_t walk(odo_walk *w, uint32_t u, const bool *use, uint32_t above)
{
	const odo_links *g = w->g;
	uint32_t found = 0;
	w->n_touched = 0;
	w->paths[u] = ADJACENT;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		w->paths[g->to[a]] = ADJACENT;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t mid = g->to[a], near = g->edge[a];
		if (use && !use[near])
			continue;
		for (uint32_t b = g->first[mid + 1];
		     b-- > g->first[mid] && (above == ODO_NONE || g->to[b] > above);)
			if (!use || use[g->edge[b]])
				see(w, g->to[b], near, g->edge[b]);
	}
	for (uint32_t i = 0; i < w->n_touched; i++) {
		uint32_t far = w->touched[i];
		w->square[far].far = far;
		if (w->paths[far] == 2)
			w->touched[found++] = far;
		w->paths[far] = 0;
	}
	w->paths[u] = 0;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		w->paths[g->to[a]] = 0;
	return found;
}

uint32_t odo_walk_squares(odo_walk *w, uint32_t u, const bool *use)
{
	return walk(w, u, use, u);
}

uint32_t odo_walk_corners(odo_walk *w, uint32_t u, const bool *use)
{
	return walk(w, u, use, ODO_NONE);
}

/* Triangles of each edge from u to a larger vertex. */
static void count_triangles(const odo_links *g, odo_walk *w, uint32_t u, uint32_t *triangles)
{
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

int odo_support_find(const odo_links *g, odo_walk *w, odo_support *s, odo_error *err)
{
	s->triangles = odo_new(g->n_edges, sizeof *s->triangles);
	s->corners = odo_new(g->n_edges, sizeof *s->corners);
	if (!s->triangles || !s->corners) {
		odo_support_clear(s);
		return odo_fail(err, ODO_ENOMEM, "no memory to count rectangles");
	}
	for (uint32_t u = 0; u < g->n; u++) {
		count_triangles(g, w, u, s->triangles);
		uint32_t n = odo_walk_starts(w, u) ? odo_walk_squares(w, u, NULL) : 0;
		for (uint32_t i = 0; i < n; i++) {
			const odo_square *q = &w->square[w->touched[i]];
			for (int side = 0; side < 2; side++) {
				s->corners[q->near[side]] += w->stride;
				s->corners[q->away[side]] += w->stride;
			}
		}
	}
	return 0;
}

void odo_support_clear(odo_support *s)
{
	free(s->triangles);
	free(s->corners);
	*s = (odo_support){0};
}
