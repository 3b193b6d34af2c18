/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Arithmetic of a dragonfly's global cables, as pure functions. */
#ifndef ODONATA_FABRIC_TOPOLOGY_DRAGONFLY_H
#define ODONATA_FABRIC_TOPOLOGY_DRAGONFLY_H

#include <stdbool.h>
#include <stdint.h>

/** Order in which a group's global ports lead to other groups. Global port n is port n % h of
 * switch n / h. */
typedef enum odo_arrangement {
	ODO_PALMTREE,    /**< to group - 1, group - 2, ... (modulo g) */
	ODO_CONSECUTIVE, /**< to group 0, 1, ... except its own */
	ODO_RELATIVE,    /**< to group + 1, group + 2, ... */
	ODO_CIRCULANT,   /**< to group + 1, group - 1, group + 2, ... */
	ODO_NUMBERED,    /**< port n to group n; the port of its own number is free */
	ODO_SHUFFLED,    /**< as relative; the generator then shuffles each group's ports */
} odo_arrangement;

/**
 * Every two groups have `rounds` cables. Except for ODO_NUMBERED, groups at one of `extra`
 * distances have one more: the nearest on the ring of groups in both directions, and for odd
 * `extra` the opposite group. The groups look alike, and counts differ by at most one.
 */
typedef struct odo_global_links {
	uint32_t groups, ports; /**< groups, global ports of each */
	odo_arrangement arrangement;
	uint32_t rounds, extra;
} odo_global_links;

/**
 * Spread the global ports of all groups evenly. If `groups` and the number of remaining cables are
 * odd, each group has a free port.
 * @param groups 2 .. ports + 1; up to `ports` for ODO_NUMBERED
 * @param most maximum cables between two groups; 0: as many as there are ports
 */
odo_global_links odo_global_links_make(uint32_t groups, uint32_t ports, odo_arrangement arrangement,
				       uint32_t most);

/** Find the other end of global port `n` of `group`. Return false if the port is free. */
bool odo_global_links_far(const odo_global_links *d, uint32_t group, uint32_t n,
			  uint32_t *far_group, uint32_t *far_n);

#endif
