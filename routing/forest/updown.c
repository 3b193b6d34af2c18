/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/updown_deal.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/order.h"
#include "routing/graph/columns.h"

/* Depth of switches that do not reach the destination. */
#define NEVER UINT16_MAX

/* List neighbours in order, so that all switches choose the same of equal ways. */
static void list_neighbours(odo_updown *u, uint64_t *near)
{
	const odo_forest *forest = u->forest;
	uint32_t n = 0;
	for (uint32_t j = 0; j < u->n; j++) {
		uint32_t s = u->sorted[j], begin = n;
		u->above[j] = u->below[j] = n;
		for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++)
			if (forest->next[i] != ODO_NONE && forest->next[i] != s)
				near[n++] = (uint64_t)u->number[forest->next[i]] << 32 |
					    odo_port(forest->f, i);
		qsort(near + begin, n - begin, sizeof *near, odo_by_u64);
		for (uint32_t i = begin; i < n; i++) {
			u->to[i] = (uint32_t)(near[i] >> 32);
			u->port[i] = (uint8_t)near[i];
			u->below[j] += u->to[i] < j;
		}
	}
	u->above[u->n] = n;
}

static int allocate_updown(odo_updown *u)
{
	size_t n = u->n, slots = u->forest->f->first_slot[n];
	u->sorted = odo_arena_new(&u->memory, n, sizeof *u->sorted);
	u->number = odo_arena_new(&u->memory, n, sizeof *u->number);
	u->above = odo_arena_new(&u->memory, n + 1, sizeof *u->above);
	u->below = odo_arena_new(&u->memory, n, sizeof *u->below);
	u->to = odo_arena_new(&u->memory, slots, sizeof *u->to);
	u->port = odo_arena_new(&u->memory, slots, 1);
	u->load = odo_arena_new(&u->memory, slots, sizeof *u->load);
	u->hosts = odo_arena_new(&u->memory, n, sizeof *u->hosts);
	u->depth = odo_arena_new(&u->memory, n, sizeof *u->depth);
	u->down = odo_arena_new(&u->memory, n, 1);
	u->far = odo_arena_new(&u->memory, n, sizeof *u->far);
	u->start = odo_arena_new(&u->memory, n, sizeof *u->start);
	u->ways = odo_arena_new(&u->memory, slots + 1, sizeof *u->ways);
	u->cable = odo_arena_new(&u->memory, slots + 1, sizeof *u->cable);
	u->paths = odo_arena_new(&u->memory, slots + 1, sizeof *u->paths);
	u->first = odo_arena_new(&u->memory, n + 1, sizeof *u->first);
	u->first_down = odo_arena_new(&u->memory, n, sizeof *u->first_down);
	u->gate = odo_arena_new(&u->memory, n, sizeof *u->gate);
	u->planned = odo_arena_new(&u->memory, ODO_MAX_PORTS + 1ul, sizeof *u->planned);
	u->entered = odo_arena_new(&u->memory, n, 1);
	u->carried = odo_arena_new(&u->memory, n, sizeof *u->carried);
	u->ahead = odo_arena_new(&u->memory, n, sizeof *u->ahead);
	u->rank = odo_arena_new(&u->memory, slots + 1, sizeof *u->rank);
	u->column = odo_arena_new(&u->memory, n, 1);
	return u->memory.failed ? ODO_ENOMEM : 0;
}

static int find_updown_order(odo_updown *u)
{
	odo_arena scratch = {0};
	uint32_t *hash = odo_arena_new(&scratch, u->n, sizeof *hash);
	uint64_t *near = odo_arena_new(&scratch, u->forest->f->first_slot[u->n], sizeof *near);
	int status = scratch.failed ? ODO_ENOMEM : 0;
	for (uint32_t s = 0; !status && s < u->n; s++)
		hash[s] = odo_node_hash(u->forest->f, s);
	if (!status)
		status = odo_updown_order(u->forest, hash, u->number, u->sorted);
	if (!status)
		list_neighbours(u, near);
	odo_arena_free(&scratch);
	return status;
}

int odo_updown_create(odo_forest *forest, odo_updown **out, odo_error *err)
{
	odo_updown *u = odo_new(1, sizeof *u);
	if (!u)
		return odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
	u->forest = forest;
	u->n = forest->n;
	if (allocate_updown(u) || find_updown_order(u)) {
		odo_updown_free(u);
		return odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
	}
	for (uint32_t h = 0; h < forest->f->n_senders; h++)
		u->hosts[u->number[odo_host_switch(forest->f, h)]]++;
	*out = u;
	return 0;
}

