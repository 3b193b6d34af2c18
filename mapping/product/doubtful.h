/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Links of a grid of which some are wrong. For grid.h. */
#ifndef ODONATA_MAPPING_PRODUCT_DOUBTFUL_H
#define ODONATA_MAPPING_PRODUCT_DOUBTFUL_H

#include "mapping/product/trials.h"

/**
 * Place switches by the links gone by, from the first rectangle on, and then by the others, one
 * after another: what contradicts those before it is left out. Which come first matters, so it is
 * done in several orders, and the one stands that leaves out fewest.
 * @param any_length  try lengths too that no link shows
 * @param cost  gets how many, and more where that made paths longer; ODO_NONE on failure
 * Errors: ODO_EUNKNOWN where the links gone by contradict each other; ODO_ENOMEM.
 */
int odo_grid_doubtful(odo_trials *t, bool any_length, uint32_t *cost);

#endif
