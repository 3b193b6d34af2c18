/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Valiant routing on a dragonfly: minimally to a random place, and minimally on from there.
 *
 *   val      the place is a group (paper 001, section 4.1): local, global, local, global, local
 *   val-any  the place is a switch (paper 003, section II.A): one local hop more, 4/2 VLs
 *
 * Restricted (paper 003, section III.A): traffic within a group is diverted within it. With
 * recomputation (III.B): a packet that waits in its injection queue draws again.
 *
 * Papers differ on whether this place may be in the source's own group: 001 (step 1) and 003 ("all
 * switches in the network") allow it, FOGSim does not. Therefore it is an option.
 */
#include <assert.h>
#include <stddef.h>

#include "emulator/policy/ways/ladder.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "emulator/policy/ways/offered.h"

typedef struct valiant {
	odo_ways *ways;
	odo_ladder ladder;
	bool to_switch, restricted, own_group, recompute, by_link;
} valiant;
static_assert(offsetof(valiant, ways) == 0, "as offered.h says");

/* Header. `word`: the switch to pass by, ODO_NONE once it is passed. Bytes: */
enum { RUNGS, TRIED };

enum { TO_GROUP, TO_SWITCH };
enum { RESTRICTED, OWN_GROUP, RECOMPUTE, PICK };

static const char *const picks[] = {"drawn", "link", NULL};

static const odo_option options[] = {
	[RESTRICTED] = YES_NO_OPTION("restricted", "no", "divert traffic within a group within it"),
	[OWN_GROUP] = YES_NO_OPTION("own-group", "yes",
				    "other traffic may be diverted within its source's group"),
	[RECOMPUTE] = YES_NO_OPTION("recompute", "no", "draw again while waiting for injection"),
	[PICK] = WORD_OPTION("pick", "drawn",
			     "what chooses the place: chance, or the n-th host of a switch always "
			     "leaves by the n-th global link of that switch",
			     picks),
	{0},
};

static int valiant_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	if (setup->value[PICK].number[0] && setup->value[RECOMPUTE].number[0])
		return odo_fail(err, ODO_EINPUT,
				"with pick=link nothing is drawn, so recompute=yes has no meaning");
	int status = odo_policy_ways_create(setup, sizeof(valiant), state, err);
	if (status)
		return status;
	valiant *p = *state;
	p->to_switch = setup->variant == TO_SWITCH;
	p->restricted = setup->value[RESTRICTED].number[0];
	p->own_group = setup->value[OWN_GROUP].number[0];
	p->recompute = setup->value[RECOMPUTE].number[0];
	p->by_link = setup->value[PICK].number[0];
	p->ladder = odo_ladder_make(p->to_switch ? "lgllgl" : "lglgl");
	setup->vls[0] = p->ladder.n_vls[0];
	setup->vls[1] = p->ladder.n_vls[1];
	setup->for_good = !p->recompute;
	return 0;
}

static uint32_t draw_within(const odo_ways *ways, uint32_t group, uint32_t random)
{
	return ways->member[group * ways->a + (uint32_t)((uint64_t)random * ways->a >> 32)];
}

/* Draw a switch to pass by, uniformly among the allowed ones. `random` is 32 uniform bits. */
static uint32_t draw_switch(const valiant *p, uint32_t from, uint32_t to, uint32_t random)
{
	const odo_ways *ways = p->ways;
	uint32_t home = ways->group[from];
	if (p->restricted && home == ways->group[to])
		return draw_within(ways, home, random);
	uint32_t groups = ways->n_groups - !p->own_group;
	uint32_t seat = (uint32_t)((uint64_t)random * groups * ways->a >> 32);
	if (!p->own_group && seat / ways->a >= home)
		seat += ways->a;
	return ways->member[seat];
}

/* Return the switch at the far end of the global link that has the host's number, or ODO_NONE. */
static uint32_t switch_of_link(const odo_ways *ways, uint32_t host)
{
	uint32_t home = ways->home[host], n = host;
	while (n && ways->home[n - 1] == home)
		n--;
	uint32_t link = ways->first_global[home] + (host - n);
	if (link >= ways->first_global[home + 1])
		return ODO_NONE;
	return odo_next_switch(ways->fabric,
			       odo_slot(ways->fabric, home, ways->global_port[link]));
}

static void valiant_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const valiant *policy = state;
	const odo_ways *ways = policy->ways;
	p->word = policy->by_link
			  ? switch_of_link(ways, p->source)
			  : draw_switch(policy, ways->home[p->source], ways->home[p->target],
					odo_rng_next(host_stream));
}

static bool has_passed(const valiant *p, uint32_t here, uint32_t via)
{
	return p->to_switch ? here == via : p->ways->group[here] == p->ways->group[via];
}

/* Draw again for a packet in its injection queue. If it was offered a way before, it has waited
 * since. */
static void redraw_switch(const valiant *policy, const odo_view *v, odo_packet *p)
{
	if (p->byte[TRIED])
		p->word = draw_switch(policy, v->node, policy->ways->home[p->target],
				      odo_view_random(v));
	p->byte[TRIED] = 1;
}

/* The packet leaves by a link of this class. */
static void note_hop(const valiant *policy, const odo_view *v, odo_packet *p, odo_link_class class)
{
	if (p->word != ODO_NONE && has_passed(policy, v->node, p->word))
		p->word = ODO_NONE;
	odo_ladder_climb(&policy->ladder, class, &p->byte[RUNGS]);
}

static bool valiant_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			  unsigned in_vl, odo_way *way)
{
	const valiant *policy = state;
	const odo_ways *ways = policy->ways;
	uint32_t target = ways->home[p->target], next = p->word;
	(void)in_vl;
	way->again = ODO_ASK_NEVER;
	if (policy->recompute && odo_ways_injected(ways, v->node, in_port, p->source)) {
		way->again = ODO_ASK_EACH_ROUND;
		redraw_switch(policy, v, p);
		next = p->word;
	}
	/* A packet that comes to its target's switch before it has passed its own switch goes on:
	 * that is the turn-around of paper 003, section III.A, which Valiant routing has. */
	if (next == ODO_NONE || has_passed(policy, v->node, next))
		next = target;
	if (v->node == next) {
		way->port = ways->host_port[p->target];
		return true;
	}
	odo_link_class class;
	way->port = odo_ways_minimal(ways, v->node, next, p->source, &class);
	way->vl = policy->ladder.vl[odo_ladder_next(&policy->ladder, class, p->byte[RUNGS])];
	if (!policy->recompute)
		note_hop(policy, v, p, class);
	return true;
}

static void valiant_leave(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			  const odo_way *way)
{
	const valiant *policy = state;
	(void)in_port;
	note_hop(policy, v, p, odo_ways_class(policy->ways, v->node, way->port));
}

#define VALIANT(where)                                                                             \
	.variant = (where), .options = options, .kinds = 1u << ODO_KIND_DRAGONFLY,                 \
	.create = valiant_create, .free = odo_policy_ways_free, .generate = valiant_generate,      \
	.route = valiant_route, .leave = valiant_leave

const odo_policy odo_policy_valiant = {
	VALIANT(TO_GROUP),
	.name = "val",
	.summary = "Valiant: by way of a random group",
	.paper = "001, section 4.1",
	.deadlock = "VLs grow along local, global, local, global, local",
};

const odo_policy odo_policy_valiant_any = {
	VALIANT(TO_SWITCH),
	.name = "val-any",
	.summary = "Valiant: by way of a random switch; restricted, with recomputation",
	.paper = "003, sections II and III",
	.deadlock = "VLs grow along local, global, local, local, global, local",
};
