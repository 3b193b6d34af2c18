/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reference policies on FlatFlies and hypercubes:
 *
 *   dor           dimension order
 *   flatfly-val   Valiant: by way of a random switch, in dimension order before and after it;
 *                 restricted: among switches that share the coordinates which source and target
 *                 share (paper 003, section III.A)
 *   flatfly-ugal  one or the other, by queue times hops at the source
 *   dal           dimensionally adaptive, load-balanced (Ahn et al., HyperX, SC'09): in any
 *                 dimension where it is not aligned a packet goes straight, or once aside
 *
 * Among parallel cables, adaptive policies take the one with the shortest queue; the others select
 * one by the packet's source.
 */
#include <stdlib.h>

#include "emulator/policy/ways/lightest.h"
#include "emulator/policy/ways/product.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "base/memory.h"

enum mode { DOR, VALIANT, UGAL, DAL };

typedef struct flatfly {
	odo_product_ways *grid;
	enum mode mode;
	bool restricted, recompute, early;
	unsigned threshold; /* phits */
} flatfly;

enum { RESTRICTED, RECOMPUTE, EARLY };
enum { THRESHOLD, RESTRICTED_UGAL };

static const odo_option valiant_options[] = {
	[RESTRICTED] = YES_NO_OPTION("restricted", "no",
				     "leave only the dimensions that must be left"),
	[RECOMPUTE] = YES_NO_OPTION("recompute", "no", "draw again while waiting for injection"),
	[EARLY] = YES_NO_OPTION(
		"early", "no",
		"deliver where the way to the intermediate switch passes the target"),
	{0},
};
#define THRESHOLD_OPTION                                                                           \
	[THRESHOLD] = NUMBER_OPTION("threshold", "0",                                              \
				    "packets by which the minimal queue may be longer", 1000)
static const odo_option dal_options[] = {THRESHOLD_OPTION, {0}};
static const odo_option ugal_options[] = {
	THRESHOLD_OPTION,
	[RESTRICTED_UGAL] = YES_NO_OPTION("restricted", "no",
					  "leave only the dimensions that must be left"),
	{0},
};

/* Header. `word`: the switch to pass by, or ODO_NONE. Bytes: hops, or the state of the decision;
 * dimensions in which the packet has gone aside. */
enum { STATE, ASIDE };
enum { DECIDED = 1, TRIED = 2 };

static void flatfly_free(void *state)
{
	flatfly *f = state;
	if (!f)
		return;
	odo_product_ways_free(f->grid);
	free(f);
}

static int flatfly_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	flatfly *f = odo_new(1, sizeof *f);
	if (!f)
		return odo_fail(err, ODO_ENOMEM, "no memory for a policy");
	enum mode mode = f->mode = (enum mode)setup->variant;
	int status = odo_product_ways_create(setup->fabric, setup->coordinates, &f->grid, err);
	if (!status && mode == DAL && f->grid->n_dims > 7)
		status = odo_fail(err, ODO_EDECLINE, "expected at most 7 dimensions, found %u",
				  f->grid->n_dims);
	if (status) {
		flatfly_free(f);
		return status;
	}
	if (mode == VALIANT) {
		f->restricted = setup->value[RESTRICTED].number[0];
		f->recompute = setup->value[RECOMPUTE].number[0];
		f->early = setup->value[EARLY].number[0];
	} else if (mode != DOR) {
		f->threshold = setup->value[THRESHOLD].number[0] * setup->model->packet;
		f->restricted = mode == UGAL && setup->value[RESTRICTED_UGAL].number[0];
	}
	setup->vls[0] = mode == DOR ? 1 : mode == DAL ? 2 * f->grid->n_dims : 2;
	setup->for_good = mode != DAL && !f->recompute;
	*state = f;
	return 0;
}

/* Draw a switch to pass by: any, or with `restricted` one that differs from source and target only
 * in dimensions in which they differ. */
