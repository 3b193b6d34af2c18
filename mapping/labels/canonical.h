/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Of all labellings that say the same, one that leans on GUIDs alone, and on no single cable:
 * a fabric that loses a cable keeps its labels.
 */
#ifndef ODONATA_MAPPING_LABELS_CANONICAL_H
#define ODONATA_MAPPING_LABELS_CANONICAL_H

#include "mapping/judge/finding.h"

/**
 * Order the dimensions: the Slim Fly first, then the smaller, then the wider, then by the
 * smallest GUID in the origin's row; the origin is the switch of the smallest GUID. Number
 * the values of complete graphs and the groups by their smallest GUID; turn cycles so that the
 * origin is at 0 and the smaller GUID of its neighbours' planes is at 1; number paths from the
 * end with the smaller GUID. A Slim Fly's labels
 * stay as they are: few of its relabellings are allowed. `h` has been weighed, and is again.
 */
int odo_canonical(odo_finding *h, odo_error *err);

#endif
