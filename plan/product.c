/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Products of small graphs: FlatFly, torus, hypercube, Slim Fly (paper 004, section 1).
 *
 * A product is as good as its worst factor. Links start with one cable each. As long as too little
 * is reached and ports are left, the factor that limits gets another cable to each link: the
 * combinatorial search of section 1.2, which so needs no more cables than it must.
 */
#include <math.h>
#include <stddef.h>

#include "fabric/topology/field.h"
#include "plan/plan.h"

enum { MAX_FACTORS = 16 };

/* A graph of `size` vertices. */
typedef struct factor {
	uint32_t size, degree, diameter;
	double mean; /* distance over all pairs, those of a vertex and itself too */
	double cut;  /* cables across a half, over half of the vertices */
	/* Vertices whose traffic the worst permutation brings to a link within a factor; 0: of its
	 * own vertex, and of neighbours. */
	double burden;
} factor;

typedef struct product {
	factor factor[MAX_FACTORS];
	uint32_t width[MAX_FACTORS];
	unsigned n;
	uint64_t size;
} product;

static factor complete(uint32_t k)
{
	/* [3] of paper 004; an odd k cuts into unequal halves, and a little more crosses. */
	return (factor){.size = k,
			.degree = k - 1,
			.diameter = 1,
			.mean = 1 - 1.0 / k,
			.cut = k / 2.0,
			.burden = 1};
}

/* A cycle of 4 at least. Just less than half of its vertices are within reach of each link: the
 * longest ways of an even cycle may go the other way round. */
static factor cycle(uint32_t k)
{
	uint32_t half = k / 2;
	return (factor){.size = k,
			.degree = 2,
			.diameter = half,
			.mean = (double)half * (k - half) / k,
			.cut = 4.0 / k,
			.burden = (k - 1) / 2};
}

/* 4w + delta = q. Two hops lead over a link either from its own switch to neighbours of the other,
 * or the other way round. That q/2 links a vertex cross the worst half is paper 004's hypothesis.
 */
static factor slimfly(uint32_t q)
{
	uint32_t delta = q % 4 == 1 ? 1 : 0, degree = (3 * q - delta + (q % 4 == 3)) / 2;
	double n = 2.0 * q * q;
	return (factor){.size = 2 * q * q,
			.degree = degree,
			.diameter = 2,
			.mean = (degree + 2 * (n - 1 - degree)) / n,
			.cut = q / 2.0};
}

static void add(product *x, factor f)
{
	x->factor[x->n] = f;
	x->width[x->n++] = 1;
	x->size *= f.size;
}

static uint32_t ports(const product *x)
{
	uint32_t n = 0;
	for (unsigned i = 0; i < x->n; i++)
		n += x->factor[i].degree * x->width[i];
	return n;
}

static double bisection(const product *x, unsigned i, uint32_t c)
{
	return x->factor[i].cut * x->width[i] / c;
}

/* Every host sends at rate 1 to all others; hops in a factor are shared by its links. */
static double uniform(const product *x, unsigned i, uint32_t c)
{
	const factor *f = &x->factor[i];
	double hosts = (double)x->size * c, hops = c * f->mean * hosts / (hosts - 1);
	return f->degree ? f->degree * x->width[i] / hops : 1;
}

/* Sources differ in coordinates before this one, destinations in those behind: routing corrects
 * one coordinate after the other. */
static double worst(const product *x, unsigned i, uint32_t c)
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

static void measure(const product *x, uint32_t c, odo_plan_candidate *to)
{
	double hosts = (double)x->size * c;
	to->hosts = (uint32_t)hosts;
	to->switches = (uint32_t)x->size;
	to->ports = c + ports(x);
	to->cables = x->size * ports(x) / 2;
	to->uniform = to->worst = 1;
	to->bisection = x->n ? bisection(x, 0, c) : 0;
	for (unsigned i = 0; i < x->n; i++) {
		to->diameter += x->factor[i].diameter;
		to->mean_hops += x->factor[i].mean * hosts / (hosts - 1);
		to->bisection = fmin(to->bisection, bisection(x, i, c));
		to->uniform = fmin(to->uniform, uniform(x, i, c));
		to->worst = fmin(to->worst, worst(x, i, c));
	}
}

/* Another cable for the links of the factor that limits, until all is reached. A step that gains
 * nothing because ports run out is taken back. */
