/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/dragonfly_plus.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/shares.h"
#include "mapping/tree/absent.h"
#include "mapping/tree/blocks.h"
#include "mapping/tree/contradictions.h"
#include "mapping/tree/global_pairs.h"

/* Minimum share of all pairs of groups that have cables. A missing tenth of the spines may remove a
 * fifth of these pairs. */
static const odo_share joined = {3, 5};

enum { GROUP, LEVEL, INDEX, N_DIMS };

/* Return true if more links join two switches of the second level than lead from it to a third. */
static bool has_global_links(const odo_clos *t)
{
	uint64_t global = 0, up = 0;
	for (uint32_t e = 0; e < t->g->n_edges; e++) {
		uint8_t a = t->level[t->g->end[e][0]], b = t->level[t->g->end[e][1]];
		global += a == 1 && b == 1;
		up += a + b == 3 && a && b;
	}
	return global > up;
}

/* Move spines without any remaining leaf to the second level, because they look like a third. */
static void flatten_levels(odo_clos *t)
{
	for (uint32_t v = 0; v < t->g->n; v++)
		if (t->level[v] > 1 && t->level[v] != ODO_NO_LEVEL)
			t->level[v] = 1;
	t->n_levels = 2;
	t->global = true;
}

/* Number the group of each vertex by its smallest GUID; ODO_NONE for none. Return the number of
 * groups. */
static uint32_t number_groups(const odo_clos *t, uint32_t *number, uint32_t *group)
{
	uint32_t n = 0;
	memset(number, 0xFF, t->n_blocks * sizeof *number);
	for (uint32_t v = 0; v < t->g->n; v++) {
		uint32_t block = t->level[v] ? t->down[v] : t->up[v];
		group[v] = ODO_NONE;
		if (block == ODO_NONE)
			continue;
		if (number[block] == ODO_NONE)
			number[block] = n++;
		group[v] = number[block];
	}
	return n;
}

/* Number the switches of each group and level by their GUIDs. */
static int place_in_groups(const odo_clos *t, const uint32_t *group, uint32_t n_groups,
			   odo_coordinates *c)
{
	uint32_t *next = odo_new((size_t)n_groups * 2, sizeof *next), most = 1;
	if (!next)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < t->g->n; v++) {
		uint32_t *at = c->at + (size_t)t->g->vertex[v] * c->n_dims;
		if (group[v] == ODO_NONE)
			continue;
		at[GROUP] = group[v];
		at[LEVEL] = t->level[v];
		at[INDEX] = next[2 * group[v] + t->level[v]]++;
		most = at[INDEX] >= most ? at[INDEX] + 1 : most;
	}
	const uint32_t size[N_DIMS] = {n_groups, 2, most};
	for (unsigned dim = 0; dim < N_DIMS; dim++) {
		c->factor[dim] = dim == GROUP ? ODO_GROUPS : ODO_LABELS;
		c->size[dim] = size[dim];
	}
	free(next);
	return 0;
}

/* Count for each group to which spine v has global cables how many of them the group lacks. Return
 * how many global cables v has. `gaps` has room for twice the groups. */
static uint32_t count_gaps(const odo_global_pairs *p, uint32_t v, uint32_t *gaps)
{
	const odo_links *g = p->t->g;
	uint32_t most = odo_global_pairs_most(p), all = 0, *to = gaps + p->n_groups;
	memset(to, 0, p->n_groups * sizeof *to);
	for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++)
		if (p->group[g->to[i]] != ODO_NONE && ++all)
			to[p->group[g->to[i]]]++;
	for (uint32_t group = 0; group < p->n_groups; group++)
		gaps[group] = all - to[group];
	for (const odo_group_pair *x = p->pair; x < p->pair + p->n; x++)
		for (int side = 0; side < 2 && x->n_cables == most; side++)
			gaps[x->group[side]] -= to[x->group[!side]];
	return all;
}

/* Return the only block that lacks a spine and the cables that v has. Return ODO_NONE if there are
 * none or several. */
