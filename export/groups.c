/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

/* Return the set of LIDs whose packets enter a switch by a slot on a VL. */
static uint64_t *lids_into(const odo_reach *reach, uint32_t slot, unsigned vl)
{
	return reach->bits + ((size_t)slot * reach->t->n_vls + vl) * reach->lid_words;
}

/* States of the current LID that are not followed yet. */
typedef struct front {
	uint64_t *states; /**< slot << 8 | vl */
	size_t n, room;
} front;

static int visit_state(odo_reach *reach, front *q, uint32_t slot, unsigned vl, uint32_t lid)
{
	if (vl >= reach->t->n_vls || odo_has_bit(lids_into(reach, slot, vl), lid))
		return 0;
	if (odo_grow(&q->states, &q->room, q->n + 1, sizeof *q->states))
		return ODO_ENOMEM;
	odo_set_bit(lids_into(reach, slot, vl), lid);
	q->states[q->n++] = (uint64_t)slot << 8 | vl;
	return 0;
}

static int follow_lid(odo_reach *reach, front *q, uint32_t lid)
{
	const odo_fabric *f = reach->t->fabric;
	odo_candidate way[ODO_MAX_CANDIDATES];
	int status = 0;
	while (q->n && !status) {
		uint64_t state = q->states[--q->n];
		uint32_t in = (uint32_t)(state >> 8), s = f->owner[in];
		if (s == f->lid_switch[lid])
			continue;
		unsigned n = odo_candidates(reach->t, s, odo_port(f, in), state & 0xFF, lid, way);
		for (unsigned i = 0; i < n && !status; i++) {
			uint32_t far = f->peer[odo_slot(f, s, way[i].port)];
			if (far != ODO_NONE && odo_is_switch(f, f->owner[far]))
				status = visit_state(reach, q, far, way[i].vl, lid);
		}
	}
	return status;
}

int odo_reach_find(const odo_tables *t, odo_reach *out, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	uint32_t slots = f->first_slot[f->n_switches];
	*out = (odo_reach){.t = t, .lid_words = (f->lid_count + 63u) / 64};
	out->bits = odo_new((size_t)slots * t->n_vls, out->lid_words * sizeof *out->bits);
	front q = {0};
	int status = out->bits ? 0 : ODO_ENOMEM;
	for (uint32_t lid = 1; lid < f->lid_count && !status; lid++) {
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		for (uint32_t h = 0; h < f->n_hosts && !status; h++)
			status = visit_state(out, &q, f->peer[f->host_slot[h]],
					     t->adaptive->inject(t, h, lid), lid);
		if (!status)
			status = follow_lid(out, &q, lid);
	}
	free(q.states);
	if (status)
		odo_reach_clear(out);
	return status ? odo_fail(err, status, "no memory to write %u switches' adaptive tables",
				 f->n_switches)
		      : 0;
}

void odo_reach_clear(odo_reach *reach)
{
	free(reach->bits);
	reach->bits = NULL;
}

void odo_switch_tables_clear(odo_switch_tables *out)
{
	for (size_t i = 0; i < out->n_tables; i++)
		free(out->tables[i].group);
	free(out->ways);
	free(out->groups);
	free(out->tables);
	*out = (odo_switch_tables){0};
}

/* Find the number of the group with these ways, or create it. A switch has few groups: one for each
 * set of ports that leads to some destination. */
static int find_port_group(odo_switch_tables *out, const odo_candidate *way, unsigned n,
			   uint16_t *group, odo_error *err)
{
	for (size_t i = 0; i < out->n_groups; i++) {
		if (out->groups[i].n == n &&
		    !memcmp(out->ways + out->groups[i].first, way, n * sizeof *way)) {
			*group = (uint16_t)i;
			return 0;
		}
	}
	if (out->n_groups == ODO_NO_GROUP)
		return odo_fail(err, ODO_EDECLINE, "more than %u groups of ports in a switch",
				ODO_NO_GROUP);
	if (odo_grow(&out->groups, &out->groups_room, out->n_groups + 1, sizeof *out->groups) ||
	    odo_grow(&out->ways, &out->ways_room, out->n_ways + n, sizeof *out->ways))
		return odo_fail(err, ODO_ENOMEM, "no memory for groups of ports");
	memcpy(out->ways + out->n_ways, way, n * sizeof *way);
	out->groups[out->n_groups] = (odo_port_group){(uint32_t)out->n_ways, (uint16_t)n};
	out->n_ways += n;
	*group = (uint16_t)out->n_groups++;
	return 0;
}

/* Find the group of each LID for packets that enter by `port` on `vl`. @return the number of LIDs
 * with a group, or a negative status */
static int read_column(const odo_reach *reach, uint32_t s, unsigned port, unsigned vl,
		       odo_switch_tables *out, uint16_t *group, odo_error *err)
{
	const odo_fabric *f = reach->t->fabric;
	uint32_t slot = odo_slot(f, s, port);
	odo_candidate way[ODO_MAX_CANDIDATES];
	int found = 0;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		group[lid] = ODO_NO_GROUP;
		if (!odo_has_bit(lids_into(reach, slot, vl), lid))
			continue;
		unsigned n = odo_candidates(reach->t, s, port, vl, lid, way);
		if (!n) /* in another connected part */
			continue;
		int status = find_port_group(out, way, n, &group[lid], err);
		if (status)
			return status;
		found++;
	}
	return found;
}

static bool do_columns_agree(const uint16_t *a, const uint16_t *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i] != b[i] && a[i] != ODO_NO_GROUP && b[i] != ODO_NO_GROUP)
			return false;
	return true;
}

/* Add a column to a table of the same VL that agrees with it, or to a new table. */
static int place_column(odo_switch_tables *out, uint32_t n_lids, unsigned port, unsigned vl,
			const uint16_t *group, odo_error *err)
{
	odo_vl_table *t = NULL;
	for (size_t i = 0; i < out->n_tables && !t; i++)
		if (out->tables[i].vl == vl &&
		    do_columns_agree(out->tables[i].group, group, n_lids))
			t = &out->tables[i];
	if (!t) {
		uint16_t *made = malloc(n_lids * sizeof *made + 1);
		if (!made || odo_grow(&out->tables, &out->tables_room, out->n_tables + 1,
				      sizeof *out->tables)) {
			free(made);
			return odo_fail(err, ODO_ENOMEM, "no memory for tables by VL");
		}
		memset(made, 0xFF, n_lids * sizeof *made);
		t = &out->tables[out->n_tables++];
		*t = (odo_vl_table){.vl = (uint8_t)vl, .group = made};
	}
	t->inputs[port / 8] |= (uint8_t)(1u << port % 8);
	for (uint32_t i = 0; i < n_lids; i++)
		if (group[i] != ODO_NO_GROUP)
			t->group[i] = group[i];
	return 0;
}

int odo_switch_tables_make(const odo_reach *reach, uint32_t s, odo_switch_tables *out,
			   odo_error *err)
{
	const odo_fabric *f = reach->t->fabric;
	*out = (odo_switch_tables){0};
	uint16_t *group = odo_new(f->lid_count, sizeof *group);
	if (!group)
		return odo_fail(err, ODO_ENOMEM, "no memory for tables by VL");
	int status = 0;
	for (unsigned vl = 0; vl < reach->t->n_vls && status >= 0; vl++) {
		for (unsigned p = 1; p <= odo_n_ports(f, s) && status >= 0; p++) {
			status = read_column(reach, s, p, vl, out, group, err);
			if (status > 0)
				status = place_column(out, f->lid_count, p, vl, group, err);
		}
	}
	free(group);
	return status < 0 ? status : 0;
}
