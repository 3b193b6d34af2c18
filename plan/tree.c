/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fat trees, which are folded Clos networks: parallel ports generalised fat trees (Zahavi, 2010) of
 * 2 to 4 levels. Level by level from the leaves, a switch gets children, and a subtree gets as many
 * upward cables as its hosts need for the wanted bisection.
 */
#include <math.h>

#include "plan/plan.h"

enum { MAX_LEVELS = 4, MAX_PARALLEL = 8 };

typedef struct shape {
	uint32_t m[MAX_LEVELS], w[MAX_LEVELS], p[MAX_LEVELS];
	uint32_t levels;
	double hosts;              /* all hosts */
	double below[MAX_LEVELS];  /* hosts below a switch of a level */
	double copies[MAX_LEVELS]; /* switches of a level in one subtree */
} shape;

static double up_of(const shape *s, uint32_t l)
{
	return s->copies[l] * s->w[l + 1] * s->p[l + 1];
}

/* For every level, compute the traffic that a subtree sends up, and the worst case of routing by
 * destination (d-mod-k): an upward cable leads to a number of destinations, and hosts below it may
 * choose exactly these. */
static void measure_ups(const shape *s, odo_plan_candidate *to)
{
	double ways = 1;
	for (uint32_t l = 0; l + 1 < s->levels; l++) {
		double below = s->below[l], up = up_of(s, l);
		double leaving = below * (s->hosts - below) / (s->hosts - 1);
		ways *= s->w[l + 1] * s->p[l + 1];
		double targets = fmax(1, floor((s->hosts - below) / ways));
		to->bisection = fmin(to->bisection, up / below);
		to->uniform = fmin(to->uniform, up / leaving);
		to->worst = fmin(to->worst, 1 / fmin(below, targets));
		to->mean_hops += 2 * (s->hosts - below) / (s->hosts - 1);
	}
}

static void measure_tree(const shape *s, odo_plan_candidate *to)
{
	to->hosts = (uint32_t)s->hosts;
	to->diameter = 2 * (s->levels - 1);
	to->bisection = INFINITY;
	to->uniform = to->worst = 1;
	to->vls = 1;
	for (uint32_t l = 0; l < s->levels; l++) {
		double subtrees = s->hosts / s->below[l];
		bool top = l + 1 == s->levels;
		uint32_t down = s->m[l] * s->p[l], up = top ? 0 : s->w[l + 1] * s->p[l + 1];
		to->switches += (uint32_t)(subtrees * s->copies[l]);
		to->ports = down + up > to->ports ? down + up : to->ports;
		to->cables += top ? 0 : (uint64_t)(subtrees * up_of(s, l));
	}
	measure_ups(s, to);
}

static void offer_tree(const shape *s, const odo_plan_kind *kind, odo_plan_list *list)
{
	static const char *const keys[] = {"m=", ",w=", ",p="};
	const uint32_t *numbers[] = {s->m, s->w, s->p};
	odo_plan_candidate to = {.kind = kind};
	measure_tree(s, &to);
	if (!odo_plan_is_wanted(list, &to))
		return;
	odo_plan_write(to.spec, "pgft:");
	for (unsigned i = 0; i < 3; i++)
		for (uint32_t l = 0; l < s->levels; l++)
			odo_plan_write(to.spec, "%s%u", l ? "x" : keys[i], numbers[i][l]);
	odo_plan_offer(list, &to);
}

static void each_children(shape *s, uint32_t l, const odo_plan_kind *kind, odo_plan_list *list);

/* Add level l above an existing one: try every number of parallel cables, with as many parents as
 * the wish needs, or as ports allow. */
static void each_level(shape *s, uint32_t l, const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	double share = fmax(fmax(wish->bisection, wish->saturation), 1e-6);
	double needed = ceil(share * s->below[l - 1] / s->copies[l - 1] * (1 - 1e-9));
	uint32_t down = s->m[l - 1] * s->p[l - 1];
	needed = fmin(needed, (double)wish->radix - down);
	for (s->p[l] = 1; s->p[l] <= MAX_PARALLEL && s->p[l] <= needed; s->p[l]++) {
		s->w[l] = (uint32_t)ceil(needed / s->p[l]);
		s->copies[l] = s->copies[l - 1] * s->w[l];
		if (down + s->w[l] * s->p[l] <= wish->radix)
			each_children(s, l, kind, list);
	}
}

/* Try numbers of children: the top takes as many as the hosts need; other levels try every
 * number. */
static void each_children(shape *s, uint32_t l, const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	double below = s->below[l - 1];
	if (l + 1 == s->levels) {
		s->m[l] = (uint32_t)ceil(wish->hosts / below);
		s->below[l] = s->hosts = below * s->m[l];
		if (s->m[l] > 1 && s->m[l] * s->p[l] <= wish->radix &&
		    s->hosts <= ODO_PLAN_MOST_HOSTS)
			offer_tree(s, kind, list);
		return;
	}
	for (s->m[l] = 2; s->m[l] * s->p[l] < wish->radix && below * s->m[l] < wish->hosts;
	     s->m[l]++) {
		s->below[l] = below * s->m[l];
		each_level(s, l + 1, kind, list);
	}
}

/* Is another level useful? Not if fewer levels have full bisection. With four levels, shapes of
 * switches with many ports are too many to try. */
static bool is_needed(const odo_plan_kind *kind, const odo_plan_wish *wish)
{
	double fewer = 2 * pow(wish->radix / 2, kind->variant - 1);
	bool usual = !wish->per_switch && wish->bisection <= 1;
	if (kind->variant == 2)
		return true;
	if (usual && wish->hosts <= fewer)
		return false;
	return kind->variant < 4 || fewer < ODO_PLAN_MOST_HOSTS;
}

void odo_plan_trees(const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	uint32_t first = wish->per_switch ? wish->per_switch : 1;
	uint32_t last = wish->per_switch ? wish->per_switch : wish->radix;
	if (!is_needed(kind, wish))
		return;
	for (uint32_t m = first; m <= last && m < wish->hosts; m++) {
		shape s = {.m = {m},
			   .w = {1},
			   .p = {1},
			   .levels = kind->variant,
			   .below = {m},
			   .copies = {1}};
		each_level(&s, 1, kind, list);
	}
}
