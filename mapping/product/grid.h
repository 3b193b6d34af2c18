/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Meshes and tori of two dimensions. */
#ifndef ODONATA_MAPPING_PRODUCT_GRID_H
#define ODONATA_MAPPING_PRODUCT_GRID_H

#include "mapping/graph/placement.h"
#include "mapping/graph/squares.h"

/**
 * Place switches on a grid, one rectangle first, then each where its neighbours leave it one
 * position. A switch with several possible positions narrows those of its neighbours, so that also
 * the longer ways around a lost switch tell. Where links close around the grid, they say how long a
 * cycle is.
 *
 * Only where no switch has links to more than four others, and only if every link joins
 * neighbouring positions. The placement is indexed. Errors: ODO_EUNKNOWN where it is no such grid,
 * or the budget is spent.
 */
int odo_grid_place(const odo_links *g, odo_walk *walk, const odo_support *support,
		   odo_placement *placement, odo_error *err);

#endif
