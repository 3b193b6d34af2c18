/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dragonflies (paper 001, section 3.1), and Dragonfly+ (Shpiner et al., 2017).
 *
 * There are as many groups as the hosts need. Every two groups are joined by the same number of
 * cables: as many as reach the wish, or as ports allow. A few global ports may then be left free,
 * as paper 004 leaves one of each group: further cables between some groups would not raise the
 * load of uniform traffic.
 *
 * Groups of two dimensions (Figure 6b) are used if one dimension is too small. There are so many of
 * these groups that one cable between every two is enough.
 */
#include <math.h>

#include "plan/plan.h"

typedef struct shape {
	uint32_t p;          /* hosts of a switch; Dragonfly+: of a leaf */
	uint32_t a;          /* switches of a group; Dragonfly+: leaves */
	uint32_t spines;     /* Dragonfly+ only */
	uint32_t row;        /* switches along the first of two dimensions of a group; 0: one
			      * dimension */
	uint32_t g, c, h;    /* groups; cables between two groups; global ports of a switch or
			      * spine */
	double hosts, group; /* hosts in all, and of a group */
} shape;

/* Compute groups, and the cables between them over `carriers` switches with `most` free ports each.
 * False if there is no such shape. */
static bool find_global(shape *s, uint32_t carriers, uint32_t most, const odo_plan_wish *wish)
{
	s->group = (double)s->p * s->a;
	s->g = (uint32_t)ceil(wish->hosts / s->group);
	s->hosts = s->g * s->group;
	uint64_t most_c = s->g < 2 ? 0 : (uint64_t)carriers * most / (s->g - 1);
	if (!most_c)
		return false;
	double cut = ceil(wish->bisection * 2 * s->group / s->g * (1 - 1e-9));
	double load = ceil(wish->saturation * s->group * s->group / (s->hosts - 1) * (1 - 1e-9));
	s->c = (uint32_t)fmax(1, fmin(fmax(cut, load), (double)most_c));
	s->h = (uint32_t)(((uint64_t)s->c * (s->g - 1) + carriers - 1) / carriers);
	return true;
}

/* Bisection by cables between groups: those from one half to the other, divided by half of the
 * hosts. */
static double global_cut(const shape *s)
{
	return s->g * (double)s->c / (2 * s->group);
}

static double global_uniform(const shape *s)
{
	return s->c * (s->hosts - 1) / (s->group * s->group);
}

static uint64_t global_cables(const shape *s)
{
	return (uint64_t)s->g * (s->g - 1) / 2 * s->c;
}

static void write_global(const shape *s, uint32_t carriers, char *spec)
{
	odo_plan_write(spec, ",h=%u,g=%u", s->h, s->g);
	if ((uint64_t)carriers * s->h != (uint64_t)s->c * (s->g - 1))
		odo_plan_write(spec, ",cables=%u", s->c);
}

/* Mean cables on a shortest path between switches of two groups: a global one, and one at either
 * end unless the switch there has a cable to the other group. */
static double mean_between_groups(const shape *s)
{
	double direct = s->c / (double)s->a;
	return 3 - (2 * direct - direct * direct) - direct / s->a;
}

static void measure_dragonfly(const shape *s, odo_plan_candidate *to)
{
	double others = s->hosts - 1, inside = (s->group - s->p) / others;
	double outside = (s->hosts - s->group) / others, far = mean_between_groups(s);
	double local = s->p * (inside + outside * (far - 1)) / (s->a - 1);
	to->hosts = (uint32_t)s->hosts;
	to->switches = s->g * s->a;
	to->ports = s->p + s->a - 1 + s->h; /* paper 004 has 31 here, but prints 30 beside this
					     * sum */
	to->cables = (uint64_t)s->g * s->a * (s->a - 1) / 2 + global_cables(s);
	to->diameter = s->c >= s->a ? 2 : 3;
	to->mean_hops = inside + outside * far;
	/* A path takes two local cables and a global one: paper 004, section 1.4. */
	to->bisection = fmin(s->a / (4.0 * s->p), global_cut(s));
	to->uniform = fmin(1, fmin(global_uniform(s), 1 / local));
	/* A group sends to one other group, or a switch to a neighbour. */
	to->worst = fmin(1.0 / s->p, s->c / s->group);
	to->vls = 2;
}

static void offer_dragonfly(const shape *s, odo_plan_candidate *to, odo_plan_list *list)
{
	if (!odo_plan_is_wanted(list, to))
		return;
	odo_plan_write(to->spec, "dragonfly:p=%u,a=", s->p);
	if (s->row)
		odo_plan_write(to->spec, "%ux", s->row);
	odo_plan_write(to->spec, "%u", s->row ? s->a / s->row : s->a);
	write_global(s, s->a, to->spec);
	odo_plan_write(to->spec, ",ports=%u", list->wish->radix);
	odo_plan_offer(list, to);
}

