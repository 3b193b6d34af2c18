/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What a damaged tree keeps of the tables that it would have if nothing were missing. They follow
 * from the fabric alone, so nothing has to be remembered: whoever routes it next finds the same.
 */
#ifndef ODONATA_ROUTING_TREE_WHOLE_H
#define ODONATA_ROUTING_TREE_WHOLE_H

#include "routing/tree/tree.h"

struct odo_filler;

typedef struct odo_whole {
	odo_fabric f;      /**< all but `peer` is borrowed */
	odo_coordinates c; /**< all but `port_class` is borrowed */
	uint32_t n_added;  /**< cables that are not there */
} odo_whole;

/** @param whole for odo_whole_clear(), also on ODO_ENOMEM */
int odo_whole_init(odo_whole *whole, const odo_fabric *f, const odo_coordinates *c, odo_error *err);
void odo_whole_clear(odo_whole *whole);

/**
 * The goal's column as the whole tree has it, as far as it still leads there by a shortest way; the
 * rest has no port. odo_tree_approach() was called for its switch.
 * @param column [n] of the whole tree
 */
void odo_tree_keep(struct odo_filler *x, const uint8_t *column);

/**
 * Let switches by which no path between hosts goes have the entries of the whole tree where they
 * can, longer ways included: what lacks its cable goes to a neighbour that still arrives. All paths
 * together, and those of the whole tree, close no cycle.
 * @param whole   [lid_count * n] columns of the whole tree, or those before
 * @param at_work switches have these: also paths between hosts stay where packets still arrive
 * @param columns [lid_count * n] of this one, complete
 */
int odo_tree_settle(const odo_tree *tree, const uint8_t *whole, bool at_work, uint8_t *columns,
		    odo_error *err);

#endif
