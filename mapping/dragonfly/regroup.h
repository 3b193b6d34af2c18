/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Improvement of the groups of a damaged dragonfly whose sizes are known. */
#ifndef ODONATA_MAPPING_DRAGONFLY_REGROUP_H
#define ODONATA_MAPPING_DRAGONFLY_REGROUP_H

#include "mapping/graph/placement.h"

/** Positions of a group at most. */
enum { ODO_REGROUP_ROOM = 64 };

/**
 * Dissolve a few groups and grow them again, repeatedly, to have more fitting links and fewer
 * missing or contradicting ones. The result is reproducible.
 * @param placement dimension 0 is the group, the others are complete graphs of up to
 *   ODO_REGROUP_ROOM positions in all. Indexed before, no occupants after; groups without switches
 *   are removed
 */
int odo_regroup(const odo_links *g, odo_placement *placement, odo_error *err);

#endif
