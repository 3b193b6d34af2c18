/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Contradictions to a tree: wrong cables, missing cables, missing switches. */
#ifndef ODONATA_MAPPING_TREE_CONTRADICTIONS_H
#define ODONATA_MAPPING_TREE_CONTRADICTIONS_H

#include "mapping/tree/tree.h"

/** Fill in `wrong`: cables that skip levels, that lead from block to block, or that exceed the
 * width of a link. A switch whose links lead to many blocks belongs to none. Its cables are not
 * called wrong, and none is called missing. Errors: ODO_ENOMEM. */
int odo_clos_find_wrong(odo_clos *t, odo_error *err);

/** Assign each port a class: its level, or global and local in a Dragonfly+. Ports of wrong cables
 * get a class of their own. Errors: ODO_ENOMEM. */
int odo_clos_class_ports(const odo_clos *t, const uint32_t *slot_edge, odo_coordinates *c);

/** Assign classes to the ports of a fat tree that has coordinates `c`, and list its faults. */
int odo_fattree_contradictions(const odo_clos *t, const uint32_t *slot_edge, odo_coordinates *c,
			       odo_error *err);

#endif
