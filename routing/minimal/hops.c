/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/minimal/hops.h"

#include <string.h>

#include "routing/graph/deal.h"

unsigned odo_hops_phases(const odo_coordinates *c, unsigned first, unsigned limit)
{
	unsigned phases = 1;
	for (unsigned i = first; i < c->n_dims; i++)
		if (c->width[i])
			phases = odo_lcm(phases, c->width[i], limit);
	return phases;
}

static void store_coordinates(odo_hops *hops)
{
	const odo_coordinates *c = hops->c;
	memset(hops->known, 1, hops->n);
	for (uint32_t s = 0; s < hops->n; s++) {
		for (unsigned i = 0; i < c->n_dims; i++) {
			uint32_t v = odo_at(c, s)[i];
			if (v >= c->size[i])
				hops->known[s] = 0;
			hops->value[(size_t)i * hops->n + s] = v < c->size[i] ? v : 0;
		}
	}
}

int odo_hops_init(odo_hops *hop_table, const odo_fabric *f, const odo_coordinates *c,
		  unsigned n_trees, unsigned n_phases, odo_error *err)
{
	*hop_table = (odo_hops){.f = f,
				.c = c,
				.n = f->n_switches,
				.n_phases = n_phases,
				.n_trees = n_trees,
				.in_turn = n_trees < n_phases};
	hop_table->base = odo_arena_new(&hop_table->memory, c->n_dims + 1ul,
					sizeof *hop_table->base);
	for (unsigned i = 0; hop_table->base && i < c->n_dims; i++)
		hop_table->base[i + 1] = hop_table->base[i] + c->size[i];
	uint32_t hops = hop_table->base ? hop_table->base[c->n_dims] : 0;
	hop_table->value = odo_arena_new(&hop_table->memory, (size_t)c->n_dims * hop_table->n,
					 sizeof *hop_table->value);
	hop_table->known = odo_arena_new(&hop_table->memory, hop_table->n, 1);
	hop_table->port = odo_arena_new(&hop_table->memory, (size_t)(hops + 1) * n_phases, 1);
	hop_table->count = odo_arena_new(&hop_table->memory, hops, sizeof *hop_table->count);
	hop_table->slot = odo_arena_new(&hop_table->memory, (size_t)hops * ODO_MAX_PORTS,
					sizeof *hop_table->slot);
	if (hop_table->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	store_coordinates(hop_table);
	return 0;
}

void odo_hops_clear(odo_hops *hops)
{
	odo_arena_free(&hops->memory);
}

bool odo_hops_is_sound(const odo_hops *hops, uint32_t s, uint32_t t, unsigned dim)
{
	for (unsigned i = 0; i < hops->c->n_dims; i++)
		if ((hops->value[(size_t)i * hops->n + s] !=
		     hops->value[(size_t)i * hops->n + t]) != (i == dim))
			return false;
	return hops->known[s] && hops->known[t];
}

void odo_hops_look(odo_hops *hop_table, uint32_t s, unsigned first)
{
	const odo_fabric *f = hop_table->f;
	uint32_t hops = hop_table->base[hop_table->c->n_dims], id[ODO_MAX_PORTS],
		 pick[ODO_MAX_PORTS];
	memset(hop_table->count, 0, hops * sizeof *hop_table->count);
	memset(hop_table->port, ODO_NO_PORT, (size_t)(hops + 1) * hop_table->n_phases);
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		unsigned dim = hop_table->c->port_class[i];
		uint32_t t = odo_next_switch(f, i);
		if (t == ODO_NONE || dim < first || dim >= hop_table->c->n_dims ||
		    !odo_hops_is_sound(hop_table, s, t, dim))
			continue;
		uint32_t hop = hop_table->base[dim] +
			       hop_table->value[(size_t)dim * hop_table->n + t];
		hop_table->slot[hop * ODO_MAX_PORTS + hop_table->count[hop]++] = i;
	}
	uint32_t own = odo_node_hash(f, s);
	for (uint32_t hop = 0; hop < hops; hop++) {
		const uint32_t *slot = hop_table->slot + (size_t)hop * ODO_MAX_PORTS;
		uint32_t n = hop_table->count[hop];
		unsigned dealt = hop_table->in_turn ? n : hop_table->n_phases;
		for (uint32_t j = 0; j < n; j++)
			id[j] = odo_mix(own + slot[j] - f->first_slot[s]);
		odo_deal(id, n, dealt, pick);
		for (unsigned phase = 0; n && phase < hop_table->n_phases; phase++)
			hop_table->port[(size_t)hop * hop_table->n_phases + phase] = (uint8_t)
				odo_port(f, slot[pick[phase % dealt]]);
	}
}
