/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/adaptive/groups.h"

static void allocate_groups(odo_groups *groups, odo_arena *memory, size_t n_slots)
{
	size_t n = groups->n;
	groups->group = odo_arena_new(memory, n, sizeof *groups->group);
	groups->place = odo_arena_new(memory, n, sizeof *groups->place);
	groups->local = odo_arena_new(memory, n, sizeof *groups->local);
	groups->global = odo_arena_new(memory, n, sizeof *groups->global);
	groups->input = odo_arena_new(memory, n_slots, sizeof *groups->input);
	groups->to_place = odo_arena_new(memory, n * groups->n_places, sizeof *groups->to_place);
	groups->to_group = odo_arena_new(memory, n * groups->n_groups, sizeof *groups->to_group);
	groups->via = odo_arena_new(memory, n * groups->n_groups, sizeof *groups->via);
	groups->next = odo_arena_new(memory, n * ODO_EXT_MAX_PORTS, sizeof *groups->next);
}

/* Add a cable that fits its class: local within the group, or global out of it. */
static void add_group_cable(odo_groups *groups, uint32_t s, unsigned port, uint32_t v,
			    unsigned class)
{
	bool same = groups->group[s] == groups->group[v];
	if (class == ODO_PORT_GLOBAL && !same) {
		groups->global[s] |= odo_ext_bit(port);
		groups->to_group[(size_t)s * groups->n_groups + groups->group[v]] |= odo_ext_bit(
			port);
	} else if (class == 1 && same && s != v) {
		groups->local[s] |= odo_ext_bit(port);
		groups->to_place[(size_t)s * groups->n_places + groups->place[v]] |= odo_ext_bit(
			port);
	}
}

static void copy_group_ports(odo_groups *groups, const odo_fabric *f, const odo_coordinates *c)
{
	for (uint32_t s = 0; s < groups->n; s++) {
		const uint32_t *at = odo_at(c, s);
		bool known = at[0] < groups->n_groups && at[1] < groups->n_places;
		groups->group[s] = known ? at[0] : ODO_NONE;
		groups->place[s] = known ? at[1] : 0;
	}
	for (uint32_t s = 0; s < groups->n; s++) {
		for (unsigned port = 1; port <= odo_n_ports(f, s); port++) {
			uint32_t slot = odo_slot(f, s, port), v = odo_next_switch(f, slot);
			groups->next[(size_t)s * ODO_EXT_MAX_PORTS + port - 1] = v;
			if (v != ODO_NONE && groups->group[s] != ODO_NONE &&
			    groups->group[v] != ODO_NONE)
				add_group_cable(groups, s, port, v, c->port_class[slot]);
		}
		uint8_t *input = groups->input + f->first_slot[s];
		for (unsigned i = 0; i < odo_n_ports(f, s); i++)
			input[i] = groups->local[s] >> i & 1    ? ODO_BY_LOCAL
				   : groups->global[s] >> i & 1 ? ODO_BY_GLOBAL
								: ODO_BY_OTHER;
	}
}

static void find_via(odo_groups *groups)
{
	for (uint32_t s = 0; s < groups->n; s++) {
		uint64_t *via = groups->via + (size_t)s * groups->n_groups;
		for (uint64_t left = groups->local[s]; left; left &= left - 1) {
			unsigned port = (unsigned)__builtin_ctzll(left) + 1;
			uint32_t v = odo_groups_next(groups, s, port);
			for (uint32_t to = 0; to < groups->n_groups; to++)
				if (odo_groups_to(groups, v, to))
					via[to] |= odo_ext_bit(port);
		}
	}
}

static bool are_groups_whole(const odo_groups *groups)
{
	if (groups->n != (size_t)groups->n_groups * groups->n_places)
		return false;
	for (uint32_t s = 0; s < groups->n; s++) {
		if (groups->group[s] == ODO_NONE || (groups->n_groups > 1 && !groups->global[s]))
			return false;
		for (uint32_t place = 0; place < groups->n_places; place++)
			if (place != groups->place[s] &&
			    !groups->to_place[(size_t)s * groups->n_places + place])
				return false;
		for (uint32_t to = 0; to < groups->n_groups; to++)
			if (to != groups->group[s] && !odo_groups_to(groups, s, to) &&
			    !odo_groups_via(groups, s, to))
				return false;
	}
	return true;
}

int odo_groups_init(odo_groups *groups, odo_arena *memory, const odo_fabric *f,
		    const odo_coordinates *c, odo_error *err)
{
	*groups = (odo_groups){.n = f->n_switches};
	if (c->n_dims != 2)
		return odo_fail(err, ODO_EDECLINE,
				"expected groups that are complete graphs, found %u dimensions in "
				"them",
				c->n_dims - 1);
	groups->n_groups = c->size[0];
	groups->n_places = c->size[1];
	int status = odo_ext_check_ports(f, err);
	if (status)
		return status;
	allocate_groups(groups, memory, f->first_slot[f->n_switches]);
	if (memory->failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for the ports of %u switches",
				groups->n);
	copy_group_ports(groups, f, c);
	find_via(groups);
	groups->whole = are_groups_whole(groups);
	return 0;
}
