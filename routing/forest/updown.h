/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Up*\/down* paths: switches in one order, by distance from a root; a path first goes to
 * switches of lower number (up), then to higher ones. No cycle of dependencies can form on
 * one VL, whatever the graph, so this is what is left when nothing else is.
 */
#ifndef ODONATA_ROUTING_FOREST_UPDOWN_H
#define ODONATA_ROUTING_FOREST_UPDOWN_H

#include "routing/forest/forest.h"

typedef struct odo_updown odo_updown;

/** @param out for odo_updown_free(); borrows `w` */
int odo_updown_create(odo_forest *forest, odo_updown **out, odo_error *err);
void odo_updown_free(odo_updown *u);

/** Write tree k to switch d into the forest: complete within the connected part of d. */
void odo_updown_tree(odo_updown *u, unsigned k, uint32_t d);

#endif
