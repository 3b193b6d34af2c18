/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Virtual-channel flow control (Dally, IEEE TPDS 3(2), 1992), for comparison with simulators and
 * papers that have it. Included by cycle.c alone.
 *
 * A packet at the head of a lane first obtains a channel of the VL it wants, and keeps it until its
 * tail has passed. Then its phits, here called flits, compete for the crossbar one by one. Each
 * step takes a pass of the allocator, so a lane whose packets have one flit sends at most in every
 * other pass. Each step is separable, input first, with one round a pass.
 *
 * A lane's `fill` counts the flits that have arrived (behind a paced host, `arrived` counts them);
 * its `unsent` counts the head's flits that are still to be sent. The head flit carries a copy of
 * the packet; the flits behind it arrive as separate events.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_FLITS_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_FLITS_H

#include "emulator/kernel/cycle/allocate.h"

/* Claims for channels in this pass, and who gets each channel. */
struct claims {
	uint16_t claimed[ODO_MAX_PORTS];              /* claimed channels of each output, as bits */
	uint16_t owner[ODO_MAX_PORTS][ODO_MAX_LANES]; /* lane, numbered as in last_owner */
};

ALWAYS_INLINE void wake_switch(odo_part *part, uint32_t s)
{
	odo_set_bit(part->active, s);
}

/* A packet has come to the head of a lane. `space` becomes its number of flits, or more if it needs
 * a bubble. */
ALWAYS_INLINE void flit_head(mode k, odo_part *part, odo_spot at)
{
	find_head_way(k, part, at);
	wake_switch(part, port_at(k, at) >> k.port_bits);
}

/* ---- Channels ---- */

/* May this lane's head ask for a channel? Its policy is asked first if the policy requires it. */
ALWAYS_INLINE bool wants_channel(mode k, odo_part *part, const odo_switch *sw, odo_spot at)
{
	uint32_t f = port_at(k, at);
	unsigned l = lane_at(k, at);
	enum odo_ask again;
	if (!test_lane(k, k.ready, at) || odo_has_bit(sw->owns + l * k.W, in_switch(k, f)))
		return false;
	if (!asks_again(k, at))
		return true;
	if (!ask_policy(k, part, at, &again))
		return false;
	if (again == ODO_ASK_NEVER)
		stop_asking(k, f, l);
	return true;
}

/* Next free channel of the VL, round robin from the one this lane had last; -1 if none is free. */
static int free_channel(mode k, const odo_part *part, const odo_switch *sw, odo_spot at)
{
	odo_spot to = wanted_way(k, at);
	unsigned n = part->world->model.channels, first = lane_at(k, to) * n;
	unsigned port = in_switch(k, port_at(k, to));
	if (k.failing && odo_has_bit(part->dead, port_at(k, to)))
		return -1;
	for (unsigned i = 1; i <= n; i++) {
		unsigned channel = first + (k.rest[at].channel + i) % n;
		bool bubble = k.rest[at].space > part->pool[k.lanes[at].head].phits;
		if (sw->taken[port] >> channel & 1 ||
		    (bubble && sw->room[port * k.I + channel] < k.rest[at].space))
			continue;
		return (int)channel;
	}
	return -1;
}

/* Enter a lane's claim for a channel. If several lanes claim it, the next lane behind the last
 * owner gets it. */
static void claim_channel(mode k, const odo_switch *sw, struct claims *r, unsigned port,
			  unsigned channel, unsigned lane)
{
	unsigned all = sw->ports * k.I, last = sw->last_owner[port * k.I + channel];
	uint16_t *owner = &r->owner[port][channel];
	if (r->claimed[port] >> channel & 1 &&
	    (*owner + all - last - 1) % all <= (lane + all - last - 1) % all)
		return;
	r->claimed[port] |= (uint16_t)(1u << channel);
	*owner = (uint16_t)lane;
}

