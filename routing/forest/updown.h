/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Up*\/down* paths. Switches are ordered by distance from a root. A path first goes to switches of
 * lower number (up), then to switches of higher number (down). On one VL, no cycle of dependencies
 * can form, whatever the graph is. This is therefore the last resort.
 */
#ifndef ODONATA_ROUTING_FOREST_UPDOWN_H
#define ODONATA_ROUTING_FOREST_UPDOWN_H

#include "routing/forest/forest.h"

typedef struct odo_updown odo_updown;

/** @param out free with odo_updown_free(); borrows `forest` */
int odo_updown_create(odo_forest *forest, odo_updown **out, odo_error *err);
void odo_updown_free(odo_updown *u);

/** Write tree k to switch d into the forest; it serves the whole connected part of d. */
void odo_updown_tree(odo_updown *u, unsigned k, uint32_t d);

#endif
