/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a standard InfiniBand switch does with a packet: one look-up in its LFT, one in its
 * SL2VL map. Once per hop, when the packet comes to the head of its queue. */
#ifndef ODONATA_EMULATOR_FORWARD_H
#define ODONATA_EMULATOR_FORWARD_H

#include "emulator/part.h"

/** Does a way exist, as far as ports and VLs go? */
static inline bool odo_way_exists(const odo_world *w, const odo_switch *s, unsigned way)
{
	unsigned out = way & 0xFF, vl = way >> 8;
	return out < s->ports && vl < w->n_vls && s->capacity[out * w->n_vls + vl];
}

/** The output (from 0) of a packet, or more than there are. */
static inline unsigned odo_output_of(const odo_switch *s, uint32_t node, const odo_packet *p)
{
	uint32_t home = p->word >> 16;
	if (!s->hop)
		return (s->lft[p->word & UINT16_MAX] - 1u) & UINT8_MAX;
	/* Without a branch, which could not be predicted. */
	unsigned hop = s->hop[home], exit = p->byte[1], here = -(unsigned)(home == node);
	return ((hop ^ ((hop ^ exit) & here)) - 1u) & UINT8_MAX;
}

/**
 * @param in port from 0
 * @return the way on, or ODO_NO_WAY where the tables drop the packet
 */
static inline unsigned odo_forward(const odo_world *w, const odo_switch *s, uint32_t node,
				   unsigned in, const odo_packet *p)
{
	const odo_tables *t = w->e->tables;
	unsigned out = odo_output_of(s, node, p), way = out;
	if (out >= s->ports)
		return ODO_NO_WAY;
	if (s->vl_of) {
		way |= (unsigned)s->vl_of[in * s->ports + out] << 8;
		return way < ODO_NO_VL << 8 ? way : ODO_NO_WAY;
	}
	if (s->sl2vl && s->links[out].class != ODO_LINK_HOST) {
		unsigned row = s->sl2vl[(in + 1) * (s->ports + 1) + out + 1];
		way |= (unsigned)t->rows[row].vl[p->byte[0]] << 8;
	}
	return odo_way_exists(w, s, way) ? way : ODO_NO_WAY;
}

#endif
