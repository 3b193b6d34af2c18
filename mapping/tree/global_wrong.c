/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"
#include "mapping/tree/global_pairs.h"

/* A wrong cable suits the arrangement less than half as well as the right ones. */
static const odo_share suits_less = {1, 2};

/* Where this share of pairs or more have more than usual, that is how it was built, and damage has
 * left most of the others less. */
static const odo_share by_design = {1, 8};

enum {
	SAMPLE = 16,     /* groups that are asked */
	FULL_MARK = 1000 /* of a cable whose companions share its spine in all groups */
};

typedef struct arrangement {
	const odo_global_pairs *p;
	uint32_t *pair;  /* [n_groups * n_groups] of two groups, or ODO_NONE */
	uint64_t *reach; /* bit v * n_groups + group: spine v is cabled to it */
} arrangement;

static size_t cell(const arrangement *x, uint32_t row, uint32_t group)
{
	return (size_t)row * x->p->n_groups + group;
}

static bool reaches(const arrangement *x, uint32_t v, uint32_t group)
{
	size_t at = cell(x, v, group);
	return x->reach[at / 64] >> at % 64 & 1;
}

static void note_links(arrangement *x)
{
	const odo_global_pairs *p = x->p;
	memset(x->pair, 0xFF, (size_t)p->n_groups * p->n_groups * sizeof *x->pair);
	for (uint32_t i = 0; i < p->n; i++) {
		const odo_group_pair *pair = &p->pair[i];
		x->pair[cell(x, pair->group[0], pair->group[1])] = i;
		x->pair[cell(x, pair->group[1], pair->group[0])] = i;
		for (uint32_t k = pair->first; k < pair->first + pair->n; k++)
			for (int side = 0; side < 2; side++) {
				const uint32_t *end = p->t->g->end[p->link[k].edge];
				size_t at = cell(x, end[side], p->group[end[!side]]);
				x->reach[at / 64] |= UINT64_C(1) << at % 64;
			}
	}
}

/* Some spine of this group is cabled to both others. */
static bool share_a_spine(const arrangement *x, uint32_t group, uint32_t a, uint32_t b)
{
	const odo_global_pairs *p = x->p;
	const odo_group_pair *pair = &p->pair[x->pair[cell(x, group, a)]];
	for (uint32_t k = pair->first; k < pair->first + pair->n; k++) {
		const uint32_t *end = p->t->g->end[p->link[k].edge];
		if (reaches(x, end[p->group[end[0]] != group], b))
			return true;
	}
	return false;
}

/* Of the groups that spine v is cabled to besides, how many share a spine with group `to`
 * elsewhere: counts, and adds to *asked. */
static uint32_t ask(const arrangement *x, uint32_t v, uint32_t to, uint32_t elsewhere,
		    uint32_t *asked)
{
	const odo_links *g = x->p->t->g;
	uint32_t shared = 0;
	if (x->pair[cell(x, elsewhere, to)] == ODO_NONE)
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
			shared += ask(x, v, to, group, &asked);
	return asked ? shared * FULL_MARK / asked : 0;
}

static uint32_t mark_of(const arrangement *x, uint32_t edge)
{
	const uint32_t *end = x->p->t->g->end[edge];
	return mark_of_end(x, end[0], x->p->group[end[1]]) +
	       mark_of_end(x, end[1], x->p->group[end[0]]);
}

/* Of a pair with one link more than usual, the one that suits by far the worst. */
static uint32_t misfit(const arrangement *x, const odo_group_pair *pair)
{
	uint32_t worst = ODO_NONE, least = UINT32_MAX, next = UINT32_MAX;
	for (uint32_t i = pair->first; i < pair->first + pair->n; i++) {
		uint32_t mark = mark_of(x, x->p->link[i].edge);
		if (mark < least) {
			next = least;
			least = mark;
			worst = x->p->link[i].edge;
		} else if (mark < next) {
			next = mark;
		}
	}
	return next != UINT32_MAX && !odo_reaches(least, suits_less, next) ? worst : ODO_NONE;
}

static bool few_have_more(const odo_global_pairs *p)
{
	uint32_t more = 0;
	for (uint32_t i = 0; i < p->n; i++)
		more += p->pair[i].n_cables > p->usual;
	return !odo_reaches(more, by_design, p->n);
}

int odo_global_pairs_wrong(const odo_global_pairs *p, uint8_t *wrong)
{
	arrangement x = {.p = p};
	if (!p->usual || !few_have_more(p) || !odo_uses("Dragonfly+: arrangement"))
		return 0;
	x.pair = odo_new((size_t)p->n_groups * p->n_groups, sizeof *x.pair);
	x.reach = odo_new((size_t)p->t->g->n * p->n_groups / 64 + 1, sizeof *x.reach);
	int status = x.pair && x.reach ? 0 : ODO_ENOMEM;
	if (!status)
		note_links(&x);
	for (uint32_t i = 0; i < p->n && !status; i++) {
		const odo_group_pair *pair = &p->pair[i];
		uint32_t edge = pair->n_cables > p->usual ? misfit(&x, pair) : ODO_NONE;
		if (edge != ODO_NONE && p->t->g->n_cables[edge] == pair->n_cables - p->usual)
			wrong[edge] = p->t->g->n_cables[edge];
	}
	free(x.pair);
	free(x.reach);
	return status;
}
