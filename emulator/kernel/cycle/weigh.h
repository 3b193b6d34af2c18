/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * VL arbitration at the outputs of switches (vlarb.h), for runs that use it. Included by cycle.c
 * alone. Before each round every output selects the VL that sends next, among VLs with a head that
 * could go. Heads of other VLs do not petition for this output in that round.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_WEIGH_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_WEIGH_H

#include "emulator/kernel/cycle/step.h"
#include "emulator/vlarb.h"

/* Packets to hosts use one VL only. */
#define ANY_VL 0xFF

/* Runs with VL arbitration count as buffered, so that the usual runs skip this test. */
ALWAYS_INLINE bool uses_vlarb(mode k, const odo_part *part)
{
	return k.buffered && !k.paper && part->world->e->vlarb;
}

static const odo_vlarb_row *vlarb_row_of(const odo_part *part, uint32_t si, unsigned out)
{
	const odo_emulation *e = part->world->e;
	uint32_t slot = e->fabric->first_slot[part->global[si]] + out;
	return &e->vlarb->rows[e->vlarb->row[slot]];
}

/* For each output of a switch, find the VLs that heads want and that the output and its credits
 * allow. */
static void find_waiting(mode k, const odo_part *part, uint32_t si, uint16_t *waiting)
{
	uint32_t first = si << k.port_bits;
	memset(waiting, 0, part->sw[si].ports * sizeof *waiting);
	for (uint32_t f = first; f < first + part->sw[si].ports; f++)
		for (unsigned m = odo_has_bit(k.free_in, f) ? ready_lanes(k, f) : 0; m;
		     m &= m - 1) {
			odo_spot at = f << k.lane_bits | odo_lowest_bit(m), to = wanted_way(k, at);
			if (can_go(k, at))
				waiting[port_at(k, to) - first] |= (uint16_t)(1u << lane_at(k, to));
		}
}

static void arbitrate_vls(mode k, const odo_part *part, uint32_t si)
{
	uint32_t first = si << k.port_bits;
	uint16_t waiting[ODO_MAX_PORTS];
	find_waiting(k, part, si, waiting);
	for (unsigned out = 0; out < part->sw[si].ports; out++) {
		odo_vlarb_state *state = &part->vlarb[first + out];
		state->vl = ANY_VL;
		if (!waiting[out] || link_at(k, first + out)->side == ODO_SIDE_HOST)
			continue;
		unsigned table;
		int vl = odo_vlarb_next(vlarb_row_of(part, si, out), &state->turn, waiting[out],
					&table);
		state->vl = (uint8_t)vl;
		state->table = (uint8_t)table;
	}
}

/* May this head go, as far as VL arbitration is concerned? */
ALWAYS_INLINE bool has_turn(mode k, const odo_part *part, odo_spot to)
{
	uint8_t vl = part->vlarb[port_at(k, to)].vl;
	return vl == ANY_VL || vl == lane_at(k, to);
}

static void count_sent_phits(mode k, const odo_part *part, uint32_t out, unsigned phits)
{
	odo_vlarb_state *state = &part->vlarb[out];
	if (state->vl != ANY_VL)
		odo_vlarb_sent(vlarb_row_of(part, out >> k.port_bits, in_switch(k, out)),
			       &state->turn, state->vl, state->table, phits);
}

#endif
