/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds a graph's factors: FlatFly, hypercube, torus, Slim Fly and their products. */
#ifndef ODONATA_MAPPING_FACTORS_H
#define ODONATA_MAPPING_FACTORS_H

#include "mapping/placement.h"
#include "mapping/squares.h"

/**
 * @param rest   take links of no dimension for one more: those of a Slim Fly have so little
 *               support beside a small complete graph that they are not trusted
 * @param n_dims dimensions that links with support form; NULL if not wanted
 * @param p      for odo_placement_clear()
 * Errors: ODO_EUNKNOWN with the reason where the graph is no such product.
 */
int odo_factors_find(const odo_links *g, odo_walk *w, const odo_support *s, bool rest,
		     unsigned *n_dims, odo_placement *p, odo_error *err);

/** The same for a graph that is one Slim Fly. */
int odo_factors_slimfly(const odo_links *g, odo_placement *p, odo_error *err);

#endif
