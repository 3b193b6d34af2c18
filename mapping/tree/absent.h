/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Missing links and missing switches of a tree. */
#ifndef ODONATA_MAPPING_TREE_ABSENT_H
#define ODONATA_MAPPING_TREE_ABSENT_H

#include "mapping/faults/faults.h"
#include "mapping/tree/tree.h"

/** List the links of a block that are missing or have too few cables, unless cables were
 * distributed unevenly on purpose. Errors: ODO_ENOMEM. */
int odo_clos_absent_links(const odo_clos *t, odo_faults *list);

/** List missing switches. Between the leaves and the top: switches that a pod lacks in a plane and
 * most pods have. At the top: switches that a plane lacks. Missing leaves cannot be detected,
 * because pods may differ in size. Errors: ODO_ENOMEM. */
int odo_clos_absent_switches(const odo_clos *t, const odo_coordinates *c, odo_faults *list);

#endif
