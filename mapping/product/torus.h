/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Coordinates in tori. */
#ifndef ODONATA_MAPPING_PRODUCT_TORUS_H
#define ODONATA_MAPPING_PRODUCT_TORUS_H

#include "mapping/product/classes.h"
#include "mapping/graph/placement.h"

/**
 * Place the switches of a torus by walking it: links of a cycle all have a direction, which
 * rectangles hand on to the opposite side and which is kept from link to link along a cycle.
 * Counting steps along any tree places every switch, and what other links disagree by is a
 * multiple of the cycle's length. A cycle of four is K_2 x K_2 and becomes two dimensions, one
 * of three is K_3: prime factors are unique, and no mapping can tell otherwise.
 * @param classes  dimensions from odo_series_merge(); links of no dimension are not walked
 * @param placement  made, with n_dims set; gets sizes and coordinates
 * Errors: ODO_EUNKNOWN where a length cannot be told.
 */
int odo_torus_place(const odo_links *g, odo_walk *walk, const odo_classes *classes,
		    odo_placement *placement, odo_error *err);

#endif
