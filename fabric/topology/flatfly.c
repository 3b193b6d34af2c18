/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FlatFly: a product of complete graphs with link widths (paper 004, section 1.2). */
#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { K, L, C, PORTS };

const odo_option odo_flatfly_options[] = {
	[K] = {"k", ODO_OPTION_LIST, NULL, "switches in each dimension", NULL, 1, 254},
	[L] = {"l", ODO_OPTION_LIST, "1", "cables of a link: one number, or one per dimension",
	       NULL, 1, 254},
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply(const odo_value *value, odo_product *g, odo_error *err)
{
	return odo_product_flatfly(g, value[K].number, value[K].n, value[L].number, value[L].n,
				   err);
}

int odo_flatfly_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	return odo_product_build(multiply, value, C, PORTS, b, err);
}

int odo_flatfly_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
		      odo_error *err)
{
	return odo_product_truth(multiply, value, C, f, c, err);
}
