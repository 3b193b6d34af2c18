/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a grant sets in motion: the packet, a credit, and two ports that are busy. Included by
 * cycle.c alone. */
#ifndef ODONATA_EMULATOR_GRANT_H
#define ODONATA_EMULATOR_GRANT_H

#include "emulator/measure.h"
#include "emulator/step.h"
#include "emulator/weigh.h"

/** Another packet has come to the head of a lane: find its way. */
ALWAYS_INLINE void head(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	odo_lane *q = &s->lanes[in * k.I + l];
	bool keep = false;
	if (!k.policy) {
		const odo_packet *p = &c->pool[q->head];
		q->way = (uint16_t)odo_forward(w, s, c->global[si], in, p);
		q->space = p->phits;
		if (__builtin_expect(q->way == ODO_NO_WAY, 0))
			stray(c, si, in, l, "the tables have no way on");
		else if (k.flits || can_go(k, s, q))
			let_go(k, s, in, l);
		else
			park(k, s, in, l, way_port(q));
		return;
	}
	if (!(w->policy->traits & ODO_POLICY_ASKS))
		ask(k, c, si, in, l, &keep);
	let_go(k, s, in, l);
	if (!keep)
		s->asks[in] |= (uint16_t)(1u << l);
}

static inline odo_inbox *inbox_of(const odo_part *c, uint32_t part)
{
	const odo_world *w = c->world;
	return &w->parts[part].inbox[c->odd * odo_n_inboxes(w) + c->worker->number];
}

/* A packet's header after another link. */
ALWAYS_INLINE void advance(odo_packet *p, const odo_link *link, unsigned vl)
{
	p->port = (uint8_t)(odo_spot_port(link->peer) + 1);
	p->vl = (uint8_t)vl;
	p->hops += p->hops < 255;
}

/* The packet goes into the other part's pool; here it is done with. What changes of it is written
 * to the copy: reading the whole right after writing bytes of it would stall. */
NEVER_INLINE void send_packet(odo_part *c, const odo_link *link, uint32_t packet, unsigned vl,
			      uint32_t when)
{
	odo_parcel *parcel = odo_inbox_parcel(inbox_of(c, link->part), &c->out_of_memory);
	if (!parcel)
		return;
	parcel->packet = c->pool[packet];
	parcel->at = link->peer | vl;
	parcel->when = when;
	advance(&parcel->packet, link, vl);
	odo_packet_free(c, packet);
}

NEVER_INLINE void send_credit(odo_part *c, const odo_link *link, uint32_t when, odo_event event)
{
	odo_receipt *receipt = odo_inbox_receipt(inbox_of(c, link->part), &c->out_of_memory);
	if (receipt)
		*receipt = (odo_receipt){event, when};
}

NEVER_INLINE uint32_t held(odo_part *c, uint32_t si, unsigned in, unsigned out)
{
	const odo_world *w = c->world;
	seed_draws(c, in, ODO_MAX_LANES);
	uint32_t cycles = w->policy->hold_credit(w->policy_state, view_switch(c, si), in + 1,
						 out + 1);
	return cycles < ODO_CREDIT_HOLD ? cycles : ODO_CREDIT_HOLD - 1;
}

/* Cycles until a credit can follow those on their way back. */
ALWAYS_INLINE uint32_t wait_for_credits(const odo_part *c, const odo_switch *s, unsigned in)
{
	uint32_t from = s->inward[in] > c->now ? s->inward[in] : c->now;
	s->inward[in] = from + 1;
	return from - c->now;
}

/* The buffer that a packet leaves has space again: tell whoever fills it. */
ALWAYS_INLINE void return_credit(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l,
				 unsigned out, unsigned phits)
{
	const odo_world *w = c->world;
	const odo_switch *s = &c->sw[si];
	const odo_link *link = &s->links[in];
	if (link->class == ODO_LINK_HOST) {
		s->lanes[in * k.I + l].fill -= (uint16_t)phits;
		if (c->hosts[link->peer].pending != ODO_NONE)
			odo_source_moved(c, link->peer, l);
		return;
	}
	uint32_t when = c->now + link->latency + w->model.credit_latency;
	if (k.flits && w->model.paced_credits)
		when += wait_for_credits(c, s, in);
	if (k.policy && w->policy->hold_credit)
		when += held(c, si, in, out);
	uint64_t event = (uint64_t)(link->peer | l) << 32 | phits;
	if (link->part == c->number)
		push_event(c, c->credits, when, event);
	else
		send_credit(c, link, when, event);
}

/* Onto the link to the next switch, which it enters in cycle `sent`. */
ALWAYS_INLINE void transmit(mode k, odo_part *c, const odo_switch *s, unsigned out, unsigned vl,
			    uint32_t packet, uint32_t sent)
{
	const odo_link *link = &s->links[out];
	odo_packet *p = &c->pool[packet];
	s->credits[out * k.V + vl] -= p->phits;
	if (p->hops >= c->world->max_hops)
		c->lost = packet;
	c->hops++;
	uint32_t when = sent + link->latency;
	if (link->part != c->number) {
		send_packet(c, link, packet, vl, when);
		return;
	}
	advance(p, link, vl);
	push_event(c, c->arrivals, when, (uint64_t)(link->peer | vl) << 32 | packet);
}

