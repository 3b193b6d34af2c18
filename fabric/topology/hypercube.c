/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hypercube: a product of complete graphs of two (paper 004, section 1.3). */
#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { N, L, C, PORTS };

static const odo_option options[] = {
	[N] = {"n", ODO_OPTION_NUMBER, NULL, "dimensions", NULL, 1, ODO_MAX_DIMS},
	[L] = {"l", ODO_OPTION_LIST, "1", "cables of a link: one number, or one per dimension",
	       NULL, 1, ODO_MAX_PORTS},
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply_hypercube(const odo_value *value, odo_product *product, odo_error *err)
{
	uint32_t k[ODO_MAX_DIMS];
	for (unsigned i = 0; i < ODO_MAX_DIMS; i++)
		k[i] = 2;
	return odo_product_flatfly(product, k, value[N].number[0], value[L].number, value[L].n,
				   err);
}

static int hypercube_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	return odo_product_build(multiply_hypercube, value, C, PORTS, b, err);
}

static int hypercube_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
			   odo_error *err)
{
	return odo_product_truth(multiply_hypercube, value, C, f, c, err);
}

const odo_topology odo_topology_hypercube = {
	.name = "hypercube",
	.summary = "product of complete graphs of two",
	.example = "hypercube:n=6,l=2,c=2",
	.paper = "paper 004, section 1.3",
	.options = options,
	.build = hypercube_build,
	.truth = hypercube_truth,
};

/* Accept several factors K_2. A single one is a FlatFly of one dimension. */
static bool is_hypercube_product(const odo_factor_counts *n)
{
	return n->pairs == n->n && n->n > 1;
}

const odo_kind_row odo_kind_hypercube = {.name = "hypercube", .made_of = is_hypercube_product};
