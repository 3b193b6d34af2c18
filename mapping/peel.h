/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Kinds with something more: what hangs on a fabric is peeled off by structure, and the core is
 * mapped. */
#ifndef ODONATA_MAPPING_PEEL_H
#define ODONATA_MAPPING_PEEL_H

#include "mapping/mapping.h"

/** Map a fabric as a whole, as odo_map_within() begins. */
typedef int odo_map_whole(const odo_fabric *f, odo_budget *budget, odo_coordinates **out,
			  odo_error *err);

/** Return true if the fabric has no kind as a whole, or faults that what hangs on it may explain.
 */
bool odo_peel_is_due(const odo_coordinates *c);

/**
 * Map the core of a fabric. If the core is certainly of a kind, and without faults if the whole has
 * a kind, replace the coordinates: peeled switches have none, their cables are of the class
 * ODO_PORT_WRONG but accuse nothing, and `reason` says what was peeled.
 * @param c of the whole; replaced or kept
 */
int odo_peel(const odo_fabric *f, odo_map_whole *map, odo_budget *budget, odo_coordinates **c,
	     odo_error *err);

#endif
