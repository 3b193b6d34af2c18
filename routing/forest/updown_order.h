/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The order of switches by which paths go up and then down. */
#ifndef ODONATA_ROUTING_FOREST_UPDOWN_ORDER_H
#define ODONATA_ROUTING_FOREST_UPDOWN_ORDER_H

#include "routing/forest/forest.h"

/**
 * Number the switches; up is towards lower numbers. Every connected part grows switch by switch
 * from a root, each next to one that is in already. So every switch has a way up to the root, every
 * two have one up and then down, and none needs another root to meet at.
 *
 * What is over the root comes first, level by level, so that it may go any way up. Then, of all
 * that could be next, the one furthest from the switches with hosts: in a tree that is the spine.
 * One leaf comes before it, by which all of it hangs together, and the other leaves after it.
 * Shortest paths over any spine then go up and down, so all switches of the top are as good as
 * roots. Where every switch has hosts this is the order of distance from the root.
 *
 * @param hash   [n] decides among equals, so that numbers do not follow the order of storage
 * @param order  [n] filled: number of each switch
 * @param sorted [n] filled: switches by number
 * @return 0 or ODO_ENOMEM
 */
int odo_updown_order(const odo_forest *forest, const uint32_t *hash, uint32_t *order,
		     uint32_t *sorted);

#endif
