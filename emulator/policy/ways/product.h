/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Ways in a FlatFly or hypercube by coordinates, for policies. */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_PRODUCT_H
#define ODONATA_EMULATOR_POLICY_WAYS_PRODUCT_H

#include "base/arena.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

/** A whole FlatFly in arrays. */
typedef struct odo_product_ways {
	const odo_fabric *fabric;
	odo_arena memory; /**< of the arrays */
	unsigned n_dims;
	uint32_t size[ODO_MAX_DIMS];
	uint32_t offset[ODO_MAX_DIMS +
			1]; /**< first entry of each dimension among a switch's ways */
	uint32_t *at;       /**< [n_switches * n_dims] coordinates */
	uint32_t *home;     /**< [n_hosts] switch of each host */
	uint8_t *host_port; /**< [n_hosts] port of that switch to the host */
	/** [n_switches * offset[n_dims] + 1] into `port`: the parallel cables from switch s to
	 * coordinate x of dimension d, at s * offset[n_dims] + offset[d] + x. */
	uint32_t *first;
	uint8_t *port;
} odo_product_ways;

/** @param out for odo_product_ways_free(). Errors: ODO_EDECLINE for other kinds and for damage. */
int odo_product_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_product_ways **out,
			    odo_error *err);
void odo_product_ways_free(odo_product_ways *ways);

static inline const uint32_t *odo_product_ways_at(const odo_product_ways *ways, uint32_t s)
{
	return ways->at + (size_t)s * ways->n_dims;
}

/** Return the ports of a switch's parallel cables to coordinate `x` of dimension `d`.
 * @param n out: number of cables */
static inline const uint8_t *odo_product_ways_cables(const odo_product_ways *ways, uint32_t s,
						     unsigned d, uint32_t x, uint32_t *n)
{
	const uint32_t *first = ways->first + (size_t)s * ways->offset[ways->n_dims] +
				ways->offset[d] + x;
	*n = first[1] - first[0];
	return ways->port + first[0];
}

/** Return one of these cables, selected by `spread`. */
static inline uint8_t odo_product_ways_port(const odo_product_ways *ways, uint32_t s, unsigned d,
					    uint32_t x, uint32_t spread)
{
	uint32_t n;
	const uint8_t *port = odo_product_ways_cables(ways, s, d, x, &n);
	return port[n > 1 ? spread % n : 0];
}

/** Return the lowest dimension in which two switches differ; n_dims if none. */
static inline unsigned odo_product_ways_differ(const odo_product_ways *ways, uint32_t a, uint32_t b)
{
	const uint32_t *x = odo_product_ways_at(ways, a), *y = odo_product_ways_at(ways, b);
	unsigned d = 0;
	while (d < ways->n_dims && x[d] == y[d])
		d++;
	return d;
}

/** Count the dimensions in which two switches differ, which are the hops between them. */
static inline unsigned odo_product_ways_distance(const odo_product_ways *ways, uint32_t a,
						 uint32_t b)
{
	const uint32_t *x = odo_product_ways_at(ways, a), *y = odo_product_ways_at(ways, b);
	unsigned hops = 0;
	for (unsigned d = 0; d < ways->n_dims; d++)
		hops += x[d] != y[d];
	return hops;
}

#endif
