/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reference policies on a Dragonfly+. A minimal way goes up to a spine with a cable to the target's
 * group, over that cable, and down. Among several spines or cables, the lightest is taken.
 *
 *   dragonfly-plus-min   minimal
 *   dragonfly-plus-val   Valiant: minimally to a random group, and minimally on from there
 *   dragonfly-plus-ugal  one or the other, decided at the source by queue times hops (paper 001,
 *                        section 4.2)
 *   dragonfly-plus-par   as ugal, and a minimal packet decides again at its group's spine, whose
 *                        global cables the source cannot see (after PAR, and the progressive
 *                        routing of Shpiner et al., 2017, without its notifications)
 *
 * In the group that it passes by, a packet goes straight on if its spine there has a cable to the
 * target's group. Otherwise it goes down to a leaf drawn at random, and up to a spine with such a
 * cable. With via=leaf it always goes down to that leaf.
 *
 * Two VLs, on local and on global cables: VL 0 until the random group is passed, VL 1 from there.
 * With u, g and d for cables up, between groups and down, every path takes some of u0 g0 d0 u1 g1
 * d1, each once and in this order. So no circle can close. A single VL is not enough, since a
 * packet that has gone down goes up again. Minimal packets take u0 g0 d0, and need no more than one
 * VL.
 *
 * On a damaged Dragonfly+, only ways that are complete down to the leaf count. A random leaf is
 * used only if such ways lead to it and on from it. A packet without a minimal way passes by a leaf
 * under every policy, so minimal packets need two VLs as well.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "emulator/policy/ways/lightest.h"
#include "emulator/policy/ways/plus.h"

enum rule { MINIMAL, VALIANT, UGAL, PAR };

typedef struct plus {
	odo_plus_ways *ways;
	enum rule rule;
	bool to_leaf;
	unsigned threshold; /* phits */
} plus;

enum { VIA, THRESHOLD };
enum { VIA_GROUP, VIA_LEAF };

/* Header. `word`: the leaf to pass by, which stands for its group; ODO_NONE once passed. */
enum { FLAGS };
enum { PASSED = 1, DECIDED = 2, AGAIN = 4, CHECKED = 8 };

/* Hops from a leaf, and from a spine, to another group's leaf; each further group adds three. */
enum { FROM_LEAF = 3, FROM_SPINE = 2, DETOUR = 3 };

static const char *const via_words[] = {"group", "leaf", NULL};
#define VIA_OPTION                                                                                 \
	[VIA] = WORD_OPTION("via", "group", "place that a packet passes at random", via_words)
static const odo_option valiant_options[] = {VIA_OPTION, {0}};
static const odo_option ugal_options[] = {
	VIA_OPTION,
	[THRESHOLD] = NUMBER_OPTION("threshold", "0",
				    "packets by which the minimal queue may be longer", 1000),
	{0},
};

static void plus_free(void *state)
{
	plus *policy = state;
	if (!policy)
		return;
	odo_plus_ways_free(policy->ways);
	free(policy);
}

static int plus_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	plus *policy = odo_new(1, sizeof *policy);
	if (!policy)
		return odo_fail(err, ODO_ENOMEM, "no memory for a policy");
	int status = odo_plus_ways_create(setup->fabric, setup->coordinates, &policy->ways, err);
	if (status) {
		plus_free(policy);
		return status;
	}
	policy->rule = (enum rule)setup->variant;
	if (policy->rule != MINIMAL)
		policy->to_leaf = setup->value[VIA].number[0] == VIA_LEAF;
	if (policy->rule == UGAL || policy->rule == PAR)
		policy->threshold = setup->value[THRESHOLD].number[0] * setup->model->packet;
	bool once = policy->rule == MINIMAL && !policy->ways->exact_first;
	setup->vls[0] = setup->vls[1] = once ? 1 : 2;
	*state = policy;
	return 0;
}

static void clear_leaf(const void *state, odo_packet *p, odo_rng *host_stream)
{
	(void)state;
	(void)host_stream;
	p->word = ODO_NONE;
}

static void draw_leaf(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const odo_plus_ways *ways = ((const plus *)state)->ways;
	p->word = ways->leaves[odo_rng_below(host_stream, ways->n_leaves)];
}

static unsigned queue_towards(const odo_plus_ways *ways, const odo_view *v, uint32_t group)
{
	unsigned n;
	const uint8_t *port = odo_plus_towards(ways, v->node, group, &n);
	return odo_queue_behind(v, odo_lightest(v, port, n));
}

/* Decide at the source: compare the random group, if it is a third group, with the minimal way. */
static void decide_at_source(const plus *policy, const odo_view *v, odo_packet *p)
{
	const odo_plus_ways *ways = policy->ways;
	uint32_t here = ways->group[v->node], to = ways->group[ways->home[p->target]];
	p->byte[FLAGS] |= DECIDED;
	if (p->word == ODO_NONE)
		return;
	uint32_t via = ways->group[p->word];
	if (to == here || via == here || via == to ||
	    queue_towards(ways, v, to) * FROM_LEAF <=
		    queue_towards(ways, v, via) * (FROM_LEAF + DETOUR) + policy->threshold)
		p->word = ODO_NONE;
}

/* Decide at a spine of the source's group: compare the group behind a random global cable with the
 * minimal way. */
