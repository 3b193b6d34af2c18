/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Links that join two dimensions by mistake. If the fourth corner of a rectangle is missing, a
 * wrong cable closes rectangles with links of two dimensions, as a right cable does with links of
 * one dimension. The classes of paper 004, section 2.1, then become one. But the links of the two
 * dimensions have no other connection. The links parallel to a right link are parallel to each
 * other too, or have a third parallel link in common.
 */
#ifndef ODONATA_MAPPING_PRODUCT_BONDS_H
#define ODONATA_MAPPING_PRODUCT_BONDS_H

#include "mapping/graph/squares.h"

/** Pairs of links that a rectangle or triangle puts into the same dimension. */
typedef struct odo_bonds {
	uint32_t n;         /**< edges */
	uint32_t *first;    /**< [n + 1] */
	uint32_t *to;       /**< edges bonded to each edge */
	odo_budget *budget; /**< budget of the graph */
} odo_bonds;

/** Bond edges by rectangles and by triangles. Both diagonals of the rectangle must have exactly two
 * common neighbours. The edges of the triangle must be in about equally many triangles. Only edges
 * with `use` are bonded. Errors: ODO_EUNKNOWN if the budget is spent. */
int odo_bonds_make(const odo_links *g, odo_walk *walk, const odo_support *support, const bool *use,
		   odo_bonds *bonds, odo_error *err);

/** Bond edges with `use` that are opposite sides of any rectangle, even if its other two sides have
 * no `use`. Bond edges of triangles too. Errors as above. */
int odo_bonds_parallel(const odo_links *g, odo_walk *walk, const bool *use, odo_bonds *bonds,
		       odo_error *err);
void odo_bonds_clear(odo_bonds *bonds);

/** Clear `use` of edges that are the only connection between two sets of other edges. Errors:
 * ODO_EUNKNOWN if the budget is spent. */
int odo_bonds_distrust(const odo_bonds *bonds, bool *use, odo_error *err);

#endif
