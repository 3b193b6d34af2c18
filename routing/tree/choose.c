/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways by load, where the plan has none. */
#include <string.h>

#include "routing/tree/filler.h"

/* Not looked at yet. */
#define UNKNOWN (ODO_NONE - 1)

void odo_tree_take_any(odo_filler *x)
{
	for (uint32_t s = 0; s < x->tree->n; s++)
		x->port[s] = x->port[s] == ODO_NO_PORT ? x->any[s] : x->port[s];
}

void odo_tree_walk_down(odo_filler *x, uint32_t s, uint64_t paths, uint64_t noted)
{
	while (s != x->d) {
		uint32_t t = odo_filler_next(x, s);
		x->load[odo_filler_slot(x, s)] += paths - (t == x->d ? noted : 0);
		s = t;
	}
}

void odo_tree_carry_up(odo_filler *x, uint32_t s)
{
	uint64_t paths = x->carried[s], noted = x->noted[s];
	uint32_t t = odo_filler_next(x, s);
	x->load[odo_filler_slot(x, s)] += paths - (t == x->d ? noted : 0);
	if (x->down[t])
		odo_tree_walk_down(x, t, paths, noted);
	else
		x->carried[t] += paths;
}

/* The cable into the destination by which all ways of s end. */
static uint32_t gate_of(odo_filler *x, uint32_t s);

static uint32_t gate_by(odo_filler *x, uint32_t slot, uint32_t t)
{
	return t == x->d ? slot : gate_of(x, t);
}

static uint32_t gate_of(odo_filler *x, uint32_t s)
{
	if (x->gate[s] != UNKNOWN)
		return x->gate[s];
	if (x->port[s] != ODO_NO_PORT)
		return x->gate[s] = gate_by(x, odo_filler_slot(x, s), odo_filler_next(x, s));
	const odo_tree_link *way = &x->ways[x->way_at[s]], *end = &x->ways[x->way_at[s + 1]];
	uint32_t gate = gate_by(x, way->slot, way->to);
	while (++way < end && gate != ODO_NONE)
		if (gate_by(x, way->slot, way->to) != gate)
			gate = ODO_NONE;
	return x->gate[s] = gate;
}

static uint64_t cost_of(odo_filler *x, const odo_tree_link *way);

/* Of the best way on from a switch whose port is not chosen yet, but at least that of its gate. The
 * best way is looked for once for each goal: what others choose meanwhile shows at the gate. */
static uint64_t cost_beyond(odo_filler *x, uint32_t s)
{
	uint32_t gate = gate_of(x, s);
	uint64_t least = x->beyond[s];
	for (uint32_t i = x->way_at[s]; i < x->way_at[s + 1] && x->beyond[s] == UINT64_MAX; i++) {
		uint64_t cost = cost_of(x, &x->ways[i]);
		least = cost < least ? cost : least;
	}
	x->beyond[s] = least;
	return gate != ODO_NONE && x->load[gate] > least ? x->load[gate] : least;
}

/* Load of the fullest cable on a way. */
static uint64_t cost_of(odo_filler *x, const odo_tree_link *way)
{
	uint64_t most = x->load[way->slot];
	uint32_t s = way->to;
	for (; s != x->d && x->port[s] != ODO_NO_PORT; s = odo_filler_next(x, s))
		if (x->load[odo_filler_slot(x, s)] > most)
			most = x->load[odo_filler_slot(x, s)];
	uint64_t beyond = s == x->d ? 0 : cost_beyond(x, s);
	return beyond > most ? beyond : most;
}

/* By each port, how many hosts of the destination's switch s leads to. What one leaf sends to
 * another has to be spread, too: a shift is nothing else. No cable gets more than its share while
 * others have less. Over more switches load alone decides, and so it does beside parallel cables,
 * where the one up does not tell which is taken down. */
static void count_companions(const odo_filler *x, uint32_t s, uint8_t count[ODO_MAX_PORTS + 1])
{
	const odo_fabric *f = x->f;
	for (uint32_t i = f->first_slot[x->d]; i < f->first_slot[x->d + 1]; i++) {
		uint32_t host = f->slot_host[i];
		uint32_t lid = host == ODO_NONE ? 0 : f->port_lid[f->host_slot[host]];
		uint8_t port = lid ? x->columns[(size_t)lid * x->tree->n + s] : ODO_NO_PORT;
		if (port <= ODO_MAX_PORTS && lid != x->goal->lid)
			count[port]++;
	}
}

typedef struct price {
	uint64_t crowd, cost, load;
} price;

static bool is_cheaper(const price *a, const price *b)
{
	if (a->crowd != b->crowd)
		return a->crowd < b->crowd;
	return a->cost != b->cost ? a->cost < b->cost : a->load < b->load;
}

static void choose(odo_filler *x, uint32_t s)
{
	const odo_tree_link *ways = x->ways + x->way_at[s], *best = NULL;
	uint32_t n = x->way_at[s + 1] - x->way_at[s], turn = x->goal->number + x->tree->rank[s];
	uint32_t share = (x->tree->hosts[x->d] + n - 1) / n;
	uint8_t companions[ODO_MAX_PORTS + 1] = {0};
	price least = {0};
	if (x->depth[s] == 2 && x->tree->sides[x->tree->level[s]] == 1)
		count_companions(x, s, companions);
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *way = &ways[(i + turn) % n];
		uint32_t fellows = companions[way->slot - x->f->first_slot[s] + 1];
		price p = {fellows < share ? 0 : fellows, cost_of(x, way), x->load[way->slot]};
		if (best && !is_cheaper(&p, &least))
			continue;
		best = way;
		least = p;
	}
	odo_filler_set(x, s, best->slot);
	x->gate[s] = gate_by(x, best->slot, best->to);
}

/* Ports of switches that go down only, nearest first. */
static void choose_down(odo_filler *x)
{
	for (uint32_t i = 1; i < x->n_down; i++) {
		uint32_t s = x->queue[i];
		if (x->port[s] != ODO_NO_PORT)
			continue;
		choose(x, s);
		odo_tree_walk_down(x, s, x->tree->hosts[s], 0);
	}
}

void odo_tree_choose_rest(odo_filler *x)
{
	const odo_tree *tree = x->tree;
	for (uint32_t s = 0; s < tree->n; s++) {
		bool open = !x->down[s] && x->port[s] == ODO_NO_PORT && x->depth[s] != ODO_NONE;
		x->carried[s] = open ? tree->hosts[s] : 0;
		x->noted[s] = 0;
		x->gate[s] = UNKNOWN;
		x->beyond[s] = UINT64_MAX;
	}
	choose_down(x);
	for (uint32_t number = tree->n; number-- > 0;) {
		uint32_t s = tree->sorted[number];
		if (!x->carried[s])
			continue;
		if (x->port[s] == ODO_NO_PORT)
			choose(x, s);
		uint32_t t = odo_filler_next(x, s), gate = t == x->d ? ODO_NONE : gate_of(x, t);
		if (!x->down[t] && gate != ODO_NONE) {
			x->load[gate] += x->carried[s] - x->noted[s];
			x->noted[t] += x->carried[s];
			x->noted[s] = x->carried[s];
		}
		odo_tree_carry_up(x, s);
	}
	memset(x->noted, 0, tree->n * sizeof *x->noted);
	odo_tree_take_any(x);
}
