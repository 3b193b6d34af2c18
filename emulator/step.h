/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the files of a cycle share: bits, events, and how policies are asked. Included by
 * cycle.c alone. */
#ifndef ODONATA_EMULATOR_STEP_H
#define ODONATA_EMULATOR_STEP_H

#include <stdlib.h>
#include <string.h>

#include "emulator/events.h"
#include "emulator/forward.h"
#include "emulator/part.h"

/** What the switches of a run have in common: constants where they are known, so that the usual
 * kinds of run each have a path without the rest. */
typedef struct mode {
	unsigned W;                    /**< words of a block */
	unsigned I;                    /**< lanes of a port */
	unsigned port_bits, lane_bits; /**< of the world */
	bool uniform, even, in_turn, policy, parallel, buffered, failing, flits, transit_first;
	bool minimal_first;
} mode;

/** Lists of lanes: those that can go, and those that cannot. */
struct told {
	odo_spot *can, *cannot;
};

ALWAYS_INLINE void set_bit(uint64_t *set, unsigned bit)
{
	set[bit / 64] |= 1ull << bit % 64;
}
ALWAYS_INLINE void clear_bit(uint64_t *set, unsigned bit)
{
	set[bit / 64] &= ~(1ull << bit % 64);
}
ALWAYS_INLINE bool test_bit(const uint64_t *set, unsigned bit)
{
	return set[bit / 64] >> bit % 64 & 1;
}
ALWAYS_INLINE unsigned lowest_bit(uint64_t word)
{
	return (unsigned)__builtin_ctzll(word);
}

#include "emulator/wide.h"

/** List the bits of a word, counted from `first`, so many at a time whether they are set or not:
 * how many there are could not be predicted. Returns where the list ends; it has room for
 * ODO_LIST_SPARE more. */
ALWAYS_INLINE uint32_t *list_bits(uint32_t *list, uint64_t word, uint32_t first, unsigned at_once)
{
#ifdef ODO_WIDE
	(void)at_once;
	return list_wide(list, word, first);
#endif
	while (word)
		for (unsigned i = 0; i < at_once; i++) {
			*list = first + lowest_bit(word | 1ull << 63);
			list += word != 0;
			word &= word - 1;
		}
	return list;
}

/* Ports and lanes are numbered as in part.h: f names a port of the part, `in` and `out` one of its
 * switch. */
ALWAYS_INLINE uint32_t port_of(mode k, odo_spot at)
{
	return at >> k.lane_bits;
}
ALWAYS_INLINE unsigned lane_of(mode k, odo_spot at)
{
	return at & ((1u << k.lane_bits) - 1);
}
ALWAYS_INLINE unsigned in_switch(mode k, uint32_t f)
{
	return f & ((1u << k.port_bits) - 1);
}

/* The word of a lane among bits of lanes, and its bit there. */
ALWAYS_INLINE size_t word_of(mode k, odo_spot at)
{
	return (size_t)(port_of(k, at) / 64) << k.lane_bits | lane_of(k, at);
}
ALWAYS_INLINE unsigned bit_of(mode k, odo_spot at)
{
	return port_of(k, at) % 64;
}

/* ---- Events ---- */

/** What there is to do with each event. */
typedef void event_handler(mode k, odo_part *c, odo_event event);

/** Handle the events of the present cycle; nothing is pushed into it any more. */
ALWAYS_INLINE void each_event(mode k, odo_part *c, odo_bucket *wheel, event_handler *handle)
{
	odo_bucket *b = &wheel[c->now & (c->wheel - 1)];
	uint32_t n = b->n;
	b->n = 0;
	for (uint32_t i = 0; i < n; i++)
		handle(k, c, b->at[i]);
}

/** Handle the credits that other parts have sent for the present cycle. */
ALWAYS_INLINE void each_receipt(mode k, odo_part *c, event_handler *handle)
{
	const odo_calendar *in = &c->coming;
	const uint32_t *first = &in->first_receipt[c->now - in->from];
	for (uint32_t i = first[0]; i < first[1]; i++)
		handle(k, c, in->receipts[i]);
}

