/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds a dragonfly's groups. */
#ifndef ODONATA_MAPPING_DRAGONFLY_H
#define ODONATA_MAPPING_DRAGONFLY_H

#include "mapping/placement.h"
#include "mapping/squares.h"

/**
 * @param p dimension 0 is the group, the others are the FlatFly within; no occupants.
 *          For odo_placement_clear()
 * Errors: ODO_EUNKNOWN with the reason where the graph is no dragonfly.
 */
int odo_dragonfly_find(const odo_links *g, const odo_support *s, odo_placement *p, odo_error *err);

#endif
