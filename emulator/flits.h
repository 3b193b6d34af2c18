/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Virtual-channel flow control (Dally, IEEE TPDS 3(2), 1992), for comparison with simulators and
 * papers that have it. Included by cycle.c alone.
 *
 * A packet at the head of a lane first obtains a channel of the VL it wants, and keeps it until
 * its tail has passed; then its phits, here flits, compete for the crossbar one by one. Both take
 * a pass of the allocator each, so that a lane whose packets have one flit sends in every other
 * pass at most. Both are separable, input first, one round a pass.
 *
 * A lane's `fill` counts flits that are there (behind a paced host, `there` does), its `space`
 * those of the head still to be sent. The head flit carries a copy of the packet; flits behind it
 * arrive as events of their own.
 */
#ifndef ODONATA_EMULATOR_FLITS_H
#define ODONATA_EMULATOR_FLITS_H

#include "emulator/allocate.h"

/* Among credits: a flit that is not the first of its packet. */
#define BODY_FLIT (1u << 31)

/* What wants a channel in this pass, and who is to have it. */
struct claims {
	uint16_t claimed[ODO_MAX_PORTS];              /* channels of each output, as bits */
	uint16_t owner[ODO_MAX_PORTS][ODO_MAX_LANES]; /* lane, counted as last_owner is */
};

ALWAYS_INLINE bool from_host(const odo_switch *s, unsigned in)
{
	return s->links[in].class == ODO_LINK_HOST;
}

ALWAYS_INLINE void wake(odo_part *c, uint32_t s)
{
	c->active[s / 64] |= 1ull << s % 64;
}

/* Another packet at the head of a lane. `space` is its flits, or more where it wants a bubble. */
ALWAYS_INLINE void flit_head(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l)
{
	head(k, c, si, in, l);
	wake(c, si);
}

/* ---- Channels ---- */

/* May this lane's head ask for a channel? Its policy is asked first where it wants that. */
ALWAYS_INLINE bool wants_channel(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l)
{
	const odo_switch *s = &c->sw[si];
	bool keep;
	if (!(s->ready_lanes[in] >> l & 1) || test_bit(k, s->owns + l * k.W, in))
		return false;
	if (!k.policy || !(s->asks[in] >> l & 1))
		return true;
	if (!ask(k, c, si, in, l, &keep))
		return false;
	if (keep)
		stop_asking(k, s, in, l);
	return true;
}

/* The next free channel of the VL, round robin from the one this lane had last; -1 if none. */
static int free_channel(const odo_part *c, mode k, const odo_switch *s, const odo_lane *q)
{
	unsigned n = c->world->model.channels, port = way_port(q), first = way_vl(q) * n;
	if (k.failing && test_bit(k, s->dead, port))
		return -1;
	for (unsigned i = 1; i <= n; i++) {
		unsigned channel = first + (q->channel + i) % n;
		bool bubble = q->space > c->pool[q->head].phits;
		if (s->taken[port] >> channel & 1 ||
		    (bubble && s->room[port * k.I + channel] < q->space))
			continue;
		return (int)channel;
	}
	return -1;
}

/* Of several lanes that ask for a channel, the next one behind its last owner has it. */
static void claim(mode k, const odo_switch *s, struct claims *r, unsigned port, unsigned channel,
		  unsigned lane)
{
	unsigned all = s->ports * k.I, last = s->last_owner[port * k.I + channel];
	uint16_t *owner = &r->owner[port][channel];
	if (r->claimed[port] >> channel & 1 &&
	    (*owner + all - last - 1) % all <= (lane + all - last - 1) % all)
		return;
	r->claimed[port] |= (uint16_t)(1u << channel);
	*owner = (uint16_t)lane;
}

/* What heads may have in the next pass. True if there is any. */
static bool claim_channels(mode k, odo_part *c, uint32_t si, struct claims *r)
{
	const odo_switch *s = &c->sw[si];
	bool any = false;
	memset(r->claimed, 0, s->ports * sizeof *r->claimed);
	for (unsigned in = 0; in < s->ports; in++)
		for (unsigned l = 0; l < k.I; l++) {
			const odo_lane *q = &s->lanes[in * k.I + l];
			if (!wants_channel(k, c, si, in, l))
				continue;
			int channel = free_channel(c, k, s, q);
			if (channel < 0)
				continue;
			claim(k, s, r, way_port(q), (unsigned)channel, in * k.I + l);
			any = true;
		}
	return any;
}

static void give_channels(mode k, const odo_part *c, uint32_t si, const struct claims *r)
{
	odo_switch *s = &c->sw[si];
	for (unsigned port = 0; port < s->ports; port++)
		for (unsigned m = r->claimed[port]; m; m &= m - 1) {
			unsigned channel = lowest_bit(m), lane = r->owner[port][channel];
			unsigned in = lane / k.I, l = lane % k.I;
			odo_lane *q = &s->lanes[lane];
			q->channel = (uint8_t)(channel - way_vl(q) * c->world->model.channels);
			q->space = c->pool[q->head].phits;
			s->taken[port] |= (uint16_t)(1u << channel);
			s->last_owner[port * k.I + channel] = (uint16_t)lane;
			set_bit(k, s->owns + l * k.W, in);
			stop_asking(k, s, in, l);
		}
}

