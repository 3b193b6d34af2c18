/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/adaptive/product.h"

#include <string.h>

/* Limit on the values of one dimension: distances take n * n bytes each. */
#define MAX_VALUES 4096u

static int lay_out_dimensions(odo_product_ports *p, const odo_coordinates *c, size_t *far_size,
			      odo_error *err)
{
	size_t far = 0;
	p->n_dims = c->n_dims;
	for (unsigned i = 0; i < c->n_dims; i++) {
		if (c->size[i] > MAX_VALUES)
			return odo_fail(err, ODO_EDECLINE,
					"expected dimensions of up to %u values, found %u",
					MAX_VALUES, c->size[i]);
		p->size[i] = c->size[i];
		p->base[i + 1] = p->base[i] + c->size[i];
		p->far_base[i] = (uint32_t)far;
		far += (size_t)c->size[i] * c->size[i];
	}
	*far_size = far;
	return 0;
}

static bool allocate_ports(odo_product_ports *p, odo_arena *memory, size_t n_slots, size_t far_size)
{
	size_t n = p->n;
	p->at = odo_arena_new(memory, n * p->n_dims, sizeof *p->at);
	p->to = odo_arena_new(memory, n * p->base[p->n_dims], sizeof *p->to);
	p->all = odo_arena_new(memory, n * p->n_dims, sizeof *p->all);
	p->input = odo_arena_new(memory, n_slots, sizeof *p->input);
	p->next = odo_arena_new(memory, n * ODO_EXT_MAX_PORTS, sizeof *p->next);
	p->far = odo_arena_new(memory, far_size, sizeof *p->far);
	return !memory->failed;
}

static void copy_coordinates(odo_product_ports *p, const odo_coordinates *c)
{
	for (uint32_t s = 0; s < p->n; s++) {
		bool known = true;
		for (unsigned i = 0; i < p->n_dims; i++)
			known = known && odo_at(c, s)[i] < p->size[i];
		for (unsigned i = 0; i < p->n_dims; i++)
			p->at[(size_t)s * p->n_dims + i] = known ? (uint16_t)odo_at(c, s)[i]
								 : UINT16_MAX;
	}
}

/* Return true if the cable leads along dimension `dim` and no other. */
static bool leads_along(const odo_product_ports *p, uint32_t s, uint32_t v, unsigned dim)
{
	const uint16_t *a = odo_ports_at(p, s), *b = odo_ports_at(p, v);
	if (a[0] == UINT16_MAX || b[0] == UINT16_MAX || dim >= p->n_dims)
		return false;
	for (unsigned i = 0; i < p->n_dims; i++)
		if ((a[i] != b[i]) != (i == dim))
			return false;
	return true;
}

static void copy_product_ports(odo_product_ports *p, const odo_fabric *f, const odo_coordinates *c)
{
	for (uint32_t s = 0; s < p->n; s++) {
		for (unsigned port = 1; port <= odo_n_ports(f, s); port++) {
			uint32_t slot = odo_slot(f, s, port), v = odo_next_switch(f, slot);
			size_t place = (size_t)s * ODO_EXT_MAX_PORTS + port - 1;
			unsigned dim = c->port_class[slot];
			p->next[place] = v;
			p->input[slot] = (uint8_t)p->n_dims;
			if (v == ODO_NONE || !leads_along(p, s, v, dim))
				continue;
			p->input[slot] = (uint8_t)dim;
			p->all[(size_t)s * p->n_dims + dim] |= odo_ext_bit(port);
			p->to[(size_t)s * p->base[p->n_dims] + p->base[dim] +
			      odo_ports_at(p, v)[dim]] |= odo_ext_bit(port);
		}
	}
}

/* Find the graph of a dimension, from the cables of all its copies: a Slim Fly that lost a cable in
 * one copy is still known from the others. far = 1 for values that a cable connects. */
static void find_cabled(odo_product_ports *p, unsigned dim)
{
	uint8_t *far = p->far + p->far_base[dim];
	uint32_t k = p->size[dim];
	memset(far, UINT8_MAX, (size_t)k * k);
	for (uint32_t s = 0; s < p->n; s++) {
		uint32_t x = odo_ports_at(p, s)[dim];
		for (uint32_t y = 0; x != UINT16_MAX && y < k; y++)
			if (odo_ports_to(p, s, dim, y))
				far[x * k + y] = far[y * k + x] = 1;
	}
	for (uint32_t x = 0; x < k; x++)
		far[x * k + x] = 0;
}

/* Compute hops from connected pairs: levels of a search from every value. */
static int find_value_distances(odo_product_ports *p, unsigned dim, odo_error *err)
{
	uint8_t *far = p->far + p->far_base[dim];
	uint32_t k = p->size[dim];
	unsigned reach = k > 1;
	bool grew = true;
	for (unsigned level = 1; grew; level++) {
		grew = false;
		for (uint32_t x = 0; x < k; x++) {
			for (uint32_t m = 0; m < k; m++) {
				if (far[x * k + m] != level)
					continue;
				for (uint32_t y = 0; y < k; y++) {
					if (far[m * k + y] != 1 || far[x * k + y] <= level)
						continue;
					far[x * k + y] = (uint8_t)(level + 1);
					reach = level + 1;
					grew = true;
				}
			}
		}
		if (level == 4)
			return odo_fail(err, ODO_EDECLINE,
					"expected a Slim Fly of diameter 2, found over %u", level);
	}
	p->reach[dim] = (uint8_t)reach;
	return 0;
}

/* Set the distances of a complete graph. It remains one even if no switch of some value is left. */
static void complete_far(odo_product_ports *p, unsigned dim)
{
	uint8_t *far = p->far + p->far_base[dim];
	uint32_t k = p->size[dim];
	memset(far, 1, (size_t)k * k);
	for (uint32_t x = 0; x < k; x++)
		far[x * k + x] = 0;
	p->reach[dim] = 1;
}

static bool is_product_whole(const odo_product_ports *p)
{
	size_t product = 1;
	for (unsigned i = 0; i < p->n_dims; i++)
		product *= p->size[i];
	if (product != p->n)
		return false;
	for (uint32_t s = 0; s < p->n; s++) {
		const uint16_t *at = odo_ports_at(p, s);
		for (unsigned i = 0; i < p->n_dims; i++)
			for (uint32_t y = 0; y < p->size[i]; y++)
				if (at[i] == UINT16_MAX || (odo_ports_far(p, i, at[i], y) == 1 &&
							    !odo_ports_to(p, s, i, y)))
					return false;
	}
	return true;
}

int odo_product_ports_init(odo_product_ports *p, odo_arena *memory, const odo_fabric *f,
			   const odo_coordinates *c, odo_error *err)
{
	*p = (odo_product_ports){.n = f->n_switches};
	size_t far_size = 0;
	int status = odo_ext_check_ports(f, err);
	if (!status)
		status = lay_out_dimensions(p, c, &far_size, err);
	if (!status && !allocate_ports(p, memory, f->first_slot[f->n_switches], far_size))
		status = odo_fail(err, ODO_ENOMEM, "no memory for the ports of %u switches", p->n);
	if (status)
		return status;
	copy_coordinates(p, c);
	copy_product_ports(p, f, c);
	for (unsigned i = 0; i < p->n_dims && !status; i++) {
		if (c->factor[i] == ODO_COMPLETE) {
			complete_far(p, i);
		} else {
			find_cabled(p, i);
			status = find_value_distances(p, i, err);
		}
	}
	p->whole = !status && is_product_whole(p);
	return status;
}
