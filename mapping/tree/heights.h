/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The level of each switch, from hosts and cables alone. */
#ifndef ODONATA_MAPPING_TREE_HEIGHTS_H
#define ODONATA_MAPPING_TREE_HEIGHTS_H

#include "mapping/tree/tree.h"

/** Fill in `hosted`, and `level` by distance from the leaves. Leaves without hosts are recognised
 * by parents that they share with other leaves. Single wrong cables are ignored, but cables that
 * skip levels may still put a switch on the wrong level. Errors: ODO_ENOMEM. */
int odo_heights_find(odo_clos *t, odo_error *err);

/** Move each switch to the level that most of its links fit, and count the levels. */
void odo_heights_settle(odo_clos *t);

#endif
