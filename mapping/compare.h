/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Compares two sets of coordinates of one fabric, up to relabelling. */
#ifndef ODONATA_MAPPING_COMPARE_H
#define ODONATA_MAPPING_COMPARE_H

#include "fabric/coordinates.h"

/**
 * True if `found` says the same as `truth`: the kind, the coordinates of every switch up to
 * the order of dimensions and the names of values (in cycles up to rotation and reflection;
 * in a dragonfly up to the names of switches within each group, dimension by dimension), and
 * the class of every port. An all-K_2 FlatFly and a hypercube are the same kind.
 * @param n_ports   ports classed differently; NULL if not wanted. Counted only where all
 *                  coordinates agree
 * @param why       the first difference, for people; NULL if not wanted
 */
bool odo_coordinates_same(const odo_fabric *f, const odo_coordinates *found,
			  const odo_coordinates *truth, uint32_t *n_ports, odo_error *why);

#endif
