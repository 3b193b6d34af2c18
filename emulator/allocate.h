/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The separable, input-first allocator. Included by cycle.c alone.
 *
 * Each round, every input petitions with one of its lanes for one output, and every output grants
 * one of its petitions; up to `iterations` rounds a cycle. Both sides serve who was served least
 * recently; an input's lane counts as served when it petitions.
 *
 * This is where the time goes, and most of that into branches that nobody can predict. So inputs
 * are gone through once, an output's best petition being kept as they come, and then the outputs
 * once; and the small switches of a block are allocated together, since their ports never meet.
 */
#ifndef ODONATA_EMULATOR_ALLOCATE_H
#define ODONATA_EMULATOR_ALLOCATE_H

#include <string.h>

#include "emulator/grant.h"

/* Ports are counted from the block's first. */
struct round {
	uint64_t touched[ODO_MAX_WORDS];   /* outputs that have a petition */
	uint64_t served[ODO_MAX_WORDS];    /* inputs granted in any round */
	unsigned left_out;                 /* not 0: somebody petitioned in vain who may
					       petition again */
	odo_spot best[64 * ODO_MAX_WORDS]; /* lane served first, of each output touched */
};

ALWAYS_INLINE unsigned in_block(mode k, uint32_t f)
{
	return f & (64 * k.W - 1);
}

/* ---- Outputs ---- */

/* When an output has served an input last: the smaller, the sooner its turn. */
ALWAYS_INLINE unsigned turn(mode k, const odo_part *c, uint32_t out, uint32_t f)
{
	unsigned last = c->served[(out << k.port_bits) + in_switch(k, f)];
	if (c->world->model.transit_first && c->links[f].side == ODO_SIDE_HOST)
		last += UINT16_MAX + 1u;
	return last;
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
	c->grants[out] = (uint16_t)P;
}

NEVER_INLINE void rotate(odo_part *c, unsigned port_bits, uint32_t out, unsigned in)
{
	unsigned P = c->sw[out >> port_bits].ports;
	for (unsigned i = 0; i < P; i++)
		c->served[(out << port_bits) + i] = (uint16_t)((i + P - in - 1) % P);
}

ALWAYS_INLINE void mark_served(mode k, odo_part *c, uint32_t out, uint32_t f)
{
	if (k.in_turn) {
		rotate(c, k.port_bits, out, in_switch(k, f));
		return;
	}
	if (__builtin_expect(c->grants[out] == UINT16_MAX, 0))
		renumber(c, k.port_bits, out);
	c->served[(out << k.port_bits) + in_switch(k, f)] = ++c->grants[out];
}

/* The output will be busy. Unless its policy may name another, the head waits there. */
ALWAYS_INLINE void lose(mode k, odo_part *c, struct round *r, odo_spot at)
{
	uint32_t f = port_of(k, at);
	unsigned l = lane_of(k, at);
	if (!k.policy || !(c->asks[f] >> l & 1)) {
		clear_ready(c, f, l);
		park(k, c, at);
	}
	r->left_out |= k.policy ? 1 : c->ready_lanes[f];
}

#define NOBODY UINT32_MAX

/* Returns the lane that has petitioned in vain: this one or an earlier one, or NOBODY. */
ALWAYS_INLINE odo_spot petition(mode k, const odo_part *c, struct round *r, odo_spot at)
{
	uint32_t out = port_of(k, wanted(k, c, at)), f = port_of(k, at);
	odo_spot *best = &r->best[in_block(k, out)], rival = *best;
	if (!test_bit(r->touched, in_block(k, out))) {
		set_bit(r->touched, in_block(k, out));
		*best = at;
		return NOBODY;
	}
	unsigned own = turn(k, c, out, f), other = turn(k, c, out, port_of(k, rival));
	bool first = own < other || (own == other && f < port_of(k, rival));
	*best = first ? at : rival;
	return first ? rival : at;
}

/* ---- Inputs ---- */

