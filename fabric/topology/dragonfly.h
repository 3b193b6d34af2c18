/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Arithmetic of the dragonfly's global cables, as pure functions. */
#ifndef ODONATA_FABRIC_TOPOLOGY_DRAGONFLY_H
#define ODONATA_FABRIC_TOPOLOGY_DRAGONFLY_H

#include <stdbool.h>
#include <stdint.h>

/** In which order a group's global ports go to the other groups. Global port n is port
 * n % h of switch n / h. */
typedef enum odo_arrangement {
	ODO_PALMTREE,    /**< to group - 1, group - 2, ... (modulo g) */
	ODO_CONSECUTIVE, /**< to group 0, 1, ... leaving out its own */
	ODO_RELATIVE,    /**< to group + 1, group + 2, ... */
	ODO_CIRCULANT,   /**< to group + 1, group - 1, group + 2, ... */
	ODO_NUMBERED,    /**< port n to group n; that of its own number is left free */
	ODO_SHUFFLED,    /**< as relative; the generator then shuffles each group's ports */
} odo_arrangement;

/**
 * `rounds` cables between each two groups, and (but for ODO_NUMBERED) another between groups whose
 * distance is one of `extra` offsets: those nearest on the ring of groups, both ways, and where
 * `extra` is odd the opposite group. All groups look alike, and counts differ by one at most.
 */
typedef struct odo_global_links {
	uint32_t groups, ports; /**< groups, global ports of each */
	odo_arrangement arrangement;
	uint32_t rounds, extra;
} odo_global_links;

/**
 * Spread the global ports of all groups evenly. A port is left free in each group where
 * both `groups` and the cables left over are odd.
 * @param groups  2 .. ports + 1; of ODO_NUMBERED up to `ports`
 * @param most    cables between two groups at most; 0 for as many as there are ports
 */
odo_global_links odo_global_links_make(uint32_t groups, uint32_t ports, odo_arrangement arrangement,
				       uint32_t most);

/** The other end of global port `n` of `group`; false where it is left free. */
bool odo_global_links_far(const odo_global_links *d, uint32_t group, uint32_t n,
			  uint32_t *far_group, uint32_t *far_n);

#endif
