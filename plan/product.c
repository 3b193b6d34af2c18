/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Products of small graphs: FlatFly, torus, hypercube, Slim Fly (paper 004, section 1).
 *
 * The worst factor limits a product. Each link starts with one cable. While the wish is not reached
 * and ports are left, the links of the limiting factor get another cable. This is the combinatorial
 * search of section 1.2, which needs no more cables than necessary.
 */
#include <math.h>
#include <stddef.h>

#include "fabric/topology/field.h"
#include "plan/plan.h"

enum { MAX_FACTORS = 16 };

/* A factor: a graph of `size` vertices. */
typedef struct factor {
	uint32_t size, degree, diameter;
	double mean; /* mean distance over all pairs, including a vertex with itself */
	double cut;  /* cables across a half, divided by half of the vertices */
	/* Number of vertices whose traffic the worst permutation brings to a link within a factor;
	 * 0: that of the link's own vertex and of neighbours. */
	double burden;
} factor;

typedef struct product {
	factor factor[MAX_FACTORS];
	uint32_t width[MAX_FACTORS];
	unsigned n;
	uint64_t size;
} product;

static factor complete_factor(uint32_t k)
{
	/* [3] of paper 004; an odd k is cut into unequal halves, and slightly more cables cross. */
	return (factor){.size = k,
			.degree = k - 1,
			.diameter = 1,
			.mean = 1 - 1.0 / k,
			.cut = k / 2.0,
			.burden = 1};
}

/* A cycle of at least 4. A link lies on shortest ways of just under half of the vertices: the
 * longest ways of an even cycle may go the other way round. */
static factor cycle_factor(uint32_t k)
{
	uint32_t half = k / 2;
	return (factor){.size = k,
			.degree = 2,
			.diameter = half,
			.mean = (double)half * (k - half) / k,
			.cut = 4.0 / k,
			.burden = (k - 1) / 2};
}

/* 4w + delta = q. Two hops lead over a link either from its own switch to neighbours of the other
 * switch, or the other way round. Paper 004 assumes, as a hypothesis, that q/2 links per vertex
 * cross the worst half. */
static factor slimfly_factor(uint32_t q)
{
	uint32_t delta = q % 4 == 1 ? 1 : 0, degree = (3 * q - delta + (q % 4 == 3)) / 2;
	double n = 2.0 * q * q;
	return (factor){.size = 2 * q * q,
			.degree = degree,
			.diameter = 2,
			.mean = (degree + 2 * (n - 1 - degree)) / n,
			.cut = q / 2.0};
}

static void add_factor(product *x, factor f)
{
	x->factor[x->n] = f;
	x->width[x->n++] = 1;
	x->size *= f.size;
}

static uint32_t count_product_ports(const product *x)
{
	uint32_t n = 0;
	for (unsigned i = 0; i < x->n; i++)
		n += x->factor[i].degree * x->width[i];
	return n;
}

static double factor_bisection(const product *x, unsigned i, uint32_t c)
{
	return x->factor[i].cut * x->width[i] / c;
}

/* Uniform traffic: every host sends at rate 1 to all others; the links of a factor share its
 * hops. */
static double uniform_limit(const product *x, unsigned i, uint32_t c)
{
	const factor *f = &x->factor[i];
	double hosts = (double)x->size * c, hops = c * f->mean * hosts / (hosts - 1);
	return f->degree ? f->degree * x->width[i] / hops : 1;
}

/* Worst traffic: sources differ in coordinates before this one, destinations in coordinates behind
 * it, because routing corrects one coordinate after the other. */
static double worst_limit(const product *x, unsigned i, uint32_t c)
{
	double before = 1, behind = 1;
	for (unsigned j = 0; j < i; j++)
		before *= x->factor[j].size;
	for (unsigned j = i + 1; j < x->n; j++)
		behind *= x->factor[j].size;
	double least = fmin(before, behind), flows = x->factor[i].burden * least;
	if (!x->factor[i].burden)
		flows = least + fmin((x->factor[i].degree - 1) * least, fmax(before, behind));
	return x->width[i] / (c * flows);
}

