/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A part's cycles: what arrives and what comes free, then allocation (allocate.h) and what comes
 * of it (grant.h), then sources (source.c). Events of a cycle commute, so their order, which
 * depends on how parts are dealt to workers, leaves no trace in the results.
 *
 * A packet-hop is an arrival, a look at the routing, an allocation, and a credit and a release
 * that come of it.
 */
#include "emulator/ahead.h"
#include "emulator/allocate.h"
#include "emulator/flits.h"

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
	for (unsigned l = 0; k.parallel && l < k.I; l++)
		for (uint32_t x = 0; x < c->n_words; x++)
			c->sending[x << k.lane_bits | l] &= ~in[(2 + l) * c->n_words + x];
	uint32_t *list = c->worker->round.granted, *end = list;
	for (uint32_t x = 0; x < c->n_words; x++)
		end = list_bits(end, out[x], x * 64, 4);
	for (; list < end; list++)
		unpark(k, c, *list);
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
		allocate(k, c);
		carry_out(k, c);
		look_at_heads(k, c);
		odo_sources_step(c);
		odo_ahead_step(&c->worker->ahead);
	}
}

/* Switches of up to 64 ports, without output buffers: by tables or by a policy, and inputs that
 * send one packet at a time or one of each VL. Lanes are as many as there are places for. */
ALWAYS_INLINE mode usual(const odo_part *c, unsigned lane_bits)
{
	return (mode){.W = 1,
		      .I = 1u << lane_bits,
		      .lane_bits = lane_bits,
		      .port_bits = c->world->port_bits,
		      .uniform = true,
		      .even = true};
}

NEVER_INLINE void run_tables(odo_part *c, uint32_t until)
{
	run(usual(c, ODO_LANE_BITS), c, until);
}

NEVER_INLINE void run_tables_parallel(odo_part *c, uint32_t until)
{
	mode k = usual(c, ODO_LANE_BITS);
	k.parallel = true;
	k.transit_first = c->world->model.transit_first;
	run(k, c, until);
}

ALWAYS_INLINE mode usual_policy(const odo_part *c, unsigned lane_bits, bool parallel)
{
	mode k = usual(c, lane_bits);
	k.policy = true;
	k.uniform = false;
	k.parallel = parallel;
	k.transit_first = c->world->model.transit_first;
	return k;
}

NEVER_INLINE void run_policy(odo_part *c, uint32_t until)
{
	run(usual_policy(c, ODO_LANE_BITS, false), c, until);
}

NEVER_INLINE void run_policy_parallel(odo_part *c, uint32_t until)
{
	run(usual_policy(c, ODO_LANE_BITS, true), c, until);
}

/* Escape channels take lanes of their own. */
NEVER_INLINE void run_policy_lanes(odo_part *c, uint32_t until)
{
	run(usual_policy(c, ODO_LANE_BITS + 1, false), c, until);
}

NEVER_INLINE void run_policy_lanes_parallel(odo_part *c, uint32_t until)
{
	run(usual_policy(c, ODO_LANE_BITS + 1, true), c, until);
}

/* Switches of up to 128 ports, of the largest fabrics. */
NEVER_INLINE void run_policy_large(odo_part *c, uint32_t until)
{
	mode k = usual_policy(c, ODO_LANE_BITS, c->world->parallel_inputs);
	k.W = 2;
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
		      .failing = w->failing,
		      .transit_first = w->model.transit_first,
		      .minimal_first = w->policy && w->model.minimal_first};
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
		odo_ahead_step(&c->worker->ahead);
	}
}

typedef void run_part(odo_part *c, uint32_t until);

static run_part *choose_run(const odo_world *w)
{
	/* By tables or a policy; more lanes than ODO_LANE_BITS or not; side by side or not. */
	static run_part *const usual_kinds[2][2][2] = {
		{{run_tables, run_tables_parallel}, {run_any, run_any}},
		{{run_policy, run_policy_parallel}, {run_policy_lanes, run_policy_lanes_parallel}}};
	unsigned more = w->lane_bits - ODO_LANE_BITS;
	bool by_tables = !w->policy, turns = w->model.transit_first && !w->parallel_inputs;
	bool usual = w->even && !w->failing && more <= 1 && !(by_tables && turns) &&
		     !w->model.minimal_first && w->model.arbiter != ODO_ARBITER_ROUND_ROBIN;
	if (w->flits)
		return run_flits;
	if (usual && w->words == 1)
		return usual_kinds[!by_tables][more][w->parallel_inputs];
	if (usual && w->words == 2 && !by_tables && !more)
		return run_policy_large;
	return run_any;
}

void odo_part_run(odo_part *c, uint32_t until)
{
	choose_run(c->world)(c, until);
}
