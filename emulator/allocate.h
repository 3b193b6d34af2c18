/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The separable, input-first allocator. Included by cycle.c alone.
 *
 * Each round, every input petitions with one of its lanes for one output, and every output grants
 * one of its petitions; up to `iterations` rounds a cycle. Both sides serve who was served least
 * recently; an input's lane counts as served when it petitions.
 *
 * This is where the time goes, and most of that into branches that nobody can predict. So
 * inputs are gone through once, an output's best petition being kept as they come, and then the
 * outputs once; and all switches of a part are allocated together.
 */
#ifndef ODONATA_EMULATOR_ALLOCATE_H
#define ODONATA_EMULATOR_ALLOCATE_H

#include <limits.h>
#include <string.h>

#include "emulator/grant.h"

/* ---- Outputs ---- */

/* When an output has served the input of a lane last, or round robin how far that is from the one
 * served last: the smaller, the sooner its turn; then the order of inputs. */
ALWAYS_INLINE uint64_t turn(mode k, const odo_part *c, uint32_t out, odo_spot at)
{
	uint32_t f = port_of(k, at);
	uint64_t last = k.in_turn ? in_switch(k, f - c->links[out].grants)
				  : c->served[(out << k.port_bits) + in_switch(k, f)];
	if (k.transit_first && c->links[f].side == ODO_SIDE_HOST)
		last += UINT16_MAX + 1u;
	if (k.minimal_first)
		last += c->rest[at].yields * 2ull * (UINT16_MAX + 1u);
	return last << 32 | at;
}

/* Counts of grants are 16 bits: before they overflow, replace them by their ranks. */
NEVER_INLINE void renumber(odo_part *c, unsigned port_bits, uint32_t out)
{
	unsigned P = c->sw[out >> port_bits].ports;
	uint16_t *served = c->served + (out << port_bits), rank[ODO_MAX_PORTS];
	for (unsigned i = 0; i < P; i++) {
		rank[i] = 0;
		for (unsigned j = 0; j < P; j++)
			rank[i] += served[j] < served[i];
	}
	memcpy(served, rank, P * sizeof *served);
	c->links[out].grants = (uint16_t)P;
}

ALWAYS_INLINE void mark_served(mode k, odo_part *c, uint32_t out, uint32_t f)
{
	if (k.in_turn) {
		c->links[out].grants = (uint16_t)(in_switch(k, f) + 1);
		return;
	}
	if (__builtin_expect(c->links[out].grants == UINT16_MAX, 0))
		renumber(c, k.port_bits, out);
	c->served[(out << k.port_bits) + in_switch(k, f)] = ++c->links[out].grants;
}

/* The head cannot go: it waits at its output. */
ALWAYS_INLINE void park(mode k, odo_part *c, odo_spot at)
{
	clear_ready(k, c, at);
	park_unless(k, c, at, false);
}

/* Of two petitions for an output the first in turn stands, the other has lost. Without a branch,
 * which could not be predicted. */
ALWAYS_INLINE void petition(mode k, odo_part *c, odo_round *r, odo_spot at)
{
	if (!k.flits) /* there, when it is granted */
		c->lanes[at].petition = ++c->petitions;
	uint32_t out = port_of(k, wanted(c, at));
	uint64_t own = turn(k, c, out, at), rival = r->best[out];
	bool first = rival == ODO_NOBODY;
	r->best[out] = own < rival ? own : rival;
	r->granted[r->n_granted] = out;
	r->n_granted += first;
	r->losers[r->n_losers] = (odo_spot)(own < rival ? rival : own);
	r->n_losers += !first;
}

/* Who has won an output in this round. */
ALWAYS_INLINE odo_spot take_best(odo_round *r, uint32_t out)
{
	odo_spot at = (odo_spot)r->best[out];
	r->best[out] = ODO_NOBODY;
	return at;
}

/* ---- Inputs ---- */

/* Is this head's policy asked in every round? */
ALWAYS_INLINE bool asks(mode k, const odo_part *c, odo_spot at)
{
	return k.policy && c->asks[port_of(k, at)] >> lane_of(k, at) & 1;
}

/* Would this lane petition? Asks the policy where it wants to be asked. */
ALWAYS_INLINE bool offers(mode k, odo_part *c, odo_spot at)
{
	bool open = asks(k, c, at);
	enum odo_ask again = ODO_ASK_NEVER;
	if (open && !ask(k, c, at, &again))
		return false;
	bool can = can_go(k, c, at);
	if (open && again == ODO_ASK_NEVER)
		stop_asking(k, c, port_of(k, at), lane_of(k, at));
	if (!can && again != ODO_ASK_EACH_ROUND)
		park(k, c, at);
	return can && !(weighted(k, c) && !open && !has_turn(k, c, wanted(c, at)));
}

