/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Which links are local, where many cables join each two groups of a dragonfly. Global links then
 * close about as many rectangles as local ones do. But a local link closes one with nearly all
 * other local links at its ends, and by local links; a global one with few, and by another global
 * link. So each link is weighed by the weights of those that it closes rectangles and triangles
 * with, over and over, until it is one or the other.
 */
#ifndef ODONATA_MAPPING_DRAGONFLY_LOCALS_H
#define ODONATA_MAPPING_DRAGONFLY_LOCALS_H

#include "mapping/graph/squares.h"

/** Where on the scale links are taken for local or global. */
typedef enum odo_decision {
	ODO_DECIDE_WHOLE,   /**< local ones have nearly all support there can be */
	ODO_DECIDE_DAMAGED, /**< missing links and switches took support from them */
} odo_decision;

/**
 * @param without edges that are taken for global from the start; NULL for none
 * @param weight  [n_edges] 0 for global .. 255 for local
 * Errors: ODO_EUNKNOWN where the budget is spent.
 */
int odo_locals_weigh(const odo_links *g, odo_walk *walk, const bool *without, odo_decision decision,
		     uint8_t *weight, odo_error *err);

#endif
