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
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_ALLOCATE_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_ALLOCATE_H

#include <limits.h>
#include <string.h>

#include "emulator/kernel/cycle/grant.h"

/* ---- Outputs ---- */

/* Bits of in_lanes(), at most. */
#define SPOT_BITS 12u
static_assert(ODO_MAX_PORTS << 4 <= 1u << SPOT_BITS && ODO_MAX_LANES < 16, "lanes of a switch");

/* The lane whose turn it is at an output of its switch. */
ALWAYS_INLINE odo_spot spot_in_turn(mode k, uint32_t out, uint32_t turn)
{
	return ((out >> k.port_bits) << (k.port_bits + k.lane_bits)) | in_lanes(k, turn);
}

/* When an output has served the input of a lane last, or round robin how far that is from the one
 * served last: the smaller, the sooner its turn; then the order of inputs. */
ALWAYS_INLINE uint32_t turn(mode k, const odo_link *out, odo_spot at)
{
	uint32_t f = port_of(k, at), in = in_switch(k, f);
	uint32_t last = k.in_turn ? in_switch(k, f - out->grants) : out->served[in];
	if (k.transit_first && link_at(k, f)->side == ODO_SIDE_HOST)
		last += UINT16_MAX + 1u;
	if (k.minimal_first)
		last += k.rest[at].yields * 2u * (UINT16_MAX + 1u);
	return last << SPOT_BITS | in_lanes(k, at);
}

/* Counts of grants are 16 bits: before they overflow, replace them by their ranks. */
NEVER_INLINE void renumber(odo_link *out, unsigned P)
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
		renumber(link, part->sw[out >> k.port_bits].ports);
	link->served[in_switch(k, f)] = ++link->grants;
}

/* The head cannot go: it waits at its output. */
ALWAYS_INLINE void park(mode k, odo_spot at)
{
	clear_ready(k, at);
	park_unless(k, at, false);
}

/* The lists that petitions make, and their clock: apart, so that they stay in registers. */
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

/* Of two petitions for an output the first in turn stands, the other has lost. Without a branch,
 * which could not be predicted. */
ALWAYS_INLINE void petition(mode k, struct petitions *p, odo_spot at)
{
	if (!k.flits) /* there, when it is granted */
		k.lanes[at].petition = ++p->count;
	uint32_t out = port_of(k, wanted(k, at));
	odo_link *link = link_at(k, out);
	uint32_t own = turn(k, link, at), rival = link->best;
	bool first = rival == ODO_NOBODY;
	link->best = own < rival ? own : rival;
	*p->granted = out;
	p->granted += first;
	*p->losers = spot_in_turn(k, out, own < rival ? rival : own);
	p->losers += !first;
}

/* Who has won an output in this round. */
ALWAYS_INLINE odo_spot take_best(mode k, uint32_t out)
{
	odo_link *link = link_at(k, out);
	odo_spot at = spot_in_turn(k, out, link->best);
	link->best = ODO_NOBODY;
	return at;
}

/* ---- Inputs ---- */

/* Whether the head of a lane waits for output `out`. */
ALWAYS_INLINE void park_at(mode k, uint32_t out, odo_spot at, bool waits)
{
	uint64_t *word = &k.parked_at[parked_word(k, out, at)], bit = 1ull << bit_of(k, at);
	*word = waits ? *word | bit : *word & ~bit;
	k.parked[out / 64] |= (uint64_t)waits << out % 64;
}

/* The head of this lane will be sent to one of two outputs. While neither is free it waits at both
 * and need not be asked. False: it is to be asked, and waits at neither. */
ALWAYS_INLINE bool waits_for_either(mode k, odo_spot at)
{
	if (k.flits || !k.rest[at].other)
		return false;
	uint32_t one = port_of(k, wanted(k, at));
	uint32_t other = (one & ~((1u << k.port_bits) - 1)) + k.rest[at].other - 1;
	bool busy = !odo_has_bit(k.free_out, one) && !odo_has_bit(k.free_out, other);
	park_at(k, one, at, busy);
	park_at(k, other, at, busy);
	if (busy)
		clear_ready(k, at);
	return busy;
}

