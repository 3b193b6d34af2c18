/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/absent.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mapping/graph/shares.h"
#include "base/lists.h"

/* A child linked to less than half of a block's parents was probably not meant to have all of
 * them. */
static bool meant_for_all(const odo_lists *parents, uint32_t b, const uint8_t *cables)
{
	uint32_t linked = 0, n = parents->first[b + 1] - parents->first[b];
	for (uint32_t i = parents->first[b]; i < parents->first[b + 1]; i++)
		linked += cables[parents->item[i]] > 0;
	return odo_half(linked, n);
}

/* Cables from v to each of its neighbours; 0 to undo it. */
static void mark_cables(const odo_links *g, uint32_t v, uint8_t *cables, bool on)
{
	for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++)
		cables[g->to[i]] = on ? g->n_cables[g->edge[i]] : 0;
}

static int add_absent_links(const odo_clos *t, const odo_lists *parents, uint32_t v,
			    const uint8_t *cables, odo_faults *list)
{
	uint32_t b = t->up[v], width = t->block[b].width;
	for (uint32_t i = parents->first[b]; i < parents->first[b + 1]; i++) {
		uint32_t w = parents->item[i];
		if (cables[w] >= width)
			continue;
		odo_fault *fault = odo_faults_add(list, ODO_FAULT_MISSING_LINK);
		if (!fault)
			return ODO_ENOMEM;
		fault->node[0] = t->g->vertex[v];
		fault->node[1] = t->g->vertex[w];
		fault->count = width - cables[w];
	}
	return 0;
}

int odo_clos_absent_links(const odo_clos *t, odo_faults *list)
{
	odo_lists parents;
	uint8_t *cables = odo_new(t->g->n, sizeof *cables);
	int status = odo_lists_make(t->down, t->g->n, t->n_blocks, &parents);
	if (!cables)
		status = ODO_ENOMEM;
	for (uint32_t v = 0; v < t->g->n && !status; v++) {
		if (t->up[v] == ODO_NONE || t->dealt[v] || t->block[t->up[v]].loose ||
		    t->block[t->up[v]].uneven)
			continue;
		mark_cables(t->g, v, cables, true);
		if (meant_for_all(&parents, t->up[v], cables))
			status = add_absent_links(t, &parents, v, cables, list);
		mark_cables(t->g, v, cables, false);
	}
	odo_lists_clear(&parents);
	free(cables);
	return status;
}

/* Number of switches that each pod has in each plane, for one level. */
typedef struct census {
	const odo_coordinates *c;
	uint32_t pods, planes;
	uint32_t *have; /* [pods * planes] */
	uint32_t *seen; /* [most switches + 1] scratch, zero between uses */
} census;

static void take_census(census *x, uint32_t level)
{
	for (size_t i = 0; i < (size_t)x->pods * x->planes; i++)
		x->have[i] = 0;
	for (uint32_t s = 0; s < x->c->n_switches; s++) {
		const uint32_t *at = odo_at(x->c, s);
		if (at[ODO_TREE_LEVEL] == level)
			x->have[(size_t)at[ODO_TREE_POD] * x->planes + at[ODO_TREE_PLANE]]++;
	}
}

/* Return the number that most cells of a row have, `step` apart, or 0 if no number has a
 * majority. */
static uint32_t usual_of(census *x, size_t first, size_t step, uint32_t n)
{
	uint32_t usual = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t have = x->have[first + i * step];
		if (odo_majority(++x->seen[have], n))
			usual = have;
	}
	for (uint32_t i = 0; i < n; i++)
		x->seen[x->have[first + i * step]] = 0;
	return usual;
}

/* Return true if at least half of the usual switches exist. Otherwise the pod was built smaller. */
static bool is_nearly_whole_pod(const census *x, size_t first, size_t step, const uint32_t *usual,
				uint32_t n)
{
	uint64_t have = 0, all = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t there = x->have[first + i * step];
		have += there < usual[i] ? there : usual[i];
		all += usual[i];
	}
	return odo_half(have, all);
}

static int add_absent_switches(const census *x, uint32_t level, uint32_t pod, uint32_t plane,
			       uint32_t usual, odo_faults *list)
{
	for (uint32_t i = x->have[(size_t)pod * x->planes + plane]; i < usual; i++) {
		odo_fault *fault = odo_faults_add(list, ODO_FAULT_MISSING_SWITCH);
		if (!fault)
			return ODO_ENOMEM;
		fault->at[ODO_TREE_LEVEL] = level;
		fault->at[ODO_TREE_POD] = pod;
		fault->at[ODO_TREE_PLANE] = plane;
		fault->at[ODO_TREE_INDEX] = i;
	}
	return 0;
}

/* List the switches that pods lack in a level below the top. */
static int in_pods(census *x, uint32_t level, odo_faults *list)
{
	uint32_t *usual = odo_new(x->planes, sizeof *usual);
	int status = usual ? 0 : ODO_ENOMEM;
	for (uint32_t plane = 0; plane < x->planes && !status; plane++)
		usual[plane] = usual_of(x, plane, x->planes, x->pods);
	for (uint32_t pod = 0; pod < x->pods && !status; pod++) {
		if (!is_nearly_whole_pod(x, (size_t)pod * x->planes, 1, usual, x->planes))
			continue;
		for (uint32_t plane = 0; plane < x->planes && !status; plane++)
			status = add_absent_switches(x, level, pod, plane, usual[plane], list);
	}
	free(usual);
	return status;
}

static int at_the_top(census *x, uint32_t level, odo_faults *list)
{
	uint32_t usual = usual_of(x, 0, 1, x->planes);
	int status = 0;
	for (uint32_t plane = 0; plane < x->planes && !status; plane++)
		if (is_nearly_whole_pod(x, plane, 1, &usual, 1))
			status = add_absent_switches(x, level, 0, plane, usual, list);
	return status;
}

/* Pods, or planes, from which on their majority is a reliable norm. */
enum { SEVERAL = 3 };

int odo_clos_absent_switches(const odo_clos *t, const odo_coordinates *c, odo_faults *list)
{
	census x = {.c = c, .pods = c->size[ODO_TREE_POD], .planes = c->size[ODO_TREE_PLANE]};
	size_t cells = (size_t)x.pods * x.planes;
	int status = 0;
	if (t->n_levels < 3 || cells > 8 * (size_t)t->g->n) /* parts of a few switches each */
		return 0;
	x.have = odo_new(cells, sizeof *x.have);
	x.seen = odo_new((size_t)t->g->n + 1, sizeof *x.seen);
	if (!x.have || !x.seen)
		status = ODO_ENOMEM;
	for (uint32_t level = 1; level < t->n_levels && !status; level++) {
		bool top = level + 1 == t->n_levels;
		take_census(&x, level);
		if (top && x.planes >= SEVERAL)
			status = at_the_top(&x, level, list);
		else if (!top && x.pods >= SEVERAL)
			status = in_pods(&x, level, list);
	}
	free(x.have);
	free(x.seen);
	return status;
}
