/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/heights.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* A switch is above its neighbours if more than this share of its cables lead down, or several do
 * and are not rare. A single one may be a wrong cable. Switches of pods with few leaves have far
 * more cables up than down. */
static const odo_share leads_down = {1, 4};
/* Leaves with the same parents share more than this part of all their parents. */
static const odo_share same_parents = {2, 3};

enum {
	SAMPLE = 4, /* parents that are examined, and children of each */
	ROUNDS = 4, /* passes that move switches to the level that fits; an undamaged tree needs
		       none */
};

/* Cables of a vertex to each level; the last entry counts cables to vertices without a level.
 * Cables are counted, not links: right cables are often parallel, wrong ones rarely. */
typedef struct tally {
	uint32_t to[ODO_MOST_LEVELS + 1];
} tally;

static tally count_cables_by_level(const odo_clos *t, uint32_t v)
{
	tally n = {0};
	for (uint32_t i = t->g->first[v]; i < t->g->first[v + 1]; i++) {
		uint8_t level = t->level[t->g->to[i]];
		n.to[level < ODO_MOST_LEVELS ? level : ODO_MOST_LEVELS] +=
			t->g->n_cables[t->g->edge[i]];
	}
	return n;
}

/* Count the cables that would lead one level up or down if the vertex were on this level. */
static uint32_t cables_fitting_level(const tally *n, unsigned level)
{
	return (level ? n->to[level - 1] : 0) +
	       (level + 1 < ODO_MOST_LEVELS ? n->to[level + 1] : 0);
}

/* Return true if enough cables lead down to show that a switch is above their other ends. */
static bool stands_on(uint32_t below, uint32_t all)
{
	return odo_exceeds(below, leads_down, all) ||
	       (below > 1 && below >= odo_more_than_rare(all));
}

static void spread_levels(odo_clos *t)
{
	const odo_links *g = t->g;
	for (uint32_t v = 0; v < g->n; v++)
		t->level[v] = t->hosted[v] ? 0 : ODO_NO_LEVEL;
	for (uint8_t level = 1; level < ODO_MOST_LEVELS; level++)
		for (uint32_t v = 0; v < g->n; v++) {
			if (t->level[v] != ODO_NO_LEVEL)
				continue;
			uint32_t below = count_cables_by_level(t, v).to[level - 1];
			if (below && (level > 1 || stands_on(below, odo_links_cables_of(g, v))))
				t->level[v] = level;
		}
}

/* Similarity of v to switches of one level that share a neighbour below with v. These neighbours
 * are marked. */
typedef struct likeness {
	uint32_t seen;
	uint32_t same;   /* switches that have the marked vertices as parents too */
	uint32_t shared; /* switches that share more than one with v */
	double overlap;  /* sum over switches of common neighbours below, divided by all neighbours
			    below of both */
} likeness;

static void compare_parents(const odo_clos *t, uint32_t x, uint8_t between, const uint8_t *marked,
			    uint32_t n_marked, likeness *like)
{
	uint32_t common = 0, all = n_marked;
	for (uint32_t i = t->g->first[x]; i < t->g->first[x + 1]; i++) {
		uint32_t w = t->g->to[i];
		all += t->level[w] == between && !marked[w];
		common += marked[w];
	}
	like->seen++;
	like->same += common > 1 && odo_exceeds(common, same_parents, all);
	like->shared += common > 1;
	like->overlap += (double)common / all;
}

static uint32_t mark_below(const odo_clos *t, uint32_t v, uint8_t *marked, uint8_t mark)
{
	uint32_t n = 0;
	for (uint32_t i = t->g->first[v]; i < t->g->first[v + 1]; i++)
		if (t->level[t->g->to[i]] + 1 == t->level[v]) {
			marked[t->g->to[i]] = mark;
			n++;
		}
	return n;
}

/* Compare v with some switches of level `of` that share a neighbour below with v. */
static likeness compare_some(const odo_clos *t, uint32_t v, uint8_t of, const uint8_t *marked,
			     uint32_t n_marked)
{
	const odo_links *g = t->g;
	likeness like = {0};
	uint32_t children = 0;
	for (uint32_t i = g->first[v]; i < g->first[v + 1] && children < SAMPLE; i++) {
		uint32_t w = g->to[i], n = 0;
		if (!marked[w])
			continue;
		children++;
		for (uint32_t k = g->first[w]; k < g->first[w + 1] && n < SAMPLE; k++) {
			if (t->level[g->to[k]] != of || g->to[k] == v)
				continue;
			compare_parents(t, g->to[k], t->level[w], marked, n_marked, &like);
			n++;
		}
	}
	return like;
}

/* Factor that chance and damage do not reach. */
#define CLEARLY 1.5

