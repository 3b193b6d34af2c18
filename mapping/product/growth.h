/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Sets that hang together by far more than the few bonds that lead from one to another, as those
 * that wrong cables make do. Each grows by the one that has the most bonds with it. */
#ifndef ODONATA_MAPPING_PRODUCT_GROWTH_H
#define ODONATA_MAPPING_PRODUCT_GROWTH_H

#include "mapping/product/bonds.h"

enum { ODO_MOST_SETS = 64 };

typedef struct odo_sets {
	uint32_t n;                   /**< sets */
	uint32_t size[ODO_MOST_SETS]; /**< members of each */
	uint32_t *of;                 /**< [bonds' n] set of each, or ODO_NONE; owned */
} odo_sets;

/**
 * Grow sets from some that are far apart, and unite those that have half as many bonds with each
 * other as one has members. Who is left then is in none.
 * @param use   [b->n] who may be in a set
 * @param least members from which on a set takes only those that have a quarter of their bonds with
 *              it: a part of what the smallest set has
 * @param whole members that a set must have
 * @param s     out: its `of` is for free()
 * Errors: ODO_ENOMEM, and nothing to free
 */
int odo_sets_grow(const odo_bonds *bonds, const bool *use, uint32_t least, uint32_t whole,
		  odo_sets *s, odo_error *err);

#endif
