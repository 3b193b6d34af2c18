/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A mapped fabric as a picture. */
#ifndef ODONATA_CLI_DRAWING_DRAWING_H
#define ODONATA_CLI_DRAWING_DRAWING_H

#include <stdio.h>

#include "fabric/coordinates.h"

/**
 * Write an SVG 1.1 picture: switches where their coordinates put them, cables in the colour of
 * their dimension, and on top of them what contradicts the finding: wrong cables red, missing ones
 * dashed, missing switches as circles. Large fabrics show a line per row instead of all its cables,
 * and groups without the cables between them, of many switches without their own, too. Each switch
 * and each fault tells its name to whoever points at it. Hosts are not drawn.
 * @param names print the names of switches, groups and levels
 */
int cli_draw(const odo_fabric *f, const odo_coordinates *c, bool names, FILE *to, odo_error *err);

#endif
