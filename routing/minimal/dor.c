/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/minimal/dor.h"

#include "routing/minimal/hops.h"

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

unsigned odo_dor_orders(unsigned n, odo_dim_order orders[ODO_MAX_ORDERS])
{
	unsigned p = prime_above(n), half = (p - 1) / 2;
	unsigned multiplier[ODO_MAX_ORDERS] = {1, half, p - half, p - 1};
	if (n == 2) /* p - 1 = 2: only two multipliers differ */
		multiplier[1] = 2;
	unsigned n_orders = n == 1 ? 1 : n == 2 ? 2 : ODO_MAX_ORDERS;
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

/* Find the index of the grid's ports for every destination: the first hop in an order of
 * dimensions. */
static void find_order_hops(const odo_hops *hops, const odo_dim_order *o, uint32_t s, uint32_t *at)
{
	for (uint32_t d = 0; d < hops->n; d++)
		at[d] = odo_hops_nowhere(hops);
	for (unsigned j = hops->c->n_dims; j-- > 0;) {
		unsigned i = o->dim[j];
		const uint32_t *value = hops->value + (size_t)i * hops->n;
		uint32_t own = value[s], base = hops->base[i], phases = hops->n_phases;
		for (uint32_t d = 0; d < hops->n; d++)
			at[d] = value[d] == own ? at[d] : (base + value[d]) * phases;
	}
	for (uint32_t d = 0; d < hops->n; d++)
		at[d] = hops->known[d] ? at[d] : odo_hops_nowhere(hops);
}

static void fill_tree_row(const odo_hops *hops, const uint32_t *at, const uint8_t *phase,
			  uint32_t s, uint8_t *row)
{
	for (uint32_t d = 0; d < hops->n; d++)
		row[d] = hops->port[at[d] + phase[d]];
	row[s] = 0;
}

/* Fill in all trees at the grid's current switch. */
static void fill_switch_trees(const odo_hops *hops, odo_forest *forest, const odo_dim_order *orders,
			      unsigned n_orders, const uint8_t *phase, uint32_t s, uint32_t *at)
{
	for (unsigned m = 0; m < n_orders; m++) {
		find_order_hops(hops, &orders[m], s, at);
		for (unsigned k = m; k < forest->n_trees; k += n_orders)
			fill_tree_row(hops, at, phase + (size_t)k * forest->n, s,
				      odo_forest_row(forest, k, s));
	}
}

int odo_dor_fill(odo_forest *forest, const odo_coordinates *c, const odo_dim_order *orders,
		 unsigned n_orders, unsigned n_phases, odo_error *err)
{
	odo_hops hops;
	unsigned n_trees = forest->n_trees / n_orders;
	int status = odo_hops_init(&hops, forest->f, c, n_trees, n_phases, err);
	if (!status)
		status = odo_hops_look_far(&hops, err);
	uint8_t *phase = odo_arena_new(&hops.memory, (size_t)forest->n_trees * forest->n, 1);
	uint32_t *at = odo_arena_new(&hops.memory, forest->n, sizeof *at);
	if (!status && hops.memory.failed)
		status = odo_fail(err, ODO_ENOMEM, "no memory for paths");
	for (unsigned k = 0; !status && k < forest->n_trees; k++)
		for (uint32_t d = 0; d < forest->n; d++)
			phase[(size_t)k * forest->n + d] = (uint8_t)odo_hops_phase(
				forest->f, c, n_trees, n_phases, k / n_orders, d);
	for (uint32_t s = 0; !status && s < forest->n; s++) {
		if (!hops.known[s])
			continue;
		odo_hops_look(&hops, s, 0);
		odo_hops_extend(&hops, s);
		fill_switch_trees(&hops, forest, orders, n_orders, phase, s, at);
	}
	odo_hops_clear(&hops);
	return status;
}
