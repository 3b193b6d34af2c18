/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A part's cycles: what arrives and what comes free, then allocation (allocate.h) and what comes
 * of it (grant.h), then sources (source.c). Events of a cycle commute, so their order, which
 * depends on how parts are dealt to workers, leaves no trace in the results.
 *
 * A packet-hop is an arrival, a look at the routing, an allocation, and a credit and a release
 * that come of it.
 */
#include "emulator/allocate.h"
#include "emulator/flits.h"

ALWAYS_INLINE unsigned released_lanes(mode k, const odo_part *c, const uint64_t *at, uint32_t f)
{
	unsigned lanes = 0;
	for (unsigned l = 0; l < k.I; l++)
		lanes |= (unsigned)test_bit(at + (2 + l) * c->n_words, f) << l;
	return lanes;
}

/* Ports that come free; dead outputs never do. */
ALWAYS_INLINE void release_all(mode k, odo_part *c)
{
	uint64_t *in = releases_of(k, c, c->now), *out = in + c->n_words;
	for (uint32_t x = 0; x < c->n_words; x++) {
		if (k.failing)
			out[x] &= ~c->dead[x];
		c->free_in[x] |= in[x];
		c->free_out[x] |= out[x];
		out[x] &= c->parked[x];
	}
	for (uint32_t x = 0; k.parallel && x < c->n_words; x++)
		for (uint64_t m = in[x]; m; m &= m - 1) {
			uint32_t f = x * 64 + lowest_bit(m);
			release_lanes(c, f, released_lanes(k, c, in, f));
		}
	for (uint32_t x = 0; x < c->n_words; x++)
		for (uint64_t m = out[x]; m; m &= m - 1)
			unpark(k, c, x * 64 + lowest_bit(m));
	memset(in, 0, release_sets(k) * c->n_words * sizeof *in);
}

ALWAYS_INLINE void credit_one(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	uint16_t phits = (uint16_t)event;
	uint32_t out = port_of(k, at);
	c->credits[at] += phits;
	if (c->parked[out / 64] & c->free_out[out / 64] & 1ull << out % 64)
		unpark(k, c, out);
	if (k.policy && c->world->policy->credit)
		tell_credit(c, at, phits);
}

ALWAYS_INLINE void arrive_one(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	uint32_t packet = (uint32_t)event;
	(void)k;
	if (__builtin_expect(at == ODO_SPOT_HOST, 0))
		odo_source_received(c, packet);
	else
		note_head(c, at, enqueue(c, &c->lanes[at], packet));
}

NEVER_INLINE void ticks(odo_part *c)
{
	for (uint32_t s = 0; s < c->n_switches; s++) {
		seed_draws(c, 0, ODO_MAX_LANES);
		c->world->policy->tick(c->world->policy_state, view_switch(c, s));
	}
}

ALWAYS_INLINE void run(mode k, odo_part *c, uint32_t until)
{
	for (; c->now < until && !c->out_of_memory && !c->fault; c->now++) {
		c->round = 0;
		keep_count(k, c);
		release_all(k, c);
		each_event(k, c, c->returns, credit_one);
		each_receipt(k, c, credit_one);
		each_event(k, c, c->arrivals, arrive_one);
		each_parcel(k, c, arrive_one);
		look_at_heads(k, c);
		if (k.policy && c->world->policy->tick)
			ticks(c);
		c->closing = releases_of(k, c, c->now + (uint32_t)c->world->longest_packet);
		allocate_all(k, c);
		carry_out(k, c);
		look_at_heads(k, c);
		odo_sources_step(c);
	}
}

/* Switches of up to 64 ports without output buffers: by tables or by a policy, and inputs that send
 * one packet at a time or one of each VL. */
ALWAYS_INLINE mode usual(const odo_part *c)
{
	const odo_world *w = c->world;
	return (mode){.W = 1,
		      .I = w->n_lanes,
		      .port_bits = w->port_bits,
		      .lane_bits = w->lane_bits,
		      .uniform = true,
		      .even = true};
}

NEVER_INLINE void run_tables(odo_part *c, uint32_t until)
{
	run(usual(c), c, until);
}

NEVER_INLINE void run_tables_parallel(odo_part *c, uint32_t until)
{
	mode k = usual(c);
	k.parallel = true;
	run(k, c, until);
}

NEVER_INLINE void run_policy(odo_part *c, uint32_t until)
{
	mode k = usual(c);
	k.policy = true;
	k.uniform = false;
	run(k, c, until);
}

NEVER_INLINE void run_policy_parallel(odo_part *c, uint32_t until)
{
	mode k = usual(c);
	k.policy = k.parallel = true;
	k.uniform = false;
	run(k, c, until);
}

/* Whatever the usual kinds have no room for. */
ALWAYS_INLINE mode any_mode(const odo_part *c)
{
	const odo_world *w = c->world;
	return (mode){.W = w->words,
		      .I = w->n_lanes,
		      .port_bits = w->port_bits,
		      .lane_bits = w->lane_bits,
		      .uniform = w->uniform,
		      .even = w->even,
		      .in_turn = w->model.arbiter == ODO_ARBITER_ROUND_ROBIN,
		      .policy = w->policy,
		      .parallel = w->parallel_inputs,
		      .buffered = w->buffered,
		      .failing = w->failing};
}

NEVER_INLINE void run_any(odo_part *c, uint32_t until)
{
	run(any_mode(c), c, until);
}

NEVER_INLINE void run_flits(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	mode k = any_mode(c);
	k.buffered = k.flits = true;
	for (; c->now < until && !c->out_of_memory && !c->fault; c->now++) {
		keep_count(k, c);
		each_event(k, c, c->returns, flit_credit);
		each_receipt(k, c, flit_credit);
		each_event(k, c, c->arrivals, flit_arrival);
		each_parcel(k, c, flit_arrival);
		if (k.policy && w->policy->tick)
			ticks(c);
		allocate_active(k, c);
		odo_sources_step(c);
	}
}

void odo_part_run(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	if (w->flits)
		run_flits(c, until);
	else if (w->words > 1 || !w->even || w->failing ||
		 w->model.arbiter == ODO_ARBITER_ROUND_ROBIN)
		run_any(c, until);
	else if (w->policy)
		(w->parallel_inputs ? run_policy_parallel : run_policy)(c, until);
	else
		(w->parallel_inputs ? run_tables_parallel : run_tables)(c, until);
}

void odo_part_arrive_flit(odo_part *c, uint32_t when, odo_spot at)
{
	push_event(c, c->returns, when, (uint64_t)at << 32 | BODY_FLIT);
}

void odo_part_arrive(odo_part *c, uint32_t when, odo_spot at, uint32_t packet)
{
	push_event(c, c->arrivals, when, (uint64_t)at << 32 | packet);
}
