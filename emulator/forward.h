/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a standard InfiniBand switch does with a packet: one look-up in its LFT, one in its
 * SL2VL map. Once per hop, when the packet comes to the head of its queue. */
#ifndef ODONATA_EMULATOR_FORWARD_H
#define ODONATA_EMULATOR_FORWARD_H

#include "emulator/part.h"

/** @param in port from 0. way->port is 0 where the tables drop the packet. */
static inline void odo_forward(const odo_tables *t, const odo_switch *s, uint32_t node, unsigned in,
			       const odo_packet *p, odo_way *way)
{
	uint32_t lid = p->word & UINT16_MAX, home = p->word >> 16;
	unsigned out = s->hop && home != node ? s->hop[home] : s->lft[lid];
	way->port = 0;
	if (out == 0 || out > s->ports)
		return;
	way->port = (uint8_t)out;
	if (s->vl_of)
		way->vl = s->vl_of[in * s->ports + out - 1];
	else if (s->sl2vl && s->links[out - 1].class != ODO_LINK_HOST)
		way->vl = t->rows[s->sl2vl[(in + 1) * (s->ports + 1) + out]].vl[p->byte[0]];
}

#endif
