/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ways.h"

#include <stdlib.h>

#include "base/memory.h"

void odo_ways_free(odo_ways *w)
{
	if (!w)
		return;
	free(w->home);
	free(w->host_port);
	free(w->group);
	free(w->position);
	free(w->member);
	free(w->local_port);
	free(w->first_gateway);
	free(w->gateways);
	free(w->first_global);
	free(w->global_port);
	free(w);
}

static int allocate(odo_ways *w, const odo_fabric *f, uint32_t n_global)
{
	size_t pairs = (size_t)w->n_groups * w->n_groups;
	w->home = odo_new(f->n_hosts, sizeof *w->home);
	w->host_port = odo_new(f->n_hosts, 1);
	w->group = odo_new(w->n_switches, sizeof *w->group);
	w->position = odo_new(w->n_switches, sizeof *w->position);
	w->member = odo_new((size_t)w->n_groups * w->a, sizeof *w->member);
	w->local_port = odo_new((size_t)w->n_switches * w->a, 1);
	w->first_gateway = odo_new(pairs + 1, sizeof *w->first_gateway);
	w->gateways = odo_new(n_global, sizeof *w->gateways);
	w->first_global = odo_new(w->n_switches + 1ul, sizeof *w->first_global);
	w->global_port = odo_new(n_global, 1);
	bool all = w->home && w->host_port && w->group && w->position && w->member &&
		   w->local_port && w->first_gateway && w->gateways && w->first_global &&
		   w->global_port;
	return all ? 0 : ODO_ENOMEM;
}

static void place_hosts(odo_ways *w, const odo_fabric *f)
{
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->peer[f->host_slot[h]];
		w->home[h] = f->owner[slot];
		w->host_port[h] = (uint8_t)odo_port(f, slot);
	}
}

/* Switches into groups, and every seat taken exactly once. */
static int place_switches(odo_ways *w, const odo_coordinates *c, odo_error *err)
{
	for (uint32_t i = 0; i < w->n_groups * w->a; i++)
		w->member[i] = ODO_NONE;
	for (uint32_t s = 0; s < w->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[0] >= w->n_groups || at[1] >= w->a ||
		    w->member[at[0] * w->a + at[1]] != ODO_NONE)
			return odo_fail(err, ODO_EDECLINE,
					"expected every switch at coordinates of its own, found "
					"\"%s\" without",
					odo_name(w->fabric, s));
		w->group[s] = at[0];
		w->position[s] = at[1];
		w->member[at[0] * w->a + at[1]] = s;
	}
	return 0;
}

/* Class of a slot; ODO_PORT_WRONG for one that is set aside. Mapping may find a cable between
 * groups wrong because one that is set aside runs beside it. */
static uint8_t class_of(const odo_fabric *f, const odo_coordinates *c, const uint8_t *aside,
			uint32_t slot)
{
	if (!aside || c->port_class[slot] == ODO_PORT_HOST || c->port_class[slot] == ODO_PORT_FREE)
		return c->port_class[slot];
	if (aside[slot])
		return ODO_PORT_WRONG;
	uint32_t there = odo_next_switch(f, slot);
	return odo_at(c, f->owner[slot])[0] == odo_at(c, there)[0] ? 1 : ODO_PORT_GLOBAL;
}

static void count_gateways(odo_ways *w, const odo_fabric *f, const odo_coordinates *c,
			   const uint8_t *aside)
{
	for (uint32_t s = 0; s < w->n_switches; s++) {
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			if (class_of(f, c, aside, slot) != ODO_PORT_GLOBAL)
				continue;
			uint32_t there = w->group[odo_next_switch(f, slot)];
			w->first_gateway[w->group[s] * w->n_groups + there + 1]++;
			w->first_global[s + 1]++;
		}
	}
	for (size_t i = 0; i < (size_t)w->n_groups * w->n_groups; i++)
		w->first_gateway[i + 1] += w->first_gateway[i];
	for (uint32_t s = 0; s < w->n_switches; s++)
		w->first_global[s + 1] += w->first_global[s];
}

