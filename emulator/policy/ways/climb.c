/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ways/climb.h"

#include <stdlib.h>

#include "base/memory.h"
#include "emulator/policy/ways/homes.h"

void odo_climb_free(odo_climb *climb)
{
	if (!climb)
		return;
	odo_arena_free(&climb->memory);
	free(climb);
}

static uint32_t climb_level(const odo_coordinates *c, uint32_t s)
{
	return odo_at(c, s)[ODO_TREE_LEVEL];
}

static int count_levels(odo_climb *climb, const odo_coordinates *c, odo_error *err)
{
	if (!c || c->kind != ODO_KIND_FATTREE)
		return odo_fail(err, ODO_EDECLINE, "expected a fat tree, found %s",
				c ? odo_kind_name(c->kind) : "no coordinates");
	for (uint32_t s = 0; s < climb->fabric->n_switches; s++) {
		uint32_t level = climb_level(c, s);
		if (level != ODO_NONE && level >= climb->n_levels)
			climb->n_levels = level + 1;
		if (climb->n_levels > ODO_CLIMB_LEVELS)
			return odo_fail(err, ODO_EDECLINE, "expected at most %u levels, found %u",
					ODO_CLIMB_LEVELS, climb->n_levels);
	}
	return 0;
}

static int climb_alloc(odo_climb *climb)
{
	const odo_fabric *f = climb->fabric;
	odo_arena *memory = &climb->memory;
	odo_find_homes(f, memory, &climb->home, &climb->host_port);
	climb->number = odo_arena_new(memory, f->n_switches, sizeof *climb->number);
	climb->first = odo_arena_new(memory, 2ul * f->n_switches + 1, sizeof *climb->first);
	climb->port = odo_arena_new(memory, f->n_slots, 1);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Hosts that do not send are never the target of a way. */
static void number_homes(odo_climb *climb)
{
	const odo_fabric *f = climb->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++)
		climb->number[s] = odo_hosts_of(f, s) ? climb->n_homes++ : ODO_NONE;
}

/* Levels by which a cable goes up: 1, -1, or 0 for a cable that does not fit the levels. */
static int levels_up(const odo_coordinates *c, const odo_fabric *f, uint32_t slot)
{
	uint32_t next = odo_next_switch(f, slot);
	if (next == ODO_NONE || c->port_class[slot] >= ODO_MAX_DIMS)
		return 0;
	uint32_t here = climb_level(c, f->owner[slot]), there = climb_level(c, next);
	if (here == ODO_NONE || there == ODO_NONE)
		return 0;
	return there == here + 1 ? 1 : here == there + 1 ? -1 : 0;
}

static void list_cables_by_level(odo_climb *climb, const odo_coordinates *c)
{
	const odo_fabric *f = climb->fabric;
	uint32_t n = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned up = 0; up < 2; up++) {
			climb->first[2 * s + up] = n;
			for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
				if (levels_up(c, f, slot) == (up ? 1 : -1))
					climb->port[n++] = (uint8_t)odo_port(f, slot);
		}
	climb->first[2ul * f->n_switches] = n;
}

static uint64_t *reach_of(const odo_climb *climb, unsigned ups, uint32_t s)
{
	return climb->within[ups] + s * climb->words;
}

/* Add the reach of a switch's neighbours above or below to its own reach. */
static void gather_reach(const odo_climb *climb, uint32_t s, bool up, unsigned ups)
{
	const odo_fabric *f = climb->fabric;
	for (uint32_t i = climb->first[2 * s + up]; i < climb->first[2 * s + up + 1]; i++) {
		uint32_t next = odo_next_switch(f, odo_slot(f, s, climb->port[i]));
		const uint64_t *from = reach_of(climb, up ? ups - 1 : ups, next);
		for (size_t x = 0; x < climb->words; x++)
			reach_of(climb, ups, s)[x] |= from[x];
	}
}

static int find_reach(odo_climb *climb, const odo_coordinates *c)
{
	uint32_t n = climb->fabric->n_switches;
	climb->words = odo_bit_words(climb->n_homes);
	for (unsigned ups = 0; ups < climb->n_levels; ups++) {
		climb->within[ups] = odo_arena_new(&climb->memory, n * climb->words, 8);
		if (!climb->within[ups])
			return ODO_ENOMEM;
	}
	for (unsigned level = 0; level < climb->n_levels; level++)
		for (uint32_t s = 0; s < n; s++) {
			if (climb_level(c, s) != level)
				continue;
			if (climb->number[s] != ODO_NONE)
				odo_set_bit(reach_of(climb, 0, s), climb->number[s]);
			gather_reach(climb, s, false, 0);
		}
	for (unsigned ups = 1; ups < climb->n_levels; ups++)
		for (uint32_t s = 0; s < n; s++) {
			for (size_t x = 0; x < climb->words; x++)
				reach_of(climb, ups, s)[x] = reach_of(climb, ups - 1, s)[x];
			gather_reach(climb, s, true, ups);
		}
	return 0;
}

static int name_pair(const odo_climb *climb, uint32_t s, uint32_t number, odo_error *err)
{
	uint32_t d = 0;
	while (climb->number[d] != number)
		d++;
	return odo_fail(err, ODO_EDECLINE,
			"expected a way up and down from \"%s\" to \"%s\", found none",
			odo_name(climb->fabric, s), odo_name(climb->fabric, d));
}

static int check_all_reached(const odo_climb *climb, odo_error *err)
{
	for (uint32_t s = 0; s < climb->fabric->n_switches; s++)
		for (size_t x = 0; climb->number[s] != ODO_NONE && x < climb->words; x++) {
			uint32_t left = climb->n_homes - (uint32_t)(64 * x);
			uint64_t all = left >= 64 ? UINT64_MAX : (1ull << left) - 1;
			uint64_t missing = all & ~reach_of(climb, climb->n_levels - 1, s)[x];
			if (missing)
				return name_pair(climb, s,
						 (uint32_t)(64 * x) + odo_lowest_bit(missing), err);
		}
	return 0;
}

int odo_climb_create(const odo_fabric *f, const odo_coordinates *c, odo_climb **out, odo_error *err)
{
	odo_climb *climb = odo_new(1, sizeof *climb);
	if (!climb)
		return odo_fail(err, ODO_ENOMEM, "no memory for ways");
	climb->fabric = f;
	int status = count_levels(climb, c, err);
	if (status)
		goto done;
	status = climb_alloc(climb);
	if (!status) {
		number_homes(climb);
		list_cables_by_level(climb, c);
		status = find_reach(climb, c);
	}
	if (status)
		odo_fail(err, status, "no memory for ways of %u switches", f->n_switches);
	else
		status = check_all_reached(climb, err);
done:
	if (status)
		odo_climb_free(climb);
	else
		*out = climb;
	return status;
}

void odo_climb_look(const odo_climb *climb, uint32_t node, uint32_t home, odo_climb_ways *out)
{
	const odo_fabric *f = climb->fabric;
	uint32_t d = climb->number[home];
	unsigned ups = 0;
	out->n = 0;
	while (ups < climb->n_levels && !odo_has_bit(reach_of(climb, ups, node), d))
		ups++;
	out->up = ups > 0;
	if (ups == climb->n_levels)
		return;
	unsigned rest = out->up ? ups - 1 : 0;
	for (uint32_t i = climb->first[2 * node + out->up];
	     i < climb->first[2 * node + out->up + 1]; i++) {
		uint32_t next = odo_next_switch(f, odo_slot(f, node, climb->port[i]));
		if (odo_has_bit(reach_of(climb, rest, next), d))
			out->port[out->n++] = climb->port[i];
	}
}
