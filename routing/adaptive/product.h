/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A product of graphs from the view of its switches. For every dimension, it lists its ports, the
 * value at the far end of each, and the ports towards each value. It serves FlatFlies, hypercubes,
 * Slim Flies and their products, undamaged or damaged.
 */
#ifndef ODONATA_ROUTING_ADAPTIVE_PRODUCT_H
#define ODONATA_ROUTING_ADAPTIVE_PRODUCT_H

#include "base/arena.h"
#include "routing/adaptive/ext.h"

typedef struct odo_product_ports {
	uint32_t n;
	unsigned n_dims;
	uint32_t size[ODO_MAX_DIMS];
	/** first index of each dimension within a switch's `to` */
	uint32_t base[ODO_MAX_DIMS + 1];
	uint32_t far_base[ODO_MAX_DIMS];
	uint16_t *at;   /**< [n * n_dims] coordinates; UINT16_MAX if unknown */
	uint64_t *to;   /**< [n * base[n_dims]] ports of s towards value v of dimension i at
			     s * base[n_dims] + base[i] + v */
	uint64_t *all;  /**< [n * n_dims] ports in each dimension */
	uint8_t *input; /**< [slots of switches] dimension of each port; n_dims for ports of hosts,
			   and of cables that do not fit their class */
	uint32_t *next; /**< [n * ODO_EXT_MAX_PORTS] switch at the far end of each port */
	uint8_t *far;   /**< hops from value x to value y within dimension i, at
			     far_base[i] + x * size[i] + y */
	uint8_t reach[ODO_MAX_DIMS]; /**< most hops needed in a dimension */
	bool whole; /**< every switch has the same cables as every other: no path is missing */
} odo_product_ports;

/**
 * Find the ports.
 * @param memory gets the arrays
 * Errors: ODO_ENOMEM; ODO_EDECLINE for too many ports or coordinates.
 */
int odo_product_ports_init(odo_product_ports *p, odo_arena *memory, const odo_fabric *f,
			   const odo_coordinates *c, odo_error *err);

static inline uint64_t odo_ports_to(const odo_product_ports *p, uint32_t s, unsigned dim,
				    unsigned value)
{
	return p->to[(size_t)s * p->base[p->n_dims] + p->base[dim] + value];
}
static inline uint64_t odo_ports_in(const odo_product_ports *p, uint32_t s, unsigned dim)
{
	return p->all[(size_t)s * p->n_dims + dim];
}
static inline const uint16_t *odo_ports_at(const odo_product_ports *p, uint32_t s)
{
	return p->at + (size_t)s * p->n_dims;
}
static inline uint32_t odo_ports_next(const odo_product_ports *p, uint32_t s, unsigned port)
{
	return p->next[(size_t)s * ODO_EXT_MAX_PORTS + port - 1];
}
static inline unsigned odo_ports_far(const odo_product_ports *p, unsigned dim, unsigned x,
				     unsigned y)
{
	return p->far[p->far_base[dim] + x * p->size[dim] + y];
}

#endif
