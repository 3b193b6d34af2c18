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
#ifndef ODONATA_EMULATOR_KERNEL_FLITS_H
#define ODONATA_EMULATOR_KERNEL_FLITS_H

#include "emulator/kernel/allocate.h"

/* What wants a channel in this pass, and who is to have it. */
struct claims {
	uint16_t claimed[ODO_MAX_PORTS];              /* channels of each output, as bits */
	uint16_t owner[ODO_MAX_PORTS][ODO_MAX_LANES]; /* lane, counted as last_owner is */
};

ALWAYS_INLINE void wake(odo_part *c, uint32_t s)
{
	odo_set_bit(c->active, s);
}

/* Another packet at the head of a lane. `space` is its flits, or more where it wants a bubble. */
ALWAYS_INLINE void flit_head(mode k, odo_part *c, odo_spot at)
{
	head(k, c, at);
	wake(c, port_of(k, at) >> k.port_bits);
}

/* ---- Channels ---- */

/* May this lane's head ask for a channel? Its policy is asked first where it wants that. */
ALWAYS_INLINE bool wants_channel(mode k, odo_part *c, const odo_switch *s, odo_spot at)
{
	uint32_t f = port_of(k, at);
	unsigned l = lane_of(k, at);
	enum odo_ask again;
	if (!test_lane(k, k.ready, at) || odo_has_bit(s->owns + l * k.W, in_switch(k, f)))
		return false;
	if (!asks(k, at))
		return true;
	if (!ask(k, c, at, &again))
		return false;
	if (again == ODO_ASK_NEVER)
		stop_asking(k, f, l);
	return true;
}

/* The next free channel of the VL, round robin from the one this lane had last; -1 if none. */
static int free_channel(mode k, const odo_part *c, const odo_switch *s, odo_spot at)
{
	odo_spot to = wanted(k, at);
	unsigned n = c->world->model.channels, first = lane_of(k, to) * n;
	unsigned port = in_switch(k, port_of(k, to));
	if (k.failing && odo_has_bit(c->dead, port_of(k, to)))
		return -1;
	for (unsigned i = 1; i <= n; i++) {
		unsigned channel = first + (k.rest[at].channel + i) % n;
		bool bubble = k.rest[at].space > c->pool[k.lanes[at].head].phits;
		if (s->taken[port] >> channel & 1 ||
		    (bubble && s->room[port * k.I + channel] < k.rest[at].space))
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
			odo_spot at = s->first + (in << k.lane_bits | l);
			if (!wants_channel(k, c, s, at))
				continue;
			int channel = free_channel(k, c, s, at);
			if (channel < 0)
				continue;
			claim(k, s, r, in_switch(k, port_of(k, wanted(k, at))), (unsigned)channel,
			      in * k.I + l);
			any = true;
		}
	return any;
}

static void give_channels(mode k, odo_part *c, uint32_t si, const struct claims *r)
{
	odo_switch *s = &c->sw[si];
	for (unsigned port = 0; port < s->ports; port++)
		for (unsigned m = r->claimed[port]; m; m &= m - 1) {
			unsigned channel = odo_lowest_bit(m), lane = r->owner[port][channel];
			unsigned in = lane / k.I, l = lane % k.I;
			odo_spot at = s->first + (in << k.lane_bits | l);
			unsigned vl = lane_of(k, wanted(k, at));
			k.rest[at].channel = (uint8_t)(channel - vl * c->world->model.channels);
			k.rest[at].space = c->pool[k.lanes[at].head].phits;
			s->taken[port] |= (uint16_t)(1u << channel);
			s->last_owner[port * k.I + channel] = (uint16_t)lane;
			odo_set_bit(s->owns + l * k.W, in);
			stop_asking(k, port_of(k, at), l);
		}
}

/* ---- The crossbar ---- */

ALWAYS_INLINE unsigned channel_of(mode k, const odo_part *c, odo_spot at)
{
	return lane_of(k, wanted(k, at)) * c->world->model.channels + k.rest[at].channel;
}

/* Flits that have come. An injection queue has all of a packet at once unless its host is paced. */
ALWAYS_INLINE uint16_t *flits_of(mode k, const odo_part *c, odo_spot at)
{
	bool host = link_at(k, port_of(k, at))->side == ODO_SIDE_HOST;
	return host && c->world->model.paced_hosts ? &k.rest[at].there : &k.rest[at].fill;
}

/* Could this lane send a flit now? */
ALWAYS_INLINE bool has_flit(mode k, const odo_part *c, const odo_switch *s, unsigned in, unsigned l)
{
	odo_spot at = s->first + (in << k.lane_bits | l);
	uint32_t out = port_of(k, wanted(k, at));
	const odo_model *m = &c->world->model;
	return odo_has_bit(s->owns + l * k.W, in) && *flits_of(k, c, at) &&
	       s->room[in_switch(k, out) * k.I + channel_of(k, c, at)] &&
	       c->line[out] <= c->now + m->pipeline + m->output_buffer;
}

