/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Mapping: the coordinates of an unknown fabric (paper 004, section 2). */
#ifndef ODONATA_MAPPING_MAPPING_H
#define ODONATA_MAPPING_MAPPING_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "mapping/graph/budget.h"

/**
 * Find the kind and coordinates of a fabric. Only cables are used, never names, port numbers or the
 * order of nodes. GUIDs only break ties between equal labellings. A fabric of no known kind is no
 * error: its kind is ODO_KIND_UNKNOWN, with the reason.
 * @param out for odo_coordinates_free()
 */
int odo_map(const odo_fabric *f, odo_coordinates **out, odo_error *err);

/** Return the maximum work of odo_map(), in addition to following each path of two links once:
 * about a second at 2,048 switches, more with more links (budget.h). */
odo_budget odo_map_budget(const odo_fabric *f);

/**
 * Map with another budget. If it is spent, the best result so far is returned, or an unknown kind,
 * and `reason` ends with ODO_GAVE_UP.
 * @param budget `left` is the limit; `used` gets the work done, also beyond the limit; `watch` gets
 *   progress reports
 */
int odo_map_within(const odo_fabric *f, odo_budget *budget, odo_coordinates **out, odo_error *err);

#endif
