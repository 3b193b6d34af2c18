/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Weights that tell local links from global ones, for dragonflies with many cables between every
 * two groups. There global links close about as many rectangles as local ones. But a local link
 * closes rectangles with nearly all other local links at its ends, by means of local links. A
 * global link closes few, by means of another global link. So the weight of a link is computed from
 * the weights of links with which it closes rectangles and triangles. This is repeated until each
 * link is local or global.
 */
#ifndef ODONATA_MAPPING_DRAGONFLY_LOCALS_H
#define ODONATA_MAPPING_DRAGONFLY_LOCALS_H

#include "mapping/graph/squares.h"

/** Point of the scale from which links are taken as local or global. */
typedef enum odo_decision {
	ODO_DECIDE_WHOLE,   /**< local links have nearly all possible support */
	ODO_DECIDE_DAMAGED, /**< missing links and switches have reduced their support */
} odo_decision;

/**
 * Weigh all links.
 * @param without edges that are global from the start; NULL for none
 * @param weight [n_edges] 0 for global .. 255 for local
 * Errors: ODO_EUNKNOWN if the budget is spent.
 */
int odo_locals_weigh(const odo_links *g, odo_walk *walk, const bool *without, odo_decision decision,
		     uint8_t *weight, odo_error *err);

#endif
