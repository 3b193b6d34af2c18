/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Betters the groups of a damaged dragonfly whose sizes are known. */
#ifndef ODONATA_MAPPING_DRAGONFLY_REGROUP_H
#define ODONATA_MAPPING_DRAGONFLY_REGROUP_H

#include "mapping/graph/placement.h"

/** Positions of a group at most. */
enum { ODO_REGROUP_ROOM = 64 };

/**
 * Take a few groups apart and grow them anew, again and again, for more links that fit and fewer
 * that are missing or contradict. The same result every time.
 * @param placement dimension 0 is the group, the others are complete graphs of up to
 * ODO_REGROUP_ROOM positions in all. Indexed before, no occupants after; groups without switches
 * are gone
 */
int odo_regroup(const odo_links *g, odo_placement *placement, odo_error *err);

#endif
