/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Choose paths by load if the plan has none. Each source takes the path whose fullest cable has the
 * least load. Its paths are counted before the next source chooses. This decides all switches on
 * the path, since a switch has one port for each LID.
 *
 * Loads only grow while one goal is processed. The cost of the best path from a switch is therefore
 * a lower bound once computed. It is recomputed only if a source would take this path.
 */
#include <string.h>

#include "routing/tree/filler.h"

void odo_tree_take_any(odo_filler *x)
{
	for (uint32_t s = 0; s < x->tree->n; s++)
		x->port[s] = x->port[s] == ODO_NO_PORT ? x->any[s] : x->port[s];
}

void odo_tree_walk(odo_filler *x, uint32_t s, uint64_t paths)
{
	for (; s != x->d; s = odo_filler_next(x, s))
		x->load[odo_filler_slot(x, s)] += paths;
}

/*
 * Load of the fullest cable on the decided part of a way.
 * @param open gets the first undecided switch, or d
 */
static uint64_t follow_decided_part(const odo_filler *x, const odo_tree_link *way, uint32_t *open)
{
	uint64_t most = x->load[way->slot];
	uint32_t s = way->to;
	for (; s != x->d && x->port[s] != ODO_NO_PORT; s = odo_filler_next(x, s))
		if (x->load[odo_filler_slot(x, s)] > most)
			most = x->load[odo_filler_slot(x, s)];
	*open = s;
	return most;
}

static const odo_tree_link *find_best_way(odo_filler *x, uint32_t s);

static uint64_t cost_of_way(odo_filler *x, const odo_tree_link *way)
{
	uint32_t s;
	uint64_t most = follow_decided_part(x, way, &s);
	if (s == x->d)
		return most;
	if (x->beyond[s] == UINT64_MAX)
		find_best_way(x, s);
	return x->beyond[s] > most ? x->beyond[s] : most;
}

/* Hosts at the destination's switch, counted by the cable over which s sends to them, and by the
 * cable into the destination. Traffic from one leaf to another must be spread as well, because a
 * shift pattern consists of it. No cable gets more than its share while others have less. For paths
 * through more switches, load alone decides. */
typedef struct companions {
	uint8_t up[ODO_MAX_PORTS + 1];   /* by each port of s */
	uint8_t down[ODO_MAX_PORTS + 1]; /* into each port of the destination */
	uint32_t share;                  /* hosts on the fullest cable if they are spread evenly */
} companions;

static unsigned end_port(const odo_filler *x, uint32_t slot)
{
	return odo_port(x->f, x->f->peer[slot]);
}

static void count_companions(const odo_filler *x, uint32_t s, companions *c)
{
	const odo_fabric *f = x->f;
	for (uint32_t i = f->first_slot[x->d]; i < f->first_slot[x->d + 1]; i++) {
		uint32_t host = f->slot_host[i];
		uint32_t lid = host < f->n_senders ? f->port_lid[f->host_slot[host]] : 0;
		const uint8_t *port = x->columns + (size_t)lid * x->tree->n;
		if (!lid || lid == x->goal->lid || port[s] == ODO_NO_PORT)
			continue;
		uint32_t t = odo_next_switch(f, odo_slot(f, s, port[s]));
		c->up[port[s]]++;
		if (t != x->d && port[t] != ODO_NO_PORT)
			c->down[end_port(x, odo_slot(f, t, port[t]))]++;
	}
}

static uint32_t even_share(uint32_t hosts, uint32_t cables)
{
	return cables ? (hosts + cables - 1) / cables : hosts;
}

static void count_shares(const odo_filler *x, uint32_t s, companions *c)
{
	const odo_tree *tree = x->tree;
	uint32_t hosts = tree->hosts[x->d];
	uint32_t up = even_share(hosts, x->way_at[s + 1] - x->way_at[s]);
	uint32_t down = even_share(hosts, tree->up_at[x->d + 1] - tree->up_at[x->d]);
	c->share = up > down ? up : down;
	count_companions(x, s, c);
}

typedef struct price {
	uint64_t crowd, cost, load;
} price;

static bool is_price_lower(const price *a, const price *b)
{
	if (a->crowd != b->crowd)
		return a->crowd < b->crowd;
	return a->cost != b->cost ? a->cost < b->cost : a->load < b->load;
}

static uint32_t crowd_on(odo_filler *x, uint32_t s, const odo_tree_link *way, const companions *c)
{
	uint32_t most = c->up[way->slot - x->f->first_slot[s] + 1], t = way->to;
	if (t != x->d) {
		uint32_t slot = x->port[t] != ODO_NO_PORT ? odo_filler_slot(x, t)
							  : find_best_way(x, t)->slot;
		uint32_t down = c->down[end_port(x, slot)];
		most = down > most ? down : most;
	}
	return most < c->share ? 0 : most;
}

static const odo_tree_link *pick_way(odo_filler *x, uint32_t s, const companions *c, price *least)
{
	const odo_tree_link *ways = x->ways + x->way_at[s], *best = NULL;
	uint32_t n = x->way_at[s + 1] - x->way_at[s];
	uint32_t turn = (x->goal->number + x->tree->rank[s]) % n;
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *way = &ways[i + turn < n ? i + turn : i + turn - n];
		price p = {c ? crowd_on(x, s, way, c) : 0, cost_of_way(x, way), x->load[way->slot]};
		if (best && !is_price_lower(&p, least))
			continue;
		best = way;
		*least = p;
	}
	return best;
}

/* Return true if the cost beyond a way is still what was computed before. */
static bool is_cost_current(odo_filler *x, const odo_tree_link *way)
{
	uint32_t open;
	follow_decided_part(x, way, &open);
	if (open == x->d)
		return true;
	uint64_t thought = x->beyond[open];
	find_best_way(x, open);
	return x->beyond[open] == thought;
}

/* Return the best way from s, and store its cost in x->beyond. */
static const odo_tree_link *find_best_way(odo_filler *x, uint32_t s)
{
	const odo_tree_link *best;
	price least;
	do
		best = pick_way(x, s, NULL, &least);
	while (!is_cost_current(x, best));
	x->beyond[s] = least.cost;
	return best;
}

static void choose_path(odo_filler *x, uint32_t s)
{
	const odo_tree_link *best;
	companions c = {0};
	price least;
	bool near = x->depth[s] == 2;
	if (near)
		count_shares(x, s, &c);
	do
		best = pick_way(x, s, near ? &c : NULL, &least);
	while (!is_cost_current(x, best));
	for (uint32_t t = s; t != x->d && x->port[t] == ODO_NO_PORT; t = odo_filler_next(x, t))
		odo_filler_set(x, t, t == s ? best->slot : find_best_way(x, t)->slot);
}

void odo_tree_choose_rest(odo_filler *x)
{
	const odo_tree *tree = x->tree;
	uint8_t *open = x->open;
	memset(x->beyond, 0xFF, tree->n * sizeof *x->beyond);
	for (uint32_t s = 0; s < tree->n; s++)
		open[s] = tree->hosts[s] && x->port[s] == ODO_NO_PORT && x->depth[s] != ODO_NONE;
	for (uint32_t number = tree->n; number-- > 0;) {
		uint32_t s = tree->sorted[number];
		if (!open[s])
			continue;
		if (x->port[s] == ODO_NO_PORT)
			choose_path(x, s);
		odo_tree_walk(x, s, tree->hosts[s]);
	}
	odo_tree_take_any(x);
}