/*
 * The lane an input petitions with, or k.I. With LRS, the one served least recently. Round robin
 * goes over outputs, and only then over the lanes that want the same one: with a turn for each
 * lane, an output that many lanes want would be petitioned for too often.
 */
static unsigned choose_lane(mode k, const odo_part *c, const odo_switch *s, unsigned in)
{
	unsigned best = k.I, nearest = UINT32_MAX;
	for (unsigned n = 1; n <= k.I; n++) {
		unsigned l = k.in_turn ? (s->last_lane[in] + n) % k.I : n - 1;
		odo_spot at = s->first + (in << k.lane_bits | l);
		unsigned out = in_switch(k, port_of(k, wanted(k, at)));
		unsigned far = (out + s->ports - s->last_output[in] - 1) % s->ports;
		unsigned turn = k.in_turn ? far : k.lanes[at].petition;
		if (turn < nearest && has_flit(k, c, s, in, l)) {
			nearest = turn;
			best = l;
		}
	}
	return best;
}

/* Inputs petition with one lane each, for one output each. */
static bool petition_flits(mode k, odo_part *c, uint32_t si, odo_round *r)
{
	const odo_switch *s = &c->sw[si];
	struct petitions p = begin_petitions(c, r);
	for (unsigned in = 0; in < s->ports; in++) {
		unsigned l = choose_lane(k, c, s, in);
		if (l == k.I)
			continue;
		petition(k, &p, s->first + (in << k.lane_bits | l));
	}
	end_petitions(c, r, &p);
	return r->n_granted != 0;
}

/* A flit with its packet's header, on its way to another switch. */
static void send_head(mode k, odo_part *c, const odo_link *link, uint32_t packet, odo_spot from,
		      uint32_t when)
{
	unsigned vl = lane_of(k, wanted(k, from));
	odo_spot at = link->peer | channel_of(k, c, from);
	uint32_t copy = odo_packet_new(c);
	if (copy == ODO_NONE)
		return;
	c->pool[copy] = c->pool[packet];
	if (c->pool[copy].hops >= c->world->max_hops)
		lose(c, &c->pool[packet]);
	c->hops++;
	if (link->side == ODO_SIDE_AWAY) {
		send_packet(k, c, link, copy, vl, when);
		odo_inbox *box = inbox_of(k, link->part);
		if (!c->out_of_memory)
			box->parcels[box->n_parcels - 1].at = at;
		return;
	}
	advance(k, &c->pool[copy], vl);
	arrive(c, when, at, copy);
}

static void send_body(mode k, odo_part *c, const odo_link *link, odo_spot from, uint32_t when)
{
	odo_event event = odo_event_at(link->peer | channel_of(k, c, from), ODO_BODY_FLIT);
	if (link->side == ODO_SIDE_HERE)
		push_event(c, c->returns, when, event);
	else
		send_credit(k, c, link, when, event);
}

/* The tail has left: its channel is free, and the next packet is the head. */
static void tail_left(mode k, odo_part *c, odo_spot at)
{
	odo_lane *q = &k.lanes[at];
	uint32_t f = port_of(k, at);
	unsigned l = lane_of(k, at);
	odo_switch *s = &c->sw[f >> k.port_bits];
	unsigned out = in_switch(k, port_of(k, wanted(k, at)));
	s->taken[out] &= (uint16_t) ~(1u << channel_of(k, c, at));
	odo_clear_bit(s->owns + l * k.W, in_switch(k, f));
	clear_ready(k, at);
	q->head = c->next[q->head];
	if (q->head != ODO_NONE)
		flit_head(k, c, at);
}

/* The first flit of a packet leaves. */
static void set_out_flit(mode k, odo_part *c, odo_spot at)
{
	uint32_t f = port_of(k, at), packet = k.lanes[at].head;
	if (link_at(k, f)->side == ODO_SIDE_HOST) {
		c->pool[packet].entered = c->now;
		odo_measure_injected(c, f >> k.port_bits);
	}
	set_out(k, c, at);
}

