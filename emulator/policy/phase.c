/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * UGAL by way of any switch. If the switch is in the source's own group, the packet goes minimally.
 * A detour goes all the way to that switch, one hop more in its group than ugal-l takes. Its queue
 * counts as if the detour had twice the minimal hops, whatever its length. This is the rule of
 * BookSim2's dragonfly. With vls=phase the VLs are BookSim2's too: 0 until the switch passed by, 1
 * from there, 2 from the last global link on. These VLs close circles: on VL 0 a local link may
 * follow a global link and may precede one.
 */
#include <assert.h>
#include <stddef.h>

#include "emulator/policy/ways/ladder.h"
#include "emulator/policy/ways/lightest.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "emulator/policy/ways/offered.h"

typedef struct phased {
	odo_ways *ways;
	odo_ladder ladder;
	unsigned threshold; /* phits */
	bool by_phase;
} phased;
static_assert(offsetof(phased, ways) == 0, "as offered.h says");

enum { THRESHOLD, VLS };
/* Header. `word`: the switch to pass by. */
enum { RUNGS, PHASE };
enum { UNDECIDED, ASIDE, STRAIGHT, LAST };

static const char *const vls_words[] = {"ladder", "phase", NULL};
static const odo_option options[] = {
	[THRESHOLD] = NUMBER_OPTION("threshold", "30",
				    "phits by which the minimal queue may be longer", 65535),
	[VLS] = WORD_OPTION("vls", "ladder", "rule for VLs; by phase they can deadlock", vls_words),
	{0},
};

static int phased_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	int status = odo_policy_ways_create(setup, sizeof(phased), state, err);
	if (status)
		return status;
	phased *s = *state;
	s->threshold = setup->value[THRESHOLD].number[0];
	s->by_phase = setup->value[VLS].number[0];
	s->ladder = odo_ladder_make("lgllgl");
	setup->vls[0] = s->by_phase ? LAST : s->ladder.n_vls[0];
	setup->vls[1] = s->by_phase ? LAST : s->ladder.n_vls[1];
	setup->for_good = true;
	return 0;
}

static void phased_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const odo_ways *ways = ((const phased *)state)->ways;
	p->word = ways->home[odo_rng_below(host_stream, ways->fabric->n_hosts)];
}

/* Phits behind the output towards a switch. */
static unsigned phits_towards(const odo_ways *ways, const odo_view *v, const odo_packet *p,
			      uint32_t towards)
{
	odo_link_class class;
	return odo_queue_behind(v, odo_ways_minimal(ways, v->node, towards, p->source, &class));
}

static uint8_t decide_phase(const phased *s, const odo_view *v, const odo_packet *p)
{
	const odo_ways *ways = s->ways;
	uint32_t here = ways->group[v->node], target = ways->home[p->target];
	if (ways->group[target] == here)
		return LAST;
	if (ways->group[p->word] == here ||
	    phits_towards(ways, v, p, target) <=
		    2 * phits_towards(ways, v, p, p->word) + s->threshold)
		return STRAIGHT;
	return ASIDE;
}

static bool phased_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			 unsigned in_vl, odo_way *way)
{
	const phased *s = state;
	const odo_ways *ways = s->ways;
	uint8_t *phase = &p->byte[PHASE];
	uint32_t target = ways->home[p->target];
	odo_link_class class;
	(void)in_port;
	(void)in_vl;
	way->again = ODO_ASK_NEVER;
	if (*phase == UNDECIDED)
		*phase = decide_phase(s, v, p);
	if (*phase == ASIDE && v->node == p->word)
		*phase = STRAIGHT;
	if (v->node == target && *phase != ASIDE) {
		way->port = ways->host_port[p->target];
		return true;
	}
	way->port = odo_ways_minimal(ways, v->node, *phase == ASIDE ? p->word : target, p->source,
				     &class);
	if (*phase == STRAIGHT && class == ODO_LINK_GLOBAL)
		*phase = LAST;
	odo_ladder_climb(&s->ladder, class, &p->byte[RUNGS]);
	way->vl = s->by_phase ? *phase - ASIDE : s->ladder.vl[p->byte[RUNGS] - 1];
	return true;
}

const odo_policy odo_policy_ugal_phase = {
	.name = "ugal-phase",
	.summary = "minimal or by way of any switch, queues weighed 1 to 2",
	.paper = "001, section 4.2, as BookSim2 has it",
	.deadlock = "VLs grow along local, global, local, local, global, local",
	.options = options,
	.kinds = 1u << ODO_KIND_DRAGONFLY,
	.create = phased_create,
	.free = odo_policy_ways_free,
	.generate = phased_generate,
	.route = phased_route,
};
