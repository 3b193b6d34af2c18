/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/full_support.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/product/growth.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Return the median over vertices of the highest support among their links. */
static uint8_t usual_best(const odo_links *g, const uint8_t *ratio)
{
	uint32_t count[256] = {0}, below = 0;
	for (uint32_t v = 0; v < g->n; v++) {
		uint8_t best = 0;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			best = ratio[g->edge[a]] > best ? ratio[g->edge[a]] : best;
		count[best]++;
	}
	for (unsigned r = 0; r < 255; r++)
		if (odo_half(below += count[r], g->n))
			return (uint8_t)r;
	return 255;
}

/* Links of a small complete graph reach this share of full support, even with damage. */
static const odo_share nearly_all = {3, 4};

/* Mark the links of highest support: top [n_edges]. ODO_EUNKNOWN if too few vertices have such a
 * link. */
static int mark_top_links(const odo_links *g, const uint8_t *ratio, bool *top, odo_error *err)
{
	uint8_t usual = usual_best(g, ratio);
	uint32_t having = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		top[e] = ratio[e] && odo_reaches(ratio[e], nearly_all, usual);
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t a = g->first[v];
		while (a < g->first[v + 1] && !top[g->edge[a]])
			a++;
		having += a < g->first[v + 1];
	}
	return odo_reaches(having, nearly_all, g->n)
		       ? 0
		       : odo_fail(err, ODO_EUNKNOWN, "no links stand out");
}

/* A set grows from 1 / PART of the members of a full set, and is accepted with as many. */
enum { PART = 4 };

/* A full set has one link for each group of top links that are copies of each other; return a
 * fraction of that. */
static uint32_t least_set(const odo_links *g, const bool *top)
{
	uint32_t tops = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		tops += top[e];
	return g->n / (PART * (2 * tops / g->n + 1)) + 1;
}

/* Put parallel top links into one class, and links of a complete graph by their triangles. Wrong
 * cables create only a few bonds between classes. */
static int classify_top_links(const odo_links *g, odo_walk *walk, odo_classes *classes,
			      odo_error *err)
{
	odo_bonds bonds = {0};
	odo_sets sets = {0};
	int status = odo_bonds_parallel(g, walk, classes->trusted, &bonds, err);
	if (!status)
		status = odo_sets_grow(&bonds, classes->trusted, least_set(g, classes->trusted),
				       g->n / PART + 1, &sets, err);
	if (!status) {
		classes->n = sets.n;
		classes->of = sets.of;
		memcpy(classes->n_edges, sets.size, sets.n * sizeof *sets.size);
	}
	odo_bonds_clear(&bonds);
	return status;
}

/* Return true if most links at u of the given classes, except `own`, have a parallel link of their
 * class at v: their far ends are neighbours. A link that leads to a neighbour of v itself must be
 * absent: one of the two would be wrong. */
static bool runs_beside(const odo_links *g, const odo_classes *sorted, uint64_t classes,
			uint32_t own, uint32_t u, uint32_t v)
{
	uint32_t asked = 0, closed = 0;
	odo_charge(g->budget, odo_degree(g, u));
	for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++) {
		uint32_t class = sorted->of[g->edge[a]];
		bool found = false;
		if (class == ODO_NONE || class == own || !(classes >> class & 1))
			continue;
		if (odo_links_arc(g, g->to[a], v) != ODO_NONE)
			return false;
		odo_charge(g->budget, odo_degree(g, v));
		for (uint32_t b = g->first[v]; b < g->first[v + 1] && !found; b++)
			found = sorted->of[g->edge[b]] == class &&
				odo_links_arc(g, g->to[a], g->to[b]) != ODO_NONE;
		asked++;
		closed += found;
	}
	return odo_majority(closed, asked);
}

/* Mark the edges that are parallel to links of `classes` at both ends. */
static void find_followers(const odo_links *g, const odo_classes *sorted, uint64_t classes,
			   bool *follows)
{
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1], own = sorted->of[e];
		follows[e] = odo_may_go_on(g->budget) &&
			     runs_beside(g, sorted, classes, own, u, v) &&
			     runs_beside(g, sorted, classes, own, v, u);
	}
}

/* Mark the other edges that are parallel to the dimensions. */
static void find_rest(const odo_links *g, const odo_classes *classes, bool *follows)
{
	find_followers(g, classes, UINT64_MAX, follows);
	for (uint32_t e = 0; e < g->n_edges; e++)
		follows[e] = follows[e] && classes->of[e] == ODO_NONE;
}

int odo_full_support_find(const odo_links *g, odo_walk *walk, const uint8_t *ratio, bool *follows,
			  odo_classes *classes, odo_error *err)
{
	*classes = (odo_classes){.n_edges = odo_new(ODO_MOST_SETS, sizeof *classes->n_edges),
				 .trusted = odo_new(g->n_edges, sizeof *classes->trusted)};
	int status = classes->n_edges && classes->trusted
			     ? mark_top_links(g, ratio, classes->trusted, err)
			     : odo_fail(err, ODO_ENOMEM, "no memory for classes");
	if (!status)
		status = classify_top_links(g, walk, classes, err);
	if (status)
		odo_classes_clear(classes);
	else
		find_rest(g, classes, follows);
	return status;
}
