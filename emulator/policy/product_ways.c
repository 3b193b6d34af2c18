/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/product_ways.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void odo_product_ways_free(odo_product_ways *g)
{
	if (!g)
		return;
	free(g->at);
	free(g->home);
	free(g->host_port);
	free(g->first);
	free(g->port);
	free(g);
}

static int check_kind(const odo_fabric *f, const odo_coordinates *c, odo_error *err)
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

static int allocate(odo_product_ways *g, const odo_fabric *f)
{
	size_t ways = (size_t)f->n_switches * g->offset[g->n_dims];
	g->at = odo_new((size_t)f->n_switches * g->n_dims, sizeof *g->at);
	g->home = odo_new(f->n_hosts, sizeof *g->home);
	g->host_port = odo_new(f->n_hosts, 1);
	g->first = odo_new(ways + 1, sizeof *g->first);
	g->port = odo_new(f->n_slots, 1);
	return g->at && g->home && g->host_port && g->first && g->port ? 0 : ODO_ENOMEM;
}

/* The way of a slot among its switch's, or ODO_NONE for hosts, free ports and wrong cables. */
static uint32_t way_of(const odo_product_ways *g, const odo_coordinates *c, uint32_t slot)
{
	unsigned d = c->port_class[slot];
	if (d >= g->n_dims)
		return ODO_NONE;
	return g->offset[d] + odo_product_ways_at(g, odo_next_switch(g->fabric, slot))[d];
}

static void fill_ports(odo_product_ways *g, const odo_fabric *f, const odo_coordinates *c)
{
	size_t ways = g->offset[g->n_dims];
	uint32_t next = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t way = 0; way < ways; way++) {
			g->first[s * ways + way] = next;
			for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
				if (way_of(g, c, slot) == way)
					g->port[next++] = (uint8_t)odo_port(f, slot);
		}
	}
	g->first[f->n_switches * ways] = next;
}

static int check_whole(const odo_product_ways *g, const odo_fabric *f, odo_error *err)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned d = 0; d < g->n_dims; d++)
			for (uint32_t x = 0; x < g->size[d]; x++) {
				const uint32_t *first = g->first +
							(size_t)s * g->offset[g->n_dims] +
							g->offset[d] + x;
				if (x != odo_product_ways_at(g, s)[d] && first[0] == first[1])
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
	int status = check_kind(f, c, err);
	if (status)
		return status;
	odo_product_ways *g = odo_new(1, sizeof *g);
	if (!g)
		return odo_fail(err, ODO_ENOMEM, "no memory for ways");
	g->fabric = f;
	g->n_dims = c->n_dims;
	for (unsigned d = 0; d < c->n_dims; d++) {
		g->size[d] = c->size[d];
		g->offset[d + 1] = g->offset[d] + c->size[d];
	}
	status = allocate(g, f);
	if (status) {
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
		goto done;
	}
	memcpy(g->at, c->at, (size_t)f->n_switches * g->n_dims * sizeof *g->at);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		g->home[h] = odo_host_switch(f, h);
		g->host_port[h] = (uint8_t)odo_port(f, f->peer[f->host_slot[h]]);
	}
	fill_ports(g, f, c);
	status = check_whole(g, f, err);
done:
	if (status)
		odo_product_ways_free(g);
	else
		*out = g;
	return status;
}
