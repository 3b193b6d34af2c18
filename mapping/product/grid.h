/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Coordinates in meshes and tori of two to four dimensions, found switch by switch. */
#ifndef ODONATA_MAPPING_PRODUCT_GRID_H
#define ODONATA_MAPPING_PRODUCT_GRID_H

#include "mapping/graph/placement.h"
#include "mapping/graph/squares.h"
#include "mapping/product/spots.h"

/** Results that would be better than the one already found. */
typedef enum odo_grid_wish {
	ODO_GRID_NONE,    /**< nothing */
	ODO_GRID_ALL_FIT, /**< a grid that all links fit: this is quick */
	ODO_GRID_ANY,     /**< a grid with some wrong links is welcome too */
} odo_grid_wish;

/** Return the number of dimensions that such a grid has, or more than ODO_GRID_DIMS if switches
 * have too many links. */
int odo_grid_dims(const odo_links *g);

/**
 * Place switches on a grid: first the corners of a few rectangles, then each switch whose
 * neighbours leave one position. A switch with several possible positions narrows the positions of
 * its neighbours. In this way paths around a missing switch give information too. Links that close
 * around the grid show how long a cycle is.
 *
 * This works only if almost no switch has links to more than eight others. The placement is
 * indexed.
 * @param wish not ODO_GRID_NONE
 * Errors: ODO_EUNKNOWN if it is no such grid, or the budget is spent.
 */
int odo_grid_place(const odo_links *g, odo_walk *walk, const odo_support *support,
		   odo_grid_wish wish, odo_placement *placement, odo_error *err);

#endif
