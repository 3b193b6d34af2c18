/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Dimension order over any product: a path takes its dimensions one after another, in one of
 * a few orders. Complete graphs take one hop in each, Slim Flies up to two, cycles more.
 *
 * The four orders that paper 004, section 3.3, gives Mixed DOR in four dimensions are
 * i -> m * i mod 5 for m = 1, 2, 3, 4. For N dimensions we take m * i modulo the least prime
 * p above N, leaving out what exceeds N, for m = 1, (p-1)/2, p - (p-1)/2, p - 1.
 */
#ifndef ODONATA_ROUTING_MINIMAL_DOR_H
#define ODONATA_ROUTING_MINIMAL_DOR_H

#include "routing/forest/forest.h"

#define ODO_MAX_ORDERS 4u

typedef struct odo_dim_order {
	uint8_t dim[ODO_MAX_DIMS];
} odo_dim_order;

/** Different orders of n dimensions, the first ascending. Returns how many there are. */
unsigned odo_dor_orders(unsigned n, odo_dim_order orders[ODO_MAX_ORDERS]);

/**
 * Write the ports of dimension-order paths into a forest; tree k takes order k % n_orders.
 * Entries whose cables are missing stay ODO_NO_PORT.
 * @param n_phases of odo_hops_init()
 */
int odo_dor_fill(odo_forest *forest, const odo_coordinates *c, const odo_dim_order *orders,
		 unsigned n_orders, unsigned n_phases, odo_error *err);

#endif
