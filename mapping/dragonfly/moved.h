/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Betters groups that are complete graphs, in a small dragonfly that has lost much. */
#ifndef ODONATA_MAPPING_DRAGONFLY_MOVED_H
#define ODONATA_MAPPING_DRAGONFLY_MOVED_H

#include "mapping/judge/finding.h"

/**
 * Move switches with few links in their group to other groups, one after another, each time the one
 * that leaves the fewest repairs: switches and cables missing, cables too many. What a switch has
 * in its own group may be gone, and then only the cables between groups say where it belongs.
 * @param of [n] group of each vertex, a number below n; changed
 * @param h  what it comes to, weighed, for odo_finding_clear(); nothing (no `g`) where too many
 *           switches could be moved
 */
int odo_dragonfly_move(const odo_links *g, uint32_t *of, odo_finding *h, odo_error *err);

#endif
