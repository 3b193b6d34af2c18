/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Positions of switches in a drawing. */
#ifndef ODONATA_CLI_DRAWING_LAYOUT_H
#define ODONATA_CLI_DRAWING_LAYOUT_H

#include "fabric/coordinates.h"
#include "base/error.h"
#include "fabric/fabric.h"

/** Distance of adjacent switches, in units of the picture. */
#define CLI_STEP 18.0

/** Cables above which arcs are not drawn, because they would hide each other. Each row of a
 * dimension becomes one line, and a dragonfly's groups are placed in a grid without global
 * cables. */
#define CLI_MAX_ARCS 6000

typedef struct cli_point {
	double x, y;
} cli_point;

typedef struct cli_layout {
	const odo_fabric *f;
	const odo_coordinates *c;
	cli_point *at;                /**< [n_switches] for free() */
	cli_point corner, size;       /**< bounds of the whole picture */
	cli_point middle;             /**< middle of the circle, towards which global cables bend */
	cli_point step[ODO_MAX_DIMS]; /**< direction of a step along each coordinate */
	uint32_t fold[ODO_MAX_DIMS];  /**< values in one row; later ones continue below */
	double ring;      /**< radius of the circle of groups, or of all switches; 0: no circle */
	uint32_t columns; /**< groups in a row of a grid; 0 if they are on a circle */
	cli_point cell;   /**< size of a group */
	uint32_t seats[ODO_MAX_DIMS]; /**< fat tree: switches of a level in a row of a pod */
	uint32_t lost;                /**< switches without coordinates, placed below the others */
} cli_layout;

/** Return true if the fabric is drawn as a fat tree: a row of switches for each level, with pods
 * side by side. */
static inline bool cli_is_tree(const odo_coordinates *c)
{
	return c->kind == ODO_KIND_FATTREE;
}

/** Place a dragonfly's groups on a circle, a fat tree's levels in rows, the switches of an unknown
 * fabric on one circle, and others in nested grids.
 * @param l the caller frees its `at` */
int cli_lay_out(const odo_fabric *f, const odo_coordinates *c, cli_layout *l, odo_error *err);

/** Return the position of coordinates relative to the drawing's corner. */
cli_point cli_place(const cli_layout *l, const uint32_t *at);

#endif