static void decide_at_spine(const plus *policy, const odo_view *v, odo_packet *p)
{
	const odo_plus_ways *ways = policy->ways;
	uint32_t to = ways->group[ways->home[p->target]];
	unsigned n;
	const uint8_t *port = odo_plus_globals(ways, v->node, &n);
	uint32_t slot = odo_slot(ways->fabric, v->node, port[odo_view_below(v, n)]);
	uint32_t via = ways->group[odo_next_switch(ways->fabric, slot)];
	uint32_t first = ways->in_groups[via], n_leaves = ways->in_groups[via + 1] - first;
	p->byte[FLAGS] |= AGAIN;
	if (via == to || !n_leaves ||
	    queue_towards(ways, v, to) * FROM_SPINE <=
		    queue_towards(ways, v, via) * (FROM_SPINE + DETOUR) + policy->threshold)
		return;
	uint32_t leaf = ways->leaves[first + odo_view_below(v, n_leaves)];
	if (!ways->exact_first || odo_plus_is_detour(ways, v->node, leaf, ways->home[p->target]))
		p->word = leaf;
}

/* Check ways at the source of a damaged Dragonfly+: is there a way by the drawn leaf, and is there
 * a minimal way? */
static void check_source_ways(const odo_plus_ways *ways, const odo_view *v, odo_packet *p)
{
	uint32_t home = ways->home[p->target];
	p->byte[FLAGS] |= CHECKED;
	if (p->word != ODO_NONE && !odo_plus_is_detour(ways, v->node, p->word, home))
		p->word = ODO_NONE;
	if (v->node == home || odo_plus_leads(ways, v->node, home))
		return;
	if (p->word == ODO_NONE)
		p->word = odo_plus_detour(ways, v->node, home, odo_view_below(v, ways->n_leaves));
	p->byte[FLAGS] |= DECIDED | AGAIN;
}

static void decide_if_due(const plus *policy, const odo_view *v, odo_packet *p)
{
	const odo_plus_ways *ways = policy->ways;
	if (ways->exact_first && !(p->byte[FLAGS] & CHECKED))
		check_source_ways(ways, v, p);
	if (policy->rule < UGAL)
		return;
	if (!(p->byte[FLAGS] & DECIDED))
		decide_at_source(policy, v, p);
	else if (policy->rule == PAR && !(p->byte[FLAGS] & AGAIN) && p->word == ODO_NONE &&
		 odo_plus_is_spine(ways, v->node) &&
		 ways->group[v->node] == ways->group[ways->home[p->source]] &&
		 ways->group[v->node] != ways->group[ways->home[p->target]])
		decide_at_spine(policy, v, p);
}

/* Is the random group passed here, so that the packet goes on to its target? */
static bool passes_group(const plus *policy, uint32_t here, const odo_packet *p)
{
	const odo_plus_ways *ways = policy->ways;
	if (ways->group[here] != ways->group[p->word])
		return false;
	return here == p->word ||
	       (!policy->to_leaf && odo_plus_leads(ways, here, ways->home[p->target]));
}

static bool plus_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		       unsigned in_vl, odo_way *way)
{
	const plus *policy = state;
	const odo_plus_ways *ways = policy->ways;
	uint32_t home = ways->home[p->target];
	unsigned n;
	(void)in_port;
	(void)in_vl;
	decide_if_due(policy, v, p);
	if (p->word != ODO_NONE && passes_group(policy, v->node, p)) {
		p->word = ODO_NONE;
		p->byte[FLAGS] |= PASSED;
	}
	way->again = ODO_ASK_NEVER;
	if (p->word == ODO_NONE && v->node == home) {
		way->port = ways->host_port[p->target];
		return true;
	}
	const uint8_t *port = odo_plus_to_leaf(ways, v->node, p->word == ODO_NONE ? home : p->word,
					       &n);
	if (n > 1)
		way->again = ODO_ASK_EACH_ROUND;
	way->port = odo_lightest(v, port, n);
	way->vl = p->byte[FLAGS] & PASSED;
	return true;
}

#define PLUS(rule)                                                                                 \
	.variant = (rule), .kinds = 1u << ODO_KIND_DRAGONFLY_PLUS, .create = plus_create,          \
	.free = plus_free, .route = plus_route
#define TWICE "VL 0 up, over and down, then VL 1 up, over and down"

const odo_policy odo_policy_plus_minimal = {
	PLUS(MINIMAL),
	.name = "dragonfly-plus-min",
	.summary = "minimal, by the lightest of the spines and cables that lead there",
	.paper = "Shpiner et al., 2017",
	.deadlock = "up, over and down, once",
	.options = odo_no_options,
	.generate = clear_leaf,
};

const odo_policy odo_policy_plus_valiant = {
	PLUS(VALIANT),
	.name = "dragonfly-plus-val",
	.summary = "Valiant: by way of a random group",
	.paper = "001, section 4.1, on a Dragonfly+",
	.deadlock = TWICE,
	.options = valiant_options,
	.generate = draw_leaf,
};

const odo_policy odo_policy_plus_ugal = {
	PLUS(UGAL),
	.name = "dragonfly-plus-ugal",
	.summary = "minimal or Valiant, by queue times hops at the source",
	.paper = "001, section 4.2, on a Dragonfly+",
	.deadlock = TWICE,
	.options = ugal_options,
	.generate = draw_leaf,
};

const odo_policy odo_policy_plus_par = {
	PLUS(PAR),
	.name = "dragonfly-plus-par",
	.summary = "UGAL; a minimal packet decides again at a spine of the source's group",
	.paper = "000, section 2; Shpiner et al., 2017",
	.deadlock = TWICE,
	.options = ugal_options,
	.generate = draw_leaf,
};