/* Take the winner out of its queue; whoever is behind it becomes the head. */
ALWAYS_INLINE void dequeue(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l, odo_lane *q)
{
	odo_switch *s = &c->sw[si];
	stop_asking(k, s, in, l);
	clear_ready(k, s, in, l);
	q->head = c->next[q->head];
	if (q->head == ODO_NONE)
		return;
	head(k, c, si, in, l);
	/* Until the one behind is the head, much else passes through the cache. */
	__builtin_prefetch(&c->pool[c->next[q->head] & (c->pool_room - 1)]);
}

ALWAYS_INLINE unsigned release_words(mode k)
{
	return odo_release_words(k.W, k.I, k.parallel);
}

/* What of a switch comes free in a cycle to come. */
ALWAYS_INLINE uint64_t *releases_of(mode k, const odo_part *c, uint32_t when, uint32_t si)
{
	size_t row = (size_t)(when & (c->release_cycles - 1)) * c->n_switches + si;
	return c->releases + row * release_words(k);
}

ALWAYS_INLINE void release_input(mode k, uint64_t *at, unsigned in, unsigned l)
{
	set_bit(k, at, in);
	if (k.parallel)
		set_bit(k, at + (2 + l) * k.W, in);
}

/* Input and output are busy for the packet's length, or as much less as the crossbar is faster;
 * nothing is queued behind an output but time. An output that is granted has a place for the
 * packet, so that it has one for the next no later than this one's length from now. Returns the
 * cycle in which the link starts. */
ALWAYS_INLINE uint32_t occupy_buffered(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l,
				       unsigned out, unsigned length)
{
	const odo_model *m = &c->world->model;
	const odo_switch *s = &c->sw[si];
	uint32_t cross = c->world->passes > 1 ? 0 : (length + m->speedup - 1) / m->speedup;
	uint32_t ready = c->now + m->pipeline;
	uint32_t start = s->line[out] > ready ? s->line[out] : ready;
	s->line[out] = start + length;
	uint32_t backlog = start + length - ready, next = c->now + cross;
	if (m->output_buffer && next + m->output_buffer < c->now + backlog + m->packet)
		next = c->now + backlog + m->packet - m->output_buffer;
	if (!m->output_buffer)
		next = c->now + length;
	if (cross)
		release_input(k, releases_of(k, c, c->now + cross, si), in, l);
	if (next > c->now)
		set_bit(k, releases_of(k, c, next, si) + k.W, out);
	return start;
}

ALWAYS_INLINE uint32_t occupy(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l,
			      unsigned out, unsigned phits)
{
	const odo_switch *s = &c->sw[si];
	unsigned length = phits * s->links[out].cycles;
	clear_bit(k, s->free_in, in);
	clear_bit(k, s->free_out, out);
	/* Where packets cross within a cycle, allocate() opens the input again: nothing to count.
	 */
	if (k.parallel && !(k.buffered && c->world->passes > 1))
		s->sending[in] |= (uint16_t)(1u << l);
	if (k.buffered)
		return occupy_buffered(k, c, si, in, l, out, length);
	uint64_t *at = releases_of(k, c, c->now + length, si);
	release_input(k, at, in, l);
	set_bit(k, at + k.W, out);
	return c->now + c->world->model.pipeline;
}

NEVER_INLINE void tell_policy(odo_part *c, uint32_t si, unsigned in, const odo_lane *q)
{
	odo_way way = {
		.port = (uint8_t)(way_port(q) + 1), .vl = (uint8_t)way_vl(q), .escape = q->escape};
	seed_draws(c, in, ODO_MAX_LANES);
	c->world->policy->leave(c->world->policy_state, view_switch(c, si), &c->pool[q->head],
				in + 1, &way);
}

/* The head of a lane, granted its way, begins to leave. */
ALWAYS_INLINE void set_out(mode k, odo_part *c, uint32_t si, unsigned in, const odo_lane *q)
{
	const odo_switch *s = &c->sw[si];
	odo_packet *p = &c->pool[q->head];
	bool injected = s->links[in].class == ODO_LINK_HOST;
	if (injected)
		p->entered = c->now;
	if (k.policy) {
		p->flags |= q->escape ? ODO_PACKET_ESCAPED : 0;
		if (c->world->policy->leave)
			tell_policy(c, si, in, q);
	}
	odo_measure_grant(c, s, way_port(q), si, injected, q->escape, p->phits);
}

ALWAYS_INLINE void grant(mode k, odo_part *c, uint32_t si, unsigned in, unsigned l, unsigned out)
{
	const odo_switch *s = &c->sw[si];
	odo_lane *q = &s->lanes[in * k.I + l];
	uint32_t packet = q->head;
	unsigned vl = way_vl(q);
	unsigned phits = k.uniform ? c->world->model.packet : c->pool[packet].phits;
	c->last_move = c->now;
	set_out(k, c, si, in, q);
	uint32_t sent = occupy(k, c, si, in, l, out, phits);
	dequeue(k, c, si, in, l, q);
	return_credit(k, c, si, in, l, out, phits);
	if (weighted(k, c))
		note_sent(c, si, out, phits);
	if (s->links[out].class == ODO_LINK_HOST)
		odo_deliver(c, &s->links[out], packet, sent);
	else
		transmit(k, c, s, out, vl, packet, sent);
}

#endif
