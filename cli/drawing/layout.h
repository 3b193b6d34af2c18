/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Where a drawing has its switches. */
#ifndef ODONATA_CLI_DRAWING_LAYOUT_H
#define ODONATA_CLI_DRAWING_LAYOUT_H

#include "fabric/coordinates.h"
#include "base/error.h"
#include "fabric/fabric.h"

/** Between switches side by side, in units of the picture. */
#define CLI_STEP 18.0

/** Beyond so many cables, arcs would be a fog: each row of a dimension becomes one line, and a
 * dragonfly's groups stand in a grid without global cables. */
#define CLI_MAX_ARCS 6000

typedef struct cli_point {
	double x, y;
} cli_point;

typedef struct cli_layout {
	const odo_fabric *f;
	const odo_coordinates *c;
	cli_point *at;                /**< [n_switches] for free() */
	cli_point corner, size;       /**< of all that is there */
	cli_point middle;             /**< of the circle, for what bends towards it */
	cli_point step[ODO_MAX_DIMS]; /**< where a step along each coordinate leads */
	uint32_t fold[ODO_MAX_DIMS];  /**< values side by side; the next ones are below */
	double ring;                  /**< radius of the circle of groups, or of all switches; 0 */
	uint32_t columns;             /**< groups in a row of a grid, 0 on a circle */
	cli_point cell;               /**< size of a group */
	uint32_t seats[ODO_MAX_DIMS]; /**< fat tree: switches of a level side by side in a pod */
	uint32_t lost;                /**< switches without coordinates, put below the others */
} cli_layout;

/** A fat tree is drawn as rows of switches, one a level, with pods side by side. */
static inline bool cli_is_tree(const odo_coordinates *c)
{
	return c->kind == ODO_KIND_FATTREE;
}

/** A dragonfly's groups on a circle, a fat tree's levels in rows, all switches of what is unknown
 * on one, else nested grids.
 * @param l its `at` is the caller's to free */
int cli_lay_out(const odo_fabric *f, const odo_coordinates *c, cli_layout *l, odo_error *err);

/** Place of coordinates relative to the drawing's corner. */
cli_point cli_place(const cli_layout *l, const uint32_t *at);

#endif
