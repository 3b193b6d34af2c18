/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A part's cycles: first arrivals and released ports, then allocation (allocate.h) and its effects
 * (grant.h), then sources (source.c). Events of a cycle commute. Their order depends on which
 * worker runs which part, so it does not change the results.
 *
 * A packet-hop is an arrival, a lookup of the way, an allocation, and the credit and release that
 * follow.
 */
#include "emulator/kernel/cycle/cycle.h"

#include "emulator/kernel/cycle/allocate.h"
#include "emulator/kernel/cycle/flits.h"
#include "emulator/kernel/cycle/prefetch.h"
#include "emulator/kernel/cycle/source.h"

/* Release the ports that become free in this cycle; dead outputs stay closed. */
ALWAYS_INLINE void release_ports(mode k, odo_part *part)
{
	uint64_t *in = releases_of(k, part, part->now), *out = in + k.n_words;
	for (uint32_t x = 0; x < k.n_words; x++) {
		if (k.failing)
			out[x] &= ~part->dead[x];
		k.free_in[x] |= in[x];
		k.free_out[x] |= out[x];
		if (k.sets)
			open_queues(k, x, out[x]);
		out[x] &= k.parked[x];
	}
	for (unsigned l = 0; k.parallel && l < k.I; l++)
		for (uint32_t x = 0; x < k.n_words; x++)
			k.sending[x << k.lane_bits | l] &= ~in[(2 + l) * k.n_words + x];
	uint32_t *list = k.worker->round.granted, *end = list;
	for (uint32_t x = 0; x < k.n_words; x++)
		end = list_bits(end, out[x], x * 64, 4);
	for (; list < end; list++)
		unpark_heads(k, *list);
	memset(in, 0, release_sets(k) * k.n_words * sizeof *in);
}

/* Add a credit. True: the output is free and heads wait for it; open it, only once. */
ALWAYS_INLINE bool credit_one(mode k, odo_part *part, odo_event event)
{
	odo_spot at = odo_event_spot(event);
	uint16_t phits = (uint16_t)event;
	uint32_t out = port_at(k, at);
	uint64_t open = k.parked[out / 64] & k.free_out[out / 64] & 1ull << out % 64;
	k.credits[at] += phits;
	k.parked[out / 64] ^= open;
	if (k.sets)
		open_room(k, at);
	else if (k.policy && part->world->policy->credit)
		call_policy_credit(part, at, phits);
	return open;
}

ALWAYS_INLINE void unpark_all(mode k, const odo_spot *end)
{
	for (const odo_spot *at = k.worker->heads; at < end; at++)
		unpark_heads(k, port_at(k, *at));
}

/* A packet arrives. True: its lane was empty, so the packet is the new head. */
ALWAYS_INLINE bool arrive_one(mode k, odo_part *part, odo_event event)
{
	odo_spot at = odo_event_spot(event);
	uint32_t packet = (uint32_t)event;
	if (__builtin_expect(at == ODO_SPOT_HOST, 0)) {
		odo_source_received(part, packet);
		return false;
	}
	if (k.sets)
		fetch_sets(k, part, at, packet);
	return enqueue_packet(part, &k.lanes[at], packet);
}

NEVER_INLINE void tick_switches(odo_part *part)
{
	for (uint32_t s = 0; s < part->n_switches; s++) {
		seed_draws(part, 0, ODO_MAX_LANES);
		part->world->policy->tick(part->world->policy_state, view_switch(part, s));
	}
}

ALWAYS_INLINE void run_cycles(mode k, odo_part *part, uint32_t until)
{
	for (; part->now < until && !part->out_of_memory && !part->fault; part->now++) {
		k.now = part->now;
		part->round = 0;
		bound_petitions(k, part);
		release_ports(k, part);
		odo_spot *heads = k.worker->heads;
		heads = each_event(k, part, take_events(k, k.returns), credit_one, heads);
		unpark_all(k, each_event(k, part, credits_due(k, part), credit_one, heads));
		heads = k.worker->heads;
		heads = each_event(k, part, take_events(k, k.arrivals), arrive_one, heads);
		heads = each_parcel(k, part, arrive_one, heads);
		find_head_ways(k, part, heads);
		if (k.policy && part->world->policy->tick)
			tick_switches(part);
		part->closing = releases_of(k, part,
					    part->now + (uint32_t)part->world->longest_packet);
		if (k.sets)
			wake_stuck(k);
		allocate_cycle(k, part);
		part->round = AFTER_ROUNDS;
		find_head_ways(k, part, carry_out_grants(k, part));
		odo_sources_step(part);
		odo_prefetch_step(&k.worker->prefetch);
	}
}

