/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Common code of the files of a cycle: bits, events, and how policies are asked. Included by
 * cycle.c alone. */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_STEP_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_STEP_H

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "emulator/kernel/state/events.h"
#include "emulator/kernel/state/part.h"

/** Properties that all switches of a run share. Fields that are compile-time constants in a
 * specialised loop remove the code that this kind of run does not need. */
typedef struct mode {
	unsigned W;                    /**< words of a block */
	unsigned I;                    /**< lanes of a port */
	unsigned port_bits, lane_bits; /**< of the world */
	/* Pointers and values that stay the same during a run, copied from the part and the world.
	 * The compiler knows that writes elsewhere do not change them, so loops keep them in
	 * registers. */
	odo_worker *worker;
	odo_lane *lanes;
	odo_lane_rest *rest;
	unsigned char *links;
	size_t link_bytes;
	uint16_t *credits, *asks;
	uint64_t *free_in, *free_out, *ready, *parked, *parked_at, *sending;
	uint32_t n_words;
	uint32_t n_ways; /**< with `hop` */
	const uint8_t *hop, *vl_rows;
	const uint16_t *way_to;
	const uint32_t *vl_row;
	odo_inbox *boxes; /**< this worker's box for each part in this window; boxes_apart is their
			   * distance */
	size_t boxes_apart;
	odo_bucket *arrivals, *returns;
	uint32_t wheel;
	uint32_t packet, pipeline, queue, credit_latency, max_hops; /**< queue: of an output */
	uint32_t now; /**< the only field that changes, cycle by cycle */
	bool uniform, even, in_turn, policy, parallel, buffered, failing, flits, transit_first;
	bool minimal_first, sets, alike;
	bool revises; /**< the policy may be asked about a head again */
	bool plain;   /**< odo_policy_setup's */
	bool paper;   /**< has_queues() */
	odo_choice *choices;
	uint64_t *roomy, *full, *opened, *stuck;
} mode;

/** Fill a mode from a part and its world. */
ALWAYS_INLINE mode mode_of(const odo_part *part)
{
	const odo_world *w = part->world;
	return (mode){.port_bits = w->port_bits,
		      .lane_bits = w->lane_bits,
		      .worker = part->worker,
		      .lanes = part->lanes,
		      .rest = part->rest,
		      .links = part->links,
		      .link_bytes = part->link_bytes,
		      .credits = part->credits,
		      .asks = part->asks,
		      .free_in = part->free_in,
		      .free_out = part->free_out,
		      .ready = part->ready,
		      .parked = part->parked,
		      .parked_at = part->parked_at,
		      .sending = part->sending,
		      .n_words = part->n_words,
		      .n_ways = part->n_ways,
		      .hop = part->hop,
		      .vl_rows = w->vl_rows,
		      .way_to = part->way_to,
		      .vl_row = part->vl_row,
		      .packet = w->model.packet,
		      .pipeline = w->model.pipeline,
		      .queue = w->model.output_buffer,
		      .credit_latency = w->model.credit_latency,
		      .max_hops = w->max_hops,
		      .choices = part->choices,
		      .roomy = part->roomy,
		      .full = part->full,
		      .opened = part->opened,
		      .stuck = part->stuck,
		      .boxes = w->boxes + part->odd * odo_n_inboxes(w) + part->worker->number,
		      .boxes_apart = 2ul * odo_n_inboxes(w),
		      .arrivals = part->arrivals,
		      .returns = part->returns,
		      .wheel = part->wheel,
		      .now = part->now};
}

/** Lists of lanes: heads that can go, and heads that cannot. */
struct ready {
	odo_spot *can, *cannot;
};

#include "emulator/kernel/cycle/avx512.h"

/** List the numbers of the set bits of a word, counted from `first`. The inner loop always takes
 * `at_once` bits, set or not, since their number could not be predicted. @return the end of the
 * list, which has room for ODO_LIST_SPARE more */
