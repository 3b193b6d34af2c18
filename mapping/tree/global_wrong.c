/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"
#include "mapping/tree/global_pairs.h"

/* If this share of pairs or more have more than usual, the larger number is by design, and damage
 * has reduced most of the other pairs. */
static const odo_share by_design = {1, 8};

enum {
	SAMPLE = 16, /* other groups in which the arrangement is compared */
	ADDED = 4,   /* a spine with more cables than usual makes a link this many times likelier to
			be wrong */
	FULL_MARK = 1000 /* of a link whose companions share its spine in all groups */
};

typedef struct arrangement {
	const odo_global_pairs *p;
	uint32_t *pair;   /* [n_groups * n_groups] pair of two groups, or ODO_NONE */
	uint64_t *reach;  /* bit v * n_groups + group: spine v is cabled to it */
	uint32_t *cables; /* [n] global cables of each spine */
	uint32_t usual;   /* number that most spines have, or the highest usual one */
	uint32_t room;    /* cables between two groups if all groups are complete */
} arrangement;

static size_t index_of_cell(const arrangement *x, uint32_t row, uint32_t group)
{
	return (size_t)row * x->p->n_groups + group;
}

static bool spine_reaches_group(const arrangement *x, uint32_t v, uint32_t group)
{
	size_t at = index_of_cell(x, v, group);
	return x->reach[at / 64] >> at % 64 & 1;
}

static void note_links(arrangement *x)
{
	const odo_global_pairs *p = x->p;
	memset(x->pair, 0xFF, (size_t)p->n_groups * p->n_groups * sizeof *x->pair);
	for (uint32_t i = 0; i < p->n; i++) {
		const odo_group_pair *pair = &p->pair[i];
		x->pair[index_of_cell(x, pair->group[0], pair->group[1])] = i;
		x->pair[index_of_cell(x, pair->group[1], pair->group[0])] = i;
		for (uint32_t k = pair->first; k < pair->first + pair->n; k++)
			for (int side = 0; side < 2; side++) {
				const uint32_t *end = p->t->g->end[p->link[k].edge];
				size_t at = index_of_cell(x, end[side], p->group[end[!side]]);
				x->reach[at / 64] |= UINT64_C(1) << at % 64;
			}
	}
}

/* Return true if some spine of this group is cabled to both other groups. */
static bool share_a_spine(const arrangement *x, uint32_t group, uint32_t a, uint32_t b)
{
	const odo_global_pairs *p = x->p;
	const odo_group_pair *pair = &p->pair[x->pair[index_of_cell(x, group, a)]];
	for (uint32_t k = pair->first; k < pair->first + pair->n; k++) {
		const uint32_t *end = p->t->g->end[p->link[k].edge];
		if (spine_reaches_group(x, end[p->group[end[0]] != group], b))
			return true;
	}
	return false;
}

/* Count the other groups cabled to spine v that share a spine with group `to` elsewhere. Add the
 * number of compared groups to *asked. */
static uint32_t count_parallel_groups(const arrangement *x, uint32_t v, uint32_t to,
				      uint32_t elsewhere, uint32_t *asked)
{
	const odo_links *g = x->p->t->g;
	uint32_t shared = 0;
	if (x->pair[index_of_cell(x, elsewhere, to)] == ODO_NONE)
		return 0;
	for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
		uint32_t y = x->p->group[g->to[i]];
		if (!odo_clos_global(x->p->t, g->edge[i]) || y == ODO_NONE || y == to ||
		    y == elsewhere)
			continue;
		++*asked;
		shared += share_a_spine(x, elsewhere, to, y);
	}
	return shared;
}

static uint32_t mark_of_end(const arrangement *x, uint32_t v, uint32_t to)
{
	uint32_t n = x->p->n_groups, step = n > SAMPLE ? n / SAMPLE : 1, shared = 0, asked = 0;
	for (uint32_t group = 0; group < n; group += step)
		if (group != to && group != x->p->group[v])
			shared += count_parallel_groups(x, v, to, group, &asked);
	return asked ? shared * FULL_MARK / asked : 0;
}

/* Return a lower mark for a link at a spine with more cables than usual: one of its cables was
 * moved there. */
static uint32_t mark_of(const arrangement *x, uint32_t edge)
{
	const uint32_t *end = x->p->t->g->end[edge];
	uint32_t mark = mark_of_end(x, end[0], x->p->group[end[1]]) +
			mark_of_end(x, end[1], x->p->group[end[0]]);
	for (int side = 0; side < 2; side++)
		mark /= x->cables[end[side]] > x->usual ? ADDED : 1;
	return mark;
}

/* A link, and its mark for how well it suits the arrangement. */
typedef struct suit {
	uint32_t mark, edge;
} suit;

