/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the files of a cycle share: bits, events, and how policies are asked. Included by
 * cycle.c alone. */
#ifndef ODONATA_EMULATOR_STEP_H
#define ODONATA_EMULATOR_STEP_H

#include <stdlib.h>
#include <string.h>

#include "emulator/forward.h"
#include "emulator/part.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))

/** What the switches of a run have in common: constants where they are known, so that the usual
 * kinds of run each have a path without the rest. */
typedef struct mode {
	unsigned W;                    /**< words of a block */
	unsigned I;                    /**< lanes of a port */
	unsigned port_bits, lane_bits; /**< of the world */
	bool uniform, even, in_turn, policy, parallel, buffered, failing, flits;
} mode;

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

/* ---- Events ---- */

NEVER_INLINE void grow_bucket(odo_part *c, odo_bucket *b)
{
	size_t room = b->room;
	if (room < UINT32_MAX / 2 && !odo_grow(&b->at, &room, room + 1, sizeof *b->at))
		b->room = (uint32_t)room;
	else
		c->out_of_memory = true;
}

ALWAYS_INLINE void push_event(odo_part *c, odo_bucket *wheel, uint32_t when, odo_event event)
{
	odo_bucket *b = &wheel[when & (c->wheel - 1)];
	if (__builtin_expect(b->n == b->room, 0)) {
		grow_bucket(c, b);
		if (c->out_of_memory)
			return;
	}
	b->at[b->n++] = event;
}

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

/** Let a head petition. */
ALWAYS_INLINE void set_ready(odo_part *c, uint32_t f, unsigned l)
{
	c->ready_lanes[f] |= (uint16_t)(1u << l);
	set_bit(c->ready, f);
}

/** No head, or none that can go. */
ALWAYS_INLINE void clear_ready(odo_part *c, uint32_t f, unsigned l)
{
	unsigned left = c->ready_lanes[f] & ~(1u << l);
	c->ready_lanes[f] = (uint16_t)left;
	c->ready[f / 64] &= ~((uint64_t)!left << f % 64);
}

/** A packet at the end of a queue. True if it is the head. */
ALWAYS_INLINE bool enqueue(odo_part *c, odo_lane *q, uint32_t packet)
{
	bool first = q->head == ODO_NONE;
	uint32_t *behind = first ? &q->head : &c->next[q->tail];
	c->next[packet] = ODO_NONE;
	*behind = q->tail = packet;
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
ALWAYS_INLINE odo_spot wanted(mode k, const odo_part *c, odo_spot at)
{
	odo_spot within = (1u << (k.port_bits + k.lane_bits)) - 1;
	return (at & ~within) | c->lanes[at].to;
}

/** Could the head of `at` go now, if input and output arbiters choose it? */
ALWAYS_INLINE bool can_go(mode k, const odo_part *c, odo_spot at)
{
	odo_spot to = wanted(k, c, at);
	unsigned room = c->credits[to];
	return test_bit(c->free_out, port_of(k, to)) &
	       (k.uniform ? room != 0 : room >= c->rest[at].space);
}

/** A head may go, unless its lane is still sending the packet before it. */
ALWAYS_INLINE void let_go(mode k, odo_part *c, odo_spot at)
{
	uint32_t f = port_of(k, at);
	unsigned l = lane_of(k, at);
	if (k.parallel && c->sending[f] >> l & 1)
		c->held[f] |= (uint16_t)(1u << l);
	else
		set_ready(c, f, l);
}

/** Lanes, of those side by side, have sent their packets. Without a branch, which could not be
 * predicted. */
ALWAYS_INLINE void release_lanes(odo_part *c, uint32_t f, unsigned lanes)
{
	unsigned go = c->held[f] & lanes;
	c->sending[f] &= (uint16_t)~lanes;
	c->held[f] &= (uint16_t)~lanes;
	c->ready_lanes[f] |= (uint16_t)go;
	c->ready[f / 64] |= (uint64_t)(go != 0) << f % 64;
}

/** A lane of a switch, from 1: 0 ends a list. */
ALWAYS_INLINE uint16_t parking(mode k, odo_spot at)
{
	return (uint16_t)((at & ((1u << (k.port_bits + k.lane_bits)) - 1)) + 1);
}

/** A head finds its output closed. */
ALWAYS_INLINE void park(mode k, odo_part *c, odo_spot at)
{
	uint32_t out = port_of(k, wanted(k, c, at));
	c->lanes[at].behind = c->parked_at[out];
	c->parked_at[out] = parking(k, at);
	set_bit(c->parked, out);
}

/** The heads that are parked until output `out` comes open may try again. */
ALWAYS_INLINE void unpark(mode k, odo_part *c, uint32_t out)
{
	odo_spot first = (out & ~((1u << k.port_bits) - 1)) << k.lane_bits;
	clear_bit(c->parked, out);
	for (unsigned next = c->parked_at[out]; next;) {
		odo_spot at = first + next - 1;
		let_go(k, c, at);
		next = c->lanes[at].behind;
	}
	c->parked_at[out] = 0;
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

/** The way of a head, within its switch. */
ALWAYS_INLINE void set_way(odo_part *c, odo_spot at, unsigned way)
{
	c->lanes[at].to = (uint16_t)way;
}

/**
 * Ask the policy about the head of a lane.
 * @param keep out: whether it stands by its answer
 * @return whether there is one
 */
ALWAYS_INLINE bool ask(mode k, odo_part *c, odo_spot at, bool *keep)
{
	const odo_world *w = c->world;
	odo_lane *q = &c->lanes[at];
	odo_way way = {0};
	uint32_t si = port_of(k, at) >> k.port_bits;
	unsigned in = in_switch(k, port_of(k, at)), l = lane_of(k, at);
	seed_draws(c, in, l);
	*keep = false;
	if (!w->policy->route(w->policy_state, view_switch(c, si), &c->pool[q->head], in + 1, l,
			      &way))
		return false;
	*keep = way.keep;
	unsigned named = odo_way_of(w, &c->sw[si], way.port - 1u, way.vl);
	if (named == ODO_NO_WAY) {
		stray(c, at, "the policy names a way that is none");
		return false;
	}
	set_way(c, at, named);
	c->rest[at].space = way.space ? way.space : c->pool[q->head].phits;
	c->rest[at].escape = way.escape;
	return true;
}

#endif
