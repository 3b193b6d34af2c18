/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds the coordinates of an unknown fabric (paper 004, section 2). */
#ifndef ODONATA_MAPPING_MAPPING_H
#define ODONATA_MAPPING_MAPPING_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/**
 * Find what a fabric was built as. Leans on cables alone: never on names, GUIDs, port
 * numbers or the order of nodes (GUIDs only break ties between equal labellings).
 * A fabric that is no known kind is not an error: its kind is ODO_KIND_UNKNOWN, with the
 * reason.
 * @param out for odo_coordinates_free()
 */
int odo_map(const odo_fabric *f, odo_coordinates **out, odo_error *err);

#endif
