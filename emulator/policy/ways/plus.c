/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ways/plus.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "emulator/policy/ways/homes.h"

/* Coordinates of a Dragonfly+. */
enum { GROUP, LEVEL, DIMS = 3 };

void odo_plus_ways_free(odo_plus_ways *ways)
{
	if (!ways)
		return;
	odo_arena_free(&ways->memory);
	free(ways);
}

static int place_plus_switches(odo_plus_ways *ways, const odo_coordinates *c, odo_error *err)
{
	const odo_fabric *f = ways->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[GROUP] >= ways->n_groups || at[LEVEL] > 1)
			return odo_fail(err, ODO_EDECLINE,
					"expected every switch in a group, found \"%s\" in none",
					odo_name(f, s));
		ways->group[s] = at[GROUP];
		ways->leaf[s] = at[LEVEL] ? ODO_NONE : ways->in_groups[at[GROUP] + 1]++;
		ways->n_leaves += !at[LEVEL];
	}
	uint32_t most = 0;
	for (uint32_t g = 0; g < ways->n_groups; g++) {
		most = ways->in_groups[g + 1] > most ? ways->in_groups[g + 1] : most;
		ways->in_groups[g + 1] += ways->in_groups[g];
	}
	ways->n_keys = ways->n_groups + most;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (!odo_plus_is_spine(ways, s))
			ways->leaves[ways->in_groups[ways->group[s]] + ways->leaf[s]] = s;
	return 0;
}

static int check_hosts_on_leaves(const odo_plus_ways *ways, odo_error *err)
{
	const odo_fabric *f = ways->fabric;
	for (uint32_t h = 0; h < f->n_senders; h++)
		if (odo_plus_is_spine(ways, ways->home[h]))
			return odo_fail(err, ODO_EDECLINE,
					"expected hosts on leaves only, found one on \"%s\"",
					odo_name(f, ways->home[h]));
	return 0;
}

static int plus_alloc(odo_plus_ways *ways)
{
	const odo_fabric *f = ways->fabric;
	odo_arena *memory = &ways->memory;
	odo_find_homes(f, memory, &ways->home, &ways->host_port);
	ways->group = odo_arena_new(memory, f->n_switches, sizeof *ways->group);
	ways->leaf = odo_arena_new(memory, f->n_switches, sizeof *ways->leaf);
	ways->leaves = odo_arena_new(memory, f->n_switches, sizeof *ways->leaves);
	ways->in_groups = odo_arena_new(memory, ways->n_groups + 1ul, sizeof *ways->in_groups);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Return the switch at the far end of a cable; ODO_NONE for hosts, free ports and wrong cables. */
static uint32_t far_end(const odo_plus_ways *ways, const odo_coordinates *c, uint32_t slot)
{
	uint32_t s = ways->fabric->owner[slot], t = odo_next_switch(ways->fabric, slot);
	if (t == ODO_NONE || c->port_class[slot] > 1)
		return ODO_NONE;
	bool global = ways->group[s] != ways->group[t];
	bool spines = odo_plus_is_spine(ways, s) && odo_plus_is_spine(ways, t);
	bool either = odo_plus_is_spine(ways, s) != odo_plus_is_spine(ways, t);
	return (global ? spines : either) ? t : ODO_NONE;
}

/* Mark the keys of a cable from s to t. From a leaf up, these are all groups to which the spine has
 * cables, and its own group. */
static void mark_keys(const odo_plus_ways *ways, const odo_coordinates *c, uint32_t s, uint32_t t,
		      uint8_t *keys)
{
	const odo_fabric *f = ways->fabric;
	memset(keys, 0, ways->n_keys);
	if (ways->group[s] != ways->group[t]) {
		keys[ways->group[t]] = 1;
	} else if (odo_plus_is_spine(ways, s)) {
		keys[ways->n_groups + ways->leaf[t]] = 1;
	} else {
		for (uint32_t slot = f->first_slot[t]; slot < f->first_slot[t + 1]; slot++) {
			uint32_t there = far_end(ways, c, slot);
			if (there != ODO_NONE)
				keys[ways->group[there]] = 1;
		}
	}
}

/* List the ports of each switch by key: first count them, then fill in each key's ports one after
 * another. */
static void list_ports(odo_plus_ways *ways, const odo_coordinates *c, uint8_t *keys, bool fill)
{
	const odo_fabric *f = ways->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t *next = ways->first + (size_t)s * ways->n_keys + !fill;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t t = far_end(ways, c, slot);
			if (t == ODO_NONE)
				continue;
			mark_keys(ways, c, s, t, keys);
			for (uint32_t key = 0; key < ways->n_keys; key++) {
				if (keys[key] && fill)
					ways->port[next[key]] = (uint8_t)odo_port(f, slot);
				next[key] += keys[key];
			}
		}
	}
}