static void grant_flit(mode k, odo_part *c, odo_spot at)
{
	odo_lane_rest *rest = &k.rest[at];
	odo_spot to = wanted(k, at);
	uint32_t out = port_of(k, to), f = port_of(k, at);
	const odo_link *link = link_at(k, out);
	uint32_t packet = k.lanes[at].head, ready = c->now + k.pipeline;
	uint32_t start = c->line[out] > ready ? c->line[out] : ready;
	bool first = rest->space == c->pool[packet].phits, last = --rest->space == 0;
	c->line[out] = start + link->cycles;
	c->last_move = c->now;
	odo_measure_grant(c, out, 1, !first);
	if (first)
		set_out_flit(k, c, at);
	if (link->side != ODO_SIDE_HOST) {
		odo_switch *s = &c->sw[f >> k.port_bits];
		s->room[in_switch(k, out) * k.I + channel_of(k, c, at)]--;
		k.credits[to]--;
		if (first)
			send_head(k, c, link, packet, at, start + link->latency);
		else
			send_body(k, c, link, at, start + link->latency);
	}
	if (link_at(k, f)->side != ODO_SIDE_HOST || c->world->model.paced_hosts)
		--*flits_of(k, c, at);
	if (last)
		tail_left(k, c, at);
	return_credit(k, c, link_at(k, f)->side, at, to, 1);
	if (last && link->side == ODO_SIDE_HOST)
		odo_deliver(c, link, packet, start - (c->pool[packet].phits - 1u) * link->cycles);
	else if (last)
		odo_packet_free(c, packet);
}

static void grant_flits(mode k, odo_part *c, uint32_t si)
{
	const odo_switch *s = &c->sw[si];
	uint32_t first = si << k.port_bits;
	/* In the order of outputs, since policies see what has been granted before. */
	for (uint32_t out = first; out < first + s->ports; out++) {
		if (link_at(k, out)->best == ODO_NOBODY)
			continue;
		odo_spot at = take_best(k, out);
		unsigned in = in_switch(k, port_of(k, at));
		mark_served(k, c, out, port_of(k, at));
		if (!k.in_turn)
			k.lanes[at].petition = ++c->petitions;
		s->last_lane[in] = (uint8_t)lane_of(k, at);
		s->last_output[in] = (uint8_t)in_switch(k, out);
		grant_flit(k, c, at);
	}
}

/* A link slower than the crossbar holds flits back; nothing else will wake the switch. */
static bool waits_for_line(mode k, const odo_part *c, uint32_t si)
{
	const odo_model *m = &c->world->model;
	const uint32_t *line = c->line + (si << k.port_bits);
	for (unsigned out = 0; out < c->sw[si].ports; out++)
		if (c->sw[si].taken[out] && line[out] > c->now + m->pipeline + m->output_buffer)
			return true;
	return false;
}

static bool any_asks(mode k, const odo_part *c, uint32_t si)
{
	const uint16_t *asks = k.asks + (si << k.port_bits);
	for (unsigned in = 0; in < c->sw[si].ports; in++)
		if (asks[in])
			return true;
	return false;
}

/* All passes of a cycle. True if the switch must be looked at again. */
static bool allocate_flits(mode k, odo_part *c, uint32_t si)
{
	struct claims claims;
	odo_round *round = &k.worker->round;
	bool again = false;
	for (uint32_t pass = 0; pass < c->world->model.speedup; pass++) {
		c->round = pass + 1;
		again |= claim_channels(k, c, si, &claims);
		if (petition_flits(k, c, si, round)) {
			grant_flits(k, c, si);
			again = true;
		}
		give_channels(k, c, si, &claims);
	}
	return again || any_asks(k, c, si) || waits_for_line(k, c, si);
}

/* Look at the switches that are to be looked at, and again in the next cycle at those of which
 * that says so. */
static void allocate_active(mode k, odo_part *c)
{
	uint32_t words = (uint32_t)odo_bit_words(c->n_switches);
	for (uint32_t x = 0; x < words; x++) {
		uint64_t again = 0;
		for (uint64_t m = c->active[x]; m; m &= m - 1)
			if (allocate_flits(k, c, x * 64 + odo_lowest_bit(m)))
				again |= m & -m;
		c->active[x] = again;
	}
}

/* ---- Events ---- */

ALWAYS_INLINE bool flit_credit(mode k, odo_part *c, odo_event event)
{
	odo_spot at = odo_event_spot(event);
	unsigned channel = lane_of(k, at), vl = channel / c->world->model.channels;
	uint32_t f = port_of(k, at), si = f >> k.port_bits;
	wake(c, si);
	if (event & ODO_BODY_FLIT) {
		++*flits_of(k, c, at);
		return false;
	}
	c->sw[si].room[in_switch(k, f) * k.I + channel]++;
	k.credits[at - channel + vl]++;
	if (k.policy && c->world->policy->credit)
		tell_credit(c, at - channel + vl, 1);
	return false;
}

ALWAYS_INLINE bool flit_arrival(mode k, odo_part *c, odo_event event)
{
	odo_spot at = odo_event_spot(event);
	uint32_t packet = (uint32_t)event;
	if (at == ODO_SPOT_HOST) {
		odo_source_received(c, packet);
		return false;
	}
	if (link_at(k, port_of(k, at))->side != ODO_SIDE_HOST || c->world->model.paced_hosts)
		++*flits_of(k, c, at);
	if (enqueue(c, &k.lanes[at], packet))
		flit_head(k, c, at);
	return false;
}

#endif
