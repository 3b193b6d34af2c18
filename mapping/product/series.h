/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Classes of links that are one dimension together. Paper 004 stops at the classes, which are
 * dimensions in a FlatFly. But a cycle of a torus has a class for each of its steps, and a Slim Fly
 * has many. Two meeting links of different dimensions close a rectangle. (Prime factors of graphs
 * are found by this relation: Feigenbaum, Hershberger and Schaeffer, 1985.) So classes that meet
 * but close almost no rectangles are the same dimension.
 */
#ifndef ODONATA_MAPPING_PRODUCT_SERIES_H
#define ODONATA_MAPPING_PRODUCT_SERIES_H

#include "mapping/product/classes.h"

/** Shape of the links of a dimension within one copy of it. */
typedef enum odo_rows {
	ODO_ROWS_COMPLETE, /**< complete graphs of three or more, most of their links present */
	ODO_ROWS_PAIRS,    /**< K_2 */
	ODO_ROWS_CYCLES,   /**< no switch has more than two links */
	ODO_ROWS_OTHER,
} odo_rows;

/**
 * Merge classes that are in series, in place: c->of and c->n become dimensions, the largest first.
 * Classes of complete graphs are not changed.
 * @param rows [c->n], room for ODO_MAX_DIMS at least; for free()
 */
int odo_series_merge(const odo_links *g, odo_walk *walk, odo_classes *classes, odo_rows **rows,
		     odo_error *err);

#endif
