/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/topology/product.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/topology/generators.h"

void odo_product_clear(odo_product *product)
{
	for (unsigned i = 0; i < product->n; i++) {
		free(product->factor[i].next);
		free(product->factor[i].back);
	}
	product->n = 0;
}

/* Find for each link the index of the same link at its other end. Links of one vertex lead to
 * distinct vertices. The search starts from the previous vertex's result. Our factors are so
 * regular that it ends there immediately. */
static int find_back(odo_factor_graph *x, odo_error *err)
{
	uint32_t degree = x->degree;
	for (uint32_t v = 0; v < x->size; v++) {
		for (uint32_t j = 0; j < degree; j++) {
			uint32_t w = x->next[v * degree + j], tried = 0;
			if (w == ODO_NONE)
				continue;
			uint32_t k = v ? x->back[(v - 1) * degree + j] : 0;
			while (tried < degree && x->next[w * degree + k] != v) {
				k = (k + 1) % degree;
				tried++;
			}
			if (tried == degree)
				return odo_fail(err, ODO_EINPUT,
						"factor: the link from %u to %u leads one way", v,
						w);
			x->back[v * degree + j] = k;
		}
	}
	return 0;
}

int odo_product_graph(odo_product *product, odo_factor type, uint32_t size, uint32_t degree,
		      uint32_t width, uint32_t *next, odo_error *err)
{
	odo_factor_graph x = {.type = type,
			      .size = size,
			      .degree = degree,
			      .width = width,
			      .next = next,
			      .back = odo_new((size_t)size * degree, sizeof *x.back)};
	int status = 0;
	if (!x.next || !x.back)
		status = odo_fail(err, ODO_ENOMEM, "no memory for a factor of %u vertices", size);
	else if (product->n == ODO_MAX_DIMS)
		status = odo_fail(err, ODO_EINPUT, "expected up to %d dimensions, found more",
				  ODO_MAX_DIMS);
	else
		status = find_back(&x, err);
	if (status) {
		free(x.next);
		free(x.back);
		return status;
	}
	product->factor[product->n++] = x;
	return 0;
}

int odo_product_complete(odo_product *product, uint32_t size, uint32_t width, odo_error *err)
{
	uint32_t *next = odo_new((size_t)size * (size - 1), sizeof *next), *at = next;
	for (uint32_t v = 0; next && v < size; v++)
		for (uint32_t w = 0; w < size; w++)
			if (w != v)
				*at++ = w;
	return odo_product_graph(product, ODO_COMPLETE, size, size - 1, width, next, err);
}

int odo_product_cycle(odo_product *product, uint32_t size, uint32_t width, odo_error *err)
{
	uint32_t *next = odo_new((size_t)size * 2, sizeof *next);
	for (uint32_t v = 0; next && v < size; v++) {
		next[v * 2] = (v + 1) % size;
		next[v * 2 + 1] = (v + size - 1) % size;
	}
	return odo_product_graph(product, ODO_CYCLE, size, 2, width, next, err);
}

int odo_product_path(odo_product *product, uint32_t size, uint32_t width, odo_error *err)
{
	if (size < 3)
		return odo_product_complete(product, size, width, err);
	uint32_t *next = odo_new((size_t)size * 2, sizeof *next);
	for (uint32_t v = 0; next && v < size; v++) {
		next[v * 2] = v + 1 < size ? v + 1 : ODO_NONE;
		next[v * 2 + 1] = v ? v - 1 : ODO_NONE;
	}
	return odo_product_graph(product, ODO_PATH, size, 2, width, next, err);
}

int odo_product_each(odo_product *product, odo_multiply_one *multiply, const odo_value *k,
		     const odo_value *widths, odo_error *err)
{
	int status = 0;
	if (widths->n != 1 && widths->n != k->n)
		return odo_fail(
			err, ODO_EINPUT,
			"expected one link width, or one for each of %u dimensions, found %u", k->n,
			widths->n);
	for (unsigned i = 0; i < k->n && !status; i++)
		if (k->number[i] > 1 || (i + 1 == k->n && !product->n))
			status = multiply(product, k->number[i],
					  widths->number[widths->n == 1 ? 0 : i], err);
	return status;
}

int odo_product_size(const odo_product *product, uint32_t *size, odo_error *err)
{
	uint64_t n = 1;
	int status = 0;
	for (unsigned i = 0; i < product->n && !status; i++) {
		n *= product->factor[i].size;
		status = odo_check_switches(n, err);
	}
	*size = status ? 0 : (uint32_t)n;
	return status;
}

uint32_t odo_product_ports(const odo_product *product)
{
	uint32_t n = 0;
	for (unsigned i = 0; i < product->n; i++)
		n += product->factor[i].degree * product->factor[i].width;
	return n;
}

