/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Sets with many bonds inside and few bonds to other sets. The few bonds come from wrong cables. A
 * set grows by the member that has most bonds with it. */
#ifndef ODONATA_MAPPING_PRODUCT_GROWTH_H
#define ODONATA_MAPPING_PRODUCT_GROWTH_H

#include "mapping/product/bonds.h"

enum { ODO_MOST_SETS = 64 };

typedef struct odo_sets {
	uint32_t n;                   /**< sets */
	uint32_t size[ODO_MOST_SETS]; /**< members of each */
	uint32_t *of;                 /**< [bonds' n] set of each member, or ODO_NONE; owned */
} odo_sets;

/**
 * Grow sets from members that are far apart. Then unite sets if the bonds between them number half
 * of the members of one. The remaining members are in no set.
 * @param use [b->n] true for members that may be in a set
 * @param least size from which on a set accepts only members with a quarter of their bonds in it; a
 *   part of the smallest set
 * @param whole members that a set must have
 * @param s out: its `of` is for free()
 * Errors: ODO_ENOMEM, and nothing to free
 */
int odo_sets_grow(const odo_bonds *bonds, const bool *use, uint32_t least, uint32_t whole,
		  odo_sets *s, odo_error *err);

#endif
