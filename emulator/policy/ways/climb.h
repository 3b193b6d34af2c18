/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Ways up and down a fat tree, whole or damaged, for policies: which cables go up, and which
 * switches lead down to which hosts. A cable is used only if it fits the levels, so a wrong cable
 * is never used.
 *
 * The memory is a bit for each switch, each switch with hosts and each level: 63 MB for the 524,288
 * hosts of a tree of three levels of switches with 128 ports.
 */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_CLIMB_H
#define ODONATA_EMULATOR_POLICY_WAYS_CLIMB_H

#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

#define ODO_CLIMB_LEVELS 8u

/** A tree in arrays. */
typedef struct odo_climb {
	const odo_fabric *fabric;
	odo_arena memory; /**< of the arrays */
	unsigned n_levels;
	uint32_t n_homes;   /**< switches with hosts */
	uint32_t *home;     /**< [n_hosts] switch of each host */
	uint8_t *host_port; /**< [n_hosts] port of that switch to the host */
	uint32_t *number;   /**< [n_switches] number among switches with hosts, from 0; ODO_NONE */
	/** [2 * n_switches + 1] into `port`: cables down from switch s at 2 * s, cables up at 2 * s
	 * + 1 */
	uint32_t *first;
	uint8_t *port;
	size_t words; /**< words of a switch in each array of `within` */
	/** [n_switches * words] bit d: home d can be reached from here by at most `index` cables
	 * up, then only down; one array for each level */
	uint64_t *within[ODO_CLIMB_LEVELS];
} odo_climb;

/**
 * @param out for odo_climb_free()
 * Errors: ODO_ENOMEM; ODO_EDECLINE for other kinds, and if two sending hosts have no way up and
 * down to each other; the message names them.
 */
int odo_climb_create(const odo_fabric *f, const odo_coordinates *c, odo_climb **out,
		     odo_error *err);
void odo_climb_free(odo_climb *climb);

/** Ports by which a packet can go on by a shortest way up and down. */
typedef struct odo_climb_ways {
	uint8_t port[ODO_MAX_PORTS];
	unsigned n; /**< 0: there is no way */
	bool up;    /**< the packet has not yet reached the nearest common ancestor */
} odo_climb_ways;

/** @param home a switch with hosts, other than `node` */
void odo_climb_look(const odo_climb *climb, uint32_t node, uint32_t home, odo_climb_ways *out);

#endif
