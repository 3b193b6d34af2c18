/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Lengths of the dimensions of a grid. For grid.h. */
#ifndef ODONATA_MAPPING_PRODUCT_LENGTHS_H
#define ODONATA_MAPPING_PRODUCT_LENGTHS_H

#include "mapping/product/trials.h"

/** Return the number of positions of dimension k. */
int32_t odo_grid_length(const odo_spots *s, int k);

/** Return true if some dimension is a cycle of known length. */
bool odo_grid_closes(const odo_spots *s);

/** Set the length of each dimension without one to the disagreement that most links between placed
 * switches have. ODO_ENOMEM */
int odo_grid_vote(odo_spots *s);

/** Place switches without knowing lengths, then set the lengths that links show. seen[] gets these,
 * or the extent of the placed switches. From then on a switch without a possible position is a
 * contradiction. ODO_EUNKNOWN if few switches could be placed; ODO_ENOMEM. */
int odo_grid_see(odo_spots *s, int32_t seen[ODO_GRID_DIMS]);

/** Try sets of cycle lengths, those nearest to seen[] first, until one fits. */
bool odo_grid_try_lengths(odo_trials *t, const int32_t seen[ODO_GRID_DIMS], bool (*fits)(void *x),
			  void *x);

/**
 * Place all switches by the trusted links on the smallest grid that fits. Links that close around
 * the grid show how long a cycle is.
 * @param any_length try lengths too that no link shows
 * Errors: ODO_EUNKNOWN if no grid fits; ODO_ENOMEM.
 */
int odo_grid_fit(odo_trials *t, bool any_length);

#endif
