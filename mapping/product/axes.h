/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The two dimensions of a torus or mesh of two. Where switches have four links each of these is in
 * two rectangles only, so that damage parts classes (classes.h), and the steps of a cycle cannot be
 * counted by them. But two sides of a rectangle that meet are always of different dimensions, and
 * of two dimensions whatever is not the one is the other. So rectangles that have a side in common
 * tell of each other, and all around a hole they still do.
 */
#ifndef ODONATA_MAPPING_PRODUCT_AXES_H
#define ODONATA_MAPPING_PRODUCT_AXES_H

#include "mapping/product/classes.h"

/** True if next to all vertices have four links or fewer. */
bool odo_axes_open(const odo_links *g);

/**
 * @param classes gets two, links that no rectangle tells of left out; for odo_classes_clear()
 * Errors: ODO_EUNKNOWN where one dimension is next to empty.
 */
int odo_axes_find(const odo_links *g, odo_walk *walk, const odo_support *support,
		  odo_classes *classes, odo_error *err);

#endif
