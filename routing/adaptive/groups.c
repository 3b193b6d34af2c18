/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/adaptive/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void odo_groups_clear(odo_groups *g)
{
	free(g->group);
	free(g->place);
	free(g->local);
	free(g->global);
	free(g->input);
	free(g->to_place);
	free(g->to_group);
	free(g->via);
	free(g->next);
	*g = (odo_groups){0};
}

static int allocate(odo_groups *g, size_t n_slots)
{
	size_t n = g->n;
	g->group = odo_new(n, sizeof *g->group);
	g->place = odo_new(n, sizeof *g->place);
	g->local = odo_new(n, sizeof *g->local);
	g->global = odo_new(n, sizeof *g->global);
	g->input = odo_new(n_slots, sizeof *g->input);
	g->to_place = odo_new(n * g->n_places, sizeof *g->to_place);
	g->to_group = odo_new(n * g->n_groups, sizeof *g->to_group);
	g->via = odo_new(n * g->n_groups, sizeof *g->via);
	g->next = odo_new(n * ODO_EXT_MAX_PORTS, sizeof *g->next);
	return g->group && g->place && g->local && g->global && g->input && g->to_place &&
			       g->to_group && g->via && g->next
		       ? 0
		       : ODO_ENOMEM;
}

/* A cable that is what its class says: local within the group, global out of it. */
static void add_cable(odo_groups *g, uint32_t s, unsigned port, uint32_t v, unsigned class)
{
	bool same = g->group[s] == g->group[v];
	if (class == ODO_PORT_GLOBAL && !same) {
		g->global[s] |= odo_ext_bit(port);
		g->to_group[(size_t)s * g->n_groups + g->group[v]] |= odo_ext_bit(port);
	} else if (class == 1 && same && s != v) {
		g->local[s] |= odo_ext_bit(port);
		g->to_place[(size_t)s * g->n_places + g->place[v]] |= odo_ext_bit(port);
	}
}

static void copy_ports(odo_groups *g, const odo_fabric *f, const odo_coordinates *c)
{
	for (uint32_t s = 0; s < g->n; s++) {
		const uint32_t *at = odo_at(c, s);
		bool known = at[0] < g->n_groups && at[1] < g->n_places;
		g->group[s] = known ? at[0] : ODO_NONE;
		g->place[s] = known ? at[1] : 0;
	}
	for (uint32_t s = 0; s < g->n; s++) {
		for (unsigned port = 1; port <= odo_n_ports(f, s); port++) {
			uint32_t slot = odo_slot(f, s, port), v = odo_next_switch(f, slot);
			g->next[(size_t)s * ODO_EXT_MAX_PORTS + port - 1] = v;
			if (v != ODO_NONE && g->group[s] != ODO_NONE && g->group[v] != ODO_NONE)
				add_cable(g, s, port, v, c->port_class[slot]);
		}
		uint8_t *input = g->input + f->first_slot[s];
		for (unsigned i = 0; i < odo_n_ports(f, s); i++)
			input[i] = g->local[s] >> i & 1    ? ODO_BY_LOCAL
				   : g->global[s] >> i & 1 ? ODO_BY_GLOBAL
							   : ODO_BY_OTHER;
	}
}

static void find_via(odo_groups *g)
{
	for (uint32_t s = 0; s < g->n; s++) {
		uint64_t *via = g->via + (size_t)s * g->n_groups;
		for (uint64_t left = g->local[s]; left; left &= left - 1) {
			unsigned port = (unsigned)__builtin_ctzll(left) + 1;
			uint32_t v = odo_groups_next(g, s, port);
			for (uint32_t to = 0; to < g->n_groups; to++)
				if (odo_groups_to(g, v, to))
					via[to] |= odo_ext_bit(port);
		}
	}
}

static bool is_whole(const odo_groups *g)
{
	if (g->n != (size_t)g->n_groups * g->n_places)
		return false;
	for (uint32_t s = 0; s < g->n; s++) {
		if (g->group[s] == ODO_NONE || (g->n_groups > 1 && !g->global[s]))
			return false;
		for (uint32_t place = 0; place < g->n_places; place++)
			if (place != g->place[s] && !g->to_place[(size_t)s * g->n_places + place])
				return false;
		for (uint32_t to = 0; to < g->n_groups; to++)
			if (to != g->group[s] && !odo_groups_to(g, s, to) &&
			    !odo_groups_via(g, s, to))
				return false;
	}
	return true;
}

int odo_groups_init(odo_groups *g, const odo_fabric *f, const odo_coordinates *c, odo_error *err)
{
	*g = (odo_groups){.n = f->n_switches};
	if (c->n_dims != 2)
		return odo_fail(err, ODO_EDECLINE,
				"expected groups that are complete graphs, found %u dimensions in "
				"them",
				c->n_dims - 1);
	g->n_groups = c->size[0];
	g->n_places = c->size[1];
	int status = odo_ext_check_ports(f, err);
	if (status)
		return status;
	if (allocate(g, f->first_slot[f->n_switches]))
		return odo_fail(err, ODO_ENOMEM, "no memory for the ports of %u switches", g->n);
	copy_ports(g, f, c);
	find_via(g);
	g->whole = is_whole(g);
	return 0;
}