/** Handle the packets that other parts have sent for the present cycle. */
ALWAYS_INLINE void each_parcel(mode k, odo_part *c, event_handler *handle)
{
	const odo_calendar *in = &c->coming;
	const uint32_t *first = &in->first_parcel[c->now - in->from];
	for (uint32_t i = first[0]; i < first[1]; i++) {
		const odo_parcel *parcel = in->parcels[i];
		uint32_t packet = odo_packet_new(c);
		if (packet == ODO_NONE)
			return;
		c->pool[packet] = parcel->packet;
		handle(k, c, (uint64_t)parcel->at << 32 | packet);
	}
}

/* ---- Switches and queues ---- */

ALWAYS_INLINE bool test_lane(mode k, const uint64_t *set, odo_spot at)
{
	return set[word_of(k, at)] >> bit_of(k, at) & 1;
}

/** A head may petition. */
ALWAYS_INLINE void set_ready(mode k, odo_part *c, odo_spot at)
{
	c->ready[word_of(k, at)] |= 1ull << bit_of(k, at);
}

/** No head, or none that can go. */
ALWAYS_INLINE void clear_ready(mode k, odo_part *c, odo_spot at)
{
	c->ready[word_of(k, at)] &= ~(1ull << bit_of(k, at));
}

/** Of a word of ports the inputs with a lane l that is ready, and does not send. */
ALWAYS_INLINE uint64_t ready_inputs(mode k, const odo_part *c, uint32_t x, unsigned l)
{
	size_t word = (size_t)x << k.lane_bits | l;
	return k.parallel ? c->ready[word] & ~c->sending[word] : c->ready[word];
}

/** Those lanes of an input, as bits. */
ALWAYS_INLINE unsigned ready_lanes(mode k, const odo_part *c, uint32_t f)
{
	unsigned lanes = 0;
	for (unsigned l = 0; l < k.I; l++)
		lanes |= (unsigned)(ready_inputs(k, c, f / 64, l) >> f % 64 & 1) << l;
	return lanes;
}

/** One of two numbers. Without a branch, which compilers would make of `?:`. */
ALWAYS_INLINE uint32_t either(bool first, uint32_t a, uint32_t b)
{
	return b ^ ((a ^ b) & -(uint32_t)first);
}

/** A packet at the end of a queue. True if it is the head. */
ALWAYS_INLINE bool enqueue(odo_part *c, odo_lane *q, uint32_t packet)
{
	bool first = q->head == ODO_NONE;
	c->next[either(first, packet, q->tail)] = packet;
	c->next[packet] = ODO_NONE;
	q->head = either(first, packet, q->head);
	q->tail = packet;
	return first;
}

/** A lane has another head, to be looked at once all that goes on is done. */
ALWAYS_INLINE void note_head(odo_part *c, odo_spot at, bool new)
{
	odo_worker *w = c->worker;
	w->heads[w->n_heads] = at;
	w->n_heads += new;
}

/** Output and VL that the head of a lane wants. */
ALWAYS_INLINE odo_spot wanted(const odo_part *c, odo_spot at)
{
	return c->lanes[at].to;
}

/** Could the head of `at` go now, if input and output arbiters choose it? */
ALWAYS_INLINE bool can_go(mode k, const odo_part *c, odo_spot at)
{
	odo_spot to = wanted(c, at);
	unsigned room = c->credits[to];
	return test_bit(c->free_out, port_of(k, to)) &
	       (k.uniform ? room != 0 : room >= c->rest[at].space);
}

/** A head that finds its output closed waits there, unless it can go. Without a branch, which could
 * not be predicted, and without a look at what would not change: word 0 is nobody's. */
ALWAYS_INLINE void park_unless(mode k, odo_part *c, odo_spot at, bool can)
{
	uint32_t out = port_of(k, wanted(c, at));
	size_t row = (size_t)out << k.lane_bits | lane_of(k, at);
	size_t word = 1 + (k.W == 1 ? row : row * k.W + port_of(k, at) / 64 % k.W);
	c->parked_at[word & -(size_t)!can] |= 1ull << bit_of(k, at);
	c->parked[out / 64] |= (uint64_t)!can << out % 64;
}

