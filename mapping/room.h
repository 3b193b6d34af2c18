/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_MAPPING_ROOM_H
#define ODONATA_MAPPING_ROOM_H

#include "fabric/coordinates.h"

/**
 * How many more groups every group of a dragonfly or Dragonfly+ has free global ports for: groups that
 * are missing altogether, or were never bought.
 *
 * A switch has as many global ports as are cabled on one switch in 20 at least. Another group takes as
 * many of them as two groups have cables between them on average. 0 for other kinds, and without memory.
 */
uint32_t odo_room_for_groups(const odo_fabric *f, const odo_coordinates *c);

#endif
