/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Placement in a grid with some wrong links. For grid.h. */
#ifndef ODONATA_MAPPING_PRODUCT_DOUBTFUL_H
#define ODONATA_MAPPING_PRODUCT_DOUBTFUL_H

#include "mapping/product/trials.h"

/**
 * Place switches by the trusted links, starting from the first rectangle. Then add the other links,
 * one after another, and omit each link that contradicts the earlier ones. The result depends on
 * the order. Several orders are tried, and the result that omits fewest links is kept.
 * @param any_length try lengths too that no link shows
 * @param cost gets the number of omitted links, plus a penalty if paths became longer; ODO_NONE on
 *   failure
 * Errors: ODO_EUNKNOWN if the trusted links contradict each other; ODO_ENOMEM.
 */
int odo_grid_doubtful(odo_trials *t, bool any_length, uint32_t *cost);

#endif
