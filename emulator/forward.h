/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a standard InfiniBand switch does with a packet: one look-up in its LFT, one in its
 * SL2VL map. Once per hop, when the packet comes to the head of its queue. */
#ifndef ODONATA_EMULATOR_FORWARD_H
#define ODONATA_EMULATOR_FORWARD_H

#include "emulator/part.h"

/** A way on within a switch, as lanes of outputs count: ODO_NO_WAY where there is none. */
static inline unsigned odo_way_of(const odo_world *w, const odo_switch *s, unsigned out,
				  unsigned vl)
{
	bool exists = out < s->ports && vl < w->n_vls && s->capacity[out << w->lane_bits | vl];
	return exists ? out << w->lane_bits | vl : ODO_NO_WAY;
}

/** The output (from 0) of a packet, by the ways from switch to switch. Without a branch, which
 * could not be predicted. */
static inline unsigned odo_hop(const uint8_t *hops, const odo_packet *p)
{
	unsigned hop = hops[p->word >> 16], exit = p->byte[1];
	return (hop | (exit & -(unsigned)(hop == 0))) - 1;
}

/** odo_forward() where there are shortcuts. */
static inline unsigned odo_forward_short(const odo_world *w, odo_shortcut s, unsigned in,
					 const odo_packet *p)
{
	unsigned out = odo_hop(s.hop, p), vl = s.vl_of[in << w->port_bits | out];
	return vl == ODO_NO_VL ? ODO_NO_WAY : out << w->lane_bits | vl;
}

/**
 * @param in port from 0
 * @return the way on, or ODO_NO_WAY where the tables drop the packet
 */
static inline unsigned odo_forward(const odo_world *w, const odo_switch *s, unsigned in,
				   const odo_packet *p)
{
	const odo_tables *t = w->e->tables;
	unsigned vl = 0;
	unsigned out = s->hop ? odo_hop(s->hop, p)
			      : (s->lft[p->word & UINT16_MAX] - 1u) & UINT8_MAX;
	if (out >= s->ports)
		return ODO_NO_WAY;
	if (s->vl_of) {
		vl = s->vl_of[in << w->port_bits | out];
		return vl == ODO_NO_VL ? ODO_NO_WAY : out << w->lane_bits | vl;
	}
	if (s->sl2vl && s->links[out].side != ODO_SIDE_HOST)
		vl = t->rows[s->sl2vl[(in + 1) * (s->ports + 1) + out + 1]].vl[p->byte[0]];
	return odo_way_of(w, s, out, vl);
}

#endif