static uint32_t home_of(const odo_global_pairs *p, uint32_t v, const uint32_t *number,
			uint32_t *gaps)
{
	const odo_clos *t = p->t;
	uint32_t all = count_gaps(p, v, gaps), most = 0, home = ODO_NONE;
	for (uint32_t b = 0; b < t->n_blocks; b++)
		most = t->block[b].n_parents > most ? t->block[b].n_parents : most;
	for (uint32_t b = 0; b < t->n_blocks && all; b++) {
		if (number[b] == ODO_NONE || gaps[number[b]] < all || t->block[b].n_parents == most)
			continue;
		if (home != ODO_NONE)
			return ODO_NONE;
		home = b;
	}
	return home;
}

/* Assign a group to spines without any remaining leaf. Return true if any got one. */
static bool take_home(odo_clos *t, const odo_global_pairs *p, const uint32_t *number,
		      uint32_t *gaps)
{
	bool any = false;
	for (uint32_t v = 0; v < t->g->n; v++) {
		if (t->level[v] != 1 || t->down[v] != ODO_NONE)
			continue;
		t->down[v] = home_of(p, v, number, gaps);
		if (t->down[v] == ODO_NONE)
			continue;
		t->block[t->down[v]].n_parents++;
		any = true;
	}
	return any;
}

static int list_plus_faults(const odo_clos *t, const odo_global_pairs *pairs, odo_coordinates *c)
{
	odo_faults list = {0};
	int status = odo_faults_cables(t->f, c, t->g, &list);
	if (!status)
		status = odo_clos_absent_links(t, &list);
	if (!status)
		status = odo_global_pairs_absent(pairs, t->wrong, &list);
	if (!status)
		status = odo_faults_match(t->f, &list);
	c->faults = list.fault;
	c->n_faults = list.n;
	return status;
}

static int report_plus(const odo_clos *t, const odo_global_pairs *pairs, const uint32_t *slot_edge,
		       odo_coordinates **out, odo_error *err)
{
	int status = odo_coordinates_create(t->f, N_DIMS, out, err);
	if (status)
		return status;
	odo_coordinates *c = *out;
	c->kind = ODO_KIND_DRAGONFLY_PLUS;
	c->width[0] = odo_global_pairs_most(pairs);
	c->width[1] = odo_blocks_width(t, 0);
	status = place_in_groups(t, pairs->group, pairs->n_groups, c);
	if (!status)
		status = odo_global_pairs_wrong(pairs, t->wrong);
	if (!status)
		status = odo_clos_class_ports(t, slot_edge, c);
	if (!status)
		status = list_plus_faults(t, pairs, c);
	return status ? odo_fail(err, status, "no memory for a Dragonfly+") : 0;
}

/* Take blocks as groups if nearly every pair of them has cables. */
static int find_plus_groups(odo_clos *t, const uint32_t *slot_edge, odo_coordinates **out,
			    odo_error *err)
{
	odo_arena memory = {0};
	odo_global_pairs pairs = {0};
	uint32_t *group = odo_arena_new(&memory, t->g->n, sizeof *group);
	uint32_t *number = odo_arena_new(&memory, t->n_blocks, sizeof *number);
	uint32_t *gaps = odo_arena_new(&memory, 2 * (size_t)t->n_blocks, sizeof *gaps);
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		status = odo_global_pairs_make(t, group, number_groups(t, number, group), &pairs);
	if (!status && take_home(t, &pairs, number, gaps)) {
		odo_global_pairs_clear(&pairs);
		status = odo_global_pairs_make(t, group, number_groups(t, number, group), &pairs);
	}
	uint64_t n = pairs.n_groups;
	if (status)
		odo_fail(err, status, "no memory for groups");
	else if (n > 1 && odo_reaches(pairs.n, joined, n * (n - 1) / 2))
		status = report_plus(t, &pairs, slot_edge, out, err);
	odo_global_pairs_clear(&pairs);
	odo_arena_free(&memory);
	return status;
}

int odo_dragonfly_plus_map(odo_clos *t, const uint32_t *slot_edge, odo_coordinates **out,
			   odo_error *err)
{
	if (!has_global_links(t))
		return 0;
	flatten_levels(t);
	int status = odo_blocks_find(t, err);
	if (!status && odo_blocks_hold(t)) {
		status = odo_blocks_measure(t, err);
		if (!status)
			status = odo_clos_find_wrong(t, err);
		if (!status)
			status = find_plus_groups(t, slot_edge, out, err);
	}
	t->global = false;
	return status;
}
