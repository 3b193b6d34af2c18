/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Effects of a grant: two ports are busy, a packet goes on, and a credit goes back. Included by
 * cycle.c alone.
 *
 * State that the allocator's next round reads is updated at once. Everything else waits until
 * allocation ends. By then grants lie in lists, one for each kind of peer (part.h, odo_side), so
 * that the loop over a list has no unpredictable branch. The lanes that have a new head are listed
 * likewise.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_GRANT_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_GRANT_H

#include "emulator/kernel/cycle/deliver.h"
#include "emulator/kernel/cycle/forward.h"
#include "emulator/kernel/cycle/source.h"
#include "emulator/kernel/cycle/weigh.h"

/* ---- To other parts ---- */

ALWAYS_INLINE odo_inbox *inbox_of(mode k, uint32_t part)
{
	return &k.boxes[part * k.boxes_apart];
}

/* Update a packet's header after one more link. */
ALWAYS_INLINE void advance_header(mode k, odo_packet *p, unsigned vl)
{
	if (k.policy)
		p->vl = (uint8_t)vl;
	p->hops += p->hops < 255;
}

/* Copy the packet into the inbox of the other part and free it here. The header is changed in the
 * copy: reading a whole packet right after writing single bytes of it would stall. */
ALWAYS_INLINE void send_packet(mode k, odo_part *part, const odo_link *link, uint32_t packet,
			       unsigned vl, uint32_t when)
{
	odo_parcel *parcel = odo_inbox_parcel(inbox_of(k, link->part), &part->out_of_memory);
	if (!parcel)
		return;
	parcel->packet = part->pool[packet];
	parcel->at = link->peer | vl;
	parcel->when = when;
	advance_header(k, &parcel->packet, vl);
	odo_packet_free(part, packet);
}

ALWAYS_INLINE void send_credit(mode k, odo_part *part, const odo_link *link, uint32_t when,
			       odo_event event)
{
	odo_receipt *receipt = odo_inbox_receipt(inbox_of(k, link->part), &part->out_of_memory);
	if (receipt)
		*receipt = (odo_receipt){event, when};
}

/* ---- Input side of a grant ---- */

NEVER_INLINE uint32_t hold_cycles(odo_part *part, odo_spot from, odo_spot to)
{
	const odo_world *w = part->world;
	unsigned in = odo_spot_port(w, from), out = odo_spot_port(w, to);
	seed_draws(part, in, ODO_MAX_LANES);
	uint32_t cycles = w->policy->hold_credit(
		w->policy_state, view_switch(part, odo_spot_switch(w, from)), in + 1, out + 1);
	return cycles < ODO_CREDIT_HOLD ? cycles : ODO_CREDIT_HOLD - 1;
}

/* Return the cycles until a credit can follow the credits that are already on their way. */
ALWAYS_INLINE uint32_t wait_for_credits(mode k, odo_part *part, uint32_t f)
{
	uint32_t from = part->inward[f] > k.now ? part->inward[f] : k.now;
	part->inward[f] = from + 1;
	return from - k.now;
}

/* Return the credit for the space that a packet frees, to the switch or host that fills this
 * buffer. */
ALWAYS_INLINE void return_credit(mode k, odo_part *part, odo_side side, odo_spot from, odo_spot to,
				 unsigned phits)
{
	const odo_world *w = part->world;
	const odo_link *link = link_at(k, port_at(k, from));
	if (side == ODO_SIDE_HOST) {
		k.rest[from].fill -= (uint16_t)phits;
		if (part->hosts[link->peer].pending != ODO_NONE)
			odo_source_moved(part, link->peer, lane_at(k, from));
		return;
	}
	uint32_t when = k.now + link->latency + k.credit_latency;
	if (k.flits && w->model.paced_credits)
		when += wait_for_credits(k, part, port_at(k, from));
	if (k.policy && !k.sets && w->policy->hold_credit)
		when += hold_cycles(part, from, to);
	odo_event event = odo_event_at(link->peer | lane_at(k, from), phits);
	if (side == ODO_SIDE_HERE)
		push_into(part, &k.returns[when & (k.wheel - 1)], event);
	else
		send_credit(k, part, link, when, event);
}

/* Remove the winner from its queue; the packet behind it becomes the head. False: the queue is
 * empty. */
ALWAYS_INLINE bool dequeue_head(mode k, odo_part *part, odo_spot at)
{
	odo_lane *q = &k.lanes[at];
	stop_asking(k, port_at(k, at), lane_at(k, at));
	q->head = part->next[q->head];
	__builtin_prefetch(&part->pool[q->head & (part->pool_room - 1)]);
	return q->head != ODO_NONE;
}

/* Phits of a packet; if all packets are alike, the packet is not read. */
ALWAYS_INLINE unsigned phits_of(mode k, const odo_part *part, uint32_t packet)
{
	return k.even || k.alike ? k.packet : part->pool[packet].phits;
}

