/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A part's cycles: what arrives and what comes free, then allocation (allocate.h), then sources
 * (source.c). Events of a cycle commute, so their order, which depends on how parts are dealt to
 * workers, leaves no trace in the results.
 *
 * A packet-hop is an arrival, a look at the routing, an allocation, and a credit and a release
 * that come of it.
 */
#include "emulator/allocate.h"
#include "emulator/flits.h"

ALWAYS_INLINE unsigned released_lanes(mode k, const uint64_t *at, unsigned in)
{
	unsigned lanes = 0;
	for (unsigned l = 0; l < k.I; l++)
		lanes |= (unsigned)test_bit(k, at + (2 + l) * k.W, in) << l;
	return lanes;
}

/* Ports of a switch that come free; dead outputs never do. True if heads are parked at some. */
ALWAYS_INLINE bool release_ports(mode k, odo_part *c, uint32_t si, uint64_t *at)
{
	uint64_t awaited = 0;
	for (unsigned x = 0; x < k.W; x++) {
		uint64_t out = at[k.W + x];
		if (k.failing)
			at[k.W + x] = out &= ~c->sw[si].dead[x];
		c->free_in[si * k.W + x] |= at[x];
		c->free_out[si * k.W + x] |= out;
		awaited |= out & c->parked[si * k.W + x];
	}
	for (unsigned x = 0; k.parallel && x < k.W; x++)
		for (uint64_t m = at[x]; m; m &= m - 1) {
			unsigned in = x * 64 + lowest_bit(m);
			release_lanes(k, &c->sw[si], in, released_lanes(k, at, in));
		}
	return awaited;
}

ALWAYS_INLINE void unpark_released(mode k, odo_part *c, uint32_t si, const uint64_t *at)
{
	const odo_switch *s = &c->sw[si];
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = at[k.W + x] & s->parked[x]; m; m &= m - 1)
			unpark(k, s, x * 64 + lowest_bit(m));
}

/* Up to 64 switches at a time, so that what to do with each is a bit and not a branch. */
ALWAYS_INLINE void release_all(mode k, odo_part *c)
{
	for (uint32_t first = 0; first < c->n_switches; first += 64) {
		uint32_t n = c->n_switches - first < 64 ? c->n_switches - first : 64;
		uint64_t *at = releases_of(k, c, c->now, first), awaited = 0;
		unsigned words = release_words(k);
		for (uint32_t i = 0; i < n; i++)
			awaited |= (uint64_t)release_ports(k, c, first + i, at + i * words) << i;
		for (; awaited; awaited &= awaited - 1) {
			unsigned i = lowest_bit(awaited);
			unpark_released(k, c, first + i, at + i * words);
		}
		memset(at, 0, n * words * sizeof *at);
	}
}

ALWAYS_INLINE void credit_one(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	unsigned port = odo_spot_port(at), vl = odo_spot_lane(at);
	uint16_t phits = (uint16_t)event;
	uint32_t si = odo_spot_switch(at);
	const odo_switch *s = &c->sw[si];
	s->credits[port * k.V + vl] += phits;
	if (test_bit(k, s->parked, port) && test_bit(k, s->free_out, port))
		unpark(k, s, port);
	if (k.policy && c->world->policy->credit)
		tell_credit(c, at, phits);
}

ALWAYS_INLINE void arrive_one(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	uint32_t packet = (uint32_t)event, si = odo_spot_switch(at);
	unsigned port = odo_spot_port(at), l = odo_spot_lane(at);
	if (__builtin_expect(l == ODO_MAX_LANES, 0)) {
		odo_source_received(c, packet);
		return;
	}
	odo_lane *q = &c->sw[si].lanes[port * k.I + l];
	if (enqueue(c, q, packet))
		head(k, c, si, port, l);
}

/* Switches where some input is free and has a head that may go. */
ALWAYS_INLINE void allocate_all(mode k, odo_part *c)
{
	for (uint32_t first = 0; first < c->n_switches; first += 64) {
		uint32_t n = c->n_switches - first < 64 ? c->n_switches - first : 64;
		uint64_t active = 0;
		for (uint32_t i = 0; i < n; i++) {
			uint64_t any = 0;
			for (unsigned x = 0; x < k.W; x++)
				any |= c->ready[(first + i) * k.W + x] &
				       c->free_in[(first + i) * k.W + x];
			active |= (uint64_t)(any != 0) << i;
		}
		for (; active; active &= active - 1)
			allocate(k, c, first + lowest_bit(active));
	}
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
		release_all(k, c);
		each_event(k, c, c->credits, credit_one);
		each_receipt(k, c, credit_one);
		each_event(k, c, c->arrivals, arrive_one);
		each_parcel(k, c, arrive_one);
		if (k.policy && c->world->policy->tick)
			ticks(c);
		allocate_all(k, c);
		odo_sources_step(c);
	}
}

/* Switches of up to 64 ports without output buffers: by tables or by a policy, and inputs that send
 * one packet at a time or one of each VL. */
NEVER_INLINE void run_tables(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){.W = 1, .V = w->n_vls, .I = w->n_lanes, .uniform = true}, c, until);
}

NEVER_INLINE void run_tables_parallel(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){.W = 1, .V = w->n_vls, .I = w->n_lanes, .uniform = true, .parallel = true}, c,
	    until);
}

NEVER_INLINE void run_policy(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){.W = 1, .V = w->n_vls, .I = w->n_lanes, .policy = true}, c, until);
}

NEVER_INLINE void run_policy_parallel(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){.W = 1, .V = w->n_vls, .I = w->n_lanes, .policy = true, .parallel = true}, c,
	    until);
}

/* Whatever the usual kinds have no room for. */
NEVER_INLINE void run_any(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){.W = w->words,
		   .V = w->n_vls,
		   .I = w->n_lanes,
		   .uniform = w->uniform,
		   .policy = w->policy,
		   .parallel = w->parallel_inputs,
		   .buffered = w->buffered,
		   .failing = w->failing},
	    c, until);
}

NEVER_INLINE void run_flits(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	mode k = {.W = w->words,
		  .V = w->n_vls,
		  .I = w->n_lanes,
		  .policy = w->policy,
		  .buffered = true,
		  .failing = w->failing,
		  .flits = true};
	for (; c->now < until && !c->out_of_memory && !c->fault; c->now++) {
		each_event(k, c, c->credits, flit_credit);
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
	else if (w->words > 1 || w->buffered || w->failing || (!w->policy && !w->uniform))
		run_any(c, until);
	else if (w->policy)
		(w->parallel_inputs ? run_policy_parallel : run_policy)(c, until);
	else
		(w->parallel_inputs ? run_tables_parallel : run_tables)(c, until);
}

void odo_part_arrive_flit(odo_part *c, uint32_t when, odo_spot at)
{
	push_event(c, c->credits, when, (uint64_t)at << 32 | BODY_FLIT);
}

void odo_part_arrive(odo_part *c, uint32_t when, odo_spot at, uint32_t packet)
{
	push_event(c, c->arrivals, when, (uint64_t)at << 32 | packet);
}
