/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Distances between all pairs of switches. */
#ifndef ODONATA_ROUTING_GRAPH_DISTANCE_H
#define ODONATA_ROUTING_GRAPH_DISTANCE_H

#include "base/arena.h"
#include "fabric/fabric.h"

/** Distance of switches in different connected parts. */
#define ODO_FAR UINT8_MAX

/**
 * Compute the hops between all pairs of switches, by breadth-first search from 64 switches at a
 * time. A fabric of 2,048 switches takes milliseconds.
 * @param out gets [n_switches * n_switches]: hops from switch s to switch d at s * n_switches + d
 *            (symmetric); ODO_FAR if there is no path; lives as long as `memory`
 * Errors: ODO_ENOMEM; ODO_EDECLINE for a diameter of 254 hops or more.
 */
int odo_distances(const odo_fabric *f, odo_arena *memory, uint8_t **out, odo_error *err);

#endif