/* Of some lanes, the one that petitioned least recently. */
ALWAYS_INLINE unsigned next_lane(const odo_lane *of_input, unsigned lanes)
{
	unsigned best = lowest_bit(lanes);
	while (lanes &= lanes - 1) {
		unsigned l = lowest_bit(lanes);
		/* Without a branch, which could not be predicted. */
		best ^= (best ^ l) & -(unsigned)(of_input[l].petition < of_input[best].petition);
	}
	return best;
}

/* Petitions are counted in 32 bits: before a cycle in which they could overflow, replace them by
 * their ranks. */
NEVER_INLINE void recount(odo_part *c, unsigned lanes, unsigned lane_bits)
{
	uint32_t ports = c->n_words * 64;
	for (uint32_t f = 0; f < ports; f++) {
		odo_lane *of = &c->lanes[f << lane_bits];
		uint32_t rank[ODO_MAX_LANES] = {0};
		for (unsigned i = 0; i < lanes; i++)
			for (unsigned j = 0; j < lanes; j++)
				rank[i] += of[j].petition < of[i].petition;
		for (unsigned i = 0; i < lanes; i++)
			of[i].petition = rank[i];
	}
	c->petitions = ODO_MAX_LANES;
}

ALWAYS_INLINE void keep_count(mode k, odo_part *c)
{
	const odo_world *w = c->world;
	uint64_t rounds = k.flits ? w->model.speedup : (uint64_t)w->model.iterations * w->passes;
	if (__builtin_expect(c->petitions + c->n_words * 64 * rounds > UINT32_MAX, 0))
		recount(c, k.I, k.lane_bits);
}

/* Returns whether it does. */
ALWAYS_INLINE bool petition_with(mode k, odo_part *c, odo_round *r, odo_spot at)
{
	if (!offers(k, c, at))
		return false;
	petition(k, c, r, at);
	return true;
}

/* Of an input's lanes that are ready, the one served least recently that can; where priorities
 * count, of those whose way has the best. */
ALWAYS_INLINE void petition_input(mode k, odo_part *c, odo_round *r, uint32_t f)
{
	odo_spot first = f << k.lane_bits, best = ODO_NONE;
	unsigned lanes = ready_lanes(k, c, f), least = UINT_MAX;
	while (lanes && least) {
		unsigned l = next_lane(&c->lanes[first], lanes);
		odo_spot at = first | l;
		lanes &= ~(1u << l);
		if (!offers(k, c, at))
			continue;
		unsigned yields = k.minimal_first ? c->rest[at].yields : 0;
		best = yields < least ? at : best;
		least = yields < least ? yields : least;
	}
	if (best != ODO_NONE)
		petition(k, c, r, best);
}

/* The only lane that is ready. */
ALWAYS_INLINE odo_spot single_lane(mode k, const odo_round *r, uint32_t f)
{
	const uint64_t *digits = &r->digits[f / 64 << k.lane_bits];
	odo_spot at = f << k.lane_bits;
	for (unsigned i = 0; i < k.lane_bits; i++)
		at |= (odo_spot)(digits[i] >> f % 64 & 1) << i;
	return at;
}

/* ---- Rounds ---- */

/* Can heads stay ready though they did not petition, or lost? */
ALWAYS_INLINE bool undecided(mode k, const odo_part *c)
{
	return k.policy || weighted(k, c);
}

/* Inputs of a word with a lane that is ready, and those with more than one. Which it is where it
 * is one goes into `digits`. */
struct inputs {
	uint64_t any, more;
};

ALWAYS_INLINE struct inputs tell_lanes(mode k, const odo_part *c, uint32_t x, uint64_t *digits)
{
	struct inputs in = {0};
	for (unsigned i = 0; i < k.lane_bits; i++)
		digits[i] = 0;
	for (unsigned l = 0; l < k.I; l++) {
		uint64_t ready = ready_inputs(k, c, x, l);
		in.more |= in.any & ready;
		in.any |= ready;
		for (unsigned i = 0; i < k.lane_bits; i++)
			digits[i] |= l >> i & 1 ? ready : 0;
	}
	return in;
}

