/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns among groups, pods and switches, and common functions of all patterns. */
#include "emulator/traffic/pattern_internal.h"

#include "base/memory.h"

int odo_draw_make(const odo_order *o, odo_draw *draw, size_t n, odo_error *err)
{
	draw->range_of = odo_new(o->n_hosts, sizeof *draw->range_of);
	draw->ranges = odo_new(n, sizeof *draw->ranges);
	if (!draw->range_of || !draw->ranges)
		return odo_draw_no_memory(err);
	for (uint32_t r = 0; r < o->n_hosts; r++)
		draw->range_of[r] = ODO_NONE;
	return 0;
}

int odo_draw_need_coordinates(const odo_order *o, odo_error *err)
{
	return o->coordinates ? 0
			      : odo_fail(err, ODO_EDECLINE,
					 "expected a fabric of known kind, found one without "
					 "coordinates");
}

odo_range odo_hosts_of_place(const odo_order *o, uint32_t place)
{
	return (odo_range){o->first_rank[place], o->first_rank[place + 1] - o->first_rank[place]};
}

void odo_draw_place(const odo_order *o, odo_draw *draw, uint32_t place, uint32_t range)
{
	for (uint32_t r = o->first_rank[place]; r < o->first_rank[place + 1]; r++)
		draw->range_of[r] = range;
}

/** Largest number of global links of a switch: the h of a dragonfly. */
static uint32_t global_links(const odo_order *o)
{
	const odo_fabric *f = o->fabric;
	uint32_t most = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t n = 0;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			n += o->coordinates->port_class[slot] == ODO_PORT_GLOBAL;
		most = n > most ? n : most;
	}
	return most;
}

/** Group i sends to random hosts of group i + n (paper 000, section 4). Only groups with hosts
 * count. */
int odo_pattern_advg(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	int status = odo_draw_need_coordinates(o, err);
	if (status)
		return status;
	uint64_t by = setup->value[0].number[0];
	if (setup->value[1].number[0])
		by *= global_links(o);
	if (by % o->n_groups == 0)
		return odo_fail(err, ODO_EDECLINE,
				"expected groups to send to others, found %u groups and n=%u",
				o->n_groups, setup->value[0].number[0]);
	if ((status = odo_draw_make(o, out, o->n_groups, err)))
		return status;
	for (uint32_t g = 0; g < o->n_groups; g++) {
		uint32_t to = (uint32_t)((g + by) % o->n_groups);
		uint32_t first = o->first_rank[o->group[to]];
		out->ranges[g] = (odo_range){first, o->first_rank[o->group[to + 1]] - first};
		for (uint32_t p = o->group[g]; p < o->group[g + 1]; p++)
			odo_draw_place(o, out, p, g);
	}
	return 0;
}

/** Every switch sends to hosts of the n-th next switch in its group, modulo (paper 003, IV.A). */
int odo_pattern_advl(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	int status = odo_draw_need_coordinates(o, err);
	if (status || (status = odo_draw_make(o, out, o->n_places, err)))
		return status;
	for (uint32_t g = 0; g < o->n_groups; g++) {
		uint32_t first = o->group[g], n = o->group[g + 1] - first;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t to = (i + setup->value[0].number[0]) % n;
			if (to == i)
				continue; /* a switch alone in its group is silent */
			out->ranges[first + i] = odo_hosts_of_place(o, first + to);
			odo_draw_place(o, out, first + i, first + i);
		}
	}
	return 0;
}

/** Pod i sends to random hosts of pod i + n, so all traffic crosses the top level. Pods are those
 * of the leaves; hosts on other levels are silent. */
int odo_pattern_advp(const odo_pattern_setup *setup, odo_draw *out, odo_error *err)
{
	const odo_order *o = setup->order;
	uint32_t by = setup->value[0].number[0], n = o->n_pods;
	if (n < 2)
		return odo_fail(err, ODO_EDECLINE,
				"expected a fat tree of three levels or more, found %s",
				n ? "one pod" : "no pods");
	if (by % n == 0)
		return odo_fail(err, ODO_EDECLINE,
				"expected pods to send to others, found %u pods and n=%u", n, by);
	int status = odo_draw_make(o, out, n, err);
	for (uint32_t pod = 0; !status && pod < n; pod++) {
		uint32_t to = (uint32_t)(((uint64_t)pod + by) % n);
		uint32_t first = o->first_rank[o->pod[to]];
		out->ranges[pod] = (odo_range){first, o->first_rank[o->pod[to + 1]] - first};
		for (uint32_t p = o->pod[pod]; p < o->pod[pod + 1]; p++)
			odo_draw_place(o, out, p, pod);
	}
	return status;
}