static int fill_ports(odo_ways *w, const odo_fabric *f, const odo_coordinates *c,
		      const uint8_t *aside, odo_error *err)
{
	size_t pairs = (size_t)w->n_groups * w->n_groups;
	uint32_t *next = odo_new(pairs, sizeof *next), next_global = 0;
	if (!next)
		return odo_fail(err, ODO_ENOMEM, "no memory for gateways");
	for (uint32_t at = 0; at < w->n_groups * w->a; at++) {
		uint32_t s = w->member[at];
		next_global = w->first_global[s];
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t t = odo_next_switch(f, slot);
			uint8_t port = (uint8_t)odo_port(f, slot);
			uint8_t class = class_of(f, c, aside, slot);
			if (class == 1 && !w->local_port[s * w->a + w->position[t]])
				w->local_port[s * w->a + w->position[t]] = port;
			if (class != ODO_PORT_GLOBAL)
				continue;
			size_t pair = (size_t)w->group[s] * w->n_groups + w->group[t];
			w->gateways[w->first_gateway[pair] + next[pair]++] = (odo_gateway){s, t,
											   port};
			w->global_port[next_global++] = port;
		}
	}
	free(next);
	return 0;
}

static int check_whole(const odo_ways *w, odo_error *err)
{
	for (uint32_t s = 0; s < w->n_switches; s++)
		for (uint32_t i = 0; i < w->a; i++)
			if (i != w->position[s] && !w->local_port[s * w->a + i])
				return odo_fail(
					err, ODO_EDECLINE,
					"expected a whole dragonfly, found no cable from \"%s\" to "
					"\"%s\"",
					odo_name(w->fabric, s),
					odo_name(w->fabric, w->member[w->group[s] * w->a + i]));
	for (uint32_t u = 0; u < w->n_groups; u++)
		for (uint32_t v = 0; v < w->n_groups; v++)
			if (u != v && w->first_gateway[u * w->n_groups + v] ==
					      w->first_gateway[u * w->n_groups + v + 1])
				return odo_fail(err, ODO_EDECLINE,
						"expected a whole dragonfly, found no cable from "
						"group %u to %u",
						u, v);
	return 0;
}

static int check_kind(const odo_fabric *f, const odo_coordinates *c, odo_error *err)
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
	int status = check_kind(f, c, err);
	if (status)
		return status;
	uint32_t n_global = 0;
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		n_global += class_of(f, c, aside, slot) == ODO_PORT_GLOBAL;
	odo_ways *w = odo_new(1, sizeof *w);
	if (!w)
		return odo_fail(err, ODO_ENOMEM, "no memory for ways");
	w->fabric = f;
	w->n_groups = c->size[0];
	w->a = c->size[1];
	w->n_switches = f->n_switches;
	status = allocate(w, f, n_global);
	if (status) {
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
		goto done;
	}
	place_hosts(w, f);
	status = place_switches(w, c, err);
	if (status)
		goto done;
	count_gateways(w, f, c, aside);
	status = fill_ports(w, f, c, aside, err);
	if (!status)
		status = check_whole(w, err);
done:
	if (status)
		odo_ways_free(w);
	else
		*out = w;
	return status;
}

const odo_gateway *odo_ways_gateway(const odo_ways *w, uint32_t node, uint32_t group,
				    uint32_t spread)
{
	size_t pair = (size_t)w->group[node] * w->n_groups + group;
	uint32_t first = w->first_gateway[pair], n = w->first_gateway[pair + 1] - first;
	const odo_gateway *g = &w->gateways[first];
	for (uint32_t i = 0; n > 1 && i < n; i++)
		if (g[(spread + i) % n].node == node)
			return &g[(spread + i) % n];
	return &g[n > 1 ? spread % n : 0];
}

uint8_t odo_ways_to_group(const odo_ways *w, uint32_t node, uint32_t group, uint32_t spread,
			  odo_link_class *class)
{
	const odo_gateway *g = odo_ways_gateway(w, node, group, spread);
	*class = g->node == node ? ODO_LINK_GLOBAL : ODO_LINK_LOCAL;
	return g->node == node ? g->port : w->local_port[node * w->a + w->position[g->node]];
}

uint8_t odo_ways_minimal(const odo_ways *w, uint32_t node, uint32_t target, uint32_t spread,
			 odo_link_class *class)
{
	if (w->group[node] != w->group[target])
		return odo_ways_to_group(w, node, w->group[target], spread, class);
	*class = ODO_LINK_LOCAL;
	return w->local_port[node * w->a + w->position[target]];
}

unsigned odo_ways_distance(const odo_ways *w, uint32_t from, uint32_t to, uint32_t spread)
{
	if (w->group[from] == w->group[to])
		return from != to;
	const odo_gateway *g = odo_ways_gateway(w, from, w->group[to], spread);
	return (g->node != from) + 1u + (g->there != to);
}
