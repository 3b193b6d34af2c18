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
static inline unsigned odo_hop(const odo_part *c, uint32_t si, const odo_packet *p)
{
	unsigned hop = c->hop[si * c->n_ways + c->way_to[p->word >> 16]], exit = p->byte[1];
	return (hop | (exit & -(unsigned)(hop == 0))) - 1;
}

/** odo_forward() by the ways from switch to switch, and VLs that depend on ports alone. */
static inline unsigned odo_forward_short(const odo_part *c, uint32_t si, uint32_t f,
					 const odo_packet *p)
{
	const odo_world *w = c->world;
	unsigned out = odo_hop(c, si, p), vl = w->vl_rows[c->vl_row[f] + out];
	return vl == ODO_NO_VL ? ODO_NO_WAY : out << w->lane_bits | vl;
}

/**
 * @param in port from 0
 * @return the way on, or ODO_NO_WAY where the tables drop the packet
 */
static inline unsigned odo_forward(const odo_part *c, uint32_t si, unsigned in, const odo_packet *p)
{
	const odo_world *w = c->world;
	const odo_tables *t = w->e->tables;
	const odo_switch *s = &c->sw[si];
	unsigned vl = 0;
	unsigned out = c->hop ? odo_hop(c, si, p) : (s->lft[p->word & UINT16_MAX] - 1u) & UINT8_MAX;
	if (out >= s->ports)
		return ODO_NO_WAY;
	if (s->sl2vl && s->links[out].side != ODO_SIDE_HOST)
		vl = t->rows[s->sl2vl[(in + 1) * (s->ports + 1) + out + 1]].vl[p->byte[0]];
	return odo_way_of(w, s, out, vl);
}

#endif