ALWAYS_INLINE uint32_t *list_bits(uint32_t *list, uint64_t word, uint32_t first, unsigned at_once)
{
#ifdef ODO_WIDE
	(void)at_once;
	return list_wide(list, word, first);
#endif
	while (word)
		for (unsigned i = 0; i < at_once; i++) {
			*list = first + odo_lowest_bit(word | 1ull << 63);
			list += word != 0;
			word &= word - 1;
		}
	return list;
}

/* Ports and lanes are numbered as in part.h: f names a port of the part, `in` and `out` one of its
 * switch. */
ALWAYS_INLINE uint32_t port_at(mode k, odo_spot at)
{
	return at >> k.lane_bits;
}
ALWAYS_INLINE unsigned lane_at(mode k, odo_spot at)
{
	return at & ((1u << k.lane_bits) - 1);
}
ALWAYS_INLINE unsigned in_switch(mode k, uint32_t f)
{
	return f & ((1u << k.port_bits) - 1);
}
/* Number of a lane among all lanes of its switch. */
ALWAYS_INLINE unsigned in_lanes(mode k, odo_spot at)
{
	return at & ((1u << (k.port_bits + k.lane_bits)) - 1);
}

/* odo_link_at(), for a link size that is known. */
ALWAYS_INLINE odo_link *link_at(mode k, uint32_t f)
{
	return (odo_link *)(k.links + (size_t)f * k.link_bytes);
}

/* Index of a lane's word in a bit set of lanes, and the lane's bit in that word. */
ALWAYS_INLINE size_t word_at(mode k, odo_spot at)
{
	return (size_t)(port_at(k, at) / 64) << k.lane_bits | lane_at(k, at);
}
ALWAYS_INLINE unsigned bit_at(mode k, odo_spot at)
{
	return port_at(k, at) % 64;
}

/* ---- Events ---- */

/** Handle one event. True: append its place to the list. */
typedef bool event_handler(mode k, odo_part *part, odo_event event);

/** Range of events to be handled. */
struct events {
	const odo_event *from, *end;
};

/** Take the events of the present cycle; none is added to this cycle any more. */
ALWAYS_INLINE struct events take_events(mode k, odo_bucket *wheel)
{
	odo_bucket *bucket = &wheel[k.now & (k.wheel - 1)];
	struct events events = {bucket->at, bucket->end};
	bucket->end = bucket->at;
	return events;
}

/** Credits that other parts have sent for the present cycle. */
ALWAYS_INLINE struct events credits_due(mode k, const odo_part *part)
{
	const odo_calendar *in = &part->coming;
	const uint32_t *first = &in->first_receipt[k.now - in->from];
	return (struct events){in->receipts + first[0], in->receipts + first[1]};
}

/** @param list has room for one more entry than there are lanes. @return the end of the list */
ALWAYS_INLINE odo_spot *each_event(mode k, odo_part *part, struct events events,
				   event_handler *handle, odo_spot *list)
{
	for (; events.from < events.end; events.from++) {
		*list = odo_event_spot(*events.from);
		list += handle(k, part, *events.from);
	}
	return list;
}

/** Handle the packets that other parts have sent for the present cycle. */
ALWAYS_INLINE odo_spot *each_parcel(mode k, odo_part *part, event_handler *handle, odo_spot *list)
{
	const odo_calendar *in = &part->coming;
	const uint32_t *first = &in->first_parcel[k.now - in->from];
	for (uint32_t i = first[0]; i < first[1]; i++) {
		const odo_parcel *parcel = in->parcels[i];
		uint32_t packet = odo_packet_new(part);
		if (packet == ODO_NONE)
			break;
		part->pool[packet] = parcel->packet;
		*list = parcel->at;
		list += handle(k, part, odo_event_at(parcel->at, packet));
	}
	return list;
}

/* ---- Switches and queues ---- */

ALWAYS_INLINE bool test_lane(mode k, const uint64_t *set, odo_spot at)
{
	return set[word_at(k, at)] >> bit_at(k, at) & 1;
}

/** A head may petition. */
ALWAYS_INLINE void set_ready(mode k, odo_spot at)
{
	k.ready[word_at(k, at)] |= 1ull << bit_at(k, at);
}