static uint32_t draw_flatfly_via(const flatfly *f, uint32_t from, uint32_t to, odo_rng *rng)
{
	const odo_product_ways *ways = f->grid;
	if (!f->restricted)
		return odo_rng_below(rng, ways->fabric->n_switches);
	uint32_t via = from;
	for (unsigned d = 0; d < ways->n_dims; d++) {
		uint32_t x = odo_product_ways_at(ways, from)[d];
		if (x == odo_product_ways_at(ways, to)[d])
			continue;
		uint32_t y = odo_rng_below(rng, ways->size[d]);
		if (y != x)
			via = odo_next_switch(ways->fabric,
					      odo_slot(ways->fabric, via,
						       odo_product_ways_port(ways, via, d, y, 0)));
	}
	return via;
}

static void flatfly_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const flatfly *f = state;
	p->word = draw_flatfly_via(f, f->grid->home[p->source], f->grid->home[p->target],
				   host_stream);
}

static void clear_via(const void *state, odo_packet *p, odo_rng *host_stream)
{
	(void)state;
	(void)host_stream;
	p->word = ODO_NONE;
}

static bool is_injected(const odo_product_ways *ways, const odo_view *v, const odo_packet *p,
			unsigned in_port)
{
	return v->node == ways->home[p->source] && in_port == ways->host_port[p->source];
}

/* Return the next port in dimension order. */
static uint8_t port_in_order(const flatfly *f, const odo_view *v, uint32_t to, uint32_t source)
{
	const odo_product_ways *ways = f->grid;
	unsigned d = odo_product_ways_differ(ways, v->node, to);
	uint32_t n, x = odo_product_ways_at(ways, to)[d];
	const uint8_t *cable = odo_product_ways_cables(ways, v->node, d, x, &n);
	if (f->mode != UGAL)
		return cable[source % n];
	uint8_t best = cable[0];
	for (uint32_t i = 1; i < n; i++)
		if (odo_queue_behind(v, cable[i]) < odo_queue_behind(v, best))
			best = cable[i];
	return best;
}

static bool goes_minimally(const flatfly *f, const odo_view *v, const odo_packet *p)
{
	const odo_product_ways *ways = f->grid;
	uint32_t target = ways->home[p->target];
	if (v->node == target || p->word == v->node)
		return true;
	unsigned q_m = odo_queue_behind(v, port_in_order(f, v, target, p->source));
	unsigned q_n = odo_queue_behind(v, port_in_order(f, v, p->word, p->source));
	unsigned h_m = odo_product_ways_distance(ways, v->node, target);
	unsigned h_n = odo_product_ways_distance(ways, v->node, p->word) +
		       odo_product_ways_distance(ways, p->word, target);
	return q_m * h_m <= q_n * h_n + f->threshold;
}

static void redraw_flatfly_via(const flatfly *f, const odo_view *v, odo_packet *p)
{
	if (p->byte[STATE] & TRIED) {
		odo_rng rng = odo_rng_make(odo_view_random(v), odo_view_random(v));
		p->word = draw_flatfly_via(f, v->node, f->grid->home[p->target], &rng);
	}
	p->byte[STATE] |= TRIED;
}

/* Route in dimension order: on VL 0 to the switch to pass by, on VL 1 from there. Both VLs are
 * acyclic, and packets change only from the first to the second. */
static bool flatfly_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			  unsigned in_vl, odo_way *way)
{
	const flatfly *f = state;
	const odo_product_ways *ways = f->grid;
	uint32_t next = ways->home[p->target];
	(void)in_vl;
	way->again = ODO_ASK_NEVER;
	if (f->mode == UGAL && !(p->byte[STATE] & DECIDED)) {
		p->byte[STATE] |= DECIDED;
		if (goes_minimally(f, v, p))
			p->word = ODO_NONE;
	}
	if (f->recompute && is_injected(ways, v, p, in_port)) {
		way->again = ODO_ASK_EACH_ROUND;
		redraw_flatfly_via(f, v, p);
	}
	if (p->word == v->node)
		p->word = ODO_NONE;
	bool first = p->word != ODO_NONE && !(f->early && v->node == next);
	if (first)
		next = p->word;
	if (v->node == next) {
		way->port = ways->host_port[p->target];
		return true;
	}
	way->port = port_in_order(f, v, next, p->source);
	way->vl = f->mode == DOR ? 0 : !first;
	return true;
}