/* ---- The crossbar ---- */

ALWAYS_INLINE unsigned channel_of(const odo_part *c, const odo_lane *q)
{
	return way_vl(q) * c->world->model.channels + q->channel;
}

/* Flits that have come. An injection queue has all of a packet at once unless its host is paced. */
ALWAYS_INLINE uint16_t *flits_of(const odo_part *c, const odo_switch *s, unsigned in, odo_lane *q)
{
	return from_host(s, in) && c->world->model.paced_hosts ? &q->there : &q->fill;
}

/* Could this lane send a flit now? */
ALWAYS_INLINE bool has_flit(mode k, const odo_part *c, const odo_switch *s, unsigned in, unsigned l)
{
	odo_lane *q = &s->lanes[in * k.I + l];
	unsigned out = way_port(q);
	const odo_model *m = &c->world->model;
	return test_bit(k, s->owns + l * k.W, in) && *flits_of(c, s, in, q) &&
	       s->room[out * k.I + channel_of(c, q)] &&
	       s->line[out] <= c->now + m->pipeline + m->output_buffer;
}

/*
 * The lane an input petitions with, or k.I. With LRS, the one served least recently. Round robin
 * goes over outputs, and only then over the lanes that want the same one: with a turn for each
 * lane, an output that many lanes want would be petitioned for too often.
 */
static unsigned choose_lane(mode k, const odo_part *c, const odo_switch *s, unsigned in)
{
	bool in_turn = c->world->model.arbiter == ODO_ARBITER_ROUND_ROBIN;
	unsigned best = k.I, nearest = UINT32_MAX;
	for (unsigned n = 1; n <= k.I; n++) {
		unsigned l = in_turn ? (s->last_lane[in] + n) % k.I : n - 1;
		const odo_lane *q = &s->lanes[in * k.I + l];
		unsigned far = (way_port(q) + s->ports - s->last_output[in] - 1) % s->ports;
		unsigned turn = in_turn ? far : q->petition;
		if (turn < nearest && has_flit(k, c, s, in, l)) {
			nearest = turn;
			best = l;
		}
	}
	return best;
}

/* Inputs petition with one lane each, for one output each. */
static bool petition_flits(mode k, const odo_part *c, uint32_t si, struct round *r)
{
	const odo_switch *s = &c->sw[si];
	bool any = false;
	for (unsigned x = 0; x < k.W; x++)
		r->touched[x] = 0;
	for (unsigned in = 0; in < s->ports; in++) {
		unsigned l = choose_lane(k, c, s, in);
		if (l == k.I)
			continue;
		petition(k, c, s, r, in, l);
		any = true;
	}
	return any;
}

/* A flit with its packet's header, on its way to another switch. */
static void send_head(mode k, odo_part *c, const odo_link *link, uint32_t packet, const odo_lane *q,
		      uint32_t when)
{
	unsigned vl = way_vl(q);
	odo_spot at = link->peer | channel_of(c, q);
	uint32_t copy = odo_packet_new(c);
	(void)k;
	if (copy == ODO_NONE)
		return;
	c->pool[copy] = c->pool[packet];
	if (c->pool[copy].hops >= c->world->max_hops)
		c->lost = packet;
	c->hops++;
	if (link->part != c->number) {
		send_packet(c, link, copy, vl, when);
		odo_inbox *box = inbox_of(c, link->part);
		if (!c->out_of_memory)
			box->parcels[box->n_parcels - 1].at = at;
		return;
	}
	advance(&c->pool[copy], link, vl);
	push_event(c, c->arrivals, when, (uint64_t)at << 32 | copy);
}

static void send_body(odo_part *c, const odo_link *link, const odo_lane *q, uint32_t when)
{
	uint64_t event = (uint64_t)(link->peer | channel_of(c, q)) << 32 | BODY_FLIT;
	if (link->part == c->number)
		push_event(c, c->credits, when, event);
	else
		send_credit(c, link, when, event);
}

/* The tail has left: its channel is free, and the next packet is the head. */
static void tail_left(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l, odo_lane *q)
{
	odo_switch *s = &c->sw[si];
	s->taken[way_port(q)] &= (uint16_t) ~(1u << channel_of(c, q));
	clear_bit(k, s->owns + l * k.W, in);
	clear_ready(k, s, in, l);
	q->head = c->next[q->head];
	if (q->head != ODO_NONE)
		flit_head(k, c, si, in, l);
}