/* Would this lane petition? Asks the policy where it wants to be asked. */
ALWAYS_INLINE bool offers(mode k, odo_part *c, odo_spot at)
{
	uint32_t f = port_of(k, at);
	unsigned l = lane_of(k, at);
	bool asks = k.policy && c->asks[f] >> l & 1, keep = true;
	if (asks && !ask(k, c, at, &keep))
		return false;
	bool can = can_go(k, c, at);
	if (asks && keep)
		stop_asking(k, c, f, l);
	if (!can && keep) {
		clear_ready(c, f, l);
		park(k, c, at);
	}
	return can && !(weighted(k, c) && !asks && !has_turn(k, c, wanted(k, c, at)));
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

ALWAYS_INLINE void note_petition(odo_part *c, odo_spot at)
{
	c->lanes[at].petition = ++c->petitions;
}

/* The input's petition of this round: of several lanes the one served least recently. */
ALWAYS_INLINE void petition_input(mode k, odo_part *c, struct round *r, uint32_t f)
{
	odo_spot first = f << k.lane_bits;
	unsigned lanes = c->ready_lanes[f];
	while (lanes) {
		unsigned l = next_lane(&c->lanes[first], lanes);
		if (offers(k, c, first | l)) {
			note_petition(c, first | l);
			odo_spot loser = petition(k, c, r, first | l);
			if (loser != NOBODY)
				lose(k, c, r, loser);
			return;
		}
		lanes &= ~(1u << l);
	}
}

/* ---- Rounds ---- */

/* What is allocated together: a block's ports, or those of one of its switches. */
struct field {
	uint32_t first;   /* word */
	uint64_t members; /* of each word; all, where a switch has more than one */
};

/* True if some output has a petition. */
ALWAYS_INLINE bool petition_round(mode k, odo_part *c, struct field at, struct round *r)
{
	uint64_t any = 0;
	for (unsigned x = 0; x < k.W; x++)
		r->touched[x] = 0;
	r->left_out = weighted(k, c); /* by its VL, perhaps */
	if (weighted(k, c))
		weigh(k, c, (at.first * 64 + lowest_bit(at.members)) >> k.port_bits);
	for (unsigned x = 0; x < k.W; x++) {
		uint64_t m = c->ready[at.first + x] & c->free_in[at.first + x] & at.members;
		for (; m; m &= m - 1)
			petition_input(k, c, r, (at.first + x) * 64 + lowest_bit(m));
	}
	for (unsigned x = 0; x < k.W; x++)
		any |= r->touched[x];
	return any;
}

ALWAYS_INLINE void grant_round(mode k, odo_part *c, struct field at, struct round *r)
{
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = r->touched[x]; m; m &= m - 1) {
			uint32_t out = (at.first + x) * 64 + lowest_bit(m);
			odo_spot from = r->best[in_block(k, out)];
			mark_served(k, c, out, port_of(k, from));
			set_bit(r->served, in_block(k, port_of(k, from)));
			grant(k, c, from);
		}
	for (unsigned x = 0; k.even && x < k.W; x++)
		occupy_words(c, at.first + x, r->served[x], r->touched[x]);
}

/* Inputs whose lanes send side by side: one grant a pass, but others may follow. */
ALWAYS_INLINE void reopen_inputs(mode k, odo_part *c, struct field at, const struct round *r)
{
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = r->served[x]; m; m &= m - 1) {
			uint32_t f = (at.first + x) * 64 + lowest_bit(m);
			unsigned sending = (unsigned)__builtin_popcount(c->sending[f]);
			if (sending < c->world->model.input_parallel)
				set_bit(c->free_in, f);
		}
}

/* All rounds of one pass. */
ALWAYS_INLINE void allocate_pass(mode k, odo_part *c, struct field at)
{
	struct round r;
	unsigned rounds = c->world->model.iterations;
	bool again = false;
	c->round = 0;
	for (unsigned x = 0; x < k.W; x++)
		r.served[x] = 0;
	do {
		c->round++;
		again = petition_round(k, c, at, &r) && r.left_out;
		grant_round(k, c, at, &r);
	} while (again && --rounds);
	if (k.parallel)
		reopen_inputs(k, c, at, &r);
}

/* What was free before a pass of a crossbar so fast that ports serve several packets a cycle. */
struct before {
	uint64_t in[ODO_MAX_WORDS], out[ODO_MAX_WORDS];
};

ALWAYS_INLINE void reopen_ports(mode k, odo_part *c, struct field at, const struct before *before)
{
	const odo_model *m = &c->world->model;
	uint32_t ready = c->now + m->pipeline;
	for (unsigned x = 0; x < k.W; x++) {
		uint64_t used = before->out[x] & ~c->free_out[at.first + x];
		c->free_in[at.first + x] = before->in[x];
		for (; used; used &= used - 1) {
			uint32_t out = (at.first + x) * 64 + lowest_bit(used);
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
ALWAYS_INLINE void allocate(mode k, odo_part *c, struct field at)
{
	uint32_t passes = c->world->passes;
	struct before before;
	if (!k.buffered || passes == 1) {
		allocate_pass(k, c, at);
		return;
	}
	while (passes--) {
		memcpy(before.in, c->free_in + at.first, k.W * sizeof *before.in);
		memcpy(before.out, c->free_out + at.first, k.W * sizeof *before.out);
		allocate_pass(k, c, at);
		carry_out(k, c);
		look_at_heads(k, c);
		reopen_ports(k, c, at, &before);
	}
}

/* The ports of a switch among those of its block. */
ALWAYS_INLINE uint64_t switch_members(mode k, unsigned bit)
{
	unsigned ports = 1u << k.port_bits;
	return ports >= 64 ? UINT64_MAX : ((1ull << ports) - 1) << (bit & ~(ports - 1));
}

/* A block where some input is free and has a head that may go. Policies are asked in each round,
 * which therefore must be a switch's own; so must be VL arbitration. */
ALWAYS_INLINE void allocate_block(mode k, odo_part *c, uint32_t first, uint64_t active)
{
	struct field at = {first, UINT64_MAX};
	if ((!k.policy && !weighted(k, c)) || k.W > 1) {
		allocate(k, c, at);
		return;
	}
	for (; active; active &= ~at.members) {
		at.members = switch_members(k, lowest_bit(active));
		allocate(k, c, at);
	}
}

ALWAYS_INLINE void allocate_all(mode k, odo_part *c)
{
	for (uint32_t first = 0; first < c->n_words; first += k.W) {
		uint64_t active = 0;
		for (unsigned x = 0; x < k.W; x++)
			active |= c->ready[first + x] & c->free_in[first + x];
		if (active)
			allocate_block(k, c, first, active);
	}
}

#endif
