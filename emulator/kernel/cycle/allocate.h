/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The separable, input-first allocator. Included by cycle.c alone.
 *
 * Each round, every input petitions with one of its lanes for one output, and every output grants
 * one of its petitions; up to `iterations` rounds a cycle. Outputs serve the input, and inputs the
 * lane, that was served least recently; a lane counts as served when it petitions.
 *
 * Most time of a run is spent here, mainly in branches that the processor cannot predict. Therefore
 * one loop goes over the inputs and keeps the best petition of each output; a second loop goes over
 * the outputs. Both loops serve all switches of a part together.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_ALLOCATE_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_ALLOCATE_H

#include <limits.h>
#include <string.h>

#include "emulator/kernel/cycle/grant.h"

/* ---- Outputs ---- */

/* Maximum number of bits of in_lanes(). */
#define SPOT_BITS 12u
static_assert(ODO_MAX_PORTS << 4 <= 1u << SPOT_BITS && ODO_MAX_LANES < 16, "lanes of a switch");

/* Return the lane that turn_of_lane() encoded in `turn`, at the switch of an output. */
ALWAYS_INLINE odo_spot spot_in_turn(mode k, uint32_t out, uint32_t turn)
{
	return ((out >> k.port_bits) << (k.port_bits + k.lane_bits)) | in_lanes(k, turn);
}

/* Priority of a lane at an output; the smaller, the sooner its turn. It is the time when the output
 * last served the lane's input; with round robin, the distance of this input from the one served
 * last. Ties go to the lower lane number. */
ALWAYS_INLINE uint32_t turn_of_lane(mode k, const odo_link *out, odo_spot at)
{
	uint32_t f = port_at(k, at), in = in_switch(k, f);
	uint32_t last = k.in_turn ? in_switch(k, f - out->grants) : out->served[in];
	if (k.transit_first && link_at(k, f)->side == ODO_SIDE_HOST)
		last += UINT16_MAX + 1u;
	if (k.minimal_first)
		last += k.rest[at].yields * 2u * (UINT16_MAX + 1u);
	return last << SPOT_BITS | in_lanes(k, at);
}

/* Grant counts have 16 bits; before they overflow, replace them by their ranks. */
NEVER_INLINE void rank_grants(odo_link *out, unsigned P)
{
	uint16_t *served = out->served, rank[ODO_MAX_PORTS];
	for (unsigned i = 0; i < P; i++) {
		rank[i] = 0;
		for (unsigned j = 0; j < P; j++)
			rank[i] += served[j] < served[i];
	}
	memcpy(served, rank, P * sizeof *served);
	out->grants = (uint16_t)P;
}

ALWAYS_INLINE void mark_served(mode k, odo_part *part, uint32_t out, uint32_t f)
{
	odo_link *link = link_at(k, out);
	if (k.in_turn) {
		link->grants = (uint16_t)(in_switch(k, f) + 1);
		return;
	}
	if (__builtin_expect(link->grants == UINT16_MAX, 0))
		rank_grants(link, part->sw[out >> k.port_bits].ports);
	link->served[in_switch(k, f)] = ++link->grants;
}

/* The head cannot go; it waits at its output. */
ALWAYS_INLINE void park_head(mode k, odo_spot at)
{
	clear_ready(k, at);
	park_unless(k, at, false);
}

/* Lists that petitions fill, and the clock of petitions; a struct of their own, so that they stay
 * in registers. */
struct petitions {
	uint32_t *granted;
	odo_spot *losers;
	uint32_t count;
};

ALWAYS_INLINE struct petitions begin_petitions(const odo_part *part, const odo_round *r)
{
	return (struct petitions){r->granted, r->losers, part->petitions};
}

ALWAYS_INLINE void end_petitions(odo_part *part, odo_round *r, const struct petitions *p)
{
	r->n_granted = (uint32_t)(p->granted - r->granted);
	r->n_losers = (uint32_t)(p->losers - r->losers);
	part->petitions = p->count;
}

/* If two lanes petition for an output, keep the one that is first in turn and list the other as a
 * loser. The code has no branch, because the outcome could not be predicted. */
ALWAYS_INLINE void petition_output(mode k, struct petitions *p, odo_spot at)
{
	if (!k.flits) /* with flits, a grant sets it */
		k.lanes[at].petition = ++p->count;
	uint32_t out = port_at(k, wanted_way(k, at));
	odo_link *link = link_at(k, out);
	uint32_t own = turn_of_lane(k, link, at), rival = link->best;
	bool first = rival == ODO_NOBODY;
	link->best = own < rival ? own : rival;
	*p->granted = out;
	p->granted += first;
	*p->losers = spot_in_turn(k, out, own < rival ? rival : own);
	p->losers += !first;
}

