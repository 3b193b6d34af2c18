/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Dimension order over any product: a path takes its dimensions one after another, in one of a few
 * orders. It takes one hop in a complete graph, up to two in a Slim Fly, and more in a cycle.
 *
 * The four orders that paper 004, section 3.3, gives Mixed DOR in four dimensions are i -> m * i
 * mod 5 for m = 1, 2, 3, 4. For N dimensions this file takes m * i modulo the least prime p above
 * N, without values above N, for m = 1, (p-1)/2, p - (p-1)/2, p - 1.
 */
#ifndef ODONATA_ROUTING_MINIMAL_DOR_H
#define ODONATA_ROUTING_MINIMAL_DOR_H

#include "routing/forest/forest.h"

#define ODO_MAX_ORDERS 4u

typedef struct odo_dim_order {
	uint8_t dim[ODO_MAX_DIMS];
} odo_dim_order;

/** Compute different orders of n dimensions, the first ascending. @return their number */
unsigned odo_dor_orders(unsigned n, odo_dim_order orders[ODO_MAX_ORDERS]);

/**
 * Write the ports of dimension-order paths into a forest; tree k takes order k % n_orders. Entries
 * whose cables are missing stay ODO_NO_PORT.
 * @param n_phases as in odo_hops_init()
 */
int odo_dor_fill(odo_forest *forest, const odo_coordinates *c, const odo_dim_order *orders,
		 unsigned n_orders, unsigned n_phases, odo_error *err);

#endif