/* Inputs that are free and have a head that may go, of the switches that have a round now. */
ALWAYS_INLINE void list_inputs(mode k, const odo_part *c, odo_round *r)
{
	uint32_t *single = r->single, *several = r->several;
	for (uint32_t x = 0; x < c->n_words; x++) {
		uint64_t these = c->free_in[x] & (undecided(k, c) ? r->members[x] : UINT64_MAX);
		if (undecided(k, c) && !these)
			continue;
		struct inputs in = tell_lanes(k, c, x, &r->digits[x << k.lane_bits]);
		single = list_bits(single, these & in.any & ~in.more, x * 64, 8);
		several = list_bits(several, these & in.more, x * 64, 4);
	}
	r->n_single = (uint32_t)(single - r->single);
	r->n_several = (uint32_t)(several - r->several);
}

/* Those that were not served, and may petition with another lane. */
ALWAYS_INLINE void list_losers(mode k, const odo_part *c, odo_round *r)
{
	r->n_single = r->n_several = 0;
	for (uint32_t i = 0; i < r->n_losers; i++) {
		uint32_t f = r->several[r->n_several] = port_of(k, r->losers[i]);
		r->n_several += ready_lanes(k, c, f) != 0;
	}
}

ALWAYS_INLINE void add_switch(mode k, odo_round *r, uint32_t f)
{
	unsigned ports = 1u << k.port_bits;
	if (ports < 64)
		r->members[f / 64] |= ((1ull << ports) - 1) << (f % 64 & ~(ports - 1));
	else
		memset(&r->members[f / 64 & ~(k.W - 1)], 0xFF, k.W * sizeof *r->members);
}

/* The switches that have another round where any input may have more to say: those that granted
 * something. Who lost may petition for another output, who waited may now misroute, since OFAR asks
 * what was granted in this cycle, and the next VL has its turn. */
ALWAYS_INLINE void choose_switches(mode k, const odo_part *c, odo_round *r)
{
	memset(r->members, 0, c->n_words * sizeof *r->members);
	for (uint32_t i = 0; i < r->n_granted; i++)
		add_switch(k, r, r->granted[i]);
}

/* VL arbitration of the switches that have a round. */
ALWAYS_INLINE void weigh_all(mode k, const odo_part *c, const odo_round *r)
{
	for (uint32_t s = 0; s < c->n_switches; s++) {
		uint32_t f = s << k.port_bits;
		if (r->members[f / 64] >> f % 64 & 1)
			weigh(k, c, s);
	}
}

/* Inputs with one lane that is ready: who can go and who cannot. */
ALWAYS_INLINE void tell_single(mode k, const odo_part *c, const odo_round *r, struct told *t)
{
#ifdef ODO_WIDE
	if (k.uniform) {
		tell_wide(k, c, r, t);
		return;
	}
#endif
	for (uint32_t i = 0; i < r->n_single; i++) {
		odo_spot at = single_lane(k, r, r->single[i]);
		bool can = can_go(k, c, at);
		*t->can = *t->cannot = at;
		t->can += can;
		t->cannot += !can;
	}
}

/* Inputs with more: of those lanes that can go the one that petitioned least recently. */
ALWAYS_INLINE void tell_several(mode k, const odo_part *c, const odo_round *r, struct told *t)
{
	for (uint32_t i = 0; i < r->n_several; i++) {
		odo_spot first = r->several[i] << k.lane_bits;
		unsigned ready = ready_lanes(k, c, r->several[i]);
		uint64_t best = ODO_NOBODY;
		for (unsigned l = 0; l < k.I; l++) {
			odo_spot at = first | l;
			bool is = ready >> l & 1, can = is & can_go(k, c, at);
			uint64_t turn = (uint64_t)c->lanes[at].petition << 32 | at;
			turn |= (uint64_t)can - 1;
			best = turn < best ? turn : best;
			*t->cannot = at;
			t->cannot += is & !can;
		}
		*t->can = (odo_spot)best;
		t->can += best != ODO_NOBODY;
	}
}

/* Where no one needs to be asked: who can go and who cannot are told apart first, since it could
 * not be predicted. */
ALWAYS_INLINE void petition_all(mode k, odo_part *c, odo_round *r)
{
	struct told t = {.can = r->single, .cannot = r->blocked};
	tell_single(k, c, r, &t);
	tell_several(k, c, r, &t);
	for (odo_spot *at = r->single; at < t.can; at++)
		petition(k, c, r, *at);
	for (odo_spot *at = r->blocked; at < t.cannot; at++)
		park(k, c, *at);
}

