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

#include "base/strategies.h"
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

/* Usual kinds of run: switches of up to 64 ports without output buffers, by tables or by a policy,
 * whose inputs send one packet at a time or one of each VL. A loop has as many lanes as lane_bits
 * has places for. */
ALWAYS_INLINE mode usual_mode(const odo_part *part, unsigned lane_bits)
{
	mode k = mode_of(part);
	k.W = 1;
	k.I = 1u << lane_bits;
	k.lane_bits = lane_bits;
	k.uniform = k.even = true;
	return k;
}

NEVER_INLINE void run_tables(odo_part *part, uint32_t until)
{
	run_cycles(usual_mode(part, ODO_LANE_BITS), part, until);
}

/* Loops for the usual numbers of ports: with the number of ports a constant too, they are a tenth
 * faster. */
ALWAYS_INLINE void run_sized(odo_part *part, uint32_t until, unsigned port_bits)
{
	mode k = usual_mode(part, ODO_LANE_BITS);
	k.port_bits = port_bits;
	k.link_bytes = odo_link_bytes(port_bits, true);
	run_cycles(k, part, until);
}

NEVER_INLINE void run_tables_16(odo_part *part, uint32_t until)
{
	run_sized(part, until, 4);
}

NEVER_INLINE void run_tables_32(odo_part *part, uint32_t until)
{
	run_sized(part, until, 5);
}

NEVER_INLINE void run_tables_64(odo_part *part, uint32_t until)
{
	run_sized(part, until, 6);
}

NEVER_INLINE void run_tables_parallel(odo_part *part, uint32_t until)
{
	mode k = usual_mode(part, ODO_LANE_BITS);
	k.parallel = true;
	k.transit_first = part->world->model.transit_first;
	run_cycles(k, part, until);
}

ALWAYS_INLINE mode usual_policy(const odo_part *part, unsigned lane_bits, bool parallel)
{
	mode k = usual_mode(part, lane_bits);
	k.policy = k.revises = true;
	k.plain = part->world->plain;
	k.uniform = false;
	k.parallel = parallel;
	k.transit_first = part->world->model.transit_first;
	return k;
}

/* Mode for policies that answer for good. */
ALWAYS_INLINE mode usual_answers(const odo_part *part, bool parallel)
{
	mode k = usual_policy(part, ODO_LANE_BITS, parallel);
	k.revises = false;
	k.uniform = true;
	return k;
}

NEVER_INLINE void run_answers(odo_part *part, uint32_t until)
{
	run_cycles(usual_answers(part, false), part, until);
}

NEVER_INLINE void run_answers_parallel(odo_part *part, uint32_t until)
{
	run_cycles(usual_answers(part, true), part, until);
}

NEVER_INLINE void run_policy(odo_part *part, uint32_t until)
{
	run_cycles(usual_policy(part, ODO_LANE_BITS, false), part, until);
}

NEVER_INLINE void run_policy_parallel(odo_part *part, uint32_t until)
{
	run_cycles(usual_policy(part, ODO_LANE_BITS, true), part, until);
}

/* Escape channels take lanes of their own. */
NEVER_INLINE void run_policy_lanes(odo_part *part, uint32_t until)
{
	run_cycles(usual_policy(part, ODO_LANE_BITS + 1, false), part, until);
}

NEVER_INLINE void run_policy_lanes_parallel(odo_part *part, uint32_t until)
{
	run_cycles(usual_policy(part, ODO_LANE_BITS + 1, true), part, until);
}

/* Switches of up to 128 ports, as in the largest fabrics. */
NEVER_INLINE void run_policy_large(odo_part *part, uint32_t until)
{
	mode k = usual_policy(part, ODO_LANE_BITS, part->world->parallel_inputs);
	k.W = 2;
	run_cycles(k, part, until);
}

/* Switches with queues behind their outputs, as has_queues() describes them. */
ALWAYS_INLINE mode paper_004(const odo_part *part, unsigned lane_bits)
{
	mode k = mode_of(part);
	k.W = 1;
	k.I = 1u << lane_bits;
	k.lane_bits = lane_bits;
	k.link_bytes = odo_link_bytes(0, false);
	k.buffered = k.paper = k.alike = k.in_turn = true;
	return k;
}

