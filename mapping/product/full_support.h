/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Links that stand out. Beside a small complete graph the links of a Slim Fly close few rectangles,
 * fewer than wrong cables do between switches that have one common neighbour each. But each link of
 * the small graph closes one with every other link at its ends, and next to no wrong cable does.
 */
#ifndef ODONATA_MAPPING_PRODUCT_FULL_SUPPORT_H
#define ODONATA_MAPPING_PRODUCT_FULL_SUPPORT_H

#include "mapping/product/classes.h"

/**
 * Classes of the links that close a rectangle or triangle with nearly all others at both ends. A
 * Slim Fly of even q has such links itself, in a class of their own.
 * @param ratio   odo_support_ratio()
 * @param follows [n_edges] gets the other links that run along with those, as wrong cables rarely
 *                do
 * Errors: ODO_EUNKNOWN where few switches have any.
 */
int odo_full_support_find(const odo_links *g, odo_walk *walk, const uint8_t *ratio, bool *follows,
			  odo_classes *classes, odo_error *err);

#endif