/* Return true if v is like the children of its children, because most of these have the same
 * parents as v. The answer is also true if switches of v's own level have less in common with v.
 * Spines of a director are linked to the same switches; a leaf below several directors has few of
 * each. */
static bool like_those_two_below(const odo_clos *t, uint32_t v, uint8_t *marked)
{
	uint32_t n_marked = mark_below(t, v, marked, 1);
	likeness below = compare_some(t, v, (uint8_t)(t->level[v] - 2), marked, n_marked);
	likeness own = compare_some(t, v, t->level[v], marked, n_marked);
	mark_below(t, v, marked, 0);
	return odo_majority(below.same, below.seen) ||
	       (own.seen && odo_majority(below.shared, below.seen) &&
		below.overlap / below.seen > CLEARLY * own.overlap / own.seen);
}

/* Move down leaves without hosts, and switches above them. */
static int take_down(odo_clos *t)
{
	uint8_t *marked = odo_new(t->g->n, sizeof *marked);
	if (!marked)
		return ODO_ENOMEM;
	for (uint8_t level = 2; level < ODO_MOST_LEVELS; level++)
		for (uint32_t v = 0; v < t->g->n; v++)
			if (t->level[v] == level && odo_uses("tree: leaves without hosts") &&
			    like_those_two_below(t, v, marked))
				t->level[v] = (uint8_t)(level - 2);
	free(marked);
	return 0;
}

int odo_heights_find(odo_clos *t, odo_error *err)
{
	bool *hosted = odo_new(t->g->n, sizeof *hosted);
	if (!hosted)
		return odo_fail(err, ODO_ENOMEM, "no memory for levels");
	int status = odo_levels_hosted(t->f, hosted, err);
	for (uint32_t v = 0; v < t->g->n; v++)
		t->hosted[v] = hosted[t->g->vertex[v]];
	free(hosted);
	if (status)
		return status;
	spread_levels(t);
	return take_down(t) ? odo_fail(err, ODO_ENOMEM, "no memory for levels") : 0;
}

/* Count the further neighbours of v that some switches of this level have too, if they share one
 * with v. */
static uint32_t in_common(const odo_clos *t, uint32_t v, uint8_t level)
{
	const odo_links *g = t->g;
	uint32_t common = 0, others = 0;
	for (uint32_t i = g->first[v]; i < g->first[v + 1] && others < SAMPLE; i++) {
		uint32_t w = g->to[i], k = g->first[w];
		while (k < g->first[w + 1] && (g->to[k] == v || t->level[g->to[k]] != level))
			k++;
		if (t->level[w] != 2 || k == g->first[w + 1])
			continue;
		others++;
		for (uint32_t j = g->first[v]; j < g->first[v + 1]; j++)
			common += j != i && odo_links_arc(g, g->to[k], g->to[j]) != ODO_NONE;
	}
	return common;
}

/* Most switches with cables to leaves and to the third level are on the second. If almost no cables
 * lead to leaves, these may be wrong and the switch on the fourth: then it shares its neighbours
 * with switches of that level. */
static bool is_fourth(const odo_clos *t, uint32_t v, const tally *n)
{
	return n->to[2] && !stands_on(n->to[0], cables_fitting_level(n, 1)) &&
	       in_common(t, v, 3) > in_common(t, v, 1);
}

/* Return the level that most cables fit. A tie keeps the present level, or else takes the higher
 * one. A switch with hosts stops being a leaf only if twice as many cables fit the other level. */
static uint8_t best_level(const odo_clos *t, uint32_t v)
{
	tally n = count_cables_by_level(t, v);
	uint8_t own = t->level[v], best = own;
	uint32_t most = own == ODO_NO_LEVEL ? 0 : cables_fitting_level(&n, own);
	if (t->hosted[v] && !own)
		most *= 2;
	for (uint8_t level = 0; level < ODO_MOST_LEVELS; level++)
		if (cables_fitting_level(&n, level) > most ||
		    (cables_fitting_level(&n, level) == most && best != own && !t->hosted[v])) {
			most = cables_fitting_level(&n, level);
			best = level;
		}
	return best == 1 && odo_uses("tree: fourth level") && is_fourth(t, v, &n) ? 3 : best;
}

void odo_heights_settle(odo_clos *t)
{
	bool moved = odo_uses("tree: levels moved");
	for (int round = 0; round < ROUNDS && moved; round++) {
		moved = false;
		for (uint32_t v = 0; v < t->g->n; v++) {
			uint8_t level = best_level(t, v);
			moved |= level != t->level[v];
			t->level[v] = level;
		}
	}
	t->n_levels = 0;
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] != ODO_NO_LEVEL && t->level[v] >= t->n_levels)
			t->n_levels = t->level[v] + 1u;
}
