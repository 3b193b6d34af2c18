/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a standard InfiniBand switch does with a packet: one look-up in its LFT, one in its
 * SL2VL map. Once per hop, when the packet comes to the head of its queue. */
#ifndef ODONATA_EMULATOR_KERNEL_FORWARD_H
#define ODONATA_EMULATOR_KERNEL_FORWARD_H

#include "emulator/kernel/part.h"

/** A way on within a switch, as lanes of outputs count: ODO_NO_WAY where there is none. */
static inline unsigned odo_way_of(const odo_world *w, const odo_switch *s, unsigned out,
				  unsigned vl)
{
	bool exists = out < s->ports && vl < w->n_vls && s->capacity[out << w->lane_bits | vl];
	return exists ? out << w->lane_bits | vl : ODO_NO_WAY;
}

#endif