/* Choose the channels that heads get in the next pass. True if there is any. */
static bool claim_channels(mode k, odo_part *part, uint32_t si, struct claims *r)
{
	const odo_switch *sw = &part->sw[si];
	bool any = false;
	memset(r->claimed, 0, sw->ports * sizeof *r->claimed);
	for (unsigned in = 0; in < sw->ports; in++)
		for (unsigned l = 0; l < k.I; l++) {
			odo_spot at = sw->first + (in << k.lane_bits | l);
			if (!wants_channel(k, part, sw, at))
				continue;
			int channel = free_channel(k, part, sw, at);
			if (channel < 0)
				continue;
			claim_channel(k, sw, r, in_switch(k, port_at(k, wanted_way(k, at))),
				      (unsigned)channel, in * k.I + l);
			any = true;
		}
	return any;
}

static void give_channels(mode k, odo_part *part, uint32_t si, const struct claims *r)
{
	odo_switch *sw = &part->sw[si];
	for (unsigned port = 0; port < sw->ports; port++)
		for (unsigned m = r->claimed[port]; m; m &= m - 1) {
			unsigned channel = odo_lowest_bit(m), lane = r->owner[port][channel];
			unsigned in = lane / k.I, l = lane % k.I;
			odo_spot at = sw->first + (in << k.lane_bits | l);
			unsigned vl = lane_at(k, wanted_way(k, at));
			k.rest[at].channel = (uint8_t)(channel - vl * part->world->model.channels);
			k.rest[at].unsent = part->pool[k.lanes[at].head].phits;
			sw->taken[port] |= (uint16_t)(1u << channel);
			sw->last_owner[port * k.I + channel] = (uint16_t)lane;
			odo_set_bit(sw->owns + l * k.W, in);
			stop_asking(k, port_at(k, at), l);
		}
}

/* ---- The crossbar ---- */

ALWAYS_INLINE unsigned channel_of(mode k, const odo_part *part, odo_spot at)
{
	return lane_at(k, wanted_way(k, at)) * part->world->model.channels + k.rest[at].channel;
}

/* Flits of a lane that have arrived. An injection queue gets all flits of a packet at once, unless
 * its host is paced. */
ALWAYS_INLINE uint16_t *flits_of(mode k, const odo_part *part, odo_spot at)
{
	bool host = link_at(k, port_at(k, at))->side == ODO_SIDE_HOST;
	return host && part->world->model.paced_hosts ? &k.rest[at].arrived : &k.rest[at].fill;
}

/* Could this lane send a flit now? */
ALWAYS_INLINE bool has_flit(mode k, const odo_part *part, const odo_switch *sw, unsigned in,
			    unsigned l)
{
	odo_spot at = sw->first + (in << k.lane_bits | l);
	uint32_t out = port_at(k, wanted_way(k, at));
	const odo_model *model = &part->world->model;
	return odo_has_bit(sw->owns + l * k.W, in) && *flits_of(k, part, at) &&
	       sw->room[in_switch(k, out) * k.I + channel_of(k, part, at)] &&
	       part->line[out] <= part->now + model->pipeline + model->output_buffer;
}

/*
 * Return the lane an input petitions with, or k.I. With LRS, it is the one served least recently.
 * Round robin goes over the outputs, then over the lanes that want the same output. With a turn for
 * each lane, an output that many lanes want would get too many petitions.
 */
static unsigned choose_lane(mode k, const odo_part *part, const odo_switch *sw, unsigned in)
{
	unsigned best = k.I, nearest = UINT32_MAX;
	for (unsigned n = 1; n <= k.I; n++) {
		unsigned l = k.in_turn ? (sw->last_lane[in] + n) % k.I : n - 1;
		odo_spot at = sw->first + (in << k.lane_bits | l);
		unsigned out = in_switch(k, port_at(k, wanted_way(k, at)));
		unsigned far = (out + sw->ports - sw->last_output[in] - 1) % sw->ports;
		unsigned turn = k.in_turn ? far : k.lanes[at].petition;
		if (turn < nearest && has_flit(k, part, sw, in, l)) {
			nearest = turn;
			best = l;
		}
	}
	return best;
}

/* Each input petitions with one lane, for one output. */
static bool petition_flits(mode k, odo_part *part, uint32_t si, odo_round *r)
{
	const odo_switch *sw = &part->sw[si];
	struct petitions p = begin_petitions(part, r);
	for (unsigned in = 0; in < sw->ports; in++) {
		unsigned l = choose_lane(k, part, sw, in);
		if (l == k.I)
			continue;
		petition_output(k, &p, sw->first + (in << k.lane_bits | l));
	}
	end_petitions(part, r, &p);
	return r->n_granted != 0;
}

