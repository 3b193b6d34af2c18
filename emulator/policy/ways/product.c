/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ways/product.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "emulator/policy/ways/homes.h"

void odo_product_ways_free(odo_product_ways *ways)
{
	if (!ways)
		return;
	odo_arena_free(&ways->memory);
	free(ways);
}

static int check_product_kind(const odo_fabric *f, const odo_coordinates *c, odo_error *err)
{
	if (!c || (c->kind != ODO_KIND_FLATFLY && c->kind != ODO_KIND_HYPERCUBE))
		return odo_fail(err, ODO_EDECLINE, "expected a FlatFly or hypercube, found %s",
				c ? odo_kind_name(c->kind) : "no coordinates");
	uint64_t seats = 1;
	for (unsigned d = 0; d < c->n_dims && seats <= f->n_switches; d++)
		seats *= c->size[d];
	if (seats != f->n_switches)
		return odo_fail(err, ODO_EDECLINE, "expected a whole %s, found %u switches",
				odo_kind_name(c->kind), f->n_switches);
	return 0;
}

static int product_alloc(odo_product_ways *ways, const odo_fabric *f)
{
	odo_arena *memory = &ways->memory;
	size_t n = (size_t)f->n_switches * ways->offset[ways->n_dims];
	odo_find_homes(f, memory, &ways->home, &ways->host_port);
	ways->at = odo_arena_new(memory, (size_t)f->n_switches * ways->n_dims, sizeof *ways->at);
	ways->first = odo_arena_new(memory, n + 1, sizeof *ways->first);
	ways->port = odo_arena_new(memory, f->n_slots, 1);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Index of a slot's way among its switch's ways; ODO_NONE for hosts, free ports and wrong
 * cables. */
static uint32_t way_of(const odo_product_ways *ways, const odo_coordinates *c, uint32_t slot)
{
	unsigned d = c->port_class[slot];
	if (d >= ways->n_dims)
		return ODO_NONE;
	return ways->offset[d] + odo_product_ways_at(ways, odo_next_switch(ways->fabric, slot))[d];
}

static void fill_product_ports(odo_product_ways *way_table, const odo_fabric *f,
			       const odo_coordinates *c)
{
	size_t ways = way_table->offset[way_table->n_dims];
	uint32_t next = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t way = 0; way < ways; way++) {
			way_table->first[s * ways + way] = next;
			for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
				if (way_of(way_table, c, slot) == way)
					way_table->port[next++] = (uint8_t)odo_port(f, slot);
		}
	}
	way_table->first[f->n_switches * ways] = next;
}

static int check_whole_product(const odo_product_ways *ways, const odo_fabric *f, odo_error *err)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned d = 0; d < ways->n_dims; d++)
			for (uint32_t x = 0; x < ways->size[d]; x++) {
				const uint32_t *first = ways->first +
							(size_t)s * ways->offset[ways->n_dims] +
							ways->offset[d] + x;
				if (x != odo_product_ways_at(ways, s)[d] && first[0] == first[1])
					return odo_fail(err, ODO_EDECLINE,
							"expected a whole FlatFly, found \"%s\" "
							"without a cable in dimension %u",
							odo_name(f, s), d);
			}
	return 0;
}

int odo_product_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_product_ways **out,
			    odo_error *err)
{
	int status = check_product_kind(f, c, err);
	if (status)
		return status;
	odo_product_ways *ways = odo_new(1, sizeof *ways);
	if (!ways)
		return odo_fail(err, ODO_ENOMEM, "no memory for ways");
	ways->fabric = f;
	ways->n_dims = c->n_dims;
	for (unsigned d = 0; d < c->n_dims; d++) {
		ways->size[d] = c->size[d];
		ways->offset[d + 1] = ways->offset[d] + c->size[d];
	}
	status = product_alloc(ways, f);
	if (status) {
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
		goto done;
	}
	memcpy(ways->at, c->at, (size_t)f->n_switches * ways->n_dims * sizeof *ways->at);
	fill_product_ports(ways, f, c);
	status = check_whole_product(ways, f, err);
done:
	if (status)
		odo_product_ways_free(ways);
	else
		*out = ways;
	return status;
}