/** The lane has no head, or its head cannot go. */
ALWAYS_INLINE void clear_ready(mode k, odo_spot at)
{
	k.ready[word_at(k, at)] &= ~(1ull << bit_at(k, at));
}

/** Inputs of a word of ports whose lane `l` is ready and is not sending. */
ALWAYS_INLINE uint64_t ready_inputs(mode k, uint32_t x, unsigned l)
{
	size_t word = (size_t)x << k.lane_bits | l;
	return k.parallel ? k.ready[word] & ~k.sending[word] : k.ready[word];
}

/** Ready lanes of an input, as bits. */
ALWAYS_INLINE unsigned ready_lanes(mode k, uint32_t f)
{
	unsigned lanes = 0;
	for (unsigned l = 0; l < k.I; l++)
		lanes |= (unsigned)(ready_inputs(k, f / 64, l) >> f % 64 & 1) << l;
	return lanes;
}

/** Return `a` if `first`, else `b`. The code has no branch; compilers would make one of `?:`. */
ALWAYS_INLINE uint32_t select_either(bool first, uint32_t a, uint32_t b)
{
	return b ^ ((a ^ b) & -(uint32_t)first);
}

/** Append a packet to a queue. True if it is the head. */
ALWAYS_INLINE bool enqueue_packet(odo_part *part, odo_lane *q, uint32_t packet)
{
	bool first = q->head == ODO_NONE;
	part->next[select_either(first, packet, q->tail)] = packet;
	part->next[packet] = ODO_NONE;
	q->head = select_either(first, packet, q->head);
	q->tail = packet;
	return first;
}

/** Output and VL that the head of a lane wants. */
ALWAYS_INLINE odo_spot wanted_way(mode k, odo_spot at)
{
	return k.lanes[at].to;
}

/** Could the head of `at` go now, if the input and output arbiters choose it? */
ALWAYS_INLINE bool can_go(mode k, odo_spot at)
{
	odo_spot to = wanted_way(k, at);
	if (k.sets)
		return (unsigned)odo_has_bit(k.free_out, port_at(k, to)) &
		       test_lane(k, k.roomy, to); /* no branch */
	unsigned room = k.credits[to];
	return odo_has_bit(k.free_out, port_at(k, to)) &
	       (k.uniform ? room != 0 : room >= k.rest[at].space);
}

/** Index of the word of `parked_at` that says whether the head of `at` waits for output `out`. */
ALWAYS_INLINE size_t parked_word(mode k, uint32_t out, odo_spot at)
{
	size_t row = (size_t)out << k.lane_bits | lane_at(k, at);
	return 1 + (k.W == 1 ? row : row * k.W + port_at(k, at) / 64 % k.W);
}

/** Park a head at its closed output, unless it can go. The code has no branch, which could not be
 * predicted, and does not read first what would stay the same: word 0 belongs to no output. */
ALWAYS_INLINE void park_unless(mode k, odo_spot at, bool can)
{
	uint32_t out = port_at(k, wanted_way(k, at));
	k.parked_at[parked_word(k, out, at) & -(size_t)!can] |= 1ull << bit_at(k, at);
	k.parked[out / 64] |= (uint64_t)!can << out % 64;
}

/** Heads that are parked until output `out` opens may try again. */
ALWAYS_INLINE void unpark_heads(mode k, uint32_t out)
{
	uint64_t *waiting = &k.parked_at[1 + ((size_t)out << k.lane_bits) * k.W];
	uint64_t *ready = &k.ready[(size_t)(out / 64 & ~(k.W - 1)) << k.lane_bits];
	odo_clear_bit(k.parked, out);
	if (k.W == 1 && k.I == 4) { /* adjacent words: one access */
		typedef uint64_t four __attribute__((vector_size(32), aligned(8), may_alias));
		*(four *)ready |= *(four *)waiting;
		*(four *)waiting = (four){0};
		return;
	}
	for (unsigned l = 0; l < k.I; l++)
		for (unsigned x = 0; x < k.W; x++) {
			ready[(x << k.lane_bits) + l] |= waiting[l * k.W + x];
			waiting[l * k.W + x] = 0;
		}
}

