/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Links of unusually high support. Beside a small complete graph the links of a Slim Fly close few
 * rectangles. Wrong cables between switches with one common neighbour each close more. But a link
 * of the small graph closes a rectangle with every other link at its ends. Almost no wrong cable
 * does that.
 */
#ifndef ODONATA_MAPPING_PRODUCT_FULL_SUPPORT_H
#define ODONATA_MAPPING_PRODUCT_FULL_SUPPORT_H

#include "mapping/product/classes.h"

/**
 * Find classes of the links that close a rectangle or triangle with nearly all others at both ends.
 * A Slim Fly of even q has such links too; they form a class of their own.
 * @param ratio odo_support_ratio()
 * @param follows [n_edges] gets the other links that are parallel to these, which wrong cables
 *   rarely are
 * Errors: ODO_EUNKNOWN if few switches have such links.
 */
int odo_full_support_find(const odo_links *g, odo_walk *walk, const uint8_t *ratio, bool *follows,
			  odo_classes *classes, odo_error *err);

#endif
