/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Shapes that groups of a complete dragonfly can have, given its switches and cables. */
#ifndef ODONATA_MAPPING_GRAPH_SHAPES_H
#define ODONATA_MAPPING_GRAPH_SHAPES_H

#include "fabric/coordinates.h"
#include "mapping/graph/links.h"

/** A FlatFly, the largest dimension first, as a group of a whole dragonfly. */
typedef struct odo_flat_shape {
	unsigned n_dims;
	uint32_t size[ODO_MAX_DIMS];
	uint32_t width[ODO_MAX_DIMS]; /**< cables of each link */
	uint32_t members;             /**< product of the sizes */
	uint32_t cables;              /**< cables from one member to the others */
	uint32_t ports;               /**< cables of a group to other groups */
	uint32_t between[2]; /**< cables between two groups: equal, or different by one link */
} odo_flat_shape;

typedef struct odo_shapes {
	odo_flat_shape *list;
	size_t n, room;
} odo_shapes;

/** List all shapes that divide the switches evenly and give every two groups equally many cables,
 * or one link more. Groups have from 3 switches to half of all, the largest first. For
 * odo_shapes_clear(). */
int odo_shapes_find(const odo_links *g, odo_shapes *out, odo_error *err);

void odo_shapes_clear(odo_shapes *s);

#endif
