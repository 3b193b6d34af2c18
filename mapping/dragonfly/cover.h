/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Groups of a small complete dragonfly, found by exhaustive search. It is for fabrics in which
 * local links differ from global ones only in that all of them must fit. */
#ifndef ODONATA_MAPPING_DRAGONFLY_COVER_H
#define ODONATA_MAPPING_DRAGONFLY_COVER_H

#include "mapping/graph/placement.h"
#include "mapping/graph/shapes.h"

/**
 * Divide all switches into groups of one shape, with the same number of cables between every two
 * groups.
 * @param table from odo_copies_table()
 * @param budget remaining steps, about 1 ns each; decreased by those made
 * @param placement dimension 0 is the group, the others are the FlatFly within; no occupants. For
 *   odo_placement_clear()
 * Errors: ODO_EUNKNOWN if there are no such groups, or the budget is spent.
 */
int odo_cover_find(const odo_links *g, const uint8_t *table, const odo_flat_shape *shape,
		   uint64_t *budget, odo_placement *placement, odo_error *err);

#endif