/* Would this lane petition? Asks the policy where it wants to be asked. */
ALWAYS_INLINE bool offers(mode k, odo_part *part, odo_spot at)
{
	bool open = asks_again(k, at);
	if (k.sets && open)
		return choose_by_sets(k, part, at);
	enum odo_ask again = ODO_ASK_NEVER;
	if (open && (waits_for_either(k, at) || !ask(k, part, at, &again)))
		return false;
	bool can = can_go(k, at);
	if (open && again == ODO_ASK_NEVER)
		stop_asking(k, port_of(k, at), lane_of(k, at));
	if (!can && again != ODO_ASK_EACH_ROUND && again != ODO_ASK_EITHER)
		park(k, at);
	return can && !(weighted(k, part) && !open && !has_turn(k, part, wanted(k, at)));
}

/* Of some lanes, the one that petitioned least recently. */
ALWAYS_INLINE unsigned next_lane(const odo_lane *of_input, unsigned lanes)
{
	unsigned best = odo_lowest_bit(lanes);
	while (lanes &= lanes - 1) {
		unsigned l = odo_lowest_bit(lanes);
		/* Without a branch, which could not be predicted. */
		best ^= (best ^ l) & -(unsigned)(of_input[l].petition < of_input[best].petition);
	}
	return best;
}

/* Petitions are counted in 32 bits: before a cycle in which they could overflow, replace them by
 * their ranks. */
NEVER_INLINE void recount(odo_part *part, unsigned lanes, unsigned lane_bits)
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

ALWAYS_INLINE void keep_count(mode k, odo_part *part)
{
	const odo_world *w = part->world;
	uint64_t rounds = k.flits ? w->model.speedup : (uint64_t)w->model.iterations * w->passes;
	if (__builtin_expect(part->petitions + k.n_words * 64 * rounds > UINT32_MAX, 0))
		recount(part, k.I, k.lane_bits);
}

ALWAYS_INLINE void petition_with(mode k, odo_part *part, struct petitions *p, odo_spot at)
{
	if (offers(k, part, at))
		petition(k, p, at);
}

/* Of an input's lanes that are ready, the one served least recently that can; where priorities
 * count, of those whose way has the best. */