static int find_ports(odo_plus_ways *ways, const odo_coordinates *c)
{
	odo_arena *memory = &ways->memory;
	size_t n = (size_t)ways->fabric->n_switches * ways->n_keys;
	uint8_t *keys = odo_arena_new(memory, ways->n_keys, 1);
	ways->first = odo_arena_new(memory, n + 1, sizeof *ways->first);
	if (memory->failed)
		return ODO_ENOMEM;
	list_ports(ways, c, keys, false);
	for (size_t i = 0; i < n; i++)
		ways->first[i + 1] += ways->first[i];
	ways->port = odo_arena_new(memory, ways->first[n], 1);
	if (memory->failed)
		return ODO_ENOMEM;
	list_ports(ways, c, keys, true);
	/* Each entry has moved to the start of the next one. */
	memmove(ways->first + 1, ways->first, n * sizeof *ways->first);
	ways->first[0] = 0;
	return 0;
}

static bool is_whole_plus(const odo_plus_ways *ways)
{
	unsigned n;
	for (uint32_t i = 0; i < ways->n_leaves; i++)
		for (uint32_t g = 0; g < ways->n_groups; g++) {
			odo_plus_towards(ways, ways->leaves[i], g, &n);
			if (!n)
				return false;
		}
	for (uint32_t s = 0; s < ways->fabric->n_switches; s++) {
		uint32_t end = ways->in_groups[ways->group[s] + 1];
		for (uint32_t i = ways->in_groups[ways->group[s]];
		     odo_plus_is_spine(ways, s) && i < end; i++) {
			odo_plus_down(ways, s, ways->leaves[i], &n);
			if (!n)
				return false;
		}
	}
	return true;
}

static bool spine_is_over(const odo_plus_ways *ways, uint32_t spine, uint32_t leaf)
{
	unsigned n = 0;
	if (ways->group[spine] == ways->group[leaf] && odo_plus_is_spine(ways, spine))
		odo_plus_down(ways, spine, leaf, &n);
	return n > 0;
}

/* Does a spine go down to a leaf, or across to a spine over it? */
static bool spine_leads(const odo_plus_ways *ways, uint32_t spine, uint32_t leaf)
{
	unsigned n;
	if (ways->group[spine] == ways->group[leaf])
		return spine_is_over(ways, spine, leaf);
	const uint8_t *port = odo_plus_towards(ways, spine, ways->group[leaf], &n);
	for (unsigned i = 0; i < n; i++)
		if (spine_is_over(
			    ways,
			    odo_next_switch(ways->fabric, odo_slot(ways->fabric, spine, port[i])),
			    leaf))
			return true;
	return false;
}

/* Is the cable from s to t the next one of a minimal way to a leaf? */
static bool cable_leads_on(const odo_plus_ways *ways, uint32_t s, uint32_t t, uint32_t leaf)
{
	if (t == leaf || s == leaf)
		return t == leaf;
	return odo_plus_is_spine(ways, s)
		       ? spine_is_over(ways, t, leaf) && !spine_is_over(ways, s, leaf) &&
				 ways->group[s] != ways->group[leaf]
		       : spine_leads(ways, t, leaf);
}

