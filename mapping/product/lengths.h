/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** How long the dimensions of a grid are. For grid.h. */
#ifndef ODONATA_MAPPING_PRODUCT_LENGTHS_H
#define ODONATA_MAPPING_PRODUCT_LENGTHS_H

#include "mapping/product/trials.h"

/** Positions of dimension k. */
int32_t odo_grid_length(const odo_spots *s, int k);

/** Some dimension is a cycle of known length. */
bool odo_grid_closes(const odo_spots *s);

/** The dimensions without a length get the one by which most links between placed switches are off.
 * ODO_ENOMEM */
int odo_grid_vote(odo_spots *s);

/** Grow without lengths: those that links show are set, and seen[] gets these, or how far it
 * reached. From here on a switch without a position left is a contradiction. ODO_EUNKNOWN where it
 * reached next to nothing; ODO_ENOMEM. */
int odo_grid_see(odo_spots *s, int32_t seen[ODO_GRID_DIMS]);

/** Set lengths of cycles, one set after another, those next to seen[] first, until one fits. */
bool odo_grid_try_lengths(odo_trials *t, const int32_t seen[ODO_GRID_DIMS], bool (*fits)(void *x),
			  void *x);

/**
 * Place all on the smallest grid that fits, by the links that are gone by. Links that close around
 * the grid say how long a cycle is.
 * @param any_length  try lengths too that no link shows
 * Errors: ODO_EUNKNOWN where none fits; ODO_ENOMEM.
 */
int odo_grid_fit(odo_trials *t, bool any_length);

#endif