ALWAYS_INLINE void petition_input(mode k, odo_part *part, struct petitions *p, uint32_t f)
{
	odo_spot first = f << k.lane_bits, best = ODO_NONE;
	unsigned lanes = ready_lanes(k, f), least = UINT_MAX;
	while (lanes && least) {
		unsigned l = next_lane(&k.lanes[first], lanes);
		odo_spot at = first | l;
		lanes &= ~(1u << l);
		if (!offers(k, part, at))
			continue;
		unsigned yields = k.minimal_first ? k.rest[at].yields : 0;
		best = yields < least ? at : best;
		least = yields < least ? yields : least;
	}
	if (best != ODO_NONE)
		petition(k, p, best);
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
ALWAYS_INLINE bool undecided(mode k, const odo_part *part)
{
	return k.revises || weighted(k, part);
}

/* Inputs of a word with a lane that is ready, and those with more than one. Which it is where it
 * is one goes into `digits`. */
struct inputs {
	uint64_t any, more;
};

ALWAYS_INLINE struct inputs tell_lanes(mode k, uint32_t x, uint64_t *digits)
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

/* Inputs that are free and have a head that may go, of the switches that have a round now. */
ALWAYS_INLINE void list_inputs(mode k, const odo_part *part, odo_round *r)
{
	uint32_t *single = r->single, *several = r->several;
	for (uint32_t x = 0; x < k.n_words; x++) {
		uint64_t these = k.free_in[x] & (undecided(k, part) ? r->members[x] : UINT64_MAX);
		if (undecided(k, part) && !these)
			continue;
		struct inputs in = tell_lanes(k, x, &r->digits[x << k.lane_bits]);
		single = list_bits(single, these & in.any & ~in.more, x * 64, 8);
		several = list_bits(several, these & in.more, x * 64, 4);
	}
	r->n_single = (uint32_t)(single - r->single);
	r->n_several = (uint32_t)(several - r->several);
}

/* Those that were not served, and may petition with another lane. */
ALWAYS_INLINE void list_losers(mode k, odo_round *r)
{
	r->n_single = r->n_several = 0;
	for (uint32_t i = 0; i < r->n_losers; i++) {
		uint32_t f = r->several[r->n_several] = port_of(k, r->losers[i]);
		r->n_several += ready_lanes(k, f) != 0;
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
ALWAYS_INLINE void choose_switches(mode k, odo_round *r)
{
	memset(r->members, 0, k.n_words * sizeof *r->members);
	for (uint32_t i = 0; i < r->n_granted; i++)
		add_switch(k, r, r->granted[i]);
}

/* VL arbitration of the switches that have a round. */
ALWAYS_INLINE void weigh_all(mode k, const odo_part *part, const odo_round *r)
{
	for (uint32_t s = 0; s < part->n_switches; s++) {
		uint32_t f = s << k.port_bits;
		if (odo_has_bit(r->members, f))
			weigh(k, part, s);
	}
}

/* Inputs with one lane that is ready: who can go and who cannot. */
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

/* Inputs with more: of those lanes that can go the one that petitioned least recently. */
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

/* Where no one needs to be asked: who can go and who cannot are told apart first, since it could
 * not be predicted. */
ALWAYS_INLINE void petition_all(mode k, const odo_round *r, struct petitions *p)
{
	struct ready t = {.can = r->single, .cannot = r->blocked};
	sort_single(k, r, &t);
	sort_several(k, r, &t);
	for (odo_spot *at = r->single; at < t.can; at++)
		petition(k, p, *at);
	for (odo_spot *at = r->blocked; at < t.cannot; at++)
		park(k, *at);
}

/* Inputs with a head that asks again, told apart from the others. Without a branch, which could not
 * be predicted. @return how many of `list` are left */
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

/* Where some heads ask, they are looked at one by one; all others as petition_all() does. */
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
	if (weighted(k, part))
		weigh_all(k, part, r);
	struct petitions p = begin_petitions(part, r);
	if (k.plain && !weighted(k, part))
		petition_mixed(k, part, r, &p);
	else if (undecided(k, part))
		petition_by_asking(k, part, r, &p);
	else
		petition_all(k, r, &p);
	end_petitions(part, r, &p);
	/* Outputs will be busy; but a policy may name others. */
	for (uint32_t i = 0; i < r->n_losers; i++)
		if (!asks_again(k, r->losers[i]))
			park(k, r->losers[i]);
}

ALWAYS_INLINE void grant_round(mode k, odo_part *part, odo_round *r)
{
	for (uint32_t i = 0; i < r->n_granted; i++) {
		uint32_t out = r->granted[i];
		odo_spot from = take_best(k, out);
		mark_served(k, part, out, port_of(k, from));
		odo_set_bit(r->touched, out);
		odo_set_bit(r->served, port_of(k, from));
		grant(k, part, from);
	}
	for (uint32_t x = 0; k.even && x < k.n_words; x++) {
		k.free_in[x] &= ~r->served[x];
		k.free_out[x] &= ~r->touched[x];
	}
}

/* When they will come free again, where all packets are equally long. */
ALWAYS_INLINE void close_words(mode k, const odo_part *part, const odo_round *r)
{
	for (uint32_t x = 0; k.even && x < k.n_words; x++) {
		part->closing[x] |= r->served[x];
		part->closing[x + k.n_words] |= r->touched[x];
	}
}

/* Inputs whose lanes send side by side: one grant a pass, but others may follow. */
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

/* All rounds of one pass, of all switches together, since their ports never meet. */
ALWAYS_INLINE void allocate_pass(mode k, odo_part *part)
{
	odo_round *r = &k.worker->round;
	unsigned rounds = part->world->model.iterations;
	part->round = 0;
	memset(r->served, 0, k.n_words * sizeof *r->served);
	memset(r->touched, 0, k.n_words * sizeof *r->touched);
	if (undecided(k, part))
		memset(r->members, 0xFF, k.n_words * sizeof *r->members);
	list_inputs(k, part, r);
	while ((r->n_single || r->n_several) && part->round < rounds) {
		part->round++;
		petition_round(k, part, r);
		grant_round(k, part, r);
		if (undecided(k, part)) {
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

/* Ports of a crossbar so fast that they serve several packets a cycle. */
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
				unpark(k, out);
		}
	}
}

/* What a head draws that comes up after the rounds must not depend on how many of them others of
 * its part had. More than there are rounds. */
#define AFTER_ROUNDS 255u

/* All passes in one cycle. Of a fast crossbar's, each must have been carried out before the next
 * one. */
ALWAYS_INLINE void allocate(mode k, odo_part *part)
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
		look_at_heads(k, part, carry_out(k, part));
		reopen_ports(k, part, r);
	}
}

#endif
