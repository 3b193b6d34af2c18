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
	unsigned W, V, I; /**< words of a mask, VLs, lanes */
	bool uniform, policy, parallel, buffered, failing, flits;
} mode;

ALWAYS_INLINE void set_bit(mode k, uint64_t *mask, unsigned bit)
{
	mask[k.W == 1 ? 0 : bit / 64] |= 1ull << bit % 64;
}
ALWAYS_INLINE void clear_bit(mode k, uint64_t *mask, unsigned bit)
{
	mask[k.W == 1 ? 0 : bit / 64] &= ~(1ull << bit % 64);
}
ALWAYS_INLINE bool test_bit(mode k, const uint64_t *mask, unsigned bit)
{
	return mask[k.W == 1 ? 0 : bit / 64] >> bit % 64 & 1;
}
ALWAYS_INLINE unsigned lowest_bit(uint64_t word)
{
	return (unsigned)__builtin_ctzll(word);
}

ALWAYS_INLINE unsigned way_port(const odo_lane *q)
{
	return q->way & 0xFF;
}
ALWAYS_INLINE unsigned way_vl(const odo_lane *q)
{
	return q->way >> 8;
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
ALWAYS_INLINE void set_ready(mode k, const odo_switch *s, unsigned in, unsigned l)
{
	s->ready_lanes[in] |= (uint16_t)(1u << l);
	set_bit(k, s->ready, in);
}

/** No head, or none that can go. */
ALWAYS_INLINE void clear_ready(mode k, const odo_switch *s, unsigned in, unsigned l)
{
	s->ready_lanes[in] &= (uint16_t) ~(1u << l);
	if (!s->ready_lanes[in])
		clear_bit(k, s->ready, in);
}

/** A packet at the end of a queue. True if it is the head. */
ALWAYS_INLINE bool enqueue(odo_part *c, odo_lane *q, uint32_t packet)
{
	c->next[packet] = ODO_NONE;
	if (q->head != ODO_NONE) {
		c->next[q->tail] = packet;
		q->tail = packet;
		return false;
	}
	q->head = q->tail = packet;
	return true;
}

/** Could this head go now, if input and output arbiters choose it? */
ALWAYS_INLINE bool can_go(mode k, const odo_switch *s, const odo_lane *q)
{
	unsigned room = s->credits[way_port(q) * k.V + way_vl(q)];
	return test_bit(k, s->free_out, way_port(q)) & (k.uniform ? room != 0 : room >= q->space);
}

/** A head may go, unless its lane is still sending the packet before it. */
ALWAYS_INLINE void let_go(mode k, const odo_switch *s, unsigned in, unsigned l)
{
	if (k.parallel && s->sending[in] >> l & 1)
		s->held[in] |= (uint16_t)(1u << l);
	else
		set_ready(k, s, in, l);
}

/** Lanes, of those side by side, have sent their packets. Without a branch, which could not be
 * predicted. */
ALWAYS_INLINE void release_lanes(mode k, const odo_switch *s, unsigned in, unsigned lanes)
{
	unsigned go = s->held[in] & lanes;
	s->sending[in] &= (uint16_t)~lanes;
	s->held[in] &= (uint16_t)~lanes;
	s->ready_lanes[in] |= (uint16_t)go;
	s->ready[k.W == 1 ? 0 : in / 64] |= (uint64_t)(go != 0) << in % 64;
}

/** A head finds its output `port` closed. */
ALWAYS_INLINE void park(mode k, const odo_switch *s, unsigned in, unsigned l, unsigned port)
{
	s->lanes[in * k.I + l].behind = s->parked_at[port];
	s->parked_at[port] = odo_parking(in, l);
	set_bit(k, s->parked, port);
}

/** The heads that are parked until output `out` comes open may try again. */
ALWAYS_INLINE void unpark(mode k, const odo_switch *s, unsigned out)
{
	clear_bit(k, s->parked, out);
	for (unsigned at = s->parked_at[out]; at;) {
		unsigned in = (at - 1) >> 4, l = (at - 1) & 0xF;
		let_go(k, s, in, l);
		at = s->lanes[in * k.I + l].behind;
	}
	s->parked_at[out] = 0;
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

NEVER_INLINE void stray(odo_part *c, uint32_t s, unsigned in, unsigned l, const char *fault)
{
	if (c->fault)
		return;
	c->astray = odo_spot_make(s, in, l);
	c->fault = fault;
}

/** A head that asked its policy is gone, or stands by its answer; nothing where it did not ask. */
ALWAYS_INLINE void stop_asking(mode k, const odo_switch *s, unsigned in, unsigned l)
{
	if (k.policy)
		s->asks[in] &= (uint16_t) ~(1u << l);
}

NEVER_INLINE void tell_credit(odo_part *c, odo_spot at, unsigned phits)
{
	const odo_world *w = c->world;
	unsigned port = odo_spot_port(at), vl = odo_spot_lane(at);
	seed_draws(c, port, vl);
	w->policy->credit(w->policy_state, view_switch(c, odo_spot_switch(at)), port + 1, vl,
			  phits);
}

/**
 * Ask the policy about the head of a lane.
 * @param keep out: whether it stands by its answer
 * @return whether there is one
 */
ALWAYS_INLINE bool ask(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l, bool *keep)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	odo_lane *q = &s->lanes[in * k.I + l];
	odo_way way = {0};
	seed_draws(c, in, l);
	*keep = false;
	if (!w->policy->route(w->policy_state, view_switch(c, si), &c->pool[q->head], in + 1, l,
			      &way))
		return false;
	*keep = way.keep;
	unsigned named = ((way.port - 1u) & 0xFF) | (unsigned)way.vl << 8;
	if (!odo_way_exists(w, s, named)) {
		stray(c, si, in, l, "the policy names a way that is none");
		return false;
	}
	q->way = (uint16_t)named;
	q->space = way.space ? way.space : c->pool[q->head].phits;
	q->escape = way.escape;
	return true;
}

#endif
