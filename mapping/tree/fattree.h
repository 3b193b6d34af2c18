/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Fat trees: pods, planes, and contradictions to them. */
#ifndef ODONATA_MAPPING_TREE_FATTREE_H
#define ODONATA_MAPPING_TREE_FATTREE_H

#include "mapping/tree/tree.h"

/** Determine the levels of a tree that was begun (heights.h), and place its switches.
 * @param out NULL if it is no fat tree. Errors: ODO_ENOMEM. */
int odo_fattree_map(odo_clos *t, const uint32_t *slot_edge, odo_coordinates **out, odo_error *err);

#endif