static void widen(product *x, const odo_plan_wish *wish, uint32_t c)
{
	product best = *x;
	double reached = 0;
	for (;;) {
		unsigned least = 0;
		double lowest = INFINITY;
		for (unsigned i = 0; i < x->n; i++) {
			double share = INFINITY;
			if (wish->bisection > 0)
				share = bisection(x, i, c) / wish->bisection;
			if (wish->saturation > 0)
				share = fmin(share, uniform(x, i, c) / wish->saturation);
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
		if (c + ports(x) > wish->radix)
			break;
	}
	*x = best;
}

/* Hosts on each switch: as many as are asked for, or as few as do. 0: none fit. */
static uint32_t hosts_each(const odo_plan_wish *wish, uint64_t switches)
{
	uint64_t c = wish->per_switch ? wish->per_switch : (wish->hosts + switches - 1) / switches;
	return c < wish->radix ? (uint32_t)c : 0;
}

/* With more switches than that most would have no host. */
static uint64_t most_switches(const odo_plan_list *list)
{
	return list->wish->hosts + list->wish->hosts / 4;
}

/* A shape with hosts and widths; false where it has too few hosts, too many, or too many ports. */
static bool finish(product *x, const odo_plan_list *list, odo_plan_candidate *to)
{
	const odo_plan_wish *wish = list->wish;
	uint32_t c = hosts_each(wish, x->size);
	if (!c || c + ports(x) > wish->radix || x->size * c < wish->hosts ||
	    x->size * c > ODO_PLAN_MOST_HOSTS)
		return false;
	widen(x, wish, c);
	measure(x, c, to);
	return true;
}

static void write_sizes(const product *x, unsigned from, char *spec, const char *key)
{
	for (unsigned i = from; i < x->n; i++)
		odo_plan_write(spec, "%s%u", i == from ? key : "x", x->factor[i].size);
}

static void offer(product x, const odo_plan_kind *kind, odo_plan_list *list, const char *topology,
		  unsigned vls)
{
	odo_plan_candidate to = {.kind = kind, .vls = vls};
	if (!finish(&x, list, &to))
		return;
	odo_plan_write(to.spec, "%s:", topology);
	write_sizes(&x, 0, to.spec, "k=");
	odo_plan_write_list(to.spec, "l", x.width, x.n);
	odo_plan_write(to.spec, ",c=%u,ports=%u", (uint32_t)(to.hosts / x.size), list->wish->radix);
	odo_plan_offer(list, &to);
}

/* All sizes in ascending order whose product has room for the hosts: the order does not matter to
 * what is counted here, and where racks stand neighbours in the last dimension come together. */
static void each_flatfly(product x, const odo_plan_kind *kind, odo_plan_list *list, uint32_t least)
{
	if (x.n)
		offer(x, kind, list, "flatfly", 1);
	if (x.n == kind->variant)
		return;
	for (uint32_t k = least; k <= list->wish->radix && x.size * k <= most_switches(list); k++) {
		product next = x;
		add(&next, complete(k));
		if (ports(&next) >= list->wish->radix)
			break;
		each_flatfly(next, kind, list, k);
	}
}

void odo_plan_flatflies(const odo_plan_kind *kind, odo_plan_list *list)
{
	each_flatfly((product){.size = 1}, kind, list, 2);
}

/* Sizes from `least` on, that of the last factor, and of 4 at least: shorter cycles are complete
 * graphs, and those are FlatFlies. A cycle of 4 is two of K_2, which need no second VL. */
static void each_torus(product x, const odo_plan_kind *kind, odo_plan_list *list, uint32_t least)
{
	if (x.n == kind->variant) {
		offer(x, kind, list, "torus", least > 4 ? 2 : 1);
		return;
	}
	for (uint32_t k = least; x.size * pow(k, kind->variant - x.n) <= most_switches(list); k++) {
		product next = x;
		add(&next, cycle(k));
		each_torus(next, kind, list, k);
	}
}

void odo_plan_tori(const odo_plan_kind *kind, odo_plan_list *list)
{
	each_torus((product){.size = 1}, kind, list, 4);
}

/* Two dimensions are a square, and one is a FlatFly. */
void odo_plan_hypercubes(const odo_plan_kind *kind, odo_plan_list *list)
{
	product x = {.size = 1};
	while (x.n < MAX_FACTORS && x.size < list->wish->hosts) {
		add(&x, complete(2));
		product copy = x;
		odo_plan_candidate to = {.kind = kind, .vls = 1};
		if (x.n < 3 || !finish(&copy, list, &to))
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
	if (!finish(&x, list, &to))
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
		add(&next, complete(k));
		if (ports(&next) >= list->wish->radix)
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
		add(&x, slimfly(q));
		multiply_slimfly(x, kind, list, q, 2);
	}
}
