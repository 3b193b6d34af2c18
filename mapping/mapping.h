/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds the coordinates of an unknown fabric (paper 004, section 2). */
#ifndef ODONATA_MAPPING_MAPPING_H
#define ODONATA_MAPPING_MAPPING_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "mapping/graph/budget.h"

/**
 * Find what a fabric was built as. Leans on cables alone: never on names, GUIDs, port
 * numbers or the order of nodes (GUIDs only break ties between equal labellings).
 * A fabric that is no known kind is not an error: its kind is ODO_KIND_UNKNOWN, with the
 * reason.
 * @param out for odo_coordinates_free()
 */
int odo_map(const odo_fabric *f, odo_coordinates **out, odo_error *err);

/** The work that odo_map() does at most, but for one look at each path of two links: about a second
 * at 2,048 switches, more where there are more links (budget.h). */
odo_budget odo_map_budget(const odo_fabric *f);

/**
 * The same with another budget. Where it is spent the best that was found is told, or that the kind
 * is unknown, and `reason` ends with ODO_GAVE_UP.
 * @param budget `left` is what may be used; `used` gets what was used, also beyond that; `watch` is
 *               told of it
 */
int odo_map_within(const odo_fabric *f, odo_budget *budget, odo_coordinates **out, odo_error *err);

#endif
