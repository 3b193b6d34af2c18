/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Cartesian products of small graphs. FlatFlies, tori, Slim Flies and the groups of a dragonfly are
 * such products. A vertex is a number in mixed radix, factor 0 slowest, so that vertices of the
 * last factors have adjacent numbers (a rack, in paper 004).
 *
 * Ports of a vertex: `width` parallel ports for each link of factor 0, then of factor 1, ...
 */
#ifndef ODONATA_FABRIC_TOPOLOGY_PRODUCT_H
#define ODONATA_FABRIC_TOPOLOGY_PRODUCT_H

#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "fabric/topology/topology.h"

/** A factor. Link `j` of vertex `x` leads to `next[x * degree + j]`. The same link is `back[x *
 * degree + j]` at its other end. ODO_NONE: no link. */
typedef struct odo_factor_graph {
	odo_factor type;
	uint32_t size, degree, width;
	uint32_t *next, *back;
} odo_factor_graph;

typedef struct odo_product {
	unsigned n;
	uint32_t q; /**< of a Slim Fly, else 0 */
	odo_factor_graph factor[ODO_MAX_DIMS];
} odo_product;

/** Free the factors. The product may be used again. */
void odo_product_clear(odo_product *product);

/** Multiply by K_size, by a cycle (of 3 or more), or by any regular graph.
 * @param next taken over, also on failure: [size * degree] neighbours, each link in both
 *             directions */
int odo_product_complete(odo_product *product, uint32_t size, uint32_t width, odo_error *err);
int odo_product_cycle(odo_product *product, uint32_t size, uint32_t width, odo_error *err);
int odo_product_graph(odo_product *product, odo_factor type, uint32_t size, uint32_t degree,
		      uint32_t width, uint32_t *next, odo_error *err);

/** Multiply by a path: vertices in a row, each linked to the next. A path of two is K_2. */
int odo_product_path(odo_product *product, uint32_t size, uint32_t width, odo_error *err);

/** Multiply by a factor for each number of `k`. `widths` has a number for each, or one for all.
 * Factors of one vertex are omitted, except the last if it would be the only factor. */
typedef int odo_multiply_one(odo_product *product, uint32_t size, uint32_t width, odo_error *err);
int odo_product_each(odo_product *product, odo_multiply_one *multiply, const odo_value *k,
		     const odo_value *widths, odo_error *err);

/** Compute the number of vertices; ODO_EINPUT above ODO_MAX_SWITCHES. */
int odo_product_size(const odo_product *product, uint32_t *size, odo_error *err);

/** Return the ports that each vertex needs. */
uint32_t odo_product_ports(const odo_product *product);

/** Cable one copy of the product, whose vertex v is node `first + v` of `b`.
 * @param port ports of the product start here */
int odo_product_link(const odo_product *product, odo_builder *b, uint32_t first, unsigned port,
		     odo_error *err);

/** Fill in the true coordinates from dimension `dim` on, and port classes. */
void odo_product_classify(const odo_product *product, const odo_fabric *f, uint32_t first,
			  unsigned port, unsigned dim, odo_coordinates *c);

/** Write the factors into dimensions `dim` and later ones. */
void odo_product_describe(const odo_product *product, unsigned dim, odo_coordinates *c);

/** Build the fabric of a topology that is one product: switches with hosts at ports 1 .. hosts,
 * then cables. */
int odo_product_build(const odo_topology *row, const odo_value *value, odo_builder *b,
		      odo_error *err);
/** Write its true coordinates. */
int odo_product_truth(const odo_topology *row, const odo_value *value, const odo_fabric *f,
		      odo_coordinates **c, odo_error *err);

#endif