/* Send a head flit, with its packet's header, to another switch. */
static void send_head(mode k, odo_part *part, const odo_link *link, uint32_t packet, odo_spot from,
		      uint32_t when)
{
	unsigned vl = lane_at(k, wanted_way(k, from));
	odo_spot at = link->peer | channel_of(k, part, from);
	uint32_t copy = odo_packet_new(part);
	if (copy == ODO_NONE)
		return;
	part->pool[copy] = part->pool[packet];
	if (part->pool[copy].hops >= part->world->max_hops)
		note_lost_packet(part, &part->pool[packet]);
	part->hops++;
	if (link->side == ODO_SIDE_AWAY) {
		send_packet(k, part, link, copy, vl, when);
		odo_inbox *box = inbox_of(k, link->part);
		if (!part->out_of_memory)
			box->parcels[box->n_parcels - 1].at = at;
		return;
	}
	advance_header(k, &part->pool[copy], vl);
	push_arrival(part, when, at, copy);
}

static void send_body(mode k, odo_part *part, const odo_link *link, odo_spot from, uint32_t when)
{
	odo_event event = odo_event_at(link->peer | channel_of(k, part, from), ODO_BODY_FLIT);
	if (link->side == ODO_SIDE_HERE)
		push_event(part, part->returns, when, event);
	else
		send_credit(k, part, link, when, event);
}

/* The tail has left: free its channel; the next packet becomes the head. */
static void tail_left(mode k, odo_part *part, odo_spot at)
{
	odo_lane *q = &k.lanes[at];
	uint32_t f = port_at(k, at);
	unsigned l = lane_at(k, at);
	odo_switch *sw = &part->sw[f >> k.port_bits];
	unsigned out = in_switch(k, port_at(k, wanted_way(k, at)));
	sw->taken[out] &= (uint16_t) ~(1u << channel_of(k, part, at));
	odo_clear_bit(sw->owns + l * k.W, in_switch(k, f));
	clear_ready(k, at);
	q->head = part->next[q->head];
	if (q->head != ODO_NONE)
		flit_head(k, part, at);
}

/* The first flit of a packet leaves. */
static void record_first_flit(mode k, odo_part *part, odo_spot at)
{
	uint32_t f = port_at(k, at), packet = k.lanes[at].head;
	if (link_at(k, f)->side == ODO_SIDE_HOST) {
		part->pool[packet].entered = part->now;
		odo_measure_injected(part, f >> k.port_bits);
	}
	record_departure(k, part, at);
}

static void grant_flit(mode k, odo_part *part, odo_spot at)
{
	odo_lane_rest *rest = &k.rest[at];
	odo_spot to = wanted_way(k, at);
	uint32_t out = port_at(k, to), f = port_at(k, at);
	const odo_link *link = link_at(k, out);
	uint32_t packet = k.lanes[at].head, ready = part->now + k.pipeline;
	uint32_t start = part->line[out] > ready ? part->line[out] : ready;
	bool first = rest->unsent == part->pool[packet].phits, last = --rest->unsent == 0;
	part->line[out] = start + link->cycles;
	part->last_move = part->now;
	odo_measure_grant(part, out, 1, !first);
	if (first)
		record_first_flit(k, part, at);
	if (link->side != ODO_SIDE_HOST) {
		odo_switch *sw = &part->sw[f >> k.port_bits];
		sw->room[in_switch(k, out) * k.I + channel_of(k, part, at)]--;
		k.credits[to]--;
		if (first)
			send_head(k, part, link, packet, at, start + link->latency);
		else
			send_body(k, part, link, at, start + link->latency);
	}
	if (link_at(k, f)->side != ODO_SIDE_HOST || part->world->model.paced_hosts)
		--*flits_of(k, part, at);
	if (last)
		tail_left(k, part, at);
	return_credit(k, part, link_at(k, f)->side, at, to, 1);
	if (last && link->side == ODO_SIDE_HOST)
		odo_deliver(part, link, packet,
			    start - (part->pool[packet].phits - 1u) * link->cycles);
	else if (last)
		odo_packet_free(part, packet);
}