void odo_updown_free(odo_updown *u)
{
	if (u)
		odo_arena_free(&u->memory);
	free(u);
}

static uint16_t least_depth(const odo_updown *u, uint32_t begin, uint32_t end)
{
	uint16_t least = NEVER;
	for (uint32_t i = begin; i < end; i++)
		least = u->depth[u->to[i]] < least ? u->depth[u->to[i]] : least;
	return least;
}

/* First find switches that reach d by going down only. They all have lower numbers than d: go from
 * d to lower numbers, so that all switches below are known. The other switches go up first, from
 * the root downwards. */
static void find_updown_depths(odo_updown *u, uint32_t d)
{
	memset(u->depth, 0xFF, u->n * sizeof *u->depth);
	memset(u->down, 0, u->n);
	u->depth[d] = 0;
	u->down[d] = 1;
	for (uint32_t j = d; j-- > 0;) {
		uint16_t least = least_depth(u, u->below[j], u->above[j + 1]);
		u->down[j] = least != NEVER;
		u->depth[j] = (uint16_t)(least + u->down[j]);
	}
	for (uint32_t j = 0; j < u->n; j++) {
		if (u->down[j])
			continue;
		uint16_t least = least_depth(u, u->above[j], u->below[j]);
		u->depth[j] = (uint16_t)(least + (least != NEVER));
	}
}

/* Sort the switches by depth, the farthest first, equal ones by number. */
static void sort_far_first(odo_updown *u)
{
	uint32_t deepest = 0, at = 0;
	for (uint32_t j = 0; j < u->n; j++)
		if (u->depth[j] != NEVER && u->depth[j] > deepest)
			deepest = u->depth[j];
	memset(u->start, 0, (deepest + 1) * sizeof *u->start);
	for (uint32_t j = 0; j < u->n; j++)
		if (u->depth[j] != NEVER)
			u->start[u->depth[j]]++;
	for (uint32_t depth = deepest + 1; depth-- > 0;) {
		uint32_t here = u->start[depth];
		u->start[depth] = at;
		at += here;
	}
	u->n_far = at;
	for (uint32_t j = 0; j < u->n; j++)
		if (u->depth[j] != NEVER)
			u->far[u->start[u->depth[j]]++] = j;
}

/* List next hops that are nearer. A switch that only goes down may use only hops to switches that
 * do so, too. */
static uint32_t list_nearer(odo_updown *u, uint32_t j, uint32_t begin, uint32_t end, uint32_t n)
{
	for (uint32_t i = begin; i < end; i++) {
		uint32_t t = u->to[i];
		u->ways[n].t = t;
		u->cable[n] = i;
		n += (u->depth[t] + 1 == u->depth[j]) & (u->down[t] >= u->down[j]);
	}
	return n;
}

/* Find the gates of all switches, the nearest first, so that the gates beyond are known. */
static void find_way_gates(odo_updown *u, uint32_t d)
{
	uint32_t n = 0, several = u->above[d + 1] - u->above[d];
	u->n_gates = several;
	for (uint32_t i = u->n_far - 1; i-- > 0;) {
		uint32_t j = u->far[i];
		for (uint32_t k = u->first[j]; k < u->first[j + 1]; k++) {
			odo_updown_way *by = &u->ways[k];
			by->gate = by->t == d ? n++ : u->gate[by->t];
			bool same = k == u->first[j] || by->gate == u->gate[j];
			u->gate[j] = same ? by->gate : several;
		}
	}
}

/* List the ways of each switch: up to any switch that is one hop nearer, down to those that go on
 * down. A switch that could go down only may also go up, if that is no longer and no packet came
 * from above. */
void odo_updown_approach(odo_updown *u, uint32_t d, uint32_t weight)
{
	uint32_t n = 0, n_hosts = 0;
	find_updown_depths(u, d);
	sort_far_first(u);
	for (uint32_t j = 0; j < u->n; j++) {
		u->first[j] = u->first_down[j] = n;
		if (u->depth[j] == NEVER || j == d)
			continue;
		n = u->first_down[j] = list_nearer(u, j, u->above[j], u->below[j], n);
		if (u->down[j])
			n = list_nearer(u, j, u->below[j], u->above[j + 1], n);
		n_hosts += u->hosts[j];
	}
	u->first[u->n] = n;
	for (uint32_t k = 0; k < n; k++)
		u->paths[k] = u->load[u->cable[k]];
	find_way_gates(u, d);
	memset(u->planned, 0, (u->n_gates + 1ul) * sizeof *u->planned);
	u->fair = u->n_gates ? (n_hosts * weight + u->n_gates - 1) / u->n_gates : 0;
}

