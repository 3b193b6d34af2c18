/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FlatFly: a product of complete graphs with link widths (paper 004, section 1.2). */
#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { K, L, C, PORTS };

static const odo_option options[] = {
	[K] = {"k", ODO_OPTION_LIST, NULL, "switches in each dimension", NULL, 1, 254},
	[L] = ODO_OPTION_WIDTHS("l"),
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply_flatfly(const odo_value *value, odo_product *product, odo_error *err)
{
	return odo_product_each(product, odo_product_complete, &value[K], &value[L], err);
}

const odo_topology odo_topology_flatfly = {
	.name = "flatfly",
	.summary = "product of complete graphs (flattened butterfly, HyperX)",
	.example = "flatfly:k=4x4x4,c=4",
	.paper = "paper 004, section 1.2",
	.options = options,
	.multiply = multiply_flatfly,
	.hosts = C,
	.ports = PORTS,
};

static bool is_flatfly_product(const odo_factor_counts *n)
{
	return n->of[ODO_COMPLETE] == n->n;
}

const odo_kind_row odo_kind_flatfly = {.name = "flatfly", .made_of = is_flatfly_product};

const odo_factor_row odo_factor_complete = {
	.name = "complete graph",
	.title = "complete graph of",
	.numbering = ODO_NUMBERED_FREELY,
	.linked = odo_linked_all,
	.label_bits = odo_bits_of_orders,
};
