/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Coordinates in tori. */
#ifndef ODONATA_MAPPING_PRODUCT_TORUS_H
#define ODONATA_MAPPING_PRODUCT_TORUS_H

#include "mapping/product/classes.h"
#include "mapping/graph/placement.h"

/**
 * Place the switches of a torus by walking it. Every link of a cycle has a direction. Opposite
 * sides of a rectangle have the same direction, and so do consecutive links of a cycle. Counting
 * steps along any tree places every switch. The remaining links disagree by a multiple of the
 * cycle's length. A cycle of four is K_2 x K_2 and becomes two dimensions; a cycle of three is K_3.
 * Prime factors are unique, so no mapping can distinguish these.
 * @param classes dimensions from odo_series_merge(); links of no dimension are not walked
 * @param placement made, with n_dims set; gets sizes and coordinates
 * Errors: ODO_EUNKNOWN if a length cannot be determined.
 */
int odo_torus_place(const odo_links *g, odo_walk *walk, const odo_classes *classes,
		    odo_placement *placement, odo_error *err);

#endif
