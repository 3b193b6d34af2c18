/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/dragonfly/locals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/graph/shares.h"

enum { ROUNDS = 8, DECIDE = 4, BINS = 256 };
/* Edges of lower weight are ignored, also as a third path between corners. */
#define LEAST 0.1f

typedef struct scale {
	const odo_links *g;
	odo_walk *w;
	float *weight;  /* [n_edges] 0 .. 1 */
	float *support; /* [n_edges] for the next round: sum over both ends */
	float *corner;  /* [n_edges] for one vertex: weight that each edge closes there */
	bool *use;      /* [n_edges] weight above LEAST */
} scale;

/* Add the rectangles at u, with the weights of their other sides. */
static void close_squares(scale *s, uint32_t u)
{
	uint32_t n;
	const odo_square *q = odo_walk_corners(s->w, u, &n);
	for (const odo_square *end = q + n; q < end; q++) {
		float far = sqrtf(s->weight[q->away[0]] * s->weight[q->away[1]]);
		s->corner[q->near[0]] += far * s->weight[q->near[1]];
		s->corner[q->near[1]] += far * s->weight[q->near[0]];
	}
}

/* Add the triangles at u, with the weights of their other sides. */
static void close_triangles(scale *s, uint32_t u, uint32_t *edge_to)
{
	const odo_links *g = s->g;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		edge_to[g->to[a]] = g->edge[a];
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t mid = g->to[a], near = g->edge[a];
		odo_charge(g->budget, odo_degree(g, mid));
		for (uint32_t b = g->first[mid + 1]; b-- > g->first[mid] && g->to[b] > mid;) {
			uint32_t other = edge_to[g->to[b]];
			float far = s->weight[g->edge[b]];
			if (other == ODO_NONE || !s->use[g->edge[b]])
				continue;
			s->corner[near] += far * s->weight[other];
			s->corner[other] += far * s->weight[near];
		}
	}
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		edge_to[g->to[a]] = ODO_NONE;
}

/* Compute for each edge the share of the weight of the other edges at u with which it closes. */
static void weigh_corner(scale *s, uint32_t u)
{
	const odo_links *g = s->g;
	float sum = 0;
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
		sum += s->weight[g->edge[a]];
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t e = g->edge[a];
		float others = sum - s->weight[e];
		s->support[e] += others > 0 ? s->corner[e] / others : 0;
		s->corner[e] = 0;
	}
}

/* Share of links that define full support. Links above it close rectangles with global ones by
 * accident. */
static const odo_share most_of_them = {9, 10};

/* Return the support that this share of the edges with any support do not exceed. */
static float high_support(const scale *s)
{
	uint32_t count[BINS] = {0}, total = 0, below = 0;
	float most = 0;
	for (uint32_t e = 0; e < s->g->n_edges; e++)
		most = s->support[e] > most ? s->support[e] : most;
	for (uint32_t e = 0; e < s->g->n_edges && most > 0; e++) {
		unsigned bin = (unsigned)(s->support[e] / most * (BINS - 1));
		count[bin]++;
		total += bin > 0;
	}
	for (unsigned bin = 1; bin < BINS; bin++)
		if (odo_reaches(below += count[bin], most_of_them, total))
			return most * (float)bin / (BINS - 1);
	return most;
}

/* In the first rounds weights are proportional to support, so that small differences grow. In later
 * rounds links near the ends of the scale become local or global, because damage takes support from
 * both kinds. */
static void rescale_weights(scale *s, int round, odo_decision decision)
{
	/* A local link of a complete group closes with nearly all others, a global link with few.
	 * In a damaged group both have less. Weights between `low` and `full` are proportional. */
	static const float low[] = {[ODO_DECIDE_WHOLE] = 0.40f, [ODO_DECIDE_DAMAGED] = 0.25f};
	static const float full[] = {[ODO_DECIDE_WHOLE] = 0.80f, [ODO_DECIDE_DAMAGED] = 0.65f};
	float one = high_support(s), none = round < DECIDE ? 0 : low[decision];
	float span = (round < DECIDE ? 1 : full[decision]) - none;
	for (uint32_t e = 0; e < s->g->n_edges; e++) {
		float x = one > 0 ? (s->support[e] / one - none) / span : 0;
		s->weight[e] = x < 0 ? 0 : x < 1 ? x : 1;
		s->use[e] = x > LEAST;
		s->support[e] = 0;
	}
}

int odo_locals_weigh(const odo_links *g, odo_walk *walk, const bool *without, odo_decision decision,
		     uint8_t *weight, odo_error *err)
{
	scale s = {g,
		   walk,
		   odo_new(g->n_edges, sizeof *s.weight),
		   odo_new(g->n_edges, sizeof *s.support),
		   odo_new(g->n_edges, sizeof *s.corner),
		   odo_new(g->n_edges, sizeof *s.use)};
	uint32_t *edge_to = odo_new(g->n, sizeof *edge_to);
	int status = s.weight && s.support && s.corner && s.use && edge_to
			     ? 0
			     : odo_fail(err, ODO_ENOMEM, "no memory to weigh links");
	if (!status)
		memset(edge_to, 0xFF, g->n * sizeof *edge_to);
	for (uint32_t e = 0; e < g->n_edges && !status; e++) {
		s.use[e] = !without || !without[e];
		s.weight[e] = s.use[e];
	}
	for (int round = 0; round < ROUNDS && !status; round++) {
		odo_walk_restrict(walk, s.use);
		for (uint32_t u = 0; u < g->n && !status; u++) {
			if (!odo_may_go_on(g->budget))
				status = odo_fail(err, ODO_EUNKNOWN, ODO_GAVE_UP);
			close_squares(&s, u);
			close_triangles(&s, u, edge_to);
			weigh_corner(&s, u);
		}
		rescale_weights(&s, round, decision);
	}
	for (uint32_t e = 0; e < g->n_edges && !status; e++)
		weight[e] = (uint8_t)(255 * s.weight[e]);
	free(s.weight);
	free(s.support);
	free(s.corner);
	free(s.use);
	free(edge_to);
	return status;
}
