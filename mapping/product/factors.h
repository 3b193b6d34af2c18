/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Finds a graph's factors: FlatFly, hypercube, torus, Slim Fly and their products. */
#ifndef ODONATA_MAPPING_PRODUCT_FACTORS_H
#define ODONATA_MAPPING_PRODUCT_FACTORS_H

#include "mapping/graph/placement.h"
#include "mapping/graph/squares.h"

/** Links that a search for dimensions trusts. */
typedef enum odo_trust {
	ODO_TRUST_USUAL,  /**< links with at least half of the usual support */
	ODO_TRUST_ALIKE,  /**< the same, but only links in about equally many triangles are united:
			     as quick, for large fabrics */
	ODO_TRUST_BONDED, /**< as usual, except links that are the only connection of two dimensions
			   */
	ODO_TRUST_STRICT, /**< links with three quarters of it: excludes more wrong links, and more
			     right ones */
	ODO_TRUST_TOP,    /**< the few links of highest support, as those of a small complete graph
			     beside a large Slim Fly, and the links beside them (full_support.h) */
	ODO_TRUST_ALL, /**< links with any support: at the edge of a mesh links have half of it */
	ODO_N_TRUSTS,
	ODO_TRUST_FLAT, /**< as usual, but accept only a FlatFly: no search for a Slim Fly */
} odo_trust;

/**
 * @param n_dims dimensions that links with support form; or NULL
 * @param placement for odo_placement_clear()
 * Errors: ODO_EUNKNOWN with the reason if the graph is no such product.
 */
int odo_factors_find(const odo_links *g, odo_walk *walk, const odo_support *support,
		     odo_trust trust, unsigned *n_dims, odo_placement *placement, odo_error *err);

/** Match a graph that is one Slim Fly. `search` runs the long search (slimfly.h). */
int odo_factors_slimfly(const odo_links *g, bool search, odo_placement *placement, odo_error *err);

#endif
