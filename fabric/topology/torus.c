/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Torus: a product of cycles (paper 004, section 1.1).
 *
 * Short cycles are other graphs. The truth names these graphs, because a product has only one
 * set of prime factors (Sabidussi; Vizing), and a mapping can find no other.
 *   K = 2  one link, not two: K_2. A torus of these alone is a hypercube.
 *   K = 3  a cycle of 3 is K_3. A torus of 2s and 3s is a FlatFly.
 *   K = 4  a cycle of 4 is K_2 x K_2, which has two dimensions. */
#include <math.h>

#include "fabric/topology/generators.h"
#include "fabric/topology/product.h"

enum { K, L, C, PORTS };

static const odo_option options[] = {
	[K] = {"k", ODO_OPTION_LIST, NULL, "switches around each dimension", NULL, 2, 65536},
	[L] = ODO_OPTION_WIDTHS("l"),
	[C] = ODO_OPTION_HOSTS("c"),
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

static int multiply_by_cycle(odo_product *product, uint32_t k, uint32_t width, odo_error *err)
{
	const odo_value square = {2, {2, 2}}, widths = {1, {width}};
	if (k == 4)
		return odo_product_each(product, odo_product_complete, &square, &widths, err);
	if (k < 4)
		return odo_product_complete(product, k, width, err);
	return odo_product_cycle(product, k, width, err);
}

static int multiply_torus(const odo_value *value, odo_product *product, odo_error *err)
{
	return odo_product_each(product, multiply_by_cycle, &value[K], &value[L], err);
}

const odo_topology odo_topology_torus = {
	.name = "torus",
	.summary = "product of cycles",
	.example = "torus:k=5x6x4,l=2x1x1,c=2",
	.paper = "paper 004, section 1.1",
	.options = options,
	.multiply = multiply_torus,
	.hosts = C,
	.ports = PORTS,
};

/* Accept at least one cycle: shorter cycles are complete graphs, or products of them. The rest may
 * be paths. */
static bool is_torus_product(const odo_factor_counts *n)
{
	return n->of[ODO_CYCLE] && n->of[ODO_CYCLE] + n->of[ODO_PATH] + n->of[ODO_COMPLETE] == n->n;
}

const odo_kind_row odo_kind_torus = {.name = "torus", .made_of = is_torus_product};

static bool linked_around_cycle(uint32_t size, uint32_t a, uint32_t b)
{
	return a != b && ((a + 1) % size == b || (b + 1) % size == a);
}

static double cycle_label_bits(uint32_t size)
{
	return log2(2.0 * size);
}

const odo_factor_row odo_factor_cycle = {
	.name = "cycle",
	.title = "cycle of",
	.numbering = ODO_NUMBERED_AROUND,
	.linked = linked_around_cycle,
	.label_bits = cycle_label_bits,
};
