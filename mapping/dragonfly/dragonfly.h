/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Groups of a dragonfly: complete graphs or FlatFlies. */
#ifndef ODONATA_MAPPING_DRAGONFLY_DRAGONFLY_H
#define ODONATA_MAPPING_DRAGONFLY_DRAGONFLY_H

#include "mapping/graph/placement.h"
#include "mapping/graph/squares.h"

/**
 * Find groups that are complete graphs.
 * @param placement dimension 0 is the group, the others are the FlatFly within; no occupants. For
 *   odo_placement_clear()
 * Errors: ODO_EUNKNOWN with the reason if the graph is no dragonfly.
 */
int odo_dragonfly_find(const odo_links *g, const odo_support *support, odo_placement *placement,
		       odo_error *err);

/** Place FlatFlies within groups that are known or guessed.
 * @param of [n] one number for each group */
int odo_dragonfly_grouped(const odo_links *g, const uint32_t *of, odo_placement *placement,
			  odo_error *err);

/** Number groups that are complete graphs, and their members, in order of the smallest vertex.
 * @param of [n] group of each vertex, a number below n */
int odo_dragonfly_place(const odo_links *g, const uint32_t *of, odo_placement *placement,
			odo_error *err);

#endif
