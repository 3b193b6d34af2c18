/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Placement of a group's switches in a FlatFly whose sizes are known from other groups. */
#ifndef ODONATA_MAPPING_DRAGONFLY_GROUP_FIT_H
#define ODONATA_MAPPING_DRAGONFLY_GROUP_FIT_H

#include "mapping/graph/placement.h"

/**
 * Place all vertices so that as many links as possible fit, by simulated annealing. This is for a
 * few dozen switches with so many links missing that no other method can place them.
 * @param budget remaining exchanges, about 50 ns each; decreased by those tried
 * @param placement complete graphs only, sizes set, with at least as many positions as vertices. It
 *   starts from the known coordinates. Afterwards all coordinates are known
 */
int odo_group_fit(const odo_links *g, uint32_t *budget, odo_placement *placement, odo_error *err);

/** Count the links that join neighbouring positions. */
uint32_t odo_group_fitting(const odo_links *g, const odo_placement *placement);

#endif
