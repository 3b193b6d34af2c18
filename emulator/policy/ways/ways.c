/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ways/ways.h"

#include <stdlib.h>

#include "base/memory.h"
#include "emulator/policy/ways/homes.h"

void odo_ways_free(odo_ways *ways)
{
	if (!ways)
		return;
	odo_arena_free(&ways->memory);
	free(ways);
}

static int ways_alloc(odo_ways *ways, const odo_fabric *f, uint32_t n_global)
{
	odo_arena *memory = &ways->memory;
	size_t pairs = (size_t)ways->n_groups * ways->n_groups;
	odo_find_homes(f, memory, &ways->home, &ways->host_port);
	ways->group = odo_arena_new(memory, ways->n_switches, sizeof *ways->group);
	ways->position = odo_arena_new(memory, ways->n_switches, sizeof *ways->position);
	ways->member = odo_arena_new(memory, (size_t)ways->n_groups * ways->a,
				     sizeof *ways->member);
	ways->local_port = odo_arena_new(memory, (size_t)ways->n_switches * ways->a, 1);
	ways->first_gateway = odo_arena_new(memory, pairs + 1, sizeof *ways->first_gateway);
	ways->gateways = odo_arena_new(memory, n_global, sizeof *ways->gateways);
	ways->first_global = odo_arena_new(memory, ways->n_switches + 1ul,
					   sizeof *ways->first_global);
	ways->global_port = odo_arena_new(memory, n_global, 1);
	ways->class = odo_arena_new(memory, f->first_slot[ways->n_switches], 1);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Place switches in groups; every place must be taken exactly once. */
static int group_switches(odo_ways *ways, const odo_coordinates *c, odo_error *err)
{
	for (uint32_t i = 0; i < ways->n_groups * ways->a; i++)
		ways->member[i] = ODO_NONE;
	for (uint32_t s = 0; s < ways->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[0] >= ways->n_groups || at[1] >= ways->a ||
		    ways->member[at[0] * ways->a + at[1]] != ODO_NONE)
			return odo_fail(err, ODO_EDECLINE,
					"expected every switch at coordinates of its own, found "
					"\"%s\" without",
					odo_name(ways->fabric, s));
		ways->group[s] = at[0];
		ways->position[s] = at[1];
		ways->member[at[0] * ways->a + at[1]] = s;
	}
	return 0;
}

/* Follow the cables once here, not for each packet. */
static void name_classes(odo_ways *ways, const odo_fabric *f)
{
	for (uint32_t slot = 0; slot < f->first_slot[ways->n_switches]; slot++) {
		uint32_t there = odo_next_switch(f, slot);
		ways->class[slot] = there == ODO_NONE ? ODO_LINK_HOST
				    : ways->group[there] == ways->group[f->owner[slot]]
					    ? ODO_LINK_LOCAL
					    : ODO_LINK_GLOBAL;
	}
}

/* Class of a slot; ODO_PORT_WRONG for a cable that is set aside. Mapping may report a cable between
 * groups as wrong because a cable that is set aside runs beside it. */
static uint8_t class_without(const odo_fabric *f, const odo_coordinates *c, const uint8_t *aside,
			     uint32_t slot)
{
	if (!aside || c->port_class[slot] == ODO_PORT_HOST || c->port_class[slot] == ODO_PORT_FREE)
		return c->port_class[slot];
	if (aside[slot])
		return ODO_PORT_WRONG;
	uint32_t there = odo_next_switch(f, slot);
	return odo_at(c, f->owner[slot])[0] == odo_at(c, there)[0] ? 1 : ODO_PORT_GLOBAL;
}

static void count_gateways(odo_ways *ways, const odo_fabric *f, const odo_coordinates *c,
			   const uint8_t *aside)
{
	for (uint32_t s = 0; s < ways->n_switches; s++) {
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			if (class_without(f, c, aside, slot) != ODO_PORT_GLOBAL)
				continue;
			uint32_t there = ways->group[odo_next_switch(f, slot)];
			ways->first_gateway[ways->group[s] * ways->n_groups + there + 1]++;
			ways->first_global[s + 1]++;
		}
	}
	for (size_t i = 0; i < (size_t)ways->n_groups * ways->n_groups; i++)
		ways->first_gateway[i + 1] += ways->first_gateway[i];
	for (uint32_t s = 0; s < ways->n_switches; s++)
		ways->first_global[s + 1] += ways->first_global[s];
}

static int fill_gateways(odo_ways *ways, const odo_fabric *f, const odo_coordinates *c,
			 const uint8_t *aside, odo_error *err)
{
	size_t pairs = (size_t)ways->n_groups * ways->n_groups;
	uint32_t *next = odo_new(pairs, sizeof *next), next_global = 0;
	if (!next)
		return odo_fail(err, ODO_ENOMEM, "no memory for gateways");
	for (uint32_t at = 0; at < ways->n_groups * ways->a; at++) {
		uint32_t s = ways->member[at];
		next_global = ways->first_global[s];
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t t = odo_next_switch(f, slot);
			uint8_t port = (uint8_t)odo_port(f, slot);
			uint8_t class = class_without(f, c, aside, slot);
			if (class == 1 && !ways->local_port[s * ways->a + ways->position[t]])
				ways->local_port[s * ways->a + ways->position[t]] = port;
			if (class != ODO_PORT_GLOBAL)
				continue;
			size_t pair = (size_t)ways->group[s] * ways->n_groups + ways->group[t];
			ways->gateways[ways->first_gateway[pair] + next[pair]++] = (odo_gateway){
				s, t, port, (uint8_t)(next_global - ways->first_global[s])};
			ways->global_port[next_global++] = port;
		}
	}
	free(next);
	return 0;
}