ALWAYS_INLINE void petition_by_asking(mode k, odo_part *c, odo_round *r)
{
	for (uint32_t i = 0; i < r->n_single; i++)
		petition_with(k, c, r, single_lane(k, r, r->single[i]));
	for (uint32_t i = 0; i < r->n_several; i++)
		petition_input(k, c, r, r->several[i]);
}

ALWAYS_INLINE void petition_round(mode k, odo_part *c, odo_round *r)
{
	if (weighted(k, c))
		weigh_all(k, c, r);
	r->n_losers = r->n_granted = 0;
	if (undecided(k, c))
		petition_by_asking(k, c, r);
	else
		petition_all(k, c, r);
	/* Outputs will be busy; but a policy may name others. */
	for (uint32_t i = 0; i < r->n_losers; i++)
		if (!asks(k, c, r->losers[i]))
			park(k, c, r->losers[i]);
}

ALWAYS_INLINE void grant_round(mode k, odo_part *c, odo_round *r)
{
	memset(r->touched, 0, c->n_words * sizeof *r->touched);
	for (uint32_t i = 0; i < r->n_granted; i++) {
		uint32_t out = r->granted[i];
		odo_spot from = take_best(r, out);
		mark_served(k, c, out, port_of(k, from));
		set_bit(r->touched, out);
		set_bit(r->served, port_of(k, from));
		grant(k, c, from);
	}
	for (uint32_t x = 0; k.even && x < c->n_words; x++)
		occupy_words(c, x, r->served[x], r->touched[x]);
}

/* Inputs whose lanes send side by side: one grant a pass, but others may follow. */
ALWAYS_INLINE void reopen_inputs(mode k, odo_part *c, const odo_round *r)
{
	for (uint32_t x = 0; x < c->n_words; x++)
		for (uint64_t m = r->served[x]; m; m &= m - 1) {
			uint32_t f = x * 64 + lowest_bit(m);
			unsigned sending = 0;
			for (unsigned l = 0; l < k.I; l++)
				sending += test_lane(k, c->sending, f << k.lane_bits | l);
			if (sending < c->world->model.input_parallel)
				set_bit(c->free_in, f);
		}
}

/* All rounds of one pass, of all switches together, since their ports never meet. */
ALWAYS_INLINE void allocate_pass(mode k, odo_part *c)
{
	odo_round *r = &c->worker->round;
	unsigned rounds = c->world->model.iterations;
	c->round = 0;
	memset(r->served, 0, c->n_words * sizeof *r->served);
	if (undecided(k, c))
		memset(r->members, 0xFF, c->n_words * sizeof *r->members);
	list_inputs(k, c, r);
	while ((r->n_single || r->n_several) && c->round < rounds) {
		c->round++;
		petition_round(k, c, r);
		grant_round(k, c, r);
		if (undecided(k, c)) {
			choose_switches(k, c, r);
			list_inputs(k, c, r);
		} else {
			list_losers(k, c, r);
		}
	}
	if (k.parallel)
		reopen_inputs(k, c, r);
}

/* Ports of a crossbar so fast that they serve several packets a cycle. */
ALWAYS_INLINE void reopen_ports(mode k, odo_part *c, const odo_round *r)
{
	const odo_model *m = &c->world->model;
	uint32_t ready = c->now + m->pipeline;
	for (uint32_t x = 0; x < c->n_words; x++) {
		uint64_t used = r->free_out[x] & ~c->free_out[x];
		c->free_in[x] = r->free_in[x];
		for (; used; used &= used - 1) {
			uint32_t out = x * 64 + lowest_bit(used);
			if (c->line[out] + m->packet > ready + m->output_buffer ||
			    (k.failing && test_bit(c->dead, out)))
				continue;
			set_bit(c->free_out, out);
			if (test_bit(c->parked, out))
				unpark(k, c, out);
		}
	}
}

/* All passes in one cycle. Of a fast crossbar's, each must have been carried out before the next
 * one. */
ALWAYS_INLINE void allocate(mode k, odo_part *c)
{
	uint32_t passes = c->world->passes;
	odo_round *r = &c->worker->round;
	if (!k.buffered || passes == 1) {
		allocate_pass(k, c);
		return;
	}
	while (passes--) {
		memcpy(r->free_in, c->free_in, c->n_words * sizeof *r->free_in);
		memcpy(r->free_out, c->free_out, c->n_words * sizeof *r->free_out);
		allocate_pass(k, c);
		carry_out(k, c);
		look_at_heads(k, c);
		reopen_ports(k, c, r);
	}
}

#endif
