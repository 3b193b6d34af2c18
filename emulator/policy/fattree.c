/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reference policies on fat trees: up to a nearest common ancestor, and down from there. Any way up
 * leads to such an ancestor. There is one way down; if it has parallel cables, the target selects
 * one.
 *
 *   fattree-random    up by any port (BookSim2's nca)
 *   fattree-adaptive  up by the port with the shortest queue: of all ports, or of a few drawn ones,
 *                     decided once (choices=2, revise=no: BookSim2's anca)
 *
 * In a damaged tree, only ports on a shortest way to the target count.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "emulator/policy/ways/climb.h"
#include "emulator/policy/ways/lightest.h"

typedef struct fattree {
	odo_climb *climb;
	bool at_random, revise;
	uint32_t choices; /* 0: all */
} fattree;

enum { ADAPTIVE, RANDOM };
enum { CHOICES, REVISE };

static const odo_option adaptive_options[] = {
	[CHOICES] = NUMBER_OPTION("choices", "0",
				  "ports that are drawn, of which the lightest is taken; 0 for all",
				  ODO_MAX_PORTS),
	[REVISE] = YES_NO_OPTION("revise", "yes", "choose again while waiting"),
	{0},
};

static void fattree_free(void *state)
{
	fattree *t = state;
	if (!t)
		return;
	odo_climb_free(t->climb);
	free(t);
}

static int fattree_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	fattree *t = odo_new(1, sizeof *t);
	if (!t)
		return odo_fail(err, ODO_ENOMEM, "no memory for a policy");
	int status = odo_climb_create(setup->fabric, setup->coordinates, &t->climb, err);
	if (status) {
		fattree_free(t);
		return status;
	}
	t->at_random = setup->variant == RANDOM;
	if (!t->at_random) {
		t->choices = setup->value[CHOICES].number[0];
		t->revise = setup->value[REVISE].number[0];
	}
	setup->vls[0] = 1;
	setup->for_good = !t->revise;
	*state = t;
	return 0;
}

static uint8_t random_port(const odo_view *v, const odo_climb_ways *ways)
{
	return ways->port[odo_view_below(v, ways->n)];
}

/* The same port may be drawn twice. */
static uint8_t lightest_of_drawn(const fattree *t, const odo_view *v, const odo_climb_ways *ways)
{
	uint8_t best = random_port(v, ways);
	for (uint32_t i = 1; i < t->choices; i++) {
		uint8_t other = random_port(v, ways);
		if (odo_queue_behind(v, other) < odo_queue_behind(v, best))
			best = other;
	}
	return best;
}

static bool fattree_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			  unsigned in_vl, odo_way *way)
{
	const fattree *t = state;
	uint32_t home = t->climb->home[p->target];
	odo_climb_ways ways;
	(void)in_port;
	(void)in_vl;
	way->again = ODO_ASK_NEVER;
	if (v->node == home) {
		way->port = t->climb->host_port[p->target];
		return true;
	}
	odo_climb_look(t->climb, v->node, home, &ways);
	if (!ways.n)
		return true; /* port 0 reports an error */
	if (!ways.up || ways.n == 1) {
		way->port = ways.port[p->target % ways.n];
		return true;
	}
	if (t->revise)
		way->again = ODO_ASK_EACH_ROUND;
	way->port = t->at_random ? random_port(v, &ways)
		    : t->choices ? lightest_of_drawn(t, v, &ways)
				 : odo_lightest(v, ways.port, ways.n);
	return true;
}

#define FATTREE(mode)                                                                              \
	.variant = (mode), .kinds = 1u << ODO_KIND_FATTREE, .create = fattree_create,              \
	.free = fattree_free, .route = fattree_route,                                              \
	.deadlock = "first up, then down: no packet goes up again"

const odo_policy odo_policy_fattree_random = {
	FATTREE(RANDOM),
	.name = "fattree-random",
	.summary = "up by any port to a nearest common ancestor, and down",
	.paper = "BookSim2's nca; Leiserson, 1985",
	.options = odo_no_options,
};

const odo_policy odo_policy_fattree_adaptive = {
	FATTREE(ADAPTIVE),
	.name = "fattree-adaptive",
	.summary = "up by the lightest port to a nearest common ancestor, and down",
	.paper = "BookSim2's anca; Dally and Towles, 11.1",
	.options = adaptive_options,
};
