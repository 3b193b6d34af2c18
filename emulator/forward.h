/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a standard InfiniBand switch does with a packet: one look-up in its LFT, one in its
 * SL2VL map. Once per hop, when the packet comes to the head of its queue. */
#ifndef ODONATA_EMULATOR_FORWARD_H
#define ODONATA_EMULATOR_FORWARD_H

#include "emulator/policy.h"

/** @param in port from 1. way->port is 0 where the tables drop the packet. */
static inline void odo_forward(const odo_tables *t, uint32_t s, unsigned in, const odo_packet *p,
			       odo_way *way)
{
	unsigned out = odo_next_port(t, s, p->word);
	way->port = 0;
	if (out == ODO_NO_PORT || out == 0 || out > odo_n_ports(t->fabric, s))
		return;
	way->port = (uint8_t)out;
	if (t->n_vls > 1 && t->fabric->slot_host[odo_slot(t->fabric, s, out)] == ODO_NONE)
		way->vl = odo_vl(t, s, in, out, p->byte[0]);
}

#endif
