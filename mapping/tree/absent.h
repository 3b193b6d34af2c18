/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Links and switches that a tree lacks. */
#ifndef ODONATA_MAPPING_TREE_ABSENT_H
#define ODONATA_MAPPING_TREE_ABSENT_H

#include "mapping/faults/faults.h"
#include "mapping/tree/tree.h"

/** Pairs of a block with fewer cables than its links have, where that is not how it was dealt out.
 * Errors: ODO_ENOMEM. */
int odo_clos_absent_links(const odo_clos *t, odo_faults *list);

/** Between the leaves and the top: switches that a pod lacks in a plane, where most pods have more.
 * At the top: those that a plane lacks. Nobody knows of missing leaves, since pods need not be of
 * one size. Errors: ODO_ENOMEM. */
int odo_clos_absent_switches(const odo_clos *t, const odo_coordinates *c, odo_faults *list);

#endif