static void measure_product(const product *x, uint32_t c, odo_plan_candidate *to)
{
	double hosts = (double)x->size * c;
	to->hosts = (uint32_t)hosts;
	to->switches = (uint32_t)x->size;
	to->ports = c + count_product_ports(x);
	to->cables = x->size * count_product_ports(x) / 2;
	to->uniform = to->worst = 1;
	to->bisection = x->n ? factor_bisection(x, 0, c) : 0;
	for (unsigned i = 0; i < x->n; i++) {
		to->diameter += x->factor[i].diameter;
		to->mean_hops += x->factor[i].mean * hosts / (hosts - 1);
		to->bisection = fmin(to->bisection, factor_bisection(x, i, c));
		to->uniform = fmin(to->uniform, uniform_limit(x, i, c));
		to->worst = fmin(to->worst, worst_limit(x, i, c));
	}
}

/* Add cables to the links of the limiting factor until the wish is reached. If ports run out, undo
 * the steps that gained nothing. */
static void widen_product(product *x, const odo_plan_wish *wish, uint32_t c)
{
	product best = *x;
	double reached = 0;
	for (;;) {
		unsigned least = 0;
		double lowest = INFINITY;
		for (unsigned i = 0; i < x->n; i++) {
			double share = INFINITY;
			if (wish->bisection > 0)
				share = factor_bisection(x, i, c) / wish->bisection;
			if (wish->saturation > 0)
				share = fmin(share, uniform_limit(x, i, c) / wish->saturation);
			if (share < lowest) {
				lowest = share;
				least = i;
			}
		}
		if (lowest > reached) {
			reached = lowest;
			best = *x;
		}
		if (odo_plan_reaches(lowest, 1))
			break;
		x->width[least]++;
		if (c + count_product_ports(x) > wish->radix)
			break;
	}
	*x = best;
}

/* Hosts on each switch: as many as requested, or as few as suffice. 0: none fit. */
static uint32_t hosts_each(const odo_plan_wish *wish, uint64_t switches)
{
	uint64_t c = wish->per_switch ? wish->per_switch : (wish->hosts + switches - 1) / switches;
	return c < wish->radix ? (uint32_t)c : 0;
}

/* Maximum number of switches; with more, most would have no host. */
static uint64_t most_switches(const odo_plan_list *list)
{
	return list->wish->hosts + list->wish->hosts / 4;
}

/* Complete a shape with hosts and widths; false if it has too few hosts, too many, or too many
 * ports. */
static bool complete_shape(product *x, const odo_plan_list *list, odo_plan_candidate *to)
{
	const odo_plan_wish *wish = list->wish;
	uint32_t c = hosts_each(wish, x->size);
	if (!c || c + count_product_ports(x) > wish->radix || x->size * c < wish->hosts ||
	    x->size * c > ODO_PLAN_MOST_HOSTS)
		return false;
	widen_product(x, wish, c);
	measure_product(x, c, to);
	return true;
}

static void write_sizes(const product *x, unsigned from, char *spec, const char *key)
{
	for (unsigned i = from; i < x->n; i++)
		odo_plan_write(spec, "%s%u", i == from ? key : "x", x->factor[i].size);
}

static void offer_product(product x, const odo_plan_kind *kind, odo_plan_list *list,
			  const char *topology, unsigned vls)
{
	odo_plan_candidate to = {.kind = kind, .vls = vls};
	if (!complete_shape(&x, list, &to))
		return;
	odo_plan_write(to.spec, "%s:", topology);
	write_sizes(&x, 0, to.spec, "k=");
	odo_plan_write_list(to.spec, "l", x.width, x.n);
	odo_plan_write(to.spec, ",c=%u,ports=%u", (uint32_t)(to.hosts / x.size), list->wish->radix);
	odo_plan_offer(list, &to);
}

/* Try all sizes in ascending order whose product has room for the hosts. The order does not change
 * the counts here; in racks, neighbours in the last dimension are placed together. */