/** The heads that are parked until output `out` comes open may try again. */
ALWAYS_INLINE void unpark(mode k, odo_part *c, uint32_t out)
{
	uint64_t *waiting = &c->parked_at[1 + ((size_t)out << k.lane_bits) * k.W];
	uint64_t *ready = &c->ready[(size_t)(out / 64 & ~(k.W - 1)) << k.lane_bits];
	clear_bit(c->parked, out);
	for (unsigned l = 0; l < k.I; l++)
		for (unsigned x = 0; x < k.W; x++) {
			ready[(x << k.lane_bits) + l] |= waiting[l * k.W + x];
			waiting[l * k.W + x] = 0;
		}
}

/* ---- Policies ---- */

/** What switch `s` sees. Kept for each switch; only the cycle changes. */
ALWAYS_INLINE odo_view *view_switch(odo_part *c, uint32_t s)
{
	odo_view *v = &c->views[s];
	v->now = c->now;
	return v;
}

/** What a policy draws from here on depends on nothing but where and when it is asked. */
ALWAYS_INLINE void seed_draws(odo_part *c, unsigned port, unsigned lane)
{
	c->draws = port << 8 | lane;
}

NEVER_INLINE void stray(odo_part *c, odo_spot at, const char *fault)
{
	if (c->fault)
		return;
	c->astray = at;
	c->fault = fault;
}

/** A packet has taken too many hops, and the run is about to end. Of several the one is named that
 * is named whoever runs this part. */
NEVER_INLINE void lose(odo_part *c, const odo_packet *p)
{
	const odo_packet *other = &c->lost;
	bool sooner = p->source != other->source   ? p->source < other->source
		      : p->target != other->target ? p->target < other->target
						   : p->born < other->born;
	if (!c->losing || sooner)
		c->lost = *p;
	c->losing = true;
}

/** A head that asked its policy is gone, or stands by its answer; nothing where it did not ask. */
ALWAYS_INLINE void stop_asking(mode k, odo_part *c, uint32_t f, unsigned l)
{
	if (k.policy)
		c->asks[f] &= (uint16_t) ~(1u << l);
}

NEVER_INLINE void tell_credit(odo_part *c, odo_spot at, unsigned phits)
{
	const odo_world *w = c->world;
	unsigned port = odo_spot_port(w, at), vl = odo_spot_lane(w, at);
	seed_draws(c, port, vl);
	w->policy->credit(w->policy_state, view_switch(c, odo_spot_switch(w, at)), port + 1, vl,
			  phits);
}

/** The way of a head, which is named as lanes of its switch count. */
ALWAYS_INLINE void set_way(mode k, odo_part *c, odo_spot at, unsigned way)
{
	odo_spot within = (1u << (k.port_bits + k.lane_bits)) - 1;
	c->lanes[at].to = (at & ~within) | way;
}

/**
 * Ask the policy about the head of a lane.
 * @param again out: when next
 * @return whether it has an answer
 */
ALWAYS_INLINE bool ask(mode k, odo_part *c, odo_spot at, enum odo_ask *again)
{
	const odo_world *w = c->world;
	odo_lane *q = &c->lanes[at];
	odo_way way = {0};
	uint32_t si = port_of(k, at) >> k.port_bits;
	unsigned in = in_switch(k, port_of(k, at)), l = lane_of(k, at);
	seed_draws(c, in, l);
	*again = ODO_ASK_EACH_ROUND;
	if (!w->policy->route(w->policy_state, view_switch(c, si), &c->pool[q->head], in + 1, l,
			      &way))
		return false;
	unsigned named = odo_way_of(w, &c->sw[si], way.port - 1u, way.vl);
	if (named == ODO_NO_WAY) {
		stray(c, at, "the policy names a way that is none");
		return false;
	}
	set_way(k, c, at, named);
	c->rest[at].space = way.space ? way.space : c->pool[q->head].phits;
	c->rest[at].escape = way.escape;
	c->rest[at].yields = way.yields;
	bool would_wait = way.again == ODO_ASK_OPENED;
	if (!would_wait || !(k.failing || k.flits || w->e->run.plain))
		*again = way.again;
	return true;
}

#endif