static int check_whole_dragonfly(const odo_ways *ways, odo_error *err)
{
	for (uint32_t s = 0; s < ways->n_switches; s++)
		for (uint32_t i = 0; i < ways->a; i++)
			if (i != ways->position[s] && !ways->local_port[s * ways->a + i])
				return odo_fail(
					err, ODO_EDECLINE,
					"expected a whole dragonfly, found no cable from \"%s\" to "
					"\"%s\"",
					odo_name(ways->fabric, s),
					odo_name(ways->fabric,
						 ways->member[ways->group[s] * ways->a + i]));
	for (uint32_t u = 0; u < ways->n_groups; u++)
		for (uint32_t v = 0; v < ways->n_groups; v++)
			if (u != v && ways->first_gateway[u * ways->n_groups + v] ==
					      ways->first_gateway[u * ways->n_groups + v + 1])
				return odo_fail(err, ODO_EDECLINE,
						"expected a whole dragonfly, found no cable from "
						"group %u to %u",
						u, v);
	return 0;
}

static int check_is_dragonfly(const odo_fabric *f, const odo_coordinates *c, odo_error *err)
{
	if (!c || c->kind != ODO_KIND_DRAGONFLY || c->n_dims != 2)
		return odo_fail(err, ODO_EDECLINE,
				"expected a dragonfly whose groups are complete graphs, found %s",
				c ? odo_kind_name(c->kind) : "no coordinates");
	if ((uint64_t)c->size[0] * c->size[1] != f->n_switches)
		return odo_fail(err, ODO_EDECLINE,
				"expected a whole dragonfly of %u groups of %u, found %u switches",
				c->size[0], c->size[1], f->n_switches);
	return 0;
}

int odo_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_ways **out, odo_error *err)
{
	return odo_ways_create_without(f, c, NULL, out, err);
}

int odo_ways_create_without(const odo_fabric *f, const odo_coordinates *c, const uint8_t *aside,
			    odo_ways **out, odo_error *err)
{
	int status = check_is_dragonfly(f, c, err);
	if (status)
		return status;
	uint32_t n_global = 0;
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		n_global += class_without(f, c, aside, slot) == ODO_PORT_GLOBAL;
	odo_ways *ways = odo_new(1, sizeof *ways);
	if (!ways)
		return odo_fail(err, ODO_ENOMEM, "no memory for ways");
	ways->fabric = f;
	ways->n_groups = c->size[0];
	ways->a = c->size[1];
	ways->n_switches = f->n_switches;
	status = ways_alloc(ways, f, n_global);
	if (status) {
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
		goto done;
	}
	status = group_switches(ways, c, err);
	if (status)
		goto done;
	name_classes(ways, f);
	count_gateways(ways, f, c, aside);
	status = fill_gateways(ways, f, c, aside, err);
	if (!status)
		status = check_whole_dragonfly(ways, err);
done:
	if (status)
		odo_ways_free(ways);
	else
		*out = ways;
	return status;
}

const odo_gateway *odo_ways_gateway(const odo_ways *ways, uint32_t node, uint32_t group,
				    uint32_t spread)
{
	size_t pair = (size_t)ways->group[node] * ways->n_groups + group;
	uint32_t first = ways->first_gateway[pair], n = ways->first_gateway[pair + 1] - first;
	const odo_gateway *gateway = &ways->gateways[first];
	for (uint32_t i = 0; n > 1 && i < n; i++)
		if (gateway[(spread + i) % n].node == node)
			return &gateway[(spread + i) % n];
	return &gateway[n > 1 ? spread % n : 0];
}

uint8_t odo_ways_to_group(const odo_ways *ways, uint32_t node, uint32_t group, uint32_t spread,
			  odo_link_class *class)
{
	const odo_gateway *gateway = odo_ways_gateway(ways, node, group, spread);
	*class = gateway->node == node ? ODO_LINK_GLOBAL : ODO_LINK_LOCAL;
	return gateway->node == node
		       ? gateway->port
		       : ways->local_port[node * ways->a + ways->position[gateway->node]];
}

uint8_t odo_ways_minimal(const odo_ways *ways, uint32_t node, uint32_t target, uint32_t spread,
			 odo_link_class *class)
{
	if (ways->group[node] != ways->group[target])
		return odo_ways_to_group(ways, node, ways->group[target], spread, class);
	*class = ODO_LINK_LOCAL;
	return ways->local_port[node * ways->a + ways->position[target]];
}

unsigned odo_ways_distance(const odo_ways *ways, uint32_t from, uint32_t to, uint32_t spread)
{
	if (ways->group[from] == ways->group[to])
		return from != to;
	const odo_gateway *gateway = odo_ways_gateway(ways, from, ways->group[to], spread);
	return (gateway->node != from) + 1u + (gateway->there != to);
}
