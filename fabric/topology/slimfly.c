/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Slim Fly: the graphs of McKay, Miller and Siran, of diameter 2, and their products with
 * complete graphs (paper 004, section 1.5).
 *
 * Vertices are (t, x, y), t in {0, 1}, x and y in the field of q elements.
 *   (t, x, y) - (t, x, y')       where y' - y is in X_t
 *   (0, x, y) - (1, x', y')      where y = x x' + y'
 * The paper gives X_t for q = 2^m only. For odd q = 4w + 1 they are the even and the odd
 * powers of a primitive element too; q = 4w - 1 is Hafner's ("Geometric realisation of the
 * graphs of McKay-Miller-Siran", 2004): w powers of each parity, and their negatives. */
#include <math.h>

#include "fabric/topology/field.h"
#include "fabric/topology/generators.h"
#include "base/memory.h"
#include "fabric/topology/product.h"
#include "fabric/topology/slimfly.h"

/* Maximum q: with one host per switch and 3q/2 cables the next prime power needs too many ports. */
#define MAX_Q 169

enum { Q, L, C, PORTS, K, W };

#define SLIMFLY_OPTIONS                                                                            \
	[Q] = {"q",  ODO_OPTION_NUMBER,                                                            \
	       NULL, "order of the field: a prime power 4w - 1, 4w or 4w + 1",                     \
	       NULL, 3,                                                                            \
	       MAX_Q},                                                                             \
	[L] = {"l", ODO_OPTION_NUMBER, "1", "cables of a link of the Slim Fly", NULL,              \
	       1,   ODO_MAX_PORTS},                                                                \
	[C] = ODO_OPTION_HOSTS("c"), [PORTS] = ODO_OPTION_PORTS

static const odo_option slimfly_options[] = {SLIMFLY_OPTIONS, {0}};

static const odo_option slimfly_flatfly_options[] = {
	SLIMFLY_OPTIONS,
	[K] = {"k", ODO_OPTION_LIST, NULL, "switches in each dimension of the FlatFly", NULL, 2,
	       ODO_MAX_PORTS},
	[W] = ODO_OPTION_WIDTHS("w"),
	{0},
};

/* List the differences X_t. Return their number, (q - delta) / 2 for q = 4w + delta. */
static uint32_t list_differences(const odo_field *field, uint32_t t, uint32_t *x)
{
	uint32_t q = field->q, n = 0;
	if (q % 4 != 3) {
		for (uint32_t i = t; i < q;
		     i += 2) /* ends with power q - 1, 1, for even q, t = 1 */
			if (q % 2 == 0 || i < q - 1)
				x[n++] = field->power[i % (q - 1)];
		return n;
	}
	uint32_t w = (q + 1) / 4;
	for (uint32_t i = 0; i < w; i++) {
		x[n++] = field->power[2 * i + t];
		x[n++] = odo_field_negative(field, field->power[2 * i + t]);
	}
	return n;
}

static void link_vertex(const odo_field *field, uint32_t t, uint32_t x, uint32_t y,
			const uint32_t *d, uint32_t n, uint32_t *next)
{
	uint32_t q = field->q;
	for (uint32_t i = 0; i < n; i++)
		*next++ = (t * q + x) * q + odo_field_add(field, y, d[i]);
	for (uint32_t other = 0; other < q; other++) {
		uint32_t product = odo_field_multiply(field, x, other);
		if (!t) /* y' = y - x x' */
			product = odo_field_negative(field, product);
		*next++ = ((1 - t) * q + other) * q + odo_field_add(field, y, product);
	}
}

int odo_slimfly_neighbours(uint32_t q, uint32_t **next, uint32_t *degree, odo_error *err)
{
	odo_field field;
	uint32_t x[2][MAX_Q + 1], n = 0;
	int status = q % 4 == 2 ? ODO_EINPUT : odo_field_make(&field, q, NULL);
	if (status)
		return odo_fail(err, ODO_EINPUT,
				"expected q to be a prime power 4w - 1, 4w or 4w + 1, found %u", q);
	for (uint32_t t = 0; t < 2; t++)
		n = list_differences(&field, t, x[t]);
	*degree = n + q;
	*next = odo_new(2ul * q * q * *degree, sizeof **next);
	if (!*next)
		return odo_fail(err, ODO_ENOMEM, "no memory for a Slim Fly");
	for (uint32_t v = 0; v < 2 * q * q; v++)
		link_vertex(&field, v / (q * q), v / q % q, v % q, x[v / (q * q)], n,
			    *next + (size_t)v * *degree);
	return 0;
}

static int multiply_by_q(const odo_value *value, odo_product *product, odo_error *err)
{
	uint32_t *next, degree, q = product->q = value[Q].number[0];
	int status = odo_slimfly_neighbours(q, &next, &degree, err);
	return status ? status
		      : odo_product_graph(product, ODO_MMS, 2 * q * q, degree, value[L].number[0],
					  next, err);
}

static int multiply_slimfly_flatfly(const odo_value *value, odo_product *product, odo_error *err)
{
	int status = multiply_by_q(value, product, err);
	return status ? status
		      : odo_product_each(product, odo_product_complete, &value[K], &value[W], err);
}

const odo_topology odo_topology_slimfly = {
	.name = "slimfly",
	.summary = "McKay-Miller-Siran graph, of diameter 2",
	.example = "slimfly:q=5,c=3",
	.paper = "paper 004, section 1.5",
	.options = slimfly_options,
	.multiply = multiply_by_q,
	.hosts = C,
	.ports = PORTS,
};

const odo_topology odo_topology_slimfly_flatfly = {
	.name = "slimfly-flatfly",
	.summary = "product of a Slim Fly and complete graphs",
	.example = "slimfly-flatfly:q=4,k=3,c=2",
	.paper = "paper 004, section 1.5",
	.options = slimfly_flatfly_options,
	.multiply = multiply_slimfly_flatfly,
	.hosts = C,
	.ports = PORTS,
};

static bool is_slimfly_product(const odo_factor_counts *n)
{
	return n->of[ODO_MMS] == 1 && n->n == 1;
}

static bool is_slimfly_flatfly_product(const odo_factor_counts *n)
{
	return n->of[ODO_MMS] == 1 && n->n > 1 && n->of[ODO_COMPLETE] == n->n - 1;
}

const odo_kind_row odo_kind_slimfly = {.name = "slimfly", .made_of = is_slimfly_product};
const odo_kind_row odo_kind_slimfly_flatfly = {.name = "slimfly-flatfly",
					       .made_of = is_slimfly_flatfly_product};

static double slimfly_label_bits(uint32_t size)
{
	return 2 * log2(size);
}

const odo_factor_row odo_factor_mms = {
	.name = "Slim Fly graph",
	.title = "Slim Fly of",
	.numbering = ODO_NUMBERED_BY_LINKS,
	.label_bits = slimfly_label_bits,
};
