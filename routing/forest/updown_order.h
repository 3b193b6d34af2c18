/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The order of switches by which paths go up and then down. */
#ifndef ODONATA_ROUTING_FOREST_UPDOWN_ORDER_H
#define ODONATA_ROUTING_FOREST_UPDOWN_ORDER_H

#include "routing/forest/forest.h"

/**
 * Number the switches; up is towards lower numbers. Every connected part grows switch by switch
 * from a root. Each next switch is a neighbour of a numbered one. So every switch has a path up to
 * the root, and every pair of switches has a path up and then down. No pair needs another root to
 * meet at.
 *
 * Switches above the root come first, level by level, so that the root may use any path up. Then
 * the candidate that is farthest from switches with hosts follows: in a tree, a spine. A single
 * leaf, which connects all of them, comes before the spines, and the other leaves come after them.
 * Shortest paths over any spine then go up and down, so all top switches are as good as roots. If
 * every switch has hosts, this is the order of distance from the root.
 *
 * @param hash   [n] breaks ties, so that numbers do not depend on the order of storage
 * @param order  [n] filled: number of each switch
 * @param sorted [n] filled: switches by number
 * @return 0 or ODO_ENOMEM
 */
int odo_updown_order(const odo_forest *forest, const uint32_t *hash, uint32_t *order,
		     uint32_t *sorted);

#endif
