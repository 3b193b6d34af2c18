/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * VL arbitration at the outputs of switches (vlarb.h), in the runs that have it. Included by
 * cycle.c alone. Before each round every output settles which VL is to send next, among those
 * with a head that could go; heads of other VLs do not petition for it in that round.
 */
#ifndef ODONATA_EMULATOR_WEIGH_H
#define ODONATA_EMULATOR_WEIGH_H

#include "emulator/step.h"
#include "emulator/vlarb.h"

/* Hosts are sent to on one VL only. */
#define ANY_VL 0xFF

/* Such runs count as buffered, so that the usual ones need not ask. */
ALWAYS_INLINE bool weighted(mode k, const odo_part *c)
{
	return k.buffered && c->world->e->vlarb;
}

static const odo_vlarb_row *row_of(const odo_part *c, uint32_t si, unsigned out)
{
	const odo_emulation *e = c->world->e;
	uint32_t slot = e->fabric->first_slot[c->global[si]] + out;
	return &e->vlarb->rows[e->vlarb->row[slot]];
}

/* VLs that heads want each output for, of those that output and credits let go. */
static void find_waiting(mode k, const odo_switch *s, uint16_t *waiting)
{
	memset(waiting, 0, s->ports * sizeof *waiting);
	for (unsigned in = 0; in < s->ports; in++)
		for (unsigned l = 0; l < k.I && test_bit(k, s->free_in, in); l++) {
			const odo_lane *q = &s->lanes[in * k.I + l];
			if (s->ready_lanes[in] >> l & 1 && can_go(k, s, q))
				waiting[way_port(q)] |= (uint16_t)(1u << way_vl(q));
		}
}

static void weigh(mode k, const odo_part *c, uint32_t si)
{
	const odo_switch *s = &c->sw[si];
	uint16_t waiting[ODO_MAX_PORTS];
	find_waiting(k, s, waiting);
	for (unsigned out = 0; out < s->ports; out++) {
		odo_vlarb_state *state = &s->vlarb[out];
		state->vl = ANY_VL;
		if (!waiting[out] || s->links[out].class == ODO_LINK_HOST)
			continue;
		unsigned table;
		int vl = odo_vlarb_next(row_of(c, si, out), &state->turn, waiting[out], &table);
		state->vl = (uint8_t)vl;
		state->table = (uint8_t)table;
	}
}

/* May this head go, as far as its VL is concerned? */
ALWAYS_INLINE bool has_turn(const odo_switch *s, const odo_lane *q)
{
	uint8_t vl = s->vlarb[way_port(q)].vl;
	return vl == ANY_VL || vl == way_vl(q);
}

static void note_sent(const odo_part *c, uint32_t si, unsigned out, unsigned phits)
{
	odo_vlarb_state *state = &c->sw[si].vlarb[out];
	if (state->vl != ANY_VL)
		odo_vlarb_sent(row_of(c, si, out), &state->turn, state->vl, state->table, phits);
}

#endif
