/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hypercube: a product of complete graphs of two (paper 004, section 1.3). */
#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { N, L, C, PORTS };

static const odo_option options[] = {
	[N] = {"n", ODO_OPTION_NUMBER, NULL, "dimensions", NULL, 1, ODO_MAX_DIMS},
	[L] = ODO_OPTION_WIDTHS("l"),
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply_hypercube(const odo_value *value, odo_product *product, odo_error *err)
{
	odo_value k = {.n = value[N].number[0]};
	for (unsigned i = 0; i < k.n; i++)
		k.number[i] = 2;
	return odo_product_each(product, odo_product_complete, &k, &value[L], err);
}

const odo_topology odo_topology_hypercube = {
	.name = "hypercube",
	.summary = "product of complete graphs of two",
	.example = "hypercube:n=6,l=2,c=2",
	.paper = "paper 004, section 1.3",
	.options = options,
	.multiply = multiply_hypercube,
	.hosts = C,
	.ports = PORTS,
};

/* Accept several factors K_2. A single one is a FlatFly of one dimension. */
static bool is_hypercube_product(const odo_factor_counts *n)
{
	return n->pairs == n->n && n->n > 1;
}

const odo_kind_row odo_kind_hypercube = {.name = "hypercube", .made_of = is_hypercube_product};