/* Find the lightest way of a dimension, by queue times remaining hops. */
static void weigh_dimension(const flatfly *f, const odo_view *v, const odo_packet *p, unsigned d,
			    unsigned hops, uint64_t *least, odo_way *way)
{
	const odo_product_ways *ways = f->grid;
	uint32_t own = odo_product_ways_at(ways, v->node)[d];
	uint32_t to = odo_product_ways_at(ways, ways->home[p->target])[d];
	bool aside = !(p->byte[ASIDE] >> d & 1);
	for (uint32_t x = 0; x < ways->size[d]; x++) {
		if (x == own || (x != to && !aside))
			continue;
		uint32_t n;
		const uint8_t *cable = odo_product_ways_cables(ways, v->node, d, x, &n);
		for (uint32_t i = 0; i < n; i++) {
			uint64_t q = odo_view_taken(v, cable[i], p->byte[STATE]);
			uint64_t weight = x == to ? q * hops : q * (hops + 1) + f->threshold + 1;
			if (weight < *least) {
				*least = weight;
				way->port = cable[i];
			}
		}
	}
}

static bool dal_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		      unsigned in_vl, odo_way *way)
{
	const flatfly *f = state;
	const odo_product_ways *ways = f->grid;
	uint32_t target = ways->home[p->target];
	(void)in_port;
	(void)in_vl;
	if (v->node == target) {
		way->again = ODO_ASK_NEVER;
		way->port = ways->host_port[p->target];
		return true;
	}
	uint64_t least = UINT64_MAX;
	unsigned hops = odo_product_ways_distance(ways, v->node, target);
	for (unsigned d = 0; d < ways->n_dims; d++)
		if (odo_product_ways_at(ways, v->node)[d] != odo_product_ways_at(ways, target)[d])
			weigh_dimension(f, v, p, d, hops, &least, way);
	way->vl = p->byte[STATE];
	return true;
}

static void dal_leave(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		      const odo_way *way)
{
	const odo_product_ways *ways = ((const flatfly *)state)->grid;
	uint32_t there = odo_next_switch(ways->fabric, odo_slot(ways->fabric, v->node, way->port));
	(void)in_port;
	if (there == ODO_NONE)
		return;
	unsigned d = odo_product_ways_differ(ways, v->node, there);
	if (odo_product_ways_at(ways, there)[d] !=
	    odo_product_ways_at(ways, ways->home[p->target])[d])
		p->byte[ASIDE] |= (uint8_t)(1u << d);
	p->byte[STATE]++;
}

#define FLATFLY(mode)                                                                              \
	.variant = (mode), .kinds = 1u << ODO_KIND_FLATFLY | 1u << ODO_KIND_HYPERCUBE,             \
	.create = flatfly_create, .free = flatfly_free
#define BY_WAY(mode) FLATFLY(mode), .generate = flatfly_generate, .route = flatfly_route

const odo_policy odo_policy_dor = {
	FLATFLY(DOR),
	.name = "dor",
	.summary = "dimension order, by coordinates",
	.paper = "004, section 3.3",
	.deadlock = "dimensions are taken in one order, each by one hop",
	.options = odo_no_options,
	.generate = clear_via,
	.route = flatfly_route,
};

const odo_policy odo_policy_flatfly_valiant = {
	BY_WAY(VALIANT),
	.name = "flatfly-val",
	.summary = "Valiant: by way of a random switch; restricted, with recomputation",
	.paper = "003, sections II and III",
	.deadlock = "dimension order on VL 0, then dimension order on VL 1",
	.options = valiant_options,
};

const odo_policy odo_policy_flatfly_ugal = {
	BY_WAY(UGAL),
	.name = "flatfly-ugal",
	.summary = "dimension order or Valiant, by queue times hops at the source",
	.paper = "001, section 4.2, on a FlatFly",
	.deadlock = "dimension order on VL 0, then dimension order on VL 1",
	.options = ugal_options,
};

const odo_policy odo_policy_dal = {
	FLATFLY(DAL),
	.name = "dal",
	.summary = "dimensionally adaptive: straight or once aside in each dimension",
	.paper = "Ahn et al., HyperX, SC'09",
	.deadlock = "the VL is the number of hops taken",
	.options = dal_options,
	.generate = clear_via,
	.route = dal_route,
	.leave = dal_leave,
};
