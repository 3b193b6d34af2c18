/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A Hamiltonian ring through the switches of a dragonfly (paper 000, section 3.3.2). */
#ifndef ODONATA_ROUTING_ADAPTIVE_RING_H
#define ODONATA_ROUTING_ADAPTIVE_RING_H

#include "base/arena.h"
#include "routing/adaptive/groups.h"

typedef struct odo_ext_ring {
	uint32_t n;
	uint32_t *place; /**< [n] place of each switch on the ring */
	uint8_t *next;   /**< [n] port of each switch to the next one */
	uint8_t *before; /**< [n] port of each switch to the previous one */
} odo_ext_ring;

/**
 * Find a ring. Errors: ODO_EDECLINE if none is found, as on most damaged fabrics.
 * @param memory gets the arrays
 */
int odo_ext_ring_init(odo_ext_ring *r, odo_arena *memory, const odo_groups *groups,
		      const odo_fabric *f, odo_error *err);

#endif
