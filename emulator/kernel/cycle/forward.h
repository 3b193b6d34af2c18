/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A packet comes to the head of a lane: find its way, once per hop. A standard InfiniBand switch
 * looks once into its LFT and once into its SL2VL map; a policy is asked. Included by cycle.c
 * alone.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_FORWARD_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_FORWARD_H

#include "emulator/kernel/cycle/sets.h"

/** Output (from 0) of a packet, by the table `hop` of ports from switch to switch. The code has no
 * branch, which could not be predicted. */
ALWAYS_INLINE unsigned hop_of(mode k, uint32_t si, const odo_packet *p)
{
	unsigned hop = k.hop[si * k.n_ways + k.way_to[p->word >> 16]], exit = p->byte[1];
	return (hop | (exit & -(unsigned)(hop == 0))) - 1;
}

/** way_by_tables() with the table `hop`, for VLs that depend on ports alone. */
ALWAYS_INLINE unsigned way_short(mode k, uint32_t si, uint32_t f, const odo_packet *p)
{
	unsigned out = hop_of(k, si, p), vl = k.vl_rows[k.vl_row[f] + out];
	return vl == ODO_NO_VL ? ODO_NO_WAY : out << k.lane_bits | vl;
}

/**
 * @param in port from 0
 * @return the way on, or ODO_NO_WAY where the tables drop the packet
 */
ALWAYS_INLINE unsigned way_by_tables(mode k, const odo_part *part, uint32_t si, unsigned in,
				     const odo_packet *p)
{
	const odo_world *w = part->world;
	const odo_tables *t = w->e->tables;
	const odo_switch *sw = &part->sw[si];
	unsigned vl = 0;
	unsigned out = k.hop ? hop_of(k, si, p) : (sw->lft[p->word & UINT16_MAX] - 1u) & UINT8_MAX;
	if (out >= sw->ports)
		return ODO_NO_WAY;
	if (sw->sl2vl && link_at(k, (si << k.port_bits) + out)->side != ODO_SIDE_HOST)
		vl = t->rows[sw->sl2vl[(in + 1) * (sw->ports + 1) + out + 1]].vl[p->byte[0]];
	return odo_way_of(w, sw, out, vl);
}

/* A packet has come to the head of a lane: find its way. */
ALWAYS_INLINE void find_head_way(mode k, odo_part *part, odo_spot at)
{
	const odo_world *w = part->world;
	odo_lane *q = &k.lanes[at];
	uint32_t f = port_at(k, at), si = f >> k.port_bits;
	enum odo_ask again = ODO_ASK_EACH_ROUND;
	if (k.sets) {
		head_by_sets(k, part, at);
		return;
	}
	if (!k.policy) {
		const odo_packet *p = &part->pool[q->head];
		unsigned way = k.hop && k.vl_row ? way_short(k, si, f, p)
						 : way_by_tables(k, part, si, in_switch(k, f), p);
		if (__builtin_expect(way == ODO_NO_WAY, 0)) {
			report_stray(part, at, "the tables have no next hop");
			return;
		}
		set_way(k, at, way);
		if (!k.uniform)
			k.rest[at].space = p->phits;
		set_ready(k, at);
		return;
	}
	if (k.plain && w->late && link_at(k, f)->side == ODO_SIDE_HOST)
		k.rest[at].other = 0; /* left by the packet before */
	else if (!(w->policy->traits & ODO_POLICY_ASKS))
		ask_policy(k, part, at, &again);
	if (!k.revises) {
		set_ready(k, at);
		return;
	}
	if (again == ODO_ASK_OPENED)
		park_unless(k, at, false);
	else
		set_ready(k, at);
	if (again != ODO_ASK_NEVER)
		k.asks[f] |= (uint16_t)(1u << lane_at(k, at));
}

/* @param end of the worker's list of heads */
ALWAYS_INLINE void find_head_ways(mode k, odo_part *part, const odo_spot *end)
{
	for (const odo_spot *at = k.worker->heads; at < end; at++)
		find_head_way(k, part, *at);
}

#endif
