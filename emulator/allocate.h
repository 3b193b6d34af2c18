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
 * once. The usual switch has one or two candidates a cycle.
 */
#ifndef ODONATA_EMULATOR_ALLOCATE_H
#define ODONATA_EMULATOR_ALLOCATE_H

#include <string.h>

#include "emulator/grant.h"

/* Inputs and outputs are indexed by port. */
struct round {
	uint64_t touched[ODO_MAX_WORDS]; /* outputs that have a petition */
	uint64_t served[ODO_MAX_WORDS];  /* inputs granted in any round */
	unsigned left_out;           /* not 0: somebody petitioned in vain who may petition again */
	uint8_t best[ODO_MAX_PORTS]; /* input served first, of each output touched */
	uint8_t lane[ODO_MAX_PORTS]; /* that each input petitions with */
};

/* ---- Outputs ---- */

/* When an output has served an input last: the smaller, the sooner its turn. */
ALWAYS_INLINE unsigned turn(const odo_part *c, const odo_switch *s, unsigned out, unsigned in)
{
	unsigned last = s->served[out * s->ports + in];
	if (c->world->model.transit_first && s->links[in].class == ODO_LINK_HOST)
		last += UINT16_MAX + 1u;
	return last;
}

/* Counts of grants are 16 bits: before they overflow, replace them by their ranks. */
NEVER_INLINE void renumber(const odo_switch *s, unsigned out)
{
	unsigned P = s->ports;
	uint16_t *served = s->served + out * P, rank[ODO_MAX_PORTS];
	for (unsigned i = 0; i < P; i++) {
		rank[i] = 0;
		for (unsigned j = 0; j < P; j++)
			rank[i] += served[j] < served[i];
	}
	memcpy(served, rank, P * sizeof *served);
	s->grants[out] = (uint16_t)P;
}

NEVER_INLINE void rotate(const odo_switch *s, unsigned out, unsigned in)
{
	unsigned P = s->ports;
	for (unsigned i = 0; i < P; i++)
		s->served[out * P + i] = (uint16_t)((i + P - in - 1) % P);
}

ALWAYS_INLINE void mark_served(const odo_part *c, const odo_switch *s, unsigned out, unsigned in)
{
	if (__builtin_expect(c->world->model.arbiter == ODO_ARBITER_ROUND_ROBIN, 0)) {
		rotate(s, out, in);
		return;
	}
	if (__builtin_expect(s->grants[out] == UINT16_MAX, 0))
		renumber(s, out);
	s->served[out * s->ports + in] = ++s->grants[out];
}

/* The output will be busy. Unless its policy may name another, the head waits there. */
ALWAYS_INLINE void lose(mode k, const odo_switch *s, struct round *r, unsigned in, unsigned out)
{
	unsigned l = r->lane[in];
	if (!k.policy || !(s->asks[in] >> l & 1)) {
		clear_ready(k, s, in, l);
		park(k, s, in, l, out);
	}
	r->left_out |= k.policy ? 1 : s->ready_lanes[in];
}

#define NOBODY ODO_MAX_PORTS

/* Returns the input that has petitioned in vain: this one or an earlier one, or NOBODY. */
ALWAYS_INLINE unsigned petition(mode k, const odo_part *c, const odo_switch *s, struct round *r,
				unsigned in, unsigned l)
{
	unsigned out = way_port(&s->lanes[in * k.I + l]);
	r->lane[in] = (uint8_t)l;
	if (!test_bit(k, r->touched, out)) {
		set_bit(k, r->touched, out);
		r->best[out] = (uint8_t)in;
		return NOBODY;
	}
	unsigned rival = r->best[out], own = turn(c, s, out, in), other = turn(c, s, out, rival);
	bool first = own < other || (own == other && in < rival);
	r->best[out] = (uint8_t)(first ? in : rival);
	return first ? rival : in;
}

/* ---- Inputs ---- */

