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

ALWAYS_INLINE void release_one(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	uint32_t low = (uint32_t)event, si = odo_spot_switch(at);
	unsigned in = odo_spot_port(at), out = (uint8_t)low;
	const odo_switch *s = &c->sw[si];
	if (!k.buffered || low & RELEASE_INPUT) {
		set_bit(k, s->free, in);
		if (k.parallel) {
			set_bit(k, s->lane_free + odo_spot_lane(at) * k.W, in);
			s->sending[in]--;
		}
	}
	bool dead = k.failing && test_bit(k, s->dead, out);
	if ((!k.buffered || low & RELEASE_OUTPUT) && !dead) {
		set_bit(k, s->free + k.W, out);
		if (test_bit(k, s->parked, out))
			unpark(k, c, si, s, out);
	}
	wake(c, si);
}

/* A dead output is never free: what its last packet releases is taken back. */
NEVER_INLINE void fail(odo_part *c)
{
	for (; c->n_failed < c->n_falls && c->falls[c->n_failed].cycle <= c->now; c->n_failed++) {
		const odo_fall *fall = &c->falls[c->n_failed];
		c->sw[fall->si].dead[fall->port / 64] |= 1ull << fall->port % 64;
		wake(c, fall->si);
	}
	for (uint32_t i = 0; i < c->n_failed; i++) {
		const odo_fall *fall = &c->falls[i];
		c->sw[fall->si].free[c->world->words + fall->port / 64] &= ~(1ull
									     << fall->port % 64);
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
	if (test_bit(k, s->parked, port) && test_bit(k, s->free + k.W, port))
		unpark(k, c, si, s, port);
	if (!k.policy)
		return;
	if (s->asking)
		wake(c, si);
	if (c->world->policy->credit)
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
	if (!enqueue(c, q, packet))
		return;
	head(k, c, si, port, l);
	wake(c, si);
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
		each_event(k, c, c->releases, release_one);
		if (__builtin_expect(c->n_falls != 0, 0))
			fail(c);
		each_event(k, c, c->credits, credit_one);
		each_receipt(k, c, credit_one);
		each_event(k, c, c->arrivals, arrive_one);
		each_parcel(k, c, arrive_one);
		if (k.policy && c->world->policy->tick)
			ticks(c);
		each_active(k, c, allocate);
		odo_sources_step(c);
	}
}

/* Switches of up to 64 ports without output buffers: by tables or by a policy, and inputs that send
 * one packet at a time or one of each VL. */
NEVER_INLINE void run_tables(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){1, w->n_vls, w->n_lanes, true, false, false, false, false}, c, until);
}

NEVER_INLINE void run_tables_parallel(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){1, w->n_vls, w->n_lanes, true, false, true, false, false}, c, until);
}

NEVER_INLINE void run_policy(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){1, w->n_vls, w->n_lanes, false, true, false, false, false}, c, until);
}

NEVER_INLINE void run_policy_parallel(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){1, w->n_vls, w->n_lanes, false, true, true, false, false}, c, until);
}

/* Whatever the usual kinds have no room for. */
NEVER_INLINE void run_any(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	run((mode){w->words, w->n_vls, w->n_lanes, w->uniform, w->policy, w->parallel_inputs,
		   w->buffered, w->failing},
	    c, until);
}

NEVER_INLINE void run_flits(odo_part *c, uint32_t until)
{
	const odo_world *w = c->world;
	mode k = {w->words, w->n_vls, w->n_lanes, false, w->policy, false, true, w->failing};
	for (; c->now < until && !c->out_of_memory && !c->fault; c->now++) {
		if (c->n_falls)
			fail(c);
		each_event(k, c, c->credits, flit_credit);
		each_receipt(k, c, flit_credit);
		each_event(k, c, c->arrivals, flit_arrival);
		each_parcel(k, c, flit_arrival);
		if (k.policy && w->policy->tick)
			ticks(c);
		each_active(k, c, allocate_flits);
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

/* ---- Between parts ---- */

int odo_part_ready(odo_part *c)
{
	return grow_chunks(c);
}

void odo_part_arrive(odo_part *c, uint32_t when, odo_spot at, uint32_t packet)
{
	push_event(c, c->arrivals, when, (uint64_t)at << 32 | packet);
}

void odo_part_credit(odo_part *c, uint32_t when, odo_event event)
{
	push_event(c, c->credits, when, event);
}