/* Mode of a loop that has a row: the fields of `row` are constants. */
ALWAYS_INLINE mode special_mode(const odo_part *part, odo_loop row)
{
	const odo_world *w = part->world;
	mode k = mode_of(part);
	bool queues = row.switches == ODO_SWITCHES_QUEUES;
	k.W = row.words;
	k.I = 1u << row.lane_bits; /* as many lanes as there are places */
	k.lane_bits = row.lane_bits;
	k.port_bits = row.port_bits ? row.port_bits : w->port_bits;
	if (row.port_bits || queues)
		k.link_bytes = odo_link_bytes(row.port_bits, !queues);
	k.even = !queues;
	k.buffered = k.paper = k.alike = k.in_turn = queues;
	k.policy = row.by != ODO_BY_TABLES;
	k.sets = row.by == ODO_BY_SETS;
	k.uniform = row.by == ODO_BY_TABLES || row.by == ODO_BY_ANSWERS;
	k.revises = !k.uniform;
	k.plain = row.by == ODO_BY_POLICY && w->plain;
	k.parallel = row.parallel == ODO_EITHER ? w->parallel_inputs : row.parallel;
	k.transit_first = k.even && (k.policy || k.parallel) && w->model.transit_first;
	return k;
}

/* Mode for every run that no row describes. */
ALWAYS_INLINE mode general_mode(const odo_part *part)
{
	const odo_world *w = part->world;
	mode k = mode_of(part);
	k.W = w->words;
	k.I = w->n_lanes;
	k.uniform = w->uniform;
	k.even = w->even;
	k.in_turn = w->model.arbiter == ODO_ARBITER_ROUND_ROBIN;
	k.policy = w->policy;
	k.revises = w->revises;
	k.plain = w->plain;
	k.parallel = w->parallel_inputs;
	k.buffered = w->buffered;
	k.failing = w->failing;
	k.alike = w->alike;
	k.transit_first = w->model.transit_first;
	k.minimal_first = w->policy && w->model.minimal_first;
	return k;
}

NEVER_INLINE void run_packets(odo_part *part, uint32_t until)
{
	run_cycles(general_mode(part), part, until);
}

NEVER_INLINE void run_flits(odo_part *part, uint32_t until)
{
	const odo_world *w = part->world;
	mode k = general_mode(part);
	k.buffered = k.flits = true;
	for (; part->now < until && !part->out_of_memory && !part->fault; part->now++) {
		k.now = part->now;
		part->round = 0;
		bound_petitions(k, part);
		each_event(k, part, take_events(k, k.returns), flit_credit, k.worker->heads);
		each_event(k, part, credits_due(k, part), flit_credit, k.worker->heads);
		each_event(k, part, take_events(k, k.arrivals), flit_arrival, k.worker->heads);
		each_parcel(k, part, flit_arrival, k.worker->heads);
		if (k.policy && w->policy->tick)
			tick_switches(part);
		allocate_active(k, part);
		part->round = AFTER_ROUNDS;
		odo_sources_step(part);
		odo_prefetch_step(&k.worker->prefetch);
	}
}

#define RUN(function, ...)                                                                         \
	NEVER_INLINE void run_##function(odo_part *part, uint32_t until)                           \
	{                                                                                          \
		run_cycles(special_mode(part, (odo_loop){__VA_ARGS__}), part, until);              \
	}
ODO_LOOPS(RUN)

odo_run_part *odo_run_of(const odo_loop *loop)
{
#define RUN_OF(function, ...) run_##function,
	static odo_run_part *const runs[] = {
		[ODO_LOOP_PACKETS] = run_packets, [ODO_LOOP_FLITS] = run_flits, ODO_LOOPS(RUN_OF)};
	return runs[loop - odo_loops];
}