/* ---- Policies ---- */

/** View of switch `s`. Views are kept for each switch; only the cycle changes. */
ALWAYS_INLINE odo_view *view_switch(odo_part *part, uint32_t s)
{
	odo_view *v = &part->views[s];
	v->now = part->now;
	return v;
}

/** Make the policy's further draws depend only on the place and time of the call. */
ALWAYS_INLINE void seed_draws(odo_part *part, unsigned port, unsigned lane)
{
	part->draws = port << 8 | lane;
}

NEVER_INLINE void report_stray(odo_part *part, odo_spot at, const char *fault)
{
	if (part->fault)
		return;
	part->astray = at;
	part->fault = fault;
}

/** A packet has taken too many hops, and the run is about to end. If several packets have, always
 * name the same one, whichever worker runs this part. */
NEVER_INLINE void note_lost_packet(odo_part *part, const odo_packet *p)
{
	const odo_packet *other = &part->lost;
	bool sooner = p->source != other->source   ? p->source < other->source
		      : p->target != other->target ? p->target < other->target
						   : p->born < other->born;
	if (!part->losing || sooner)
		part->lost = *p;
	part->losing = true;
}

/** Is the policy asked about the head of this lane in every round? */
ALWAYS_INLINE bool asks_again(mode k, odo_spot at)
{
	return k.revises && k.asks[port_at(k, at)] >> lane_at(k, at) & 1;
}

/** The head has left or accepts its answer: stop asking. No effect if it did not ask. */
ALWAYS_INLINE void stop_asking(mode k, uint32_t f, unsigned l)
{
	if (k.revises)
		k.asks[f] &= (uint16_t) ~(1u << l);
}

NEVER_INLINE void call_policy_credit(odo_part *part, odo_spot at, unsigned phits)
{
	const odo_world *w = part->world;
	unsigned port = odo_spot_port(w, at), vl = odo_spot_lane(w, at);
	seed_draws(part, port, vl);
	w->policy->credit(w->policy_state, view_switch(part, odo_spot_switch(w, at)), port + 1, vl,
			  phits);
}

/** Set the way of a head; `way` counts the lanes of its switch. */
ALWAYS_INLINE void set_way(mode k, odo_spot at, unsigned way)
{
	k.lanes[at].to = (at - in_lanes(k, at)) | way;
}

/**
 * Ask the policy about the head of a lane.
 * @param again out: when to ask next
 * @return whether the policy has an answer
 */
ALWAYS_INLINE bool ask_policy(mode k, odo_part *part, odo_spot at, enum odo_ask *again)
{
	const odo_world *w = part->world;
	odo_lane *q = &k.lanes[at];
	odo_way way = {0};
	uint32_t si = port_at(k, at) >> k.port_bits;
	unsigned in = in_switch(k, port_at(k, at)), l = lane_at(k, at);
	seed_draws(part, in, l);
	*again = ODO_ASK_EACH_ROUND;
	if (!w->policy->route(w->policy_state, view_switch(part, si), &part->pool[q->head], in + 1,
			      l, &way))
		return false;
	unsigned named = odo_way_of(w, &part->sw[si], way.port - 1u, way.vl);
	if (named == ODO_NO_WAY) {
		report_stray(part, at, "the policy named a missing output or VL for the packet");
		return false;
	}
	set_way(k, at, named);
	if (k.uniform)
		return true;
	k.rest[at].space = way.space ? way.space : part->pool[q->head].phits;
	k.rest[at].escape = way.escape;
	k.rest[at].yields = way.yields;
	bool eager = k.failing || k.flits || w->e->run.plain;
	if (!k.flits)
		k.rest[at].other = way.again == ODO_ASK_EITHER && !eager ? way.other : 0;
	if (way.again != ODO_ASK_OPENED || !eager)
		*again = way.again;
	return true;
}

#endif
