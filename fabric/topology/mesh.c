/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mesh: a torus without the cables that close its cycles, a product of paths. A path of two is K_2,
 * and a mesh of only these is a hypercube. A product of cycles and paths is a torus. */
#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { K, L, C, PORTS };

static const odo_option options[] = {
	[K] = {"k", ODO_OPTION_LIST, NULL, "switches along each dimension", NULL, 2, 65536},
	[L] = ODO_OPTION_WIDTHS("l"),
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply_mesh(const odo_value *value, odo_product *product, odo_error *err)
{
	return odo_product_each(product, odo_product_path, &value[K], &value[L], err);
}

const odo_topology odo_topology_mesh = {
	.name = "mesh",
	.summary = "product of paths: a torus that is not closed",
	.example = "mesh:k=5x6x4,l=2x1x1,c=2",
	.paper = "paper 004, section 1.1",
	.options = options,
	.multiply = multiply_mesh,
	.hosts = C,
	.ports = PORTS,
};

static bool is_mesh_product(const odo_factor_counts *n)
{
	return n->of[ODO_PATH] && n->of[ODO_PATH] + n->pairs == n->n;
}

const odo_kind_row odo_kind_mesh = {.name = "mesh", .made_of = is_mesh_product};

static bool linked_along_path(uint32_t size, uint32_t a, uint32_t b)
{
	(void)size;
	return a + 1 == b || b + 1 == a;
}

static double path_label_bits(uint32_t size)
{
	(void)size;
	return 1;
}

const odo_factor_row odo_factor_path = {
	.name = "path",
	.title = "path of",
	.numbering = ODO_NUMBERED_ALONG,
	.linked = linked_along_path,
	.label_bits = path_label_bits,
};
