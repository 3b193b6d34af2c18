/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_MAPPING_ROOM_H
#define ODONATA_MAPPING_ROOM_H

#include "fabric/coordinates.h"

/**
 * Return the number of further groups for which every group of a dragonfly or Dragonfly+ has free
 * global ports. These groups are missing, or were never bought.
 *
 * The global ports of a switch are the highest number that is cabled on at least one switch in 20.
 * A further group takes as many ports of a group as two groups have cables on average. 0 for other
 * kinds, and without memory.
 */
uint32_t odo_room_for_groups(const odo_fabric *f, const odo_coordinates *c);

#endif