/* Return the winner of an output in this round. */
ALWAYS_INLINE odo_spot take_winner(mode k, uint32_t out)
{
	odo_link *link = link_at(k, out);
	odo_spot at = spot_in_turn(k, out, link->best);
	link->best = ODO_NOBODY;
	return at;
}

/* ---- Inputs ---- */

/* Record whether the head of a lane waits for output `out`. */
ALWAYS_INLINE void park_at(mode k, uint32_t out, odo_spot at, bool waits)
{
	uint64_t *word = &k.parked_at[parked_word(k, out, at)], bit = 1ull << bit_at(k, at);
	*word = waits ? *word | bit : *word & ~bit;
	k.parked[out / 64] |= (uint64_t)waits << out % 64;
}

/* Try to park a head that will be sent to one of two outputs. While neither is free, the head waits
 * at both and its policy need not be asked. False: the policy must be asked; the head waits at
 * neither. */
ALWAYS_INLINE bool waits_for_either(mode k, odo_spot at)
{
	if (k.flits || !k.rest[at].other)
		return false;
	uint32_t one = port_at(k, wanted_way(k, at));
	uint32_t other = (one & ~((1u << k.port_bits) - 1)) + k.rest[at].other - 1;
	bool busy = !odo_has_bit(k.free_out, one) && !odo_has_bit(k.free_out, other);
	park_at(k, one, at, busy);
	park_at(k, other, at, busy);
	if (busy)
		clear_ready(k, at);
	return busy;
}

/* Would this lane petition? The function asks the policy where the policy requires it. */
ALWAYS_INLINE bool may_petition(mode k, odo_part *part, odo_spot at)
{
	bool open = asks_again(k, at);
	if (k.sets && open)
		return choose_by_sets(k, part, at);
	enum odo_ask again = ODO_ASK_NEVER;
	if (open && (waits_for_either(k, at) || !ask_policy(k, part, at, &again)))
		return false;
	bool can = can_go(k, at);
	if (open && again == ODO_ASK_NEVER)
		stop_asking(k, port_at(k, at), lane_at(k, at));
	if (!can && again != ODO_ASK_EACH_ROUND && again != ODO_ASK_EITHER)
		park_head(k, at);
	return can && !(uses_vlarb(k, part) && !open && !has_turn(k, part, wanted_way(k, at)));
}

/* Return the lane of a set that petitioned least recently. */
ALWAYS_INLINE unsigned next_lane(const odo_lane *of_input, unsigned lanes)
{
	unsigned best = odo_lowest_bit(lanes);
	while (lanes &= lanes - 1) {
		unsigned l = odo_lowest_bit(lanes);
		/* No branch, because it could not be predicted. */
		best ^= (best ^ l) & -(unsigned)(of_input[l].petition < of_input[best].petition);
	}
	return best;
}

/* Petition counts have 32 bits; before a cycle in which they could overflow, replace them by their
 * ranks. */
NEVER_INLINE void rank_petitions(odo_part *part, unsigned lanes, unsigned lane_bits)
{
	uint32_t ports = part->n_words * 64;
	for (uint32_t f = 0; f < ports; f++) {
		odo_lane *of = &part->lanes[f << lane_bits];
		uint32_t rank[ODO_MAX_LANES] = {0};
		for (unsigned i = 0; i < lanes; i++)
			for (unsigned j = 0; j < lanes; j++)
				rank[i] += of[j].petition < of[i].petition;
		for (unsigned i = 0; i < lanes; i++)
			of[i].petition = rank[i];
	}
	part->petitions = ODO_MAX_LANES;
}

ALWAYS_INLINE void bound_petitions(mode k, odo_part *part)
{
	const odo_world *w = part->world;
	uint64_t rounds = k.flits ? w->model.speedup : (uint64_t)w->model.iterations * w->passes;
	if (__builtin_expect(part->petitions + k.n_words * 64 * rounds > UINT32_MAX, 0))
		rank_petitions(part, k.I, k.lane_bits);
}

ALWAYS_INLINE void petition_with(mode k, odo_part *part, struct petitions *p, odo_spot at)
{
	if (may_petition(k, part, at))
		petition_output(k, p, at);
}

