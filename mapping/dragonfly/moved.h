/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Improvement of groups that are complete graphs, in a small dragonfly with much damage. */
#ifndef ODONATA_MAPPING_DRAGONFLY_MOVED_H
#define ODONATA_MAPPING_DRAGONFLY_MOVED_H

#include "mapping/judge/finding.h"

/**
 * Move switches with few links in their group to other groups, one after another. Each time choose
 * the move that leaves the fewest repairs: missing switches, missing cables, excess cables. A
 * switch may have lost all links to its own group. Then only the cables between groups show where
 * it belongs.
 * @param of [n] group of each vertex, a number below n; changed
 * @param h the weighed result, for odo_finding_clear(); empty (no `g`) if too many switches could
 *   be moved
 */
int odo_dragonfly_move(const odo_links *g, uint32_t *of, odo_finding *h, odo_error *err);

#endif
