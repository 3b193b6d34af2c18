/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/minimal/hops.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/graph/deal.h"

unsigned odo_hops_phases(const odo_coordinates *c, unsigned first, unsigned limit)
{
	unsigned phases = 1;
	for (unsigned i = first; i < c->n_dims; i++)
		if (c->width[i])
			phases = odo_lcm(phases, c->width[i], limit);
	return phases;
}

static void turn(odo_hops *g)
{
	const odo_coordinates *c = g->c;
	memset(g->known, 1, g->n);
	for (uint32_t s = 0; s < g->n; s++) {
		for (unsigned i = 0; i < c->n_dims; i++) {
			uint32_t v = odo_at(c, s)[i];
			if (v >= c->size[i])
				g->known[s] = 0;
			g->value[(size_t)i * g->n + s] = v < c->size[i] ? v : 0;
		}
	}
}

int odo_hops_init(odo_hops *g, const odo_fabric *f, const odo_coordinates *c, unsigned n_phases,
		  odo_error *err)
{
	*g = (odo_hops){.f = f, .c = c, .n = f->n_switches, .n_phases = n_phases};
	g->base = odo_new(c->n_dims + 1ul, sizeof *g->base);
	for (unsigned i = 0; g->base && i < c->n_dims; i++)
		g->base[i + 1] = g->base[i] + c->size[i];
	uint32_t hops = g->base ? g->base[c->n_dims] : 0;
	g->value = odo_new((size_t)c->n_dims * g->n, sizeof *g->value);
	g->known = odo_new(g->n, 1);
	g->port = odo_new((size_t)(hops + 1) * n_phases, 1);
	g->count = odo_new(hops, sizeof *g->count);
	g->slot = odo_new((size_t)hops * ODO_MAX_PORTS, sizeof *g->slot);
	if (!g->base || !g->value || !g->known || !g->port || !g->count || !g->slot)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	turn(g);
	return 0;
}

void odo_hops_clear(odo_hops *g)
{
	free(g->base);
	free(g->value);
	free(g->known);
	free(g->port);
	free(g->adjacent);
	free(g->ring);
	free(g->count);
	free(g->slot);
}

bool odo_hops_is_sound(const odo_hops *g, uint32_t s, uint32_t t, unsigned dim)
{
	for (unsigned i = 0; i < g->c->n_dims; i++)
		if ((g->value[(size_t)i * g->n + s] != g->value[(size_t)i * g->n + t]) !=
		    (i == dim))
			return false;
	return g->known[s] && g->known[t];
}

void odo_hops_look(odo_hops *g, uint32_t s, unsigned first)
{
	const odo_fabric *f = g->f;
	uint32_t hops = g->base[g->c->n_dims], id[ODO_MAX_PORTS], pick[ODO_MAX_PHASES];
	memset(g->count, 0, hops * sizeof *g->count);
	memset(g->port, ODO_NO_PORT, (size_t)(hops + 1) * g->n_phases);
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		unsigned dim = g->c->port_class[i];
		uint32_t t = odo_next_switch(f, i);
		if (t == ODO_NONE || dim < first || dim >= g->c->n_dims ||
		    !odo_hops_is_sound(g, s, t, dim))
			continue;
		uint32_t hop = g->base[dim] + g->value[(size_t)dim * g->n + t];
		g->slot[hop * ODO_MAX_PORTS + g->count[hop]++] = i;
	}
	uint32_t own = odo_node_hash(f, s);
	for (uint32_t hop = 0; hop < hops; hop++) {
		const uint32_t *slot = g->slot + (size_t)hop * ODO_MAX_PORTS;
		for (uint32_t j = 0; j < g->count[hop]; j++)
			id[j] = odo_mix(own + slot[j] - f->first_slot[s]);
		if (!g->count[hop])
			continue;
		odo_deal(id, g->count[hop], g->n_phases, pick);
		for (unsigned phase = 0; phase < g->n_phases; phase++)
			g->port[(size_t)hop * g->n_phases + phase] = (uint8_t)odo_port(
				f, slot[pick[phase]]);
	}
}