/* Petition for an input: among its ready lanes that can go, take the one served least recently.
 * With priorities, consider only lanes whose way has the best priority. */
ALWAYS_INLINE void petition_input(mode k, odo_part *part, struct petitions *p, uint32_t f)
{
	odo_spot first = f << k.lane_bits, best = ODO_NONE;
	unsigned lanes = ready_lanes(k, f), least = UINT_MAX;
	while (lanes && least) {
		unsigned l = next_lane(&k.lanes[first], lanes);
		odo_spot at = first | l;
		lanes &= ~(1u << l);
		if (!may_petition(k, part, at))
			continue;
		unsigned yields = k.minimal_first ? k.rest[at].yields : 0;
		best = yields < least ? at : best;
		least = yields < least ? yields : least;
	}
	if (best != ODO_NONE)
		petition_output(k, p, best);
}

/* Return the only ready lane of an input. */
ALWAYS_INLINE odo_spot single_lane(mode k, const odo_round *r, uint32_t f)
{
	const uint64_t *digits = &r->digits[f / 64 << k.lane_bits];
	odo_spot at = f << k.lane_bits;
	for (unsigned i = 0; i < k.lane_bits; i++)
		at |= (odo_spot)(digits[i] >> f % 64 & 1) << i;
	return at;
}

/* ---- Rounds ---- */

/* Can heads stay ready that did not petition, or that lost? */
ALWAYS_INLINE bool heads_may_stay(mode k, const odo_part *part)
{
	return k.revises || uses_vlarb(k, part);
}

/* Inputs of a word: `any` has at least one ready lane, `more` has several. The function stores the
 * number of a single ready lane in `digits`, in binary. */
struct inputs {
	uint64_t any, more;
};

ALWAYS_INLINE struct inputs classify_inputs(mode k, uint32_t x, uint64_t *digits)
{
	struct inputs in = {0};
	for (unsigned i = 0; i < k.lane_bits; i++)
		digits[i] = 0;
	for (unsigned l = 0; l < k.I; l++) {
		uint64_t ready = ready_inputs(k, x, l);
		in.more |= in.any & ready;
		in.any |= ready;
		for (unsigned i = 0; i < k.lane_bits; i++)
			digits[i] |= l >> i & 1 ? ready : 0;
	}
	return in;
}

/* List the free inputs that have a ready head, in switches that take part in this round. */
ALWAYS_INLINE void list_inputs(mode k, const odo_part *part, odo_round *r)
{
	uint32_t *single = r->single, *several = r->several;
	for (uint32_t x = 0; x < k.n_words; x++) {
		uint64_t these = k.free_in[x] &
				 (heads_may_stay(k, part) ? r->members[x] : UINT64_MAX);
		if (heads_may_stay(k, part) && !these)
			continue;
		struct inputs in = classify_inputs(k, x, &r->digits[x << k.lane_bits]);
		single = list_bits(single, these & in.any & ~in.more, x * 64, 8);
		several = list_bits(several, these & in.more, x * 64, 4);
	}
	r->n_single = (uint32_t)(single - r->single);
	r->n_several = (uint32_t)(several - r->several);
}

/* List the inputs that lost and may petition with another lane. */
ALWAYS_INLINE void list_losers(mode k, odo_round *r)
{
	r->n_single = r->n_several = 0;
	for (uint32_t i = 0; i < r->n_losers; i++) {
		uint32_t f = r->several[r->n_several] = port_at(k, r->losers[i]);
		r->n_several += ready_lanes(k, f) != 0;
	}
}

ALWAYS_INLINE void add_round_switch(mode k, odo_round *r, uint32_t f)
{
	unsigned ports = 1u << k.port_bits;
	if (ports < 64)
		r->members[f / 64] |= ((1ull << ports) - 1) << (f % 64 & ~(ports - 1));
	else
		memset(&r->members[f / 64 & ~(k.W - 1)], 0xFF, k.W * sizeof *r->members);
}

/* Select the switches that need another round: those that granted a petition, if any of their
 * inputs may petition differently now. A loser may petition for another output. A waiting head may
 * misroute, since OFAR looks at what was granted in this cycle. The next VL has its turn. */
ALWAYS_INLINE void choose_switches(mode k, odo_round *r)
{
	memset(r->members, 0, k.n_words * sizeof *r->members);
	for (uint32_t i = 0; i < r->n_granted; i++)
		add_round_switch(k, r, r->granted[i]);
}