/* Would this lane petition? Asks the policy where it wants to be asked. */
ALWAYS_INLINE bool offers(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l)
{
	const odo_switch *s = &c->sw[si];
	const odo_lane *q = &s->lanes[in * k.I + l];
	bool asks = k.policy && s->asks[in] >> l & 1, keep = true;
	if (asks && !ask(k, c, si, in, l, &keep))
		return false;
	bool can = can_go(k, s, q);
	if (asks && keep)
		stop_asking(k, s, in, l);
	if (!can && keep) {
		clear_ready(k, s, in, l);
		park(k, s, in, l, way_port(q));
	}
	return can && !(weighted(k, c) && !asks && !has_turn(s, q));
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

/* Petitions are counted in 32 bits: before they overflow, replace them by their ranks. */
NEVER_INLINE void recount(mode k, odo_part *c)
{
	for (uint32_t si = 0; si < c->n_switches; si++)
		for (uint32_t in = 0; in < c->sw[si].ports; in++) {
			odo_lane *of = &c->sw[si].lanes[in * k.I];
			uint32_t rank[ODO_MAX_LANES] = {0};
			for (unsigned i = 0; i < k.I; i++)
				for (unsigned j = 0; j < k.I; j++)
					rank[i] += of[j].petition < of[i].petition;
			for (unsigned i = 0; i < k.I; i++)
				of[i].petition = rank[i];
		}
	c->petitions = ODO_MAX_LANES;
}

ALWAYS_INLINE void note_petition(mode k, odo_part *c, odo_lane *q)
{
	if (__builtin_expect(c->petitions == UINT32_MAX, 0))
		recount(k, c);
	q->petition = ++c->petitions;
}

/* The input's petition of this round: of several lanes the one served least recently. */
ALWAYS_INLINE void petition_input(mode k, odo_part *c, uint32_t si, struct round *r, unsigned in)
{
	const odo_switch *s = &c->sw[si];
	odo_lane *of_input = &s->lanes[in * k.I];
	unsigned lanes = s->ready_lanes[in];
	while (lanes) {
		unsigned l = next_lane(of_input, lanes);
		if (offers(k, c, si, in, l)) {
			note_petition(k, c, &of_input[l]);
			unsigned loser = petition(k, c, s, r, in, l);
			if (loser != NOBODY)
				lose(k, s, r, loser, way_port(&of_input[l]));
			return;
		}
		lanes &= ~(1u << l);
	}
}

/* ---- Rounds ---- */

/* True if some output has a petition. */
ALWAYS_INLINE bool petition_round(mode k, odo_part *c, uint32_t si, struct round *r)
{
	uint64_t any = 0;
	for (unsigned x = 0; x < k.W; x++)
		r->touched[x] = 0;
	r->left_out = weighted(k, c); /* by its VL, perhaps */
	if (weighted(k, c))
		weigh(k, c, si);
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = c->sw[si].ready[x] & c->sw[si].free_in[x]; m; m &= m - 1)
			petition_input(k, c, si, r, x * 64 + lowest_bit(m));
	for (unsigned x = 0; x < k.W; x++)
		any |= r->touched[x];
	return any;
}

ALWAYS_INLINE void grant_round(mode k, odo_part *c, uint32_t si, struct round *r)
{
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = r->touched[x]; m; m &= m - 1) {
			unsigned out = x * 64 + lowest_bit(m), in = r->best[out];
			mark_served(c, &c->sw[si], out, in);
			set_bit(k, r->served, in);
			grant(k, c, si, in, r->lane[in], out);
		}
}

/* Inputs whose lanes send side by side: one grant a pass, but others may follow. */
ALWAYS_INLINE void reopen_inputs(mode k, const odo_part *c, const odo_switch *s,
				 const struct round *r)
{
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = r->served[x]; m; m &= m - 1) {
			unsigned in = x * 64 + lowest_bit(m);
			unsigned sending = (unsigned)__builtin_popcount(s->sending[in]);
			if (sending < c->world->model.input_parallel)
				set_bit(k, s->free_in, in);
		}
}

/* All rounds of one pass. */
ALWAYS_INLINE void allocate_pass(mode k, odo_part *c, uint32_t si)
{
	struct round r;
	unsigned rounds = c->world->model.iterations;
	bool again = false;
	c->round = 0;
	for (unsigned x = 0; x < k.W; x++)
		r.served[x] = 0;
	do {
		c->round++;
		again = petition_round(k, c, si, &r) && r.left_out;
		grant_round(k, c, si, &r);
	} while (again && --rounds);
	if (k.parallel)
		reopen_inputs(k, c, &c->sw[si], &r);
}

/* What was free before a pass of a crossbar so fast that ports serve several packets a cycle. */
struct before {
	uint64_t in[ODO_MAX_WORDS], out[ODO_MAX_WORDS];
};

ALWAYS_INLINE void reopen_ports(mode k, odo_part *c, uint32_t si, const struct before *before)
{
	const odo_switch *s = &c->sw[si];
	const odo_model *m = &c->world->model;
	uint32_t ready = c->now + m->pipeline;
	for (unsigned x = 0; x < k.W; x++) {
		uint64_t used = before->out[x] & ~s->free_out[x];
		s->free_in[x] = before->in[x];
		for (; used; used &= used - 1) {
			unsigned out = x * 64 + lowest_bit(used);
			if (s->line[out] + m->packet > ready + m->output_buffer ||
			    (k.failing && test_bit(k, s->dead, out)))
				continue;
			set_bit(k, s->free_out, out);
			if (test_bit(k, s->parked, out))
				unpark(k, s, out);
		}
	}
}

/** All passes of one switch in one cycle. */
ALWAYS_INLINE void allocate(mode k, odo_part *c, uint32_t si)
{
	const odo_switch *s = &c->sw[si];
	uint32_t passes = c->world->passes;
	struct before before;
	if (!k.buffered || passes == 1) {
		allocate_pass(k, c, si);
		return;
	}
	while (passes--) {
		memcpy(before.in, s->free_in, k.W * sizeof *before.in);
		memcpy(before.out, s->free_out, k.W * sizeof *before.out);
		allocate_pass(k, c, si);
		reopen_ports(k, c, si, &before);
	}
}

#endif
