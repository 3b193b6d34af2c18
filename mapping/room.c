/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/room.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mapping/graph/shares.h"

static uint32_t count_global_ports(const odo_fabric *f, const odo_coordinates *c, uint32_t s)
{
	uint32_t n = 0;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		n += f->peer[i] != ODO_NONE && c->port_class[i] == ODO_PORT_GLOBAL;
	return n;
}

/* Return the usual global ports of a switch that has any. */
static uint32_t usual_ports(const odo_fabric *f, const odo_coordinates *c)
{
	uint32_t count[ODO_MAX_PORTS + 1] = {0}, n = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t cables = count_global_ports(f, c, s);
		count[cables]++;
		n += cables > 0;
	}
	return n ? odo_usual_most(count, 0, ODO_MAX_PORTS, odo_at_least_rare(n)) : 0;
}

/* Count the free ports of each group, except those caused by a missing cable or by a missing switch
 * of another group. */
static void count_free(const odo_fabric *f, const odo_coordinates *c, int64_t *room)
{
	uint32_t ports = usual_ports(f, c), gone = 0;
	for (uint32_t i = 0; i < c->n_faults; i++) {
		const odo_fault *x = &c->faults[i];
		gone += x->type == ODO_FAULT_MISSING_SWITCH;
		for (int end = 0; end < 2 && x->type == ODO_FAULT_MISSING_LINK; end++)
			room[odo_at(c, x->node[end])[0]] -= x->count;
	}
	for (uint32_t group = 0; group < c->size[0]; group++)
		room[group] -= ((int64_t)gone * ports + c->size[0] - 1) / c->size[0];
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t cables = count_global_ports(f, c, s), group = odo_at(c, s)[0];
		/* Leaves have no global ports. */
		bool spine = c->kind == ODO_KIND_DRAGONFLY || cables;
		if (group != ODO_NONE && spine && cables < ports)
			room[group] += ports - cables;
	}
}

/* Return the mean number of cables between two groups, at least one. */
static uint32_t width_of(const odo_fabric *f, const odo_coordinates *c)
{
	uint64_t ends = 0, groups = c->size[0];
	for (uint32_t s = 0; s < f->n_switches; s++)
		ends += count_global_ports(f, c, s);
	uint64_t width = groups > 1 ? ends / (groups * (groups - 1)) : 0;
	return width ? (uint32_t)width : 1;
}

uint32_t odo_room_for_groups(const odo_fabric *f, const odo_coordinates *c)
{
	if (!odo_grouped(c) || c->size[0] < 2 || c->certainty == ODO_NEAREST)
		return 0;
	int64_t *room = odo_new(c->size[0], sizeof *room), least = INT64_MAX;
	if (!room)
		return 0;
	count_free(f, c, room);
	for (uint32_t group = 0; group < c->size[0]; group++)
		least = room[group] < least ? room[group] : least;
	free(room);
	return least > 0 ? (uint32_t)(least / width_of(f, c)) : 0;
}
