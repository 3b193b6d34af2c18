/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What contradicts a tree: wrong cables, missing ones, missing switches. */
#ifndef ODONATA_MAPPING_TREE_CONTRADICTIONS_H
#define ODONATA_MAPPING_TREE_CONTRADICTIONS_H

#include "mapping/tree/tree.h"

/** Fill in `wrong`: cables past levels, from block to block, and beyond the width of a link. Those
 * of a switch that has no home, since its links lead to many blocks, are none, and it lacks none.
 * Errors: ODO_ENOMEM.
 */
int odo_clos_find_wrong(odo_clos *t, odo_error *err);

/** Class ports by level, or those of a Dragonfly+ as global and local; wrong ones as such.
 * Errors: ODO_ENOMEM. */
int odo_clos_class_ports(const odo_clos *t, const uint32_t *slot_edge, odo_coordinates *c);

/** Class the ports of a fat tree that has been placed in `c`, and list its faults. */
int odo_fattree_contradictions(const odo_clos *t, const uint32_t *slot_edge, odo_coordinates *c,
			       odo_error *err);

#endif