/* Arbitrate VLs at the switches that take part in the round. */
ALWAYS_INLINE void arbitrate_all_vls(mode k, const odo_part *part, const odo_round *r)
{
	for (uint32_t s = 0; s < part->n_switches; s++) {
		uint32_t f = s << k.port_bits;
		if (odo_has_bit(r->members, f))
			arbitrate_vls(k, part, s);
	}
}

/* Inputs with a single ready lane: separate heads that can go from heads that cannot. */
ALWAYS_INLINE void sort_single(mode k, const odo_round *r, struct ready *t)
{
#ifdef ODO_WIDE
	if (k.uniform) {
		sort_wide(k, r, t);
		return;
	}
#endif
	for (uint32_t i = 0; i < r->n_single; i++) {
		odo_spot at = single_lane(k, r, r->single[i]);
		bool can = can_go(k, at);
		*t->can = *t->cannot = at;
		t->can += can;
		t->cannot += !can;
	}
}

/* Inputs with several ready lanes: of the lanes that can go, take the one that petitioned least
 * recently. */
ALWAYS_INLINE void sort_several(mode k, const odo_round *r, struct ready *t)
{
	for (uint32_t i = 0; i < r->n_several; i++) {
		odo_spot first = r->several[i] << k.lane_bits;
		unsigned ready = ready_lanes(k, r->several[i]);
		uint64_t best = UINT64_MAX;
		for (unsigned l = 0; l < k.I; l++) {
			odo_spot at = first | l;
			bool is = ready >> l & 1, can = is & can_go(k, at);
			uint64_t turn = (uint64_t)k.lanes[at].petition << 32 | at;
			turn |= (uint64_t)can - 1;
			best = turn < best ? turn : best;
			*t->cannot = at;
			t->cannot += is & !can;
		}
		*t->can = (odo_spot)best;
		t->can += best != UINT64_MAX;
	}
}

/* Petition where no policy is asked. Heads that can go are first separated from heads that cannot,
 * since a branch on this could not be predicted. */
ALWAYS_INLINE void petition_all(mode k, const odo_round *r, struct petitions *p)
{
	struct ready t = {.can = r->single, .cannot = r->blocked};
	sort_single(k, r, &t);
	sort_several(k, r, &t);
	for (odo_spot *at = r->single; at < t.can; at++)
		petition_output(k, p, *at);
	for (odo_spot *at = r->blocked; at < t.cannot; at++)
		park_head(k, *at);
}

/* Move the inputs with a head that asks again to `askers`. The code has no branch, because it could
 * not be predicted. @return how many inputs remain in `list` */
ALWAYS_INLINE uint32_t take_askers(mode k, uint32_t *list, uint32_t n, uint32_t **askers)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = list[i];
		bool asking = k.asks[f];
		list[left] = **askers = f;
		left += !asking;
		*askers += asking;
	}
	return left;
}

/* Some heads ask their policy: handle their inputs one by one, and all others as in
 * petition_all(). */
ALWAYS_INLINE void petition_mixed(mode k, odo_part *part, odo_round *r, struct petitions *p)
{
	uint32_t *end = r->askers;
	r->n_single = take_askers(k, r->single, r->n_single, &end);
	r->n_several = take_askers(k, r->several, r->n_several, &end);
	petition_all(k, r, p);
	for (const uint32_t *f = r->askers; f < end; f++)
		petition_input(k, part, p, *f);
}

ALWAYS_INLINE void petition_by_asking(mode k, odo_part *part, const odo_round *r,
				      struct petitions *p)
{
	for (uint32_t i = 0; i < r->n_single; i++)
		petition_with(k, part, p, single_lane(k, r, r->single[i]));
	for (uint32_t i = 0; i < r->n_several; i++)
		petition_input(k, part, p, r->several[i]);
}

ALWAYS_INLINE void petition_round(mode k, odo_part *part, odo_round *r)
{
	if (uses_vlarb(k, part))
		arbitrate_all_vls(k, part, r);
	struct petitions p = begin_petitions(part, r);
	if (k.plain && !uses_vlarb(k, part))
		petition_mixed(k, part, r, &p);
	else if (heads_may_stay(k, part))
		petition_by_asking(k, part, r, &p);
	else
		petition_all(k, r, &p);
	end_petitions(part, r, &p);
	/* The outputs will be busy, but a policy may name others. */
	for (uint32_t i = 0; i < r->n_losers; i++)
		if (!asks_again(k, r->losers[i]))
			park_head(k, r->losers[i]);
}

