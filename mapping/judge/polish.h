/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Betters a placement in a product of complete graphs that is right in the main. */
#ifndef ODONATA_MAPPING_JUDGE_POLISH_H
#define ODONATA_MAPPING_JUDGE_POLISH_H

#include "mapping/judge/finding.h"

/**
 * Place anew the switches that less than three in four of their links speak for, and do without
 * values that few switches have, where that describes the links in fewer bits. Only dimensions that
 * are complete graphs; other findings are left as they are.
 * @param h weighed, and weighed again on return
 */
int odo_polish(odo_finding *h, odo_error *err);

/**
 * The product that a dragonfly is whose groups have a link from nearly each switch to each other
 * group: dimension 0 is the group, and the values within groups are named so that global links
 * keep them. Rows of complete graphs are found even where wrong cables make one class of the links
 * of all dimensions.
 * @param groups weighed
 * @param placement      for odo_placement_clear(); indexed and settled
 * Errors: ODO_EUNKNOWN where groups have fewer links between them.
 */
int odo_polish_align(const odo_finding *groups, odo_placement *placement, odo_error *err);

#endif