/* Compute the coordinates of vertex `v`, one for each factor. */
static void place_vertex(const odo_product *product, uint32_t v, uint32_t *at)
{
	for (unsigned i = product->n; i-- > 0;) {
		at[i] = v % product->factor[i].size;
		v /= product->factor[i].size;
	}
}

/* Add the cables of one factor. `stride` is the distance between numbers of neighbouring
 * vertices. */
static int link_factor(const odo_factor_graph *x, uint32_t size, uint32_t stride, odo_builder *b,
		       uint32_t first, unsigned port, odo_error *err)
{
	int status = 0;
	for (uint32_t v = 0; v < size; v++) {
		uint32_t here = v / stride % x->size;
		for (uint32_t j = 0; j < x->degree; j++) {
			uint32_t there = x->next[here * x->degree + j];
			uint32_t k = x->back[here * x->degree + j];
			if (there < here || there == ODO_NONE)
				continue;
			uint32_t w = v + (there - here) * stride;
			for (uint32_t i = 0; i < x->width && !status; i++)
				status = odo_add_cable(b, first + v, port + j * x->width + i,
						       first + w, port + k * x->width + i, err);
		}
	}
	return status;
}

int odo_product_link(const odo_product *product, odo_builder *b, uint32_t first, unsigned port,
		     odo_error *err)
{
	uint32_t size = 1, stride;
	int status = odo_product_size(product, &size, err);
	stride = status ? 0 : size;
	for (unsigned i = 0; i < product->n && !status; i++) {
		const odo_factor_graph *x = &product->factor[i];
		stride /= x->size;
		status = link_factor(x, size, stride, b, first, port, err);
		port += x->degree * x->width;
	}
	return status;
}

void odo_product_classify(const odo_product *product, const odo_fabric *f, uint32_t first,
			  unsigned port, unsigned dim, odo_coordinates *c)
{
	uint32_t size = 1;
	for (unsigned i = 0; i < product->n; i++)
		size *= product->factor[i].size;
	for (uint32_t v = 0; v < size; v++) {
		place_vertex(product, v, c->at + (size_t)(first + v) * c->n_dims + dim);
		uint32_t slot = odo_slot(f, first + v, port);
		for (unsigned i = 0; i < product->n; i++)
			for (uint32_t j = product->factor[i].degree * product->factor[i].width;
			     j > 0; j--, slot++)
				if (f->peer[slot] != ODO_NONE)
					c->port_class[slot] = (uint8_t)(dim + i);
	}
}

void odo_product_describe(const odo_product *product, unsigned dim, odo_coordinates *c)
{
	for (unsigned i = 0; i < product->n; i++) {
		c->factor[dim + i] = product->factor[i].type;
		c->size[dim + i] = product->factor[i].size;
		c->width[dim + i] = product->factor[i].width;
	}
}

/* Add a switch with a name such as "S0_1_2". */
static int add_vertex(const odo_product *product, uint32_t v, uint32_t ports, odo_builder *b,
		      odo_error *err)
{
	char name[8 + ODO_MAX_DIMS * 11];
	uint32_t at[ODO_MAX_DIMS];
	place_vertex(product, v, at);
	int length = snprintf(name, sizeof name, "S%u", at[0]);
	for (unsigned i = 1; i < product->n; i++)
		length += snprintf(name + length, sizeof name - (size_t)length, "_%u", at[i]);
	return odo_add_switch(b, ports, err, "%s", name);
}

static int build_product(const odo_product *product, uint32_t hosts, uint32_t ports, odo_builder *b,
			 odo_error *err)
{
	uint32_t size = 0;
	int status = odo_product_size(product, &size, err);
	if (!status)
		status = odo_switch_ports(hosts + odo_product_ports(product), ports, &ports, err);
	for (uint32_t v = 0; v < size && !status; v++)
		status = add_vertex(product, v, ports, b, err);
	if (!status)
		status = odo_add_hosts(b, 0, size, hosts, err);
	if (!status)
		status = odo_product_link(product, b, 0, hosts + 1, err);
	return status;
}

int odo_product_build(const odo_topology *row, const odo_value *value, odo_builder *b,
		      odo_error *err)
{
	odo_product product = {0};
	int status = row->multiply(value, &product, err);
	if (!status)
		status = build_product(&product, value[row->hosts].number[0],
				       value[row->ports].number[0], b, err);
	odo_product_clear(&product);
	return status;
}

int odo_product_truth(const odo_topology *row, const odo_value *value, const odo_fabric *f,
		      odo_coordinates **c, odo_error *err)
{
	odo_product product = {0};
	int status = row->multiply(value, &product, err);
	if (!status)
		status = odo_coordinates_create(f, product.n, c, err);
	if (!status) {
		odo_product_describe(&product, 0, *c);
		(*c)->kind = odo_kind_of_factors((*c)->factor, (*c)->size, product.n);
		(*c)->q = product.q;
		odo_product_classify(&product, f, 0, value[row->hosts].number[0] + 1, 0, *c);
	}
	odo_product_clear(&product);
	return status;
}
