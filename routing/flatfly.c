/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dimension-order routing of FlatFly and hypercube (paper 004, section 3.3). A path takes at
 * most one hop in each dimension, in one order; so its channels' dimensions ascend in that
 * order and one VL has no cycle. Mixed DOR gives each of up to four orders an SL and VL of
 * its own.
 *
 * The paper's four orders of four dimensions are i -> m * i mod 5 for m = 1, 2, 3, 4. For N
 * dimensions we take m * i modulo the least prime above N, leaving out what exceeds N, for
 * m = 1, (p-1)/2, p - (p-1)/2, p - 1.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "routing/engines.h"
#include "routing/grid.h"

#define MAX_ORDERS 4u

typedef struct order {
	uint8_t dim[ODO_MAX_DIMS];
} order;

static unsigned prime_above(unsigned n)
{
	for (unsigned p = n + 1;; p++) {
		unsigned divisor = 2;
		while (divisor < p && p % divisor)
			divisor++;
		if (divisor == p)
			return p;
	}
}

/* Fills up to four different orders of n dimensions; returns how many there are. */
static unsigned make_orders(unsigned n, order orders[MAX_ORDERS])
{
	unsigned p = prime_above(n), half = (p - 1) / 2;
	unsigned multiplier[MAX_ORDERS] = {1, half, p - half, p - 1};
	if (n == 2) /* p - 1 = 2: only two multipliers differ */
		multiplier[1] = 2;
	unsigned n_orders = n == 1 ? 1 : n == 2 ? 2 : MAX_ORDERS;
	for (unsigned m = 0; m < n_orders; m++) {
		unsigned at = 0;
		for (unsigned i = 1; i < p; i++) {
			unsigned dim = i * multiplier[m] % p;
			if (dim && dim <= n)
				orders[m].dim[at++] = (uint8_t)(dim - 1);
		}
	}
	return n_orders;
}

/* Ports of tree k at the switch that the grid looks from. */
static void fill_row(const odo_grid *g, const order *o, const uint8_t *phase, uint32_t s,
		     uint8_t *row)
{
	for (unsigned j = g->c->n_dims; j-- > 0;) {
		unsigned i = o->dim[j];
		const uint32_t *value = g->value + (size_t)i * g->n;
		const uint8_t *port = g->port + (size_t)g->base[i] * g->n_phases;
		uint32_t own = value[s];
		for (uint32_t d = 0; d < g->n; d++)
			row[d] = value[d] == own ? row[d] : port[value[d] * g->n_phases + phase[d]];
	}
	for (uint32_t d = 0; d < g->n; d++)
		if (!g->known[d] && d != s)
			row[d] = ODO_NO_PORT;
}

static int fill(odo_forest *w, const odo_coordinates *c, const order *orders, unsigned n_orders,
		odo_error *err)
{
	odo_grid g;
	int status = odo_grid_init(&g, w->f, c, w->n_trees / n_orders, err);
	uint8_t *phase = odo_new((size_t)w->n_trees * w->n, 1);
	if (!status && !phase)
		status = odo_fail(err, ODO_ENOMEM, "no memory for paths");
	for (unsigned k = 0; !status && k < w->n_trees; k++)
		for (uint32_t d = 0; d < w->n; d++)
			phase[(size_t)k * w->n + d] = (uint8_t)odo_grid_phase(&g, k / n_orders, d);
	for (uint32_t s = 0; !status && s < w->n; s++) {
		if (!g.known[s])
			continue;
		odo_grid_look(&g, s, 0);
		for (unsigned k = 0; k < w->n_trees; k++)
			fill_row(&g, &orders[k % n_orders], phase + (size_t)k * w->n, s,
				 odo_forest_row(w, k, s));
	}
	free(phase);
	odo_grid_clear(&g);
	return status;
}

static int route(const odo_fabric *f, const odo_coordinates *c, const odo_route_options *options,
		 unsigned most_orders, odo_tables *t, odo_error *err)
{
	order orders[MAX_ORDERS] = {{{0}}};
	unsigned n_orders = make_orders(c->n_dims, orders), vls = odo_vl_budget(f, options);
	if (n_orders > most_orders)
		n_orders = most_orders;
	if (n_orders > vls)
		n_orders = vls;
	if (options && options->max_sls && n_orders > options->max_sls)
		n_orders = options->max_sls;
	odo_forest *w;
	unsigned phases = odo_grid_phases(c, 0, ODO_MAX_TREES / n_orders);
	int status = odo_forest_create(f, c, options, n_orders * phases, n_orders, 1, &w, err);
	if (status)
		return status;
	for (unsigned k = 0; k < w->n_trees; k++)
		for (unsigned i = 0; i < c->n_dims; i++)
			w->rank[k][orders[k % n_orders].dim[i]][0] = (uint8_t)i;
	status = fill(w, c, orders, n_orders, err);
	if (!status)
		status = odo_forest_finish(w, t, err);
	odo_forest_free(w);
	return status;
}

int odo_route_dor(const odo_fabric *f, const odo_coordinates *c, const odo_route_options *options,
		  odo_tables *t, odo_error *err)
{
	return route(f, c, options, 1, t, err);
}

int odo_route_mixed_dor(const odo_fabric *f, const odo_coordinates *c,
			const odo_route_options *options, odo_tables *t, odo_error *err)
{
	return route(f, c, options, MAX_ORDERS, t, err);
}
