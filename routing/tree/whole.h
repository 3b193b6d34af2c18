/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Tables that a damaged tree takes over from its undamaged form. They follow from the fabric alone,
 * so nothing has to be stored: the next manager that routes the fabric finds the same.
 */
#ifndef ODONATA_ROUTING_TREE_WHOLE_H
#define ODONATA_ROUTING_TREE_WHOLE_H

#include "routing/tree/tree.h"

typedef struct odo_whole {
	odo_arena memory;
	odo_fabric f;      /**< borrowed except `peer` */
	odo_coordinates c; /**< borrowed except `port_class` */
	uint32_t n_added;  /**< cables added here that the fabric lacks */
} odo_whole;

/** @param whole clear with odo_whole_clear(), also on ODO_ENOMEM */
int odo_whole_init(odo_whole *whole, const odo_fabric *f, const odo_coordinates *c, odo_error *err);
void odo_whole_clear(odo_whole *whole);

/**
 * Give old entries back to switches that no path between hosts crosses, including entries that make
 * paths longer. A switch whose cable is missing sends to a neighbour whose packets still arrive.
 * Paths of this tree and of the undamaged tree together close no cycle.
 * @param whole   [lid_count * n] columns of the undamaged tree, or of the tables before
 * @param at_work switches already have `whole`: paths between hosts also stay if packets still
 *                arrive
 * @param columns [lid_count * n] of this tree, complete
 */
int odo_tree_settle(const odo_tree *tree, const uint8_t *whole, bool at_work, uint8_t *columns,
		    odo_error *err);

#endif
