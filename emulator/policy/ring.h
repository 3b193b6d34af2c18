/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Hamiltonian rings of a dragonfly (paper 000, sections 3.3.2 and 3.3.3). A ring visits group after
 * group at a fixed offset; within a group it takes a path through all switches.
 */
#ifndef ODONATA_EMULATOR_POLICY_RING_H
#define ODONATA_EMULATOR_POLICY_RING_H

#include "base/arena.h"
#include "emulator/policy/ways/ways.h"

typedef struct odo_ring {
	uint32_t n;       /**< switches */
	odo_arena memory; /**< of the arrays */
	uint32_t *place;  /**< [n] place of each switch along the ring */
	uint8_t *port[2]; /**< [n] port of each switch forwards, and backwards */
	bool searched;    /**< found by search, because this fabric lacks cables for the paper's
			   * ring */
} odo_ring;

/**
 * Find rings that share no cable, in the requested order.
 *
 * 'a' steps by 1 from position 0, 'b' by h + 1 for even h and h + 2 for odd h. Both need global
 * links in palm-tree order and positions counted in that order; otherwise they are found by search.
 * 'c' is always found by search: the paper steps by h - 2, but h - 2 and -(h + 2) are the same
 * modulo the group's 2h, so that its rings B and C share all local links except one.
 *
 * @param letters such as "a" or "abc"
 * @param out     [strlen(letters)] for odo_ring_clear(), also after a failure
 * Errors: ODO_EDECLINE if no such ring was found.
 */
int odo_rings_find(const odo_ways *ways, const char *letters, odo_ring *out, odo_error *err);
void odo_ring_clear(odo_ring *ring);

/**
 * Find a ring on cables of its own (section 3.3): each switch's last 2 * n_rings ports that lead to
 * switches belong to rings, two ports to each ring.
 * @param out for odo_ring_clear(), also after a failure
 * Errors: ODO_EDECLINE if these cables make no ring through all switches.
 */
int odo_ring_own(const odo_fabric *f, unsigned n_rings, unsigned which, odo_ring *out,
		 odo_error *err);

/** Direction of the shorter way round: 0 forwards, 1 backwards. Ties go forwards. */
static inline unsigned odo_ring_direction(const odo_ring *ring, uint32_t here, uint32_t to)
{
	uint32_t a = ring->place[here], b = ring->place[to];
	uint32_t ahead = b >= a ? b - a : b + ring->n - a;
	return ahead > ring->n / 2;
}

#endif