void odo_updown_leave(odo_updown *u)
{
	for (uint32_t k = 0; k < u->first[u->n]; k++)
		u->load[u->cable[k]] = u->paths[k];
}

/* Compute all ranks in one pass, because the branches of single switches are hard to predict for a
 * processor. */
static void rank_ways(odo_updown *u)
{
	for (uint32_t j = 0; j < u->n; j++) {
		uint32_t least = u->first[j] < u->first[j + 1] ? UINT32_MAX : 0;
		for (uint32_t k = u->first[j]; k < u->first[j + 1]; k++)
			least = u->paths[k] < least ? u->paths[k] : least;
		u->ahead[j] = least;
	}
	for (uint32_t k = 0; k < u->first[u->n]; k++)
		u->rank[k] = (uint64_t)u->paths[k] << 32 | u->ahead[u->ways[k].t];
}

/* Return true if a way would put more paths on one of d's cables than its share. In an undamaged
 * tree no way does. If d has lost cables, sources reach different numbers of the others. */
static bool is_gate_crowded(const odo_updown *u, uint32_t gate, uint32_t paths)
{
	return gate < u->n_gates && u->planned[gate] + paths > u->fair;
}

/* Choose a way of a switch: one that is not crowded, then the least loaded, then the one with the
 * least loaded cable beyond, then the first. */
static uint32_t choose_updown_way(const odo_updown *u, uint32_t s, uint32_t paths)
{
	uint32_t best = u->entered[s] ? u->first_down[s] : u->first[s], end = u->first[s + 1];
	if (u->gate[s] < u->n_gates) {
		for (uint32_t k = best + 1; k < end; k++)
			best = u->rank[k] < u->rank[best] ? k : best;
		return best;
	}
	bool best_crowded = is_gate_crowded(u, u->ways[best].gate, paths);
	for (uint32_t k = best + 1; k < end; k++) {
		bool crowded = is_gate_crowded(u, u->ways[k].gate, paths);
		if (crowded != best_crowded ? crowded : u->rank[k] >= u->rank[best])
			continue;
		best = k;
		best_crowded = crowded;
	}
	return best;
}

/* Assign paths from the farthest switches inwards, so that the load of each switch is known when
 * its turn comes. */
void odo_updown_deal(odo_updown *u, uint8_t *port, uint32_t d, uint32_t weight)
{
	rank_ways(u);
	memset(port, ODO_NO_PORT, u->n);
	port[d] = 0;
	memset(u->entered, 0, u->n);
	memcpy(u->carried, u->hosts, u->n * sizeof *u->carried);
	for (uint32_t i = 0; i + 1 < u->n_far; i++) {
		uint32_t s = u->far[i], paths = u->carried[s] * weight;
		uint32_t k = choose_updown_way(u, s, paths);
		odo_updown_way by = u->ways[k];
		port[s] = u->port[u->cable[k]];
		u->entered[by.t] |= k >= u->first_down[s];
		u->carried[by.t] += u->carried[s];
		u->paths[k] += paths;
		if (u->gate[s] == u->n_gates)
			u->planned[by.gate] += paths;
	}
}

/* Write columns in blocks of destinations, because rows of the forest are far apart in memory. */
void odo_updown_put(const odo_updown *u, unsigned k, const uint8_t *columns, const uint32_t *d,
		    uint32_t n_columns)
{
	for (uint32_t j = 0; j < u->n; j++) {
		uint8_t *row = odo_forest_row(u->forest, k, u->sorted[j]);
		for (uint32_t i = 0; i < n_columns; i++)
			row[d[i]] = columns[i * odo_column_stride(u->n) + j];
	}
}

void odo_updown_tree(odo_updown *u, unsigned k, uint32_t d)
{
	odo_updown_approach(u, u->number[d], 1);
	odo_updown_deal(u, u->column, u->number[d], 1);
	odo_updown_leave(u);
	odo_updown_put(u, k, u->column, &d, 1);
}