/* Hosts of a switch: the requested number, or any number. */
static uint32_t first_p(const odo_plan_wish *wish)
{
	return wish->per_switch ? wish->per_switch : 1;
}

static uint32_t last_p(const odo_plan_wish *wish)
{
	return wish->per_switch ? wish->per_switch : wish->radix;
}

/* Are there fewer groups than global ports of a switch? Then several cables join the same two
 * switches. Standard tables use these unevenly: down to a fifth of the closed forms. */
static bool has_few_groups(const shape *s)
{
	return s->g - 1 < s->h;
}

void odo_plan_dragonflies(const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	for (uint32_t p = first_p(wish); p <= last_p(wish); p++)
		for (uint32_t a = 2; p + a - 1 < wish->radix; a++) {
			shape s = {.p = p, .a = a};
			odo_plan_candidate to = {.kind = kind};
			if (!find_global(&s, a, wish->radix - p - (a - 1), wish) ||
			    has_few_groups(&s))
				continue;
			measure_dragonfly(&s, &to);
			offer_dragonfly(&s, &to, list);
		}
}

/* With one cable between groups, paths to and from its ends are those of the group's FlatFly. */
static void measure_wide(const shape *s, odo_plan_candidate *to)
{
	double others = s->hosts - 1, inside = s->group / others;
	double outside = (s->hosts - s->group) / others;
	uint32_t side[] = {s->row, s->a / s->row}, ports = side[0] + side[1] - 2;
	to->hosts = (uint32_t)s->hosts;
	to->switches = s->g * s->a;
	to->ports = s->p + ports + s->h;
	to->cables = (uint64_t)s->g * s->a * ports / 2 + global_cables(s);
	to->diameter = 5;
	to->mean_hops = outside;
	to->bisection = global_cut(s);
	to->uniform = fmin(1, global_uniform(s));
	for (unsigned i = 0; i < 2; i++) {
		double steps = inside + 2 * outside; /* maximum number of times in this dimension */
		to->mean_hops += steps * (1 - 1.0 / side[i]);
		to->bisection = fmin(to->bisection, side[i] / (4.0 * s->p));
		to->uniform = fmin(to->uniform, side[i] / (s->p * steps));
	}
	to->worst = fmin(1.0 / s->p, s->c / s->group);
	to->vls = 2;
}

void odo_plan_wide_dragonflies(const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	for (uint32_t p = first_p(wish); p <= last_p(wish); p++)
		for (uint32_t row = 2; p + row < wish->radix; row++)
			for (uint32_t n = row; p + row + n - 2 < wish->radix; n++) {
				shape s = {.p = p, .a = row * n, .row = row};
				odo_plan_candidate to = {.kind = kind};
				if (!find_global(&s, s.a, wish->radix - p - (row + n - 2), wish))
					continue;
				s.c = 1;
				s.h = (s.g - 1 + s.a - 1) / s.a;
				measure_wide(&s, &to);
				offer_dragonfly(&s, &to, list);
			}
}

static void measure_plus(const shape *s, odo_plan_candidate *to)
{
	double others = s->hosts - 1, outside = (s->hosts - s->group) / others;
	double leaving = s->p * (s->hosts - s->p) / others; /* traffic of a leaf's hosts that leaves
							     * it */
	to->hosts = (uint32_t)s->hosts;
	to->switches = s->g * (s->a + s->spines);
	to->ports = s->p + s->spines > s->a + s->h ? s->p + s->spines : s->a + s->h;
	to->cables = (uint64_t)s->g * s->a * s->spines + global_cables(s);
	to->diameter = 3;
	to->mean_hops = 3 * outside + 2 * (s->group - s->p) / others;
	to->bisection = fmin(s->spines / (double)s->p, global_cut(s));
	to->uniform = fmin(1, fmin(global_uniform(s), s->spines / leaving));
	to->worst = fmin(1, fmin(s->spines / (double)s->p, s->c / s->group));
	to->vls = 1;
}

static void each_plus(shape s, const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	for (s.a = 1; s.a < wish->radix; s.a++) {
		shape x = s;
		odo_plan_candidate to = {.kind = kind};
		if (!find_global(&x, x.spines, wish->radix - x.a, wish))
			continue;
		measure_plus(&x, &to);
		if (!odo_plan_is_wanted(list, &to))
			continue;
		odo_plan_write(to.spec, "dragonfly-plus:p=%u,leaves=%u,spines=%u", x.p, x.a,
			       x.spines);
		write_global(&x, x.spines, to.spec);
		odo_plan_offer(list, &to);
	}
}

void odo_plan_dragonflies_plus(const odo_plan_kind *kind, odo_plan_list *list)
{
	const odo_plan_wish *wish = list->wish;
	for (uint32_t p = first_p(wish); p <= last_p(wish); p++)
		for (uint32_t spines = 1; p + spines <= wish->radix; spines++)
			each_plus((shape){.p = p, .spines = spines}, kind, list);
}
