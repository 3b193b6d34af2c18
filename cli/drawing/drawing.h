/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Drawing of a mapped fabric. */
#ifndef ODONATA_CLI_DRAWING_DRAWING_H
#define ODONATA_CLI_DRAWING_DRAWING_H

#include <stdio.h>

#include "fabric/coordinates.h"

/**
 * Write an SVG 1.1 picture. Switches are placed by their coordinates, and cables have the colour of
 * their dimension. Contradictions are drawn on top: wrong cables red, missing cables dashed,
 * missing switches as circles. In a large fabric each row is one line instead of all its cables,
 * and groups are drawn without global cables; large groups also without local ones. Each switch and
 * each fault shows its name under the pointer. Hosts are not drawn.
 * @param names print the names of switches, groups and levels
 */
int cli_draw(const odo_fabric *f, const odo_coordinates *c, bool names, FILE *to, odo_error *err);

#endif