static void grant_flits(mode k, odo_part *part, uint32_t si)
{
	const odo_switch *sw = &part->sw[si];
	uint32_t first = si << k.port_bits;
	/* In the order of outputs, because policies see what was granted before. */
	for (uint32_t out = first; out < first + sw->ports; out++) {
		if (link_at(k, out)->best == ODO_NOBODY)
			continue;
		odo_spot at = take_winner(k, out);
		unsigned in = in_switch(k, port_at(k, at));
		mark_served(k, part, out, port_at(k, at));
		if (!k.in_turn)
			k.lanes[at].petition = ++part->petitions;
		sw->last_lane[in] = (uint8_t)lane_at(k, at);
		sw->last_output[in] = (uint8_t)in_switch(k, out);
		grant_flit(k, part, at);
	}
}

/* Does a link slower than the crossbar hold back flits of this switch? No event will wake the
 * switch in that case. */
static bool waits_for_line(mode k, const odo_part *part, uint32_t si)
{
	const odo_model *model = &part->world->model;
	const uint32_t *line = part->line + (si << k.port_bits);
	for (unsigned out = 0; out < part->sw[si].ports; out++)
		if (part->sw[si].taken[out] &&
		    line[out] > part->now + model->pipeline + model->output_buffer)
			return true;
	return false;
}

static bool any_asks(mode k, const odo_part *part, uint32_t si)
{
	const uint16_t *asks = k.asks + (si << k.port_bits);
	for (unsigned in = 0; in < part->sw[si].ports; in++)
		if (asks[in])
			return true;
	return false;
}

/* Run all passes of a cycle. True if the switch must be visited again in the next cycle. */
static bool allocate_flits(mode k, odo_part *part, uint32_t si)
{
	struct claims claims;
	odo_round *round = &k.worker->round;
	bool again = false;
	for (uint32_t pass = 0; pass < part->world->model.speedup; pass++) {
		part->round = pass + 1;
		again |= claim_channels(k, part, si, &claims);
		if (petition_flits(k, part, si, round)) {
			grant_flits(k, part, si);
			again = true;
		}
		give_channels(k, part, si, &claims);
	}
	return again || any_asks(k, part, si) || waits_for_line(k, part, si);
}

/* Visit the active switches; keep active those that must be visited again in the next cycle. */
static void allocate_active(mode k, odo_part *part)
{
	uint32_t words = (uint32_t)odo_bit_words(part->n_switches);
	for (uint32_t x = 0; x < words; x++) {
		uint64_t again = 0;
		for (uint64_t m = part->active[x]; m; m &= m - 1)
			if (allocate_flits(k, part, x * 64 + odo_lowest_bit(m)))
				again |= m & -m;
		part->active[x] = again;
	}
}

/* ---- Events ---- */

ALWAYS_INLINE bool flit_credit(mode k, odo_part *part, odo_event event)
{
	odo_spot at = odo_event_spot(event);
	unsigned channel = lane_at(k, at), vl = channel / part->world->model.channels;
	uint32_t f = port_at(k, at), si = f >> k.port_bits;
	wake_switch(part, si);
	if (event & ODO_BODY_FLIT) {
		++*flits_of(k, part, at);
		return false;
	}
	part->sw[si].room[in_switch(k, f) * k.I + channel]++;
	k.credits[at - channel + vl]++;
	if (k.policy && part->world->policy->credit)
		call_policy_credit(part, at - channel + vl, 1);
	return false;
}

ALWAYS_INLINE bool flit_arrival(mode k, odo_part *part, odo_event event)
{
	odo_spot at = odo_event_spot(event);
	uint32_t packet = (uint32_t)event;
	if (at == ODO_SPOT_HOST) {
		odo_source_received(part, packet);
		return false;
	}
	if (link_at(k, port_at(k, at))->side != ODO_SIDE_HOST || part->world->model.paced_hosts)
		++*flits_of(k, part, at);
	if (enqueue_packet(part, &k.lanes[at], packet))
		flit_head(k, part, at);
	return false;
}

#endif
