/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds the groups of a small whole dragonfly by search, where nothing tells local links from
 * global ones but that all must fit. */
#ifndef ODONATA_MAPPING_DRAGONFLY_COVER_H
#define ODONATA_MAPPING_DRAGONFLY_COVER_H

#include "mapping/graph/placement.h"
#include "mapping/graph/shapes.h"

/**
 * Groups of one shape of which every switch is in one, with as many cables between each two.
 * @param table  from odo_copies_table()
 * @param budget steps that may still be made, about 1 ns each; what is done is taken off
 * @param placement      dimension 0 is the group, the others are the FlatFly within; no occupants.
 *               For odo_placement_clear()
 * Errors: ODO_EUNKNOWN where there are none, or the budget is used up.
 */
int odo_cover_find(const odo_links *g, const uint8_t *table, const odo_flat_shape *shape,
		   uint64_t *budget, odo_placement *placement, odo_error *err);

#endif
