/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds a graph's factors: FlatFly, hypercube, torus, Slim Fly and their products. */
#ifndef ODONATA_MAPPING_PRODUCT_FACTORS_H
#define ODONATA_MAPPING_PRODUCT_FACTORS_H

#include "mapping/graph/placement.h"
#include "mapping/graph/squares.h"

/** Which links to go by. */
typedef enum odo_trust {
	ODO_TRUST_USUAL,  /**< with half of the support that links usually have */
	ODO_TRUST_ALIKE,  /**< the same, but only those that are in about equally many triangles
			       hold together: as quick, for large fabrics */
	ODO_TRUST_BONDED, /**< as usual, but for those that alone hold two dimensions together */
	ODO_TRUST_STRICT, /**< with three quarters: more wrong links stay out, and more right ones
			   */
	ODO_TRUST_TOP,    /**< the few that stand out, as those of a small complete graph beside a
			       large Slim Fly, and what runs beside them (full_support.h) */
	ODO_TRUST_ALL,    /**< all that have any: at the edge of a mesh they have half of it */
	ODO_N_TRUSTS,
	ODO_TRUST_FLAT, /**< as usual, where nothing but a FlatFly will do: no Slim Fly is sought */
} odo_trust;

/**
 * @param n_dims dimensions that links with support form; NULL if not wanted
 * @param placement      for odo_placement_clear()
 * Errors: ODO_EUNKNOWN with the reason where the graph is no such product.
 */
int odo_factors_find(const odo_links *g, odo_walk *walk, const odo_support *support,
		     odo_trust trust, unsigned *n_dims, odo_placement *placement, odo_error *err);

/** The same for a graph that is one Slim Fly: read, or searched for at length (slimfly.h). */
int odo_factors_slimfly(const odo_links *g, bool search, odo_placement *placement, odo_error *err);

#endif
