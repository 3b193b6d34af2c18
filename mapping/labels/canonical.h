/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Canonical labels: among equivalent labellings, one that depends on GUIDs and on no single cable.
 * A fabric that loses a cable keeps its labels.
 */
#ifndef ODONATA_MAPPING_LABELS_CANONICAL_H
#define ODONATA_MAPPING_LABELS_CANONICAL_H

#include "mapping/judge/finding.h"

/**
 * Order the dimensions: the Slim Fly first, then by size, smaller first, then by width, wider
 * first, then by the smallest GUID in the origin's row. The origin is the switch of the smallest
 * GUID. Number the values of complete graphs, and the groups, by their smallest GUID. Turn cycles
 * so that the origin is at 0 and, of its two neighbouring planes, the one with the smaller GUID is
 * at 1. Number paths from the end with the smaller GUID. A Slim Fly's labels are not changed,
 * because few relabellings are allowed. `h` must have been weighed, and is weighed again.
 */
int odo_canonical(odo_finding *h, odo_error *err);

#endif
