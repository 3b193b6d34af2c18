/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Meshes and tori of two to four dimensions, switch by switch. */
#ifndef ODONATA_MAPPING_PRODUCT_GRID_H
#define ODONATA_MAPPING_PRODUCT_GRID_H

#include "mapping/graph/placement.h"
#include "mapping/graph/squares.h"
#include "mapping/product/spots.h"

/** What would be better than what was found before. */
typedef enum odo_grid_wish {
	ODO_GRID_NONE,    /**< nothing */
	ODO_GRID_ALL_FIT, /**< a grid that all links fit: this is quick */
	ODO_GRID_ANY,     /**< one with some wrong links, too */
} odo_grid_wish;

/** Dimensions of a grid with such links; more than ODO_GRID_DIMS where there are too many. */
int odo_grid_dims(const odo_links *g);

/**
 * Place switches on a grid: the corners of a few rectangles first, then each switch where its
 * neighbours leave it one position. A switch with several possible positions narrows those of its
 * neighbours, so that also the longer ways around a lost switch tell. Where links close around the
 * grid, they say how long a cycle is.
 *
 * Only where next to no switch has links to more than eight others. The placement is indexed.
 * @param wish  not ODO_GRID_NONE
 * Errors: ODO_EUNKNOWN where it is no such grid, or the budget is spent.
 */
int odo_grid_place(const odo_links *g, odo_walk *walk, const odo_support *support,
		   odo_grid_wish wish, odo_placement *placement, odo_error *err);

#endif
