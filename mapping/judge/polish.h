/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Improvement of a placement in a product of complete graphs that is mostly right. */
#ifndef ODONATA_MAPPING_JUDGE_POLISH_H
#define ODONATA_MAPPING_JUDGE_POLISH_H

#include "mapping/judge/finding.h"

/**
 * Place switches again if less than three quarters of their links fit, and remove values that few
 * switches have. Changes are kept if they shorten the description of the links. This applies only
 * to dimensions that are complete graphs; other findings are not changed.
 * @param h weighed, and weighed again on return
 */
int odo_polish(odo_finding *h, odo_error *err);

/**
 * Convert a dragonfly to a product, if nearly each switch of its groups has a link to each other
 * group. Dimension 0 is the group. Values within groups get names such that global links join equal
 * names. This finds rows of complete graphs even if wrong cables have joined the links of all
 * dimensions into one class.
 * @param groups weighed
 * @param placement for odo_placement_clear(); indexed and settled
 * Errors: ODO_EUNKNOWN if groups have fewer links between them.
 */
int odo_polish_align(const odo_finding *groups, odo_placement *placement, odo_error *err);

#endif
