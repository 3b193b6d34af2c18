/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The level of each switch, from hosts and cables alone. */
#ifndef ODONATA_MAPPING_TREE_HEIGHTS_H
#define ODONATA_MAPPING_TREE_HEIGHTS_H

#include "mapping/tree/tree.h"

/** Fill in `hosted`, and `level` by distance from the leaves; leaves without hosts are found by the
 * parents that they have in common with others. Single wrong cables are not believed, yet those
 * that lead past levels may leave a switch on the wrong one. Errors: ODO_ENOMEM. */
int odo_heights_find(odo_clos *t, odo_error *err);

/** Move each switch to the level that most of its links fit, and count the levels. */
void odo_heights_settle(odo_clos *t);

#endif
