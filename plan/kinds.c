/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Table of kinds, and the choice among the shapes of a kind. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fabric/fabric.h"
#include "plan/plan.h"

/* FlatFlies have at most five dimensions: with 48,000 hosts, larger diameters are of no use. Paper
 * 004, section 1.1 has tori of up to four dimensions; with more, minimal routing cannot be free of
 * deadlock in InfiniBand. */
const odo_plan_kind odo_plan_kinds[] = {
	{"dragonfly", odo_plan_dragonflies, 0},
	{"dragonfly, 2-D groups", odo_plan_wide_dragonflies, 0},
	{"dragonfly+", odo_plan_dragonflies_plus, 0},
	{"FlatFly", odo_plan_flatflies, 5},
	{"hypercube", odo_plan_hypercubes, 0},
	{"torus, 2-D", odo_plan_tori, 2},
	{"torus, 3-D", odo_plan_tori, 3},
	{"torus, 4-D", odo_plan_tori, 4},
	{"Slim Fly", odo_plan_slimflies, 0},
	{"Slim Fly x FlatFly", odo_plan_slimflies, 2},
	{"fat tree, 2 levels", odo_plan_trees, 2},
	{"fat tree, 3 levels", odo_plan_trees, 3},
	{"fat tree, 4 levels", odo_plan_trees, 4},
	{0},
};

bool odo_plan_reaches(double value, double wanted)
{
	return value >= wanted * (1 - 1e-9);
}

bool odo_plan_is_enough(const odo_plan_wish *wish, const odo_plan_candidate *x)
{
	return odo_plan_reaches(x->bisection, wish->bisection) &&
	       odo_plan_reaches(x->uniform, wish->saturation);
}

/* Return how near a candidate comes to the wish; 1 if it meets it. */
static double share_reached(const odo_plan_wish *wish, const odo_plan_candidate *x)
{
	double a = wish->bisection > 0 ? x->bisection / wish->bisection : 1;
	double b = wish->saturation > 0 ? x->uniform / wish->saturation : 1;
	double least = a < b ? a : b;
	return odo_plan_reaches(least, 1) ? 1 : least;
}

/* Estimate the effort before racks are known: a switch costs about as much as ten cables. Prices
 * decide later, among the kinds and among the few candidates kept of each. */
static double estimate_effort(const odo_plan_candidate *x)
{
	return 10.0 * x->switches + (double)x->cables;
}

static bool is_better_candidate(const odo_plan_wish *wish, const odo_plan_candidate *x,
				const odo_plan_candidate *y)
{
	double a = share_reached(wish, x), b = share_reached(wish, y);
	if (!odo_plan_reaches(a, b) || !odo_plan_reaches(b, a))
		return a > b;
	if (estimate_effort(x) < estimate_effort(y) || estimate_effort(x) > estimate_effort(y))
		return estimate_effort(x) < estimate_effort(y);
	return x->mean_hops < y->mean_hops;
}

bool odo_plan_is_wanted(const odo_plan_list *list, const odo_plan_candidate *x)
{
	const odo_plan_wish *wish = list->wish;
	if (x->hosts < wish->hosts || (wish->exact && x->hosts > wish->hosts) ||
	    x->ports > wish->radix || (uint64_t)x->hosts + x->switches >= ODO_LID_LIMIT)
		return false;
	return list->n < ODO_PLAN_KEPT || is_better_candidate(wish, x, &list->best[list->n - 1]);
}

void odo_plan_offer(odo_plan_list *list, const odo_plan_candidate *x)
{
	unsigned at = list->n;
	if (!odo_plan_is_wanted(list, x))
		return;
	while (at > 0 && is_better_candidate(list->wish, x, &list->best[at - 1]))
		at--;
	if (list->n < ODO_PLAN_KEPT)
		list->n++;
	memmove(&list->best[at + 1], &list->best[at], (list->n - at - 1) * sizeof *x);
	list->best[at] = *x;
}

void odo_plan_search(const odo_plan_kind *kind, const odo_plan_wish *wish, odo_plan_list *list)
{
	*list = (odo_plan_list){.wish = wish};
	kind->enumerate(kind, list);
}

void odo_plan_write(char *spec, const char *format, ...)
{
	size_t n = strlen(spec);
	va_list args;
	va_start(args, format);
	vsnprintf(spec + n, ODO_PLAN_SPEC - n, format, args);
	va_end(args);
}

void odo_plan_write_list(char *spec, const char *key, const uint32_t *number, unsigned n)
{
	bool same = true;
	for (unsigned i = 1; i < n; i++)
		same &= number[i] == number[0];
	if (same && number[0] == 1)
		return;
	odo_plan_write(spec, ",%s=%u", key, number[0]);
	for (unsigned i = 1; i < n && !same; i++)
		odo_plan_write(spec, "x%u", number[i]);
}