NEVER_INLINE void run_queues(odo_part *part, uint32_t until)
{
	mode k = paper_004(part, ODO_LANE_BITS);
	k.uniform = true;
	run_cycles(k, part, until);
}

/* Loops for sets of adaptive tables. */
ALWAYS_INLINE void run_by_sets(odo_part *part, uint32_t until, unsigned lane_bits)
{
	mode k = paper_004(part, lane_bits);
	k.sets = k.policy = k.revises = true;
	run_cycles(k, part, until);
}

NEVER_INLINE void run_sets(odo_part *part, uint32_t until)
{
	run_by_sets(part, until, ODO_LANE_BITS);
}

NEVER_INLINE void run_sets_lanes(odo_part *part, uint32_t until)
{
	run_by_sets(part, until, ODO_LANE_BITS + 1);
}

/* Mode for every run that is not of a usual kind. */
ALWAYS_INLINE mode any_mode(const odo_part *part)
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

NEVER_INLINE void run_any(odo_part *part, uint32_t until)
{
	run_cycles(any_mode(part), part, until);
}

NEVER_INLINE void run_flits(odo_part *part, uint32_t until)
{
	const odo_world *w = part->world;
	mode k = any_mode(part);
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

typedef void run_part(odo_part *part, uint32_t until);

/* A kind of run that has its own loop (docs/design/kernel-runs.md gives what each loop gains). */
typedef struct special {
	const char *name;
	run_part *run;
} special;

/* Runs by tables, for a known number of ports (index: its power of two), or for any number. */
static const special tables = {"tables", run_tables};
static const special tables_sized[] = {[4] = {"tables, 16 ports", run_tables_16},
				       [5] = {"tables, 32 ports", run_tables_32},
				       [6] = {"tables, 64 ports", run_tables_64}};
static const special tables_queues = {"tables, output queues", run_queues};
static const special tables_parallel = {"tables, VLs side by side", run_tables_parallel};
/* Index: more lanes than ODO_LANE_BITS or not; lanes side by side or not. */
static const special policies[2][2] = {
	{{"policy", run_policy}, {"policy, VLs side by side", run_policy_parallel}},
	{{"policy, 8 lanes", run_policy_lanes},
	 {"policy, 8 lanes side by side", run_policy_lanes_parallel}}};
static const special answers[2] = {{"answers", run_answers},
				   {"answers, VLs side by side", run_answers_parallel}};
static const special policy_large = {"policy, 128 ports", run_policy_large};

static bool is_used(const special *s)
{
	return s->run && odo_uses(s->name);
}

static run_part *or_any(const special *s)
{
	return is_used(s) ? s->run : run_any;
}

static run_part *by_ports(unsigned port_bits)
{
	const special *sized = &tables_sized[port_bits];
	return is_used(&tables) && is_used(sized) ? sized->run : or_any(&tables);
}

static run_part *choose_run(const odo_world *w)
{
	unsigned more = w->lane_bits - ODO_LANE_BITS;
	bool by_tables = !w->policy, turns = w->model.transit_first && !w->parallel_inputs;
	bool usual = w->even && !w->failing && more <= 1 && !(by_tables && turns) &&
		     !w->model.minimal_first && w->model.arbiter != ODO_ARBITER_ROUND_ROBIN;
	if (w->flits)
		return run_flits;
	if (w->sets)
		return more ? run_sets_lanes : run_sets;
	if (w->paper && by_tables && !more && is_used(&tables_queues))
		return run_queues;
	if (usual && w->words == 1 && by_tables && !more && !w->parallel_inputs)
		return by_ports(w->port_bits);
	if (usual && w->words == 1 && by_tables)
		return more ? run_any : or_any(&tables_parallel);
	if (usual && w->words == 1 && !more && w->uniform)
		return or_any(&answers[w->parallel_inputs]);
	if (usual && w->words == 1)
		return or_any(&policies[more][w->parallel_inputs]);
	if (usual && w->words == 2 && !by_tables && !more)
		return or_any(&policy_large);
	return run_any;
}

void odo_part_run(odo_part *part, uint32_t until)
{
	choose_run(part->world)(part, until);
}
