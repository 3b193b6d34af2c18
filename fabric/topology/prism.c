/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prism: a cycle of switches, twice, each cabled to its twin. */
#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { K, C, PORTS };

static const odo_option options[] = {
	[K] = {"k", ODO_OPTION_NUMBER, NULL, "switches around", NULL, 5, 65536},
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply(const odo_value *value, odo_product *g, odo_error *err)
{
	int status = odo_product_cycle(g, value[K].number[0], 1, err);
	return status ? status : odo_product_complete(g, 2, 1, err);
}

static int build(const odo_value *value, odo_builder *b, odo_error *err)
{
	return odo_product_build(multiply, value, C, PORTS, b, err);
}

static int truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c, odo_error *err)
{
	return odo_product_truth(multiply, value, C, f, c, err);
}

const odo_topology odo_topology_prism = {
	.name = "prism",
	.summary = "product of a cycle and one cable",
	.example = "prism:k=7,c=2",
	.paper = "a model for CONTRIBUTING.md",
	.options = options,
	.build = build,
	.truth = truth,
};

static bool made_of(const odo_factor_counts *n)
{
	return n->n == 2 && n->of[ODO_CYCLE] == 1 && n->pairs == 1;
}

const odo_kind_row odo_kind_prism = {.name = "prism", .made_of = made_of};