static int by_mark(const void *a, const void *b)
{
	const suit *x = a, *y = b;
	if (x->mark != y->mark)
		return x->mark < y->mark ? -1 : 1;
	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* List the links of a pair, the lowest marks first. */
static void list_suits(const arrangement *x, const odo_group_pair *pair, suit *list)
{
	for (uint32_t i = 0; i < pair->n; i++) {
		uint32_t edge = x->p->link[pair->first + i].edge;
		list[i] = (suit){mark_of(x, edge), edge};
	}
	qsort(list, pair->n, sizeof *list, by_mark);
}

/* If a pair has more cables than room, mark the excess as wrong, lowest marks first. Only some
 * cables of a link are marked if a wrong cable lies beside a right one. */
static void mark_excess(const arrangement *x, const odo_group_pair *pair, suit *list,
			uint8_t *wrong)
{
	uint32_t excess = pair->n_cables - x->room;
	list_suits(x, pair, list);
	for (uint32_t i = 0; excess; i++) {
		uint32_t cables = x->p->t->g->n_cables[list[i].edge];
		wrong[list[i].edge] = (uint8_t)(cables < excess ? cables : excess);
		excess -= wrong[list[i].edge];
	}
}

/* Count the spines of the largest group. */
static int count_spines(const arrangement *x, uint32_t *most)
{
	const odo_clos *t = x->p->t;
	uint32_t *n = odo_new(x->p->n_groups, sizeof *n);
	if (!n)
		return ODO_ENOMEM;
	*most = 0;
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] == 1 && x->p->group[v] != ODO_NONE && ++n[x->p->group[v]] > *most)
			*most = n[x->p->group[v]];
	free(n);
	return 0;
}

/* Compute the room from complete groups, because damage reduces most pairs of groups. */
static int find_room(arrangement *x)
{
	uint32_t spines, others = x->p->n_groups - 1;
	int status = count_spines(x, &spines);
	if (!status)
		x->room = (x->usual * spines + others - 1) / others;
	if (!status && x->room < x->p->usual)
		x->room = x->p->usual;
	return status;
}

static int count_cables_per_spine(arrangement *x)
{
	const odo_clos *t = x->p->t;
	uint32_t have[UINT8_MAX + 1] = {0}, spines = 0;
	x->cables = odo_new(t->g->n, sizeof *x->cables);
	if (!x->cables)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		for (int side = 0; side < 2 && odo_clos_global(t, e); side++)
			x->cables[t->g->end[e][side]] += t->g->n_cables[e];
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] == 1 && ++spines && x->cables[v] <= UINT8_MAX)
			have[x->cables[v]]++;
	x->usual = odo_usual_most(have, 0, UINT8_MAX, odo_more_than_rare(spines));
	for (uint32_t i = 0; i <= UINT8_MAX; i++)
		if (odo_majority(have[i], spines))
			x->usual = i;
	return 0;
}

/* Count links that groups and pairs of groups lack. */
static uint64_t count_group_holes(const odo_global_pairs *p)
{
	uint64_t n = p->n_groups, holes = (n * (n - 1) / 2 - p->n) * p->usual;
	for (uint32_t i = 0; i < p->n; i++)
		holes += p->pair[i].n_cables < p->usual ? p->usual - p->pair[i].n_cables : 0;
	for (uint32_t b = 0; b < p->t->n_blocks; b++) {
		const odo_block *block = &p->t->block[b];
		holes += (uint64_t)block->n_children * block->n_parents - block->n_links;
	}
	return holes;
}

static bool excess_is_suspicious(const odo_global_pairs *p)
{
	uint64_t pairs = 0, excess = 0;
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t cables = p->pair[i].n_cables;
		pairs += cables > p->usual;
		excess += cables > p->usual ? cables - p->usual : 0;
	}
	return !odo_reaches(pairs, by_design, p->n) &&
	       odo_holes_explain(excess, count_group_holes(p));
}

int odo_global_pairs_wrong(const odo_global_pairs *p, uint8_t *wrong)
{
	arrangement x = {.p = p};
	if (!p->usual || !excess_is_suspicious(p) || !odo_uses("Dragonfly+: arrangement"))
		return 0;
	x.pair = odo_new((size_t)p->n_groups * p->n_groups, sizeof *x.pair);
	x.reach = odo_new((size_t)p->t->g->n * p->n_groups / 64 + 1, sizeof *x.reach);
	suit *list = odo_new(p->t->g->n_edges, sizeof *list);
	int status = x.pair && x.reach && list ? count_cables_per_spine(&x) : ODO_ENOMEM;
	if (!status)
		status = find_room(&x);
	if (!status)
		note_links(&x);
	for (uint32_t i = 0; i < p->n && !status; i++)
		if (p->pair[i].n_cables > x.room)
			mark_excess(&x, &p->pair[i], list, wrong);
	free(list);
	free(x.pair);
	free(x.reach);
	free(x.cables);
	return status;
}