ALWAYS_INLINE void grant_round(mode k, odo_part *part, odo_round *r)
{
	for (uint32_t i = 0; i < r->n_granted; i++) {
		uint32_t out = r->granted[i];
		odo_spot from = take_winner(k, out);
		mark_served(k, part, out, port_at(k, from));
		odo_set_bit(r->touched, out);
		odo_set_bit(r->served, port_at(k, from));
		grant_lane(k, part, from);
	}
	for (uint32_t x = 0; k.even && x < k.n_words; x++) {
		k.free_in[x] &= ~r->served[x];
		k.free_out[x] &= ~r->touched[x];
	}
}

/* If all packets are equally long, record when the ports of this pass become free again. */
ALWAYS_INLINE void close_words(mode k, const odo_part *part, const odo_round *r)
{
	for (uint32_t x = 0; k.even && x < k.n_words; x++) {
		part->closing[x] |= r->served[x];
		part->closing[x + k.n_words] |= r->touched[x];
	}
}

/* Inputs whose lanes send side by side: each gets one grant a pass, but further lanes may
 * follow. */
ALWAYS_INLINE void reopen_inputs(mode k, odo_part *part, const odo_round *r)
{
	for (uint32_t x = 0; x < k.n_words; x++)
		for (uint64_t m = r->served[x]; m; m &= m - 1) {
			uint32_t f = x * 64 + odo_lowest_bit(m);
			unsigned sending = 0;
			for (unsigned l = 0; l < k.I; l++)
				sending += test_lane(k, k.sending, f << k.lane_bits | l);
			if (sending < part->world->model.input_parallel)
				odo_set_bit(k.free_in, f);
		}
}

/* Run all rounds of one pass, for all switches together, since their ports never meet. */
ALWAYS_INLINE void allocate_pass(mode k, odo_part *part)
{
	odo_round *r = &k.worker->round;
	unsigned rounds = part->world->model.iterations;
	part->round = 0;
	memset(r->served, 0, k.n_words * sizeof *r->served);
	memset(r->touched, 0, k.n_words * sizeof *r->touched);
	if (heads_may_stay(k, part))
		memset(r->members, 0xFF, k.n_words * sizeof *r->members);
	list_inputs(k, part, r);
	while ((r->n_single || r->n_several) && part->round < rounds) {
		part->round++;
		petition_round(k, part, r);
		grant_round(k, part, r);
		if (heads_may_stay(k, part)) {
			choose_switches(k, r);
			list_inputs(k, part, r);
		} else {
			list_losers(k, r);
		}
	}
	close_words(k, part, r);
	if (k.parallel)
		reopen_inputs(k, part, r);
}

/* Reopen the ports of a crossbar so fast that it serves several packets a cycle. */
ALWAYS_INLINE void reopen_ports(mode k, odo_part *part, const odo_round *r)
{
	const odo_model *model = &part->world->model;
	uint32_t ready = k.now + model->pipeline;
	for (uint32_t x = 0; x < k.n_words; x++) {
		uint64_t used = r->free_out[x] & ~k.free_out[x];
		k.free_in[x] = r->free_in[x];
		for (; used; used &= used - 1) {
			uint32_t out = x * 64 + odo_lowest_bit(used);
			if (part->line[out] + model->packet > ready + model->output_buffer ||
			    (k.failing && odo_has_bit(part->dead, out)))
				continue;
			odo_set_bit(k.free_out, out);
			if (odo_has_bit(k.parked, out))
				unpark_heads(k, out);
		}
	}
}

/* Round number for heads that come up after the rounds; it exceeds any number of rounds. Draws of
 * such a head must not depend on how many rounds other switches of its part had. */
#define AFTER_ROUNDS 255u

/* Run all passes of one cycle. With a fast crossbar, each pass must be carried out before the next
 * one. */
ALWAYS_INLINE void allocate_cycle(mode k, odo_part *part)
{
	uint32_t passes = part->world->passes;
	odo_round *r = &k.worker->round;
	if (!k.buffered || passes == 1) {
		allocate_pass(k, part);
		return;
	}
	while (passes--) {
		memcpy(r->free_in, k.free_in, k.n_words * sizeof *r->free_in);
		memcpy(r->free_out, k.free_out, k.n_words * sizeof *r->free_out);
		allocate_pass(k, part);
		part->round = AFTER_ROUNDS + 1 + passes;
		find_head_ways(k, part, carry_out_grants(k, part));
		reopen_ports(k, part, r);
	}
}

#endif