/* @return the end of the list of heads */
ALWAYS_INLINE odo_spot *leave_inputs(mode k, odo_part *part, odo_side side, odo_spot *heads)
{
	odo_leaving *all = &k.worker->leaving[side];
	const odo_spot *end = all->end;
	all->end = all->at;
	for (const odo_spot *at = all->at; at < end; at++) {
		odo_spot from = *at, to = wanted_way(k, from);
		uint32_t packet = k.lanes[from].head;
		odo_going *list = &k.worker->going[link_at(k, port_at(k, to))->side];
		*list->end++ = (struct odo_onward){packet, to};
		if (side == ODO_SIDE_HOST) {
			part->pool[packet].entered = k.now;
			odo_measure_injected(part, port_at(k, from) >> k.port_bits);
		}
		*heads = from;
		heads += dequeue_head(k, part, from);
		return_credit(k, part, side, from, to, phits_of(k, part, packet));
	}
	return heads;
}

/* ---- Output side of a grant ---- */

/* Return the cycle in which a packet enters the link. */
ALWAYS_INLINE uint32_t link_start(mode k, const odo_part *part, uint32_t out, unsigned phits)
{
	if (k.buffered)
		return part->line[out] - (k.paper ? k.packet : phits * link_at(k, out)->cycles);
	return k.now + k.pipeline;
}

/* Send the packet onto the link to the next switch. */
ALWAYS_INLINE void transmit_packet(mode k, odo_part *part, odo_side side, struct odo_onward g,
				   uint32_t start)
{
	const odo_link *link = link_at(k, port_at(k, g.to));
	odo_packet *p = &part->pool[g.packet];
	unsigned vl = lane_at(k, g.to);
	uint32_t when = start + link->latency;
	if (p->hops >= k.max_hops)
		note_lost_packet(part, p);
	if (side == ODO_SIDE_AWAY) {
		send_packet(k, part, link, g.packet, vl, when);
		return;
	}
	advance_header(k, p, vl);
	odo_event event = odo_event_at(link->peer | vl, g.packet);
	push_into(part, &k.arrivals[when & (k.wheel - 1)], event);
}

ALWAYS_INLINE void send_onward(mode k, odo_part *part, odo_side side)
{
	odo_going *all = &k.worker->going[side];
	const struct odo_onward *end = all->end;
	all->end = all->at;
	for (const struct odo_onward *at = all->at; at < end; at++) {
		struct odo_onward g = *at;
		uint32_t out = port_at(k, g.to);
		unsigned phits = phits_of(k, part, g.packet);
		uint32_t start = link_start(k, part, out, phits);
		odo_measure_grant(part, out, phits, k.even);
		if (side != ODO_SIDE_HOST) {
			transmit_packet(k, part, side, g, start);
			continue;
		}
		k.credits[g.to] += (uint16_t)phits; /* a host always has room */
		odo_deliver(part, link_at(k, out), g.packet, start);
	}
	if (end > all->at)
		part->last_move = k.now;
	if (side != ODO_SIDE_HOST)
		part->hops += (uint64_t)(end - all->at);
}

/** Carry out the effects of grants that were deferred. @return the end of the list of heads */
ALWAYS_INLINE odo_spot *carry_out_grants(mode k, odo_part *part)
{
	odo_spot *heads = k.worker->heads;
	heads = leave_inputs(k, part, ODO_SIDE_HERE, heads);
	heads = leave_inputs(k, part, ODO_SIDE_AWAY, heads);
	heads = leave_inputs(k, part, ODO_SIDE_HOST, heads);
	send_onward(k, part, ODO_SIDE_HERE);
	send_onward(k, part, ODO_SIDE_AWAY);
	send_onward(k, part, ODO_SIDE_HOST);
	return heads;
}

/* ---- Effects at once ---- */

/* Number of bit sets in the releases of a cycle: odo_release_sets(). */
ALWAYS_INLINE unsigned release_sets(mode k)
{
	return k.parallel ? 2 + (1u << k.lane_bits) : 2;
}

/* Bit sets of the ports that become free in cycle `when`. */
ALWAYS_INLINE uint64_t *releases_of(mode k, const odo_part *part, uint32_t when)
{
	size_t row = (size_t)(when & (part->release_cycles - 1)) * release_sets(k);
	return part->releases + row * k.n_words;
}

ALWAYS_INLINE void release_input(mode k, uint64_t *at, odo_spot from)
{
	odo_set_bit(at, port_at(k, from));
	if (k.parallel)
		odo_set_bit(at + (2 + lane_at(k, from)) * k.n_words, port_at(k, from));
}

/* Occupy an output with a queue behind it, and a crossbar that takes a packet a cycle:
 * has_queues(). The output is free again in the next cycle, or once its queue has a place for
 * another packet. */
