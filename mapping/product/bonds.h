/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Which links hold two dimensions together. Where the corner between its ends is missing, a wrong
 * cable closes rectangles with links of two dimensions as a right one does with those of one, and
 * the classes of paper 004, section 2.1, become one. But nothing else ties those links to each
 * other: the links that a right one is parallel to are so among themselves, or have others in
 * common.
 */
#ifndef ODONATA_MAPPING_PRODUCT_BONDS_H
#define ODONATA_MAPPING_PRODUCT_BONDS_H

#include "mapping/graph/squares.h"

/** Links in the same dimension by a rectangle or triangle. */
typedef struct odo_bonds {
	uint32_t n;         /**< edges */
	uint32_t *first;    /**< [n + 1] */
	uint32_t *to;       /**< bonded edges of each */
	odo_budget *budget; /**< of the graph */
} odo_bonds;

/** Bonds by rectangles of which both diagonals have just two common neighbours, and by triangles
 * of edges with about equally many triangles. Only edges with `use` are bonded. Errors:
 * ODO_EUNKNOWN where the budget is spent. */
int odo_bonds_make(const odo_links *g, odo_walk *walk, const odo_support *support, const bool *use,
		   odo_bonds *bonds, odo_error *err);

/** Bonds of edges of `use` by all rectangles of which they are opposite sides, whatever the other
 * two, and by triangles. Errors as above. */
int odo_bonds_parallel(const odo_links *g, odo_walk *walk, const bool *use, odo_bonds *bonds,
		       odo_error *err);
void odo_bonds_clear(odo_bonds *bonds);

/** Take `use` from the edges that alone hold two sets of others together. Errors: ODO_EUNKNOWN
 * where the budget is spent. */
int odo_bonds_distrust(const odo_bonds *bonds, bool *use, odo_error *err);

#endif
