/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What a grant sets in motion: two ports are busy, a packet goes on, and a credit goes back.
 * Included by cycle.c alone.
 *
 * What the allocator's next round must know is done at once. The rest waits until all is
 * allocated: grants then lie in lists by what is at the other end of their ports, so that each
 * list is gone through without a branch that cannot be predicted; and likewise the lanes that have
 * another head by then.
 */
#ifndef ODONATA_EMULATOR_GRANT_H
#define ODONATA_EMULATOR_GRANT_H

#include "emulator/measure.h"
#include "emulator/step.h"
#include "emulator/weigh.h"

/* ---- Heads ---- */

/* Another packet has come to the head of a lane: find its way. */
ALWAYS_INLINE void head(mode k, odo_part *c, odo_spot at)
{
	const odo_world *w = c->world;
	odo_lane *q = &c->lanes[at];
	uint32_t f = port_of(k, at), si = f >> k.port_bits;
	enum odo_ask again = ODO_ASK_EACH_ROUND;
	if (!k.policy) {
		const odo_packet *p = &c->pool[q->head];
		unsigned way = c->hop && c->vl_row ? odo_forward_short(c, si, f, p)
						   : odo_forward(c, si, in_switch(k, f), p);
		if (__builtin_expect(way == ODO_NO_WAY, 0)) {
			stray(c, at, "the tables have no way on");
			return;
		}
		set_way(k, c, at, way);
		if (!k.uniform)
			c->rest[at].space = p->phits;
		set_ready(k, c, at);
		return;
	}
	if (!(w->policy->traits & ODO_POLICY_ASKS))
		ask(k, c, at, &again);
	if (again == ODO_ASK_OPENED)
		park_unless(k, c, at, false);
	else
		set_ready(k, c, at);
	if (again != ODO_ASK_NEVER)
		c->asks[f] |= (uint16_t)(1u << lane_of(k, at));
}

ALWAYS_INLINE void look_at_heads(mode k, odo_part *c)
{
	odo_worker *w = c->worker;
	uint32_t n = w->n_heads;
	w->n_heads = 0;
	for (uint32_t i = 0; i < n; i++)
		head(k, c, w->heads[i]);
}

/* ---- To other parts ---- */

static inline odo_inbox *inbox_of(const odo_part *c, uint32_t part)
{
	const odo_world *w = c->world;
	return &w->boxes[(2 * part + c->odd) * odo_n_inboxes(w) + c->worker->number];
}

/* A packet's header after another link. */
ALWAYS_INLINE void advance(mode k, odo_packet *p, const odo_link *link, unsigned vl)
{
	p->port = (uint8_t)(in_switch(k, port_of(k, link->peer)) + 1);
	p->vl = (uint8_t)vl;
	p->hops += p->hops < 255;
}

/* The packet goes into the other part's pool; here it is done with. What changes of it is written
 * to the copy: reading the whole right after writing bytes of it would stall. */
ALWAYS_INLINE void send_packet(mode k, odo_part *c, const odo_link *link, uint32_t packet,
			       unsigned vl, uint32_t when)
{
	odo_parcel *parcel = odo_inbox_parcel(inbox_of(c, link->part), &c->out_of_memory);
	if (!parcel)
		return;
	parcel->packet = c->pool[packet];
	parcel->at = link->peer | vl;
	parcel->when = when;
	advance(k, &parcel->packet, link, vl);
	odo_packet_free(c, packet);
}

ALWAYS_INLINE void send_credit(odo_part *c, const odo_link *link, uint32_t when, odo_event event)
{
	odo_receipt *receipt = odo_inbox_receipt(inbox_of(c, link->part), &c->out_of_memory);
	if (receipt)
		*receipt = (odo_receipt){event, when};
}

/* ---- Where the packet was ---- */

NEVER_INLINE uint32_t held(odo_part *c, odo_spot from, odo_spot to)
{
	const odo_world *w = c->world;
	unsigned in = odo_spot_port(w, from), out = odo_spot_port(w, to);
	seed_draws(c, in, ODO_MAX_LANES);
	uint32_t cycles = w->policy->hold_credit(
		w->policy_state, view_switch(c, odo_spot_switch(w, from)), in + 1, out + 1);
	return cycles < ODO_CREDIT_HOLD ? cycles : ODO_CREDIT_HOLD - 1;
}

/* Cycles until a credit can follow those on their way back. */
ALWAYS_INLINE uint32_t wait_for_credits(odo_part *c, uint32_t f)
{
	uint32_t from = c->inward[f] > c->now ? c->inward[f] : c->now;
	c->inward[f] = from + 1;
	return from - c->now;
}

