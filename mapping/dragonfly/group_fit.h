/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Places the switches of one group in a FlatFly whose sizes the other groups told. */
#ifndef ODONATA_MAPPING_DRAGONFLY_GROUP_FIT_H
#define ODONATA_MAPPING_DRAGONFLY_GROUP_FIT_H

#include "mapping/graph/placement.h"

/**
 * Place all vertices so that as many links as can be found fit, by simulated annealing: for a few
 * dozen switches, of which so much is missing that nothing else tells where they belong.
 * @param budget exchanges that may still be tried, about 50 ns each; what is tried is taken off
 * @param placement complete graphs only, sizes set, with at least as many positions as vertices;
 *          coordinates that are known are the start. All are known afterwards
 */
int odo_group_fit(const odo_links *g, uint32_t *budget, odo_placement *placement, odo_error *err);

/** Links that join neighbouring positions. */
uint32_t odo_group_fitting(const odo_links *g, const odo_placement *placement);

#endif