/* List the exact ports: first count, then fill in. @return their number */
static uint32_t list_exact(const odo_plus_ways *ways, const odo_coordinates *c, bool fill)
{
	const odo_fabric *f = ways->fabric;
	uint32_t n = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t i = 0; i < ways->n_leaves; i++) {
			ways->exact_first[(size_t)s * ways->n_leaves + i] = n;
			for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1];
			     slot++) {
				uint32_t t = far_end(ways, c, slot);
				if (t == ODO_NONE || !cable_leads_on(ways, s, t, ways->leaves[i]))
					continue;
				if (fill)
					ways->exact_port[n] = (uint8_t)odo_port(f, slot);
				n++;
			}
		}
	ways->exact_first[(size_t)f->n_switches * ways->n_leaves] = n;
	return n;
}

static int find_exact(odo_plus_ways *ways, const odo_coordinates *c)
{
	size_t n = (size_t)ways->fabric->n_switches * ways->n_leaves;
	ways->exact_first = odo_arena_new(&ways->memory, n + 1, sizeof *ways->exact_first);
	if (ways->exact_first)
		ways->exact_port = odo_arena_new(&ways->memory, list_exact(ways, c, false) + 1ul,
						 1);
	if (!ways->exact_port)
		return ODO_ENOMEM;
	list_exact(ways, c, true);
	return 0;
}

uint32_t odo_plus_detour(const odo_plus_ways *ways, uint32_t from, uint32_t to, uint32_t start)
{
	for (uint32_t i = 0; i < ways->n_leaves; i++) {
		uint32_t via = ways->leaves[(start + i) % ways->n_leaves];
		if (odo_plus_is_detour(ways, from, via, to))
			return via;
	}
	return ODO_NONE;
}

static int check_connected(const odo_plus_ways *ways, odo_error *err)
{
	for (uint32_t i = 0; i < ways->n_leaves * ways->n_leaves; i++) {
		uint32_t from = ways->leaves[i / ways->n_leaves],
			 to = ways->leaves[i % ways->n_leaves];
		if (from != to && !odo_plus_leads(ways, from, to) &&
		    odo_plus_detour(ways, from, to, 0) == ODO_NONE)
			return odo_fail(
				err, ODO_EDECLINE,
				"expected a minimal way, or two by way of a leaf, found none from "
				"\"%s\" to \"%s\"",
				odo_name(ways->fabric, from), odo_name(ways->fabric, to));
	}
	return 0;
}

/* If the fabric is not whole, find the ways that are complete. */
static int find_damage(odo_plus_ways *ways, const odo_coordinates *c, odo_error *err)
{
	if (is_whole_plus(ways))
		return 0;
	if (find_exact(ways, c))
		return odo_fail(err, ODO_ENOMEM, "no memory for ways of %u switches",
				ways->fabric->n_switches);
	return check_connected(ways, err);
}

int odo_plus_ways_create(const odo_fabric *f, const odo_coordinates *c, odo_plus_ways **out,
			 odo_error *err)
{
	if (!c || c->kind != ODO_KIND_DRAGONFLY_PLUS || c->n_dims != DIMS)
		return odo_fail(err, ODO_EDECLINE, "expected a Dragonfly+, found %s",
				c ? odo_kind_name(c->kind) : "no coordinates");
	odo_plus_ways *ways = odo_new(1, sizeof *ways);
	if (!ways)
		return odo_fail(err, ODO_ENOMEM, "no memory for ways");
	ways->fabric = f;
	ways->n_groups = c->size[GROUP];
	int status = plus_alloc(ways);
	if (status) {
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
		goto done;
	}
	status = place_plus_switches(ways, c, err);
	if (!status)
		status = check_hosts_on_leaves(ways, err);
	if (!status && (status = find_ports(ways, c)))
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
	if (!status)
		status = find_damage(ways, c, err);
done:
	if (status)
		odo_plus_ways_free(ways);
	else
		*out = ways;
	return status;
}