/* The buffer that a packet leaves has space again: tell whoever fills it. */
ALWAYS_INLINE void return_credit(mode k, odo_part *c, odo_side side, odo_spot from, odo_spot to,
				 unsigned phits)
{
	const odo_world *w = c->world;
	const odo_link *link = &c->links[port_of(k, from)];
	if (side == ODO_SIDE_HOST) {
		c->rest[from].fill -= (uint16_t)phits;
		if (c->hosts[link->peer].pending != ODO_NONE)
			odo_source_moved(c, link->peer, lane_of(k, from));
		return;
	}
	uint32_t when = c->now + link->latency + w->model.credit_latency;
	if (k.flits && w->model.paced_credits)
		when += wait_for_credits(c, port_of(k, from));
	if (k.policy && w->policy->hold_credit)
		when += held(c, from, to);
	uint64_t event = (uint64_t)(link->peer | lane_of(k, from)) << 32 | phits;
	if (side == ODO_SIDE_HERE)
		push_event(c, c->returns, when, event);
	else
		send_credit(c, link, when, event);
}

/* Take the winner out of its queue; whoever is behind it becomes the head. */
ALWAYS_INLINE void dequeue(mode k, odo_part *c, odo_spot at)
{
	odo_lane *q = &c->lanes[at];
	stop_asking(k, c, port_of(k, at), lane_of(k, at));
	q->head = c->next[q->head];
	note_head(c, at, q->head != ODO_NONE);
	__builtin_prefetch(&c->pool[q->head & (c->pool_room - 1)]);
}

/* Phits of a packet; where all are alike without looking at it. */
ALWAYS_INLINE unsigned phits_of(mode k, const odo_part *c, uint32_t packet)
{
	return k.even ? c->world->model.packet : c->pool[packet].phits;
}

ALWAYS_INLINE void leave_all(mode k, odo_part *c, odo_side side)
{
	odo_worker *w = c->worker;
	uint32_t n = w->leaving[side].n;
	w->leaving[side].n = 0;
	for (uint32_t i = 0; i < n; i++) {
		odo_spot from = w->leaving[side].at[i], to = wanted(c, from);
		uint32_t packet = c->lanes[from].head;
		odo_going *list = &w->going[c->links[port_of(k, to)].side];
		list->at[list->n++] = (struct odo_onward){packet, to};
		if (side == ODO_SIDE_HOST) {
			c->pool[packet].entered = c->now;
			odo_measure_injected(c, port_of(k, from) >> k.port_bits);
		}
		dequeue(k, c, from);
		return_credit(k, c, side, from, to, phits_of(k, c, packet));
	}
}

/* ---- Where it goes ---- */

/* The cycle in which it enters the link. */
ALWAYS_INLINE uint32_t start_of(mode k, const odo_part *c, uint32_t out, unsigned phits)
{
	if (k.buffered)
		return c->line[out] - phits * c->links[out].cycles;
	return c->now + c->world->model.pipeline;
}

/* Onto the link to the next switch. */
ALWAYS_INLINE void transmit(mode k, odo_part *c, odo_side side, struct odo_onward g, uint32_t start)
{
	const odo_link *link = &c->links[port_of(k, g.to)];
	odo_packet *p = &c->pool[g.packet];
	unsigned vl = lane_of(k, g.to);
	uint32_t when = start + link->latency;
	if (p->hops >= c->world->max_hops)
		lose(c, p);
	if (side == ODO_SIDE_AWAY) {
		send_packet(k, c, link, g.packet, vl, when);
		return;
	}
	advance(k, p, link, vl);
	arrive(c, when, link->peer | vl, g.packet);
}

ALWAYS_INLINE void go_all(mode k, odo_part *c, odo_side side)
{
	odo_going *list = &c->worker->going[side];
	uint32_t n = list->n;
	list->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct odo_onward g = list->at[i];
		uint32_t out = port_of(k, g.to);
		unsigned phits = phits_of(k, c, g.packet);
		uint32_t start = start_of(k, c, out, phits);
		odo_measure_grant(c, out, phits, k.even);
		if (side != ODO_SIDE_HOST) {
			transmit(k, c, side, g, start);
			continue;
		}
		c->credits[g.to] += (uint16_t)phits; /* a host takes all */
		odo_deliver(c, &c->links[out], g.packet, start);
	}
	if (n)
		c->last_move = c->now;
	if (side != ODO_SIDE_HOST)
		c->hops += n;
}

/** All that grants set in motion, and has been left for later. */
ALWAYS_INLINE void carry_out(mode k, odo_part *c)
{
	leave_all(k, c, ODO_SIDE_HERE);
	leave_all(k, c, ODO_SIDE_AWAY);
	leave_all(k, c, ODO_SIDE_HOST);
	go_all(k, c, ODO_SIDE_HERE);
	go_all(k, c, ODO_SIDE_AWAY);
	go_all(k, c, ODO_SIDE_HOST);
}

/* ---- At once ---- */

/* Bit sets of the releases of a cycle: odo_release_sets(). */
ALWAYS_INLINE unsigned release_sets(mode k)
{
	return k.parallel ? 2 + (1u << k.lane_bits) : 2;
}