ALWAYS_INLINE void occupy_queue(mode k, odo_part *part, odo_spot from, uint32_t out)
{
	uint32_t ready = k.now + k.pipeline, *line = &part->line[out];
	uint32_t end = (*line > ready ? *line : ready) + k.packet, next = k.now + 1;
	uint32_t filled = end - ready + k.packet; /* with one more packet */
	*line = end;
	if (filled > k.queue)
		next = k.now + filled - k.queue;
	if (k.sets && filled > k.queue)
		odo_set_bit(k.full, out);
	odo_set_bit(releases_of(k, part, k.now + 1), port_at(k, from));
	odo_set_bit(releases_of(k, part, next) + k.n_words, out);
}

/* Occupy an input and an output for the packet's length divided by the crossbar's speed-up. The
 * queue behind an output is only a time (`line`), not a list of packets. An output that is granted
 * has a place for this packet, so it has a place for the next one at most this packet's length from
 * now. */
ALWAYS_INLINE void occupy_buffered(mode k, odo_part *part, odo_spot from, uint32_t out,
				   unsigned length)
{
	const odo_model *model = &part->world->model;
	uint32_t cross = part->world->passes > 1 ? 0
						 : (length + model->speedup - 1) / model->speedup;
	uint32_t ready = k.now + model->pipeline;
	uint32_t start = part->line[out] > ready ? part->line[out] : ready;
	part->line[out] = start + length;
	uint32_t backlog = start + length - ready, next = k.now + cross;
	if (model->output_buffer && next + model->output_buffer < k.now + backlog + model->packet)
		next = k.now + backlog + model->packet - model->output_buffer;
	if (!model->output_buffer)
		next = k.now + length;
	if (cross)
		release_input(k, releases_of(k, part, k.now + cross), from);
	if (next > k.now)
		odo_set_bit(releases_of(k, part, next) + k.n_words, out);
}

ALWAYS_INLINE void occupy_ports(mode k, odo_part *part, odo_spot from, uint32_t out,
				unsigned length)
{
	odo_clear_bit(k.free_in, port_at(k, from));
	odo_clear_bit(k.free_out, out);
	if (k.paper) {
		occupy_queue(k, part, from, out);
		return;
	}
	if (k.buffered) {
		occupy_buffered(k, part, from, out, length);
		return;
	}
	uint64_t *at = releases_of(k, part, k.now + length);
	release_input(k, at, from);
	odo_set_bit(at + k.n_words, out);
}

NEVER_INLINE void call_policy_leave(odo_part *part, odo_spot from)
{
	const odo_world *w = part->world;
	const odo_lane *q = &part->lanes[from];
	odo_way way = {.port = (uint8_t)(odo_spot_port(w, q->to) + 1),
		       .vl = (uint8_t)odo_spot_lane(w, q->to),
		       .escape = part->rest[from].escape};
	unsigned in = odo_spot_port(w, from);
	seed_draws(part, in, ODO_MAX_LANES);
	w->policy->leave(w->policy_state, view_switch(part, odo_spot_switch(w, from)),
			 &part->pool[q->head], in + 1, &way);
}

/* Record the grant where a policy may see it in the same cycle. */
ALWAYS_INLINE void record_departure(mode k, odo_part *part, odo_spot from)
{
	if (!k.revises || k.sets)
		return;
	if (!k.plain) {
		uint8_t escape = k.rest[from].escape;
		part->pool[k.lanes[from].head].flags |= escape ? ODO_PACKET_ESCAPED : 0;
		k.worker->m.escape_hops += escape;
	}
	bool told = !k.plain || asks_again(k, from);
	if (told && part->world->revises && part->world->policy->leave)
		call_policy_leave(part, from);
}

/* Lanes send side by side: mark this lane as sending. If packets cross within a cycle,
 * allocate_cycle() opens the input again, so nothing is recorded. */
ALWAYS_INLINE void start_sending(mode k, odo_part *part, odo_spot from)
{
	if (k.buffered && part->world->passes > 1)
		return;
	k.sending[word_at(k, from)] |= 1ull << bit_at(k, from);
	if (k.even)
		odo_set_bit(part->closing + (2 + lane_at(k, from)) * k.n_words, port_at(k, from));
}

ALWAYS_INLINE void grant_lane(mode k, odo_part *part, odo_spot from)
{
	odo_leaving *list = &k.worker->leaving[link_at(k, port_at(k, from))->side];
	unsigned phits = phits_of(k, part, k.lanes[from].head);
	odo_spot to = wanted_way(k, from);
	uint32_t out = port_at(k, to);
	*list->end++ = from;
	clear_ready(k, from);
	k.credits[to] -= (uint16_t)phits;
	if (k.sets && k.credits[to] < k.packet)
		k.roomy[word_at(k, to)] &= ~(1ull << bit_at(k, to));
	record_departure(k, part, from);
	if (!k.even)
		occupy_ports(k, part, from, out,
			     k.paper ? k.packet : phits * link_at(k, out)->cycles);
	if (k.parallel)
		start_sending(k, part, from);
	if (uses_vlarb(k, part))
		count_sent_phits(k, part, out, phits);
}

#endif
