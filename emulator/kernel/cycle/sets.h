/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Adaptive tables whose ways are sets of ports (routing/adaptive.h), for the switches of paper 004.
 * The choice is that of policy/adaptive.c, with the same outcome. Included by forward.h alone.
 *
 * A packet's sets are looked up once, when it becomes the head of its lane. Bit sets also hold
 * which of these ports have credits for a packet, and which have a place in their queue. So a head
 * that finds no open port costs only a few words. The head is then stuck; it is examined again only
 * after an output has opened at a switch of its word. A head with a single way waits for that way,
 * as with static tables.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_SETS_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_SETS_H

#include "emulator/kernel/cycle/step.h"
#include "routing/adaptive.h"

/* ---- Outputs that open ---- */

/** Credits have arrived for an output's VL. */
ALWAYS_INLINE void open_room(mode k, odo_spot at)
{
	uint64_t *roomy = &k.roomy[word_at(k, at)];
	uint64_t now = (uint64_t)(k.credits[at] >= k.packet) << bit_at(k, at);
	k.opened[port_at(k, at) / 64] |= now & ~*roomy;
	*roomy |= now;
}

/** The outputs of a word that are released have a place in their queues. */
ALWAYS_INLINE void open_queues(mode k, uint32_t x, uint64_t out)
{
	k.opened[x] |= k.full[x] & out;
	k.full[x] &= ~out;
}

/** Examine stuck heads again where an output has opened. */
ALWAYS_INLINE void wake_stuck(mode k)
{
	for (uint32_t x = 0; x < k.n_words; x++) {
		if (!k.opened[x])
			continue;
		k.opened[x] = 0;
		for (unsigned l = 0; l < k.I; l++) {
			size_t word = (size_t)x << k.lane_bits | l;
			k.ready[word] |= k.stuck[word];
			k.stuck[word] = 0;
		}
	}
}

/* ---- A new head ---- */

/** Prefetch the sets of a packet that has arrived; heads are examined after all arrivals. */
ALWAYS_INLINE void fetch_sets(mode k, const odo_part *part, odo_spot at, uint32_t packet)
{
	const odo_world *w = part->world;
	const odo_pair_bytes *of = w->sets->looked_up;
	uint32_t s = part->global[port_at(k, at) >> k.port_bits];
	size_t pair = (size_t)(part->pool[packet].word >> 16) * w->e->fabric->n_switches + s;
	__builtin_prefetch(&k.choices[at], 1);
	for (unsigned i = 0; i < 2 && of[i].at; i++)
		__builtin_prefetch((const unsigned char *)of[i].at + pair * of[i].each);
}

/* Keep the sets that are not empty. True: the head has a single way. */
ALWAYS_INLINE bool keep_sets(odo_choice *c, const odo_port_set *set, unsigned n, unsigned in)
{
	unsigned kept = 0, lower = 0, last = 0;
	for (unsigned i = 0; i < n; i++) {
		uint64_t ports = set[i].ports & ~((uint64_t)set[i].onward << in);
		if (!ports)
			continue;
		lower |= (unsigned)(kept && set[i].priority > last) << kept;
		last = set[i].priority;
		c->ports[kept] = ports;
		c->vl[kept++] = set[i].vl;
	}
	c->n = kept & 3;
	c->lower = lower & 63;
	return kept == 1 && !(c->ports[0] & (c->ports[0] - 1));
}

ALWAYS_INLINE void head_by_sets(mode k, odo_part *part, odo_spot at)
{
	const odo_world *w = part->world;
	uint32_t f = port_at(k, at), si = f >> k.port_bits, s = part->global[si];
	odo_packet *p = &part->pool[k.lanes[at].head];
	odo_choice *c = &k.choices[at];
	odo_port_set set[ODO_MAX_PORT_SETS];
	set_ready(k, at);
	if (link_at(k, f)->side == ODO_SIDE_HOST) /* only here: the data that inject() reads was
						   * prefetched */
		p->vl = w->sets->inject(w->e->tables, p->source, p->word & UINT16_MAX);
	if (p->word >> 16 == s) {
		set_way(k, at, (p->byte[1] - 1u) << k.lane_bits | p->vl);
		return;
	}
	unsigned n = w->sets->sets(w->e->tables, s, part->input[f], p->vl, p->word & UINT16_MAX,
				   set);
	if (keep_sets(c, set, n, in_switch(k, f)))
		set_way(k, at, odo_lowest_bit(c->ports[0]) << k.lane_bits | c->vl[0]);
	else
		k.asks[f] |= (uint16_t)(1u << lane_at(k, at));
}

/* ---- Choice of a way ---- */

/* Ways of the best priority that have credits and a place in their queues. */
struct open_ways {
	uint64_t ports[ODO_MAX_CHOICES], all;
	unsigned first, end; /* of the choice's sets */
};

ALWAYS_INLINE uint64_t open_ports(mode k, uint32_t f, const odo_choice *c, unsigned i)
{
	unsigned shift = f % 64 & ~((1u << k.port_bits) - 1);
	uint64_t open = k.roomy[(size_t)(f / 64) << k.lane_bits | c->vl[i]] & ~k.full[f / 64];
	return open >> shift & c->ports[i];
}

ALWAYS_INLINE struct open_ways find_open(mode k, uint32_t f, const odo_choice *c)
{
	struct open_ways w = {.all = 0};
	while (w.first < c->n && !(w.all = open_ports(k, f, c, w.first)))
		w.first++;
	w.ports[0] = w.all;
	for (w.end = w.first + 1; w.end < c->n && !(c->lower >> w.end & 1); w.end++)
		w.all |= w.ports[w.end - w.first] = open_ports(k, f, c, w.end);
	return w;
}

/* The way with most room found so far, numbered as lanes of outputs. */
struct widest {
	unsigned way, room, ties;
};

ALWAYS_INLINE struct widest widest_way(mode k, const odo_view *v, uint64_t ports, unsigned vl,
				       struct widest best)
{
	for (; ports; ports &= ports - 1) {
		unsigned way = odo_lowest_bit(ports) << k.lane_bits | vl, room = v->credits[way];
		if (room > best.room)
			best = (struct widest){way, room, 1};
		else if (room == best.room && odo_view_below(v, ++best.ties) == 0)
			best.way = way;
	}
	return best;
}

/**
 * Choose among several ways of a head: of the ways of the best priority that have room, take the
 * one with most room; break ties at random.
 * @return whether its output is free
 */
ALWAYS_INLINE bool choose_by_sets(mode k, odo_part *part, odo_spot at)
{
	const odo_choice *c = &k.choices[at];
	uint32_t f = port_at(k, at), first = f >> k.port_bits << k.port_bits;
	if (__builtin_expect(!c->n, 0)) {
		report_stray(part, at, "the tables have no next hop");
		return false;
	}
	struct open_ways open = find_open(k, f, c);
	uint64_t free = k.free_out[f / 64] >> first % 64;
	if (!open.all) {
		clear_ready(k, at);
		k.stuck[word_at(k, at)] |= 1ull << bit_at(k, at);
	}
	if (!(open.all & free)) /* whichever way would be chosen */
		return false;
	const odo_view *v = view_switch(part, f >> k.port_bits);
	struct widest best = {0};
	seed_draws(part, in_switch(k, f), lane_at(k, at));
	for (unsigned i = open.first; i < open.end; i++)
		best = widest_way(k, v, open.ports[i - open.first], c->vl[i], best);
	set_way(k, at, best.way);
	return free >> (best.way >> k.lane_bits) & 1;
}

#endif