/* What comes free in a cycle to come. */
ALWAYS_INLINE uint64_t *releases_of(mode k, const odo_part *c, uint32_t when)
{
	size_t row = (size_t)(when & (c->release_cycles - 1)) * release_sets(k);
	return c->releases + row * c->n_words;
}

ALWAYS_INLINE void release_input(mode k, const odo_part *c, uint64_t *at, odo_spot from)
{
	set_bit(at, port_of(k, from));
	if (k.parallel)
		set_bit(at + (2 + lane_of(k, from)) * c->n_words, port_of(k, from));
}

/* Input and output are busy for the packet's length, or as much less as the crossbar is faster;
 * nothing is queued behind an output but time. An output that is granted has a place for the
 * packet, so that it has one for the next no later than this one's length from now. */
ALWAYS_INLINE void occupy_buffered(mode k, odo_part *c, odo_spot from, uint32_t out,
				   unsigned length)
{
	const odo_model *m = &c->world->model;
	uint32_t cross = c->world->passes > 1 ? 0 : (length + m->speedup - 1) / m->speedup;
	uint32_t ready = c->now + m->pipeline;
	uint32_t start = c->line[out] > ready ? c->line[out] : ready;
	c->line[out] = start + length;
	uint32_t backlog = start + length - ready, next = c->now + cross;
	if (m->output_buffer && next + m->output_buffer < c->now + backlog + m->packet)
		next = c->now + backlog + m->packet - m->output_buffer;
	if (!m->output_buffer)
		next = c->now + length;
	if (cross)
		release_input(k, c, releases_of(k, c, c->now + cross), from);
	if (next > c->now)
		set_bit(releases_of(k, c, next) + c->n_words, out);
}

ALWAYS_INLINE void occupy(mode k, odo_part *c, odo_spot from, uint32_t out, unsigned length)
{
	clear_bit(c->free_in, port_of(k, from));
	clear_bit(c->free_out, out);
	if (k.buffered) {
		occupy_buffered(k, c, from, out, length);
		return;
	}
	uint64_t *at = releases_of(k, c, c->now + length);
	release_input(k, c, at, from);
	set_bit(at + c->n_words, out);
}

/* A word of inputs and one of outputs, where all packets are equally long. */
ALWAYS_INLINE void occupy_words(odo_part *c, uint32_t word, uint64_t in, uint64_t out)
{
	uint64_t *at = c->closing + word;
	c->free_in[word] &= ~in;
	c->free_out[word] &= ~out;
	at[0] |= in;
	at[c->n_words] |= out;
}

NEVER_INLINE void tell_policy(odo_part *c, odo_spot from)
{
	const odo_world *w = c->world;
	const odo_lane *q = &c->lanes[from];
	odo_way way = {.port = (uint8_t)(odo_spot_port(w, q->to) + 1),
		       .vl = (uint8_t)odo_spot_lane(w, q->to),
		       .escape = c->rest[from].escape};
	unsigned in = odo_spot_port(w, from);
	seed_draws(c, in, ODO_MAX_LANES);
	w->policy->leave(w->policy_state, view_switch(c, odo_spot_switch(w, from)),
			 &c->pool[q->head], in + 1, &way);
}

/* What a policy may see of it in the same cycle. */
ALWAYS_INLINE void set_out(mode k, odo_part *c, odo_spot from)
{
	if (!k.policy)
		return;
	uint8_t escape = c->rest[from].escape;
	c->pool[c->lanes[from].head].flags |= escape ? ODO_PACKET_ESCAPED : 0;
	c->worker->m.escape_hops += escape;
	if (c->world->policy->leave)
		tell_policy(c, from);
}

/* With lanes side by side: this one sends. Where packets cross within a cycle, allocate() opens the
 * input again: nothing to count. */
ALWAYS_INLINE void start_sending(mode k, odo_part *c, odo_spot from)
{
	if (k.buffered && c->world->passes > 1)
		return;
	c->sending[word_of(k, from)] |= 1ull << bit_of(k, from);
	if (k.even)
		set_bit(c->closing + (2 + lane_of(k, from)) * c->n_words, port_of(k, from));
}

ALWAYS_INLINE void grant(mode k, odo_part *c, odo_spot from)
{
	odo_leaving *list = &c->worker->leaving[c->links[port_of(k, from)].side];
	unsigned phits = phits_of(k, c, c->lanes[from].head);
	odo_spot to = wanted(c, from);
	uint32_t out = port_of(k, to);
	list->at[list->n++] = from;
	clear_ready(k, c, from);
	c->credits[to] -= (uint16_t)phits;
	set_out(k, c, from);
	if (!k.even)
		occupy(k, c, from, out, phits * c->links[out].cycles);
	if (k.parallel)
		start_sending(k, c, from);
	if (weighted(k, c))
		note_sent(k, c, out, phits);
}

#endif