static void grant_flit(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l)
{
	odo_switch *s = &c->sw[si];
	odo_lane *q = &s->lanes[in * k.I + l];
	unsigned out = way_port(q), channel = channel_of(c, q);
	const odo_link *link = &s->links[out];
	uint32_t packet = q->head, ready = c->now + c->world->model.pipeline;
	uint32_t start = s->line[out] > ready ? s->line[out] : ready;
	bool first = q->space == c->pool[packet].phits, last = --q->space == 0;
	s->line[out] = start + link->cycles;
	c->last_move = c->now;
	if (first)
		set_out(k, c, si, in, q);
	if (link->class != ODO_LINK_HOST) {
		s->room[out * k.I + channel]--;
		s->credits[out * k.V + way_vl(q)]--;
		if (first)
			send_head(k, c, link, packet, q, start + link->latency);
		else
			send_body(c, link, q, start + link->latency);
	}
	if (!from_host(s, in) || c->world->model.paced_hosts)
		--*flits_of(c, s, in, q);
	if (last)
		tail_left(k, c, si, in, l, q);
	return_credit(k, c, si, in, l, out, 1);
	if (last && link->class == ODO_LINK_HOST)
		odo_deliver(c, link, packet, start - (c->pool[packet].phits - 1u) * link->cycles);
	else if (last)
		odo_packet_free(c, packet);
}

static void grant_flits(mode k, odo_part *c, uint32_t si, const struct round *r)
{
	bool in_turn = c->world->model.arbiter == ODO_ARBITER_ROUND_ROBIN;
	for (unsigned x = 0; x < k.W; x++)
		for (uint64_t m = r->touched[x]; m; m &= m - 1) {
			unsigned out = x * 64 + lowest_bit(m), in = r->best[out], l = r->lane[in];
			const odo_switch *s = &c->sw[si];
			mark_served(c, s, out, in);
			if (!in_turn)
				note_petition(k, c, &s->lanes[in * k.I + l]);
			s->last_lane[in] = (uint8_t)l;
			s->last_output[in] = (uint8_t)out;
			grant_flit(k, c, si, in, l);
		}
}

/* A link slower than the crossbar holds flits back; nothing else will wake the switch. */
static bool waits_for_line(const odo_part *c, const odo_switch *s)
{
	const odo_model *m = &c->world->model;
	for (unsigned out = 0; out < s->ports; out++)
		if (s->taken[out] && s->line[out] > c->now + m->pipeline + m->output_buffer)
			return true;
	return false;
}

static bool any_asks(const odo_switch *s)
{
	for (unsigned in = 0; in < s->ports; in++)
		if (s->asks[in])
			return true;
	return false;
}

/* All passes of a cycle. True if the switch must be looked at again. */
static bool allocate_flits(mode k, odo_part *c, uint32_t si)
{
	struct claims claims;
	struct round round;
	bool again = false;
	for (uint32_t pass = 0; pass < c->world->model.speedup; pass++) {
		c->round = pass + 1;
		again |= claim_channels(k, c, si, &claims);
		if (petition_flits(k, c, si, &round)) {
			grant_flits(k, c, si, &round);
			again = true;
		}
		give_channels(k, c, si, &claims);
	}
	return again || any_asks(&c->sw[si]) || waits_for_line(c, &c->sw[si]);
}

/* Look at the switches that are to be looked at, and again in the next cycle at those of which
 * that says so. */
static void allocate_active(mode k, odo_part *c)
{
	uint32_t words = (c->n_switches + 63) / 64;
	for (uint32_t x = 0; x < words; x++) {
		uint64_t again = 0;
		for (uint64_t m = c->active[x]; m; m &= m - 1)
			if (allocate_flits(k, c, x * 64 + lowest_bit(m)))
				again |= m & -m;
		c->active[x] = again;
	}
}

/* ---- Events ---- */

ALWAYS_INLINE void flit_credit(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	unsigned port = odo_spot_port(at), channel = odo_spot_lane(at);
	unsigned vl = channel / c->world->model.channels;
	uint32_t si = odo_spot_switch(at);
	const odo_switch *s = &c->sw[si];
	wake(c, si);
	if (event & BODY_FLIT) {
		++*flits_of(c, s, port, &s->lanes[port * k.I + channel]);
		return;
	}
	s->room[port * k.I + channel]++;
	s->credits[port * k.V + vl]++;
	if (k.policy && c->world->policy->credit)
		tell_credit(c, at - channel + vl, 1);
}

ALWAYS_INLINE void flit_arrival(mode k, odo_part *c, odo_event event)
{
	odo_spot at = (odo_spot)(event >> 32);
	uint32_t packet = (uint32_t)event, si = odo_spot_switch(at);
	unsigned port = odo_spot_port(at), l = odo_spot_lane(at);
	if (l == ODO_MAX_LANES) {
		odo_source_received(c, packet);
		return;
	}
	odo_lane *q = &c->sw[si].lanes[port * k.I + l];
	if (!from_host(&c->sw[si], port) || c->world->model.paced_hosts)
		++*flits_of(c, &c->sw[si], port, q);
	if (enqueue(c, q, packet))
		flit_head(k, c, si, port, l);
}

#endif
