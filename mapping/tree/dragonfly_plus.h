/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Dragonfly+: groups of leaves and spines, and global cables between spines. */
#ifndef ODONATA_MAPPING_TREE_DRAGONFLY_PLUS_H
#define ODONATA_MAPPING_TREE_DRAGONFLY_PLUS_H

#include "mapping/tree/tree.h"

/** Read the levels of a tree that was begun (heights.h) as a Dragonfly+, if more links join two
 * switches above leaves than lead up from these. The tree keeps two levels even if it is no
 * Dragonfly+.
 * @param out NULL if it is no Dragonfly+. Errors: ODO_ENOMEM. */
int odo_dragonfly_plus_map(odo_clos *t, const uint32_t *slot_edge, odo_coordinates **out,
			   odo_error *err);

#endif