static void each_flatfly(product x, const odo_plan_kind *kind, odo_plan_list *list, uint32_t least)
{
	if (x.n)
		offer_product(x, kind, list, "flatfly", 1);
	if (x.n == kind->variant)
		return;
	for (uint32_t k = least; k <= list->wish->radix && x.size * k <= most_switches(list); k++) {
		product next = x;
		add_factor(&next, complete_factor(k));
		if (count_product_ports(&next) >= list->wish->radix)
			break;
		each_flatfly(next, kind, list, k);
	}
}

void odo_plan_flatflies(const odo_plan_kind *kind, odo_plan_list *list)
{
	each_flatfly((product){.size = 1}, kind, list, 2);
}

/* Try sizes from `least` on, which is that of the last factor and at least 4: shorter cycles are
 * complete graphs, and these are FlatFlies. A cycle of 4 is a product of two K_2, which needs no
 * second VL. */
static void each_torus(product x, const odo_plan_kind *kind, odo_plan_list *list, uint32_t least)
{
	if (x.n == kind->variant) {
		offer_product(x, kind, list, "torus", least > 4 ? 2 : 1);
		return;
	}
	for (uint32_t k = least; x.size * pow(k, kind->variant - x.n) <= most_switches(list); k++) {
		product next = x;
		add_factor(&next, cycle_factor(k));
		each_torus(next, kind, list, k);
	}
}

void odo_plan_tori(const odo_plan_kind *kind, odo_plan_list *list)
{
	each_torus((product){.size = 1}, kind, list, 4);
}

/* At least three dimensions: two are a square, and one is a FlatFly. */
void odo_plan_hypercubes(const odo_plan_kind *kind, odo_plan_list *list)
{
	product x = {.size = 1};
	while (x.n < MAX_FACTORS && x.size < list->wish->hosts) {
		add_factor(&x, complete_factor(2));
		product copy = x;
		odo_plan_candidate to = {.kind = kind, .vls = 1};
		if (x.n < 3 || !complete_shape(&copy, list, &to))
			continue;
		odo_plan_write(to.spec, "hypercube:n=%u", x.n);
		odo_plan_write_list(to.spec, "l", copy.width, copy.n);
		odo_plan_write(to.spec, ",c=%u,ports=%u", (uint32_t)(to.hosts / x.size),
			       list->wish->radix);
		odo_plan_offer(list, &to);
	}
}

static void offer_slimfly(product x, const odo_plan_kind *kind, odo_plan_list *list, uint32_t q)
{
	odo_plan_candidate to = {.kind = kind, .vls = 2};
	if (!complete_shape(&x, list, &to))
		return;
	odo_plan_write(to.spec, "slimfly%s:q=%u", x.n > 1 ? "-flatfly" : "", q);
	odo_plan_write_list(to.spec, "l", x.width, 1);
	write_sizes(&x, 1, to.spec, ",k=");
	if (x.n > 1)
		odo_plan_write_list(to.spec, "w", x.width + 1, x.n - 1);
	odo_plan_write(to.spec, ",c=%u,ports=%u", (uint32_t)(to.hosts / x.size), list->wish->radix);
	odo_plan_offer(list, &to);
}

static void multiply_slimfly(product x, const odo_plan_kind *kind, odo_plan_list *list, uint32_t q,
			     uint32_t least)
{
	if (x.n > 1 || !kind->variant)
		offer_slimfly(x, kind, list, q);
	if (x.n > kind->variant || !kind->variant)
		return;
	for (uint32_t k = least; k <= list->wish->radix && x.size * k <= most_switches(list); k++) {
		product next = x;
		add_factor(&next, complete_factor(k));
		if (count_product_ports(&next) >= list->wish->radix)
			break;
		multiply_slimfly(next, kind, list, q, k);
	}
}

void odo_plan_slimflies(const odo_plan_kind *kind, odo_plan_list *list)
{
	odo_field field;
	for (uint32_t q = 3; 3 * q / 2 < list->wish->radix && q * q <= ODO_PLAN_MOST_HOSTS / 2;
	     q++) {
		if (q % 4 == 2 || odo_field_make(&field, q, NULL))
			continue;
		product x = {.size = 1};
		add_factor(&x, slimfly_factor(q));
		multiply_slimfly(x, kind, list, q, 2);
	}
}
