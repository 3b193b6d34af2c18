/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/updown.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "fabric/search.h"
#include "routing/engines.h"
#include "routing/forest/updown_order.h"
#include "routing/graph/columns.h"

/* Trees per destination where every switch has hosts. */
#define FEW_TREES 4u

/* The far end of a cable. */
typedef struct neighbour {
	uint32_t t, slot; /* by which it is reached */
} neighbour;

struct odo_updown {
	odo_forest *w;
	neighbour *near;         /* of each switch, those above and then those below */
	uint32_t *above, *below; /* [n + 1] first of either; those below end where the next begin */
	uint32_t *order;         /* [n] number of each switch; up is towards lower */
	uint32_t *sorted;        /* [n] switches by number */
	uint32_t *hosts;         /* [n] */
	uint64_t *load;          /* [slots of switches] paths between hosts dealt so far */
	/* The destination at hand: */
	uint32_t *depth; /* [n] hops to it */
	uint32_t *queue; /* those that reach it by going down only, nearest first */
	uint32_t *far;   /* all that reach it, furthest first */
	uint32_t n_far;
	uint8_t *down;   /* [n] reaches it by going down only */
	neighbour *ways; /* of each switch, neighbours one hop nearer; those above come first */
	uint32_t *first, *first_down; /* [n + 1] first of either */
	uint32_t *gate;               /* [n] last cable of all its ways, or ODO_NONE */
	uint64_t *planned;            /* [slots of switches] paths by each such cable */
	uint64_t fair;                /* such paths, if all shared alike */
	/* The tree at hand: */
	uint8_t *column;   /* [n] of odo_updown_tree() */
	uint64_t *ahead;   /* [n] load of the emptiest cable by which to go on */
	uint8_t *entered;  /* [n] from above, so that packets must go down */
	uint32_t *carried; /* [n] hosts whose packets have come so far */
};

static int by_order(const void *a, const void *b)
{
	const neighbour *x = a, *y = b;
	return x->t != y->t ? (x->t < y->t ? -1 : 1) : x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Neighbours in order, so that of equal ways all switches take the same. */
static void list_neighbours(odo_updown *u)
{
	const odo_forest *forest = u->w;
	uint32_t n = 0;
	for (uint32_t s = 0; s < forest->n; s++) {
		u->above[s] = u->below[s] = n;
		for (uint32_t i = forest->f->first_slot[s]; i < forest->f->first_slot[s + 1]; i++) {
			uint32_t t = forest->next[i];
			if (t == ODO_NONE || t == s)
				continue;
			u->below[s] += u->order[t] < u->order[s];
			u->near[n++] = (neighbour){u->order[t], i};
		}
		qsort(u->near + u->above[s], n - u->above[s], sizeof *u->near, by_order);
	}
	u->above[forest->n] = n;
	for (uint32_t i = 0; i < n; i++)
		u->near[i].t = u->sorted[u->near[i].t];
}

static int allocate(odo_updown *u)
{
	size_t n = u->w->n, slots = u->w->f->first_slot[n];
	u->near = odo_new(slots, sizeof *u->near);
	u->above = odo_new(n + 1, sizeof *u->above);
	u->below = odo_new(n, sizeof *u->below);
	u->order = odo_new(n, sizeof *u->order);
	u->sorted = odo_new(n, sizeof *u->sorted);
	u->hosts = odo_new(n, sizeof *u->hosts);
	u->load = odo_new(slots, sizeof *u->load);
	u->depth = odo_new(n, sizeof *u->depth);
	u->queue = odo_new(n, sizeof *u->queue);
	u->far = odo_new(n, sizeof *u->far);
	u->down = odo_new(n, 1);
	u->ways = odo_new(slots, sizeof *u->ways);
	u->first = odo_new(n + 1, sizeof *u->first);
	u->first_down = odo_new(n, sizeof *u->first_down);
	u->gate = odo_new(n, sizeof *u->gate);
	u->planned = odo_new(slots, sizeof *u->planned);
	u->entered = odo_new(n, 1);
	u->carried = odo_new(n, sizeof *u->carried);
	u->ahead = odo_new(n, sizeof *u->ahead);
	u->column = odo_new(n, 1);
	bool room = u->near && u->above && u->below && u->order && u->sorted && u->hosts &&
		    u->load && u->depth && u->queue && u->far && u->down && u->ways && u->first &&
		    u->first_down && u->gate && u->planned && u->entered && u->carried &&
		    u->ahead && u->column;
	return room ? 0 : ODO_ENOMEM;
}

static int find_order(odo_updown *u)
{
	uint32_t *hash = odo_new(u->w->n, sizeof *hash);
	for (uint32_t s = 0; hash && s < u->w->n; s++)
		hash[s] = odo_node_hash(u->w->f, s);
	int status = hash ? odo_updown_order(u->w, hash, u->order, u->sorted) : ODO_ENOMEM;
	free(hash);
	return status;
}

int odo_updown_create(odo_forest *forest, odo_updown **out, odo_error *err)
{
	odo_updown *u = odo_new(1, sizeof *u);
	if (!u)
		return odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
	u->w = forest;
	if (allocate(u) || find_order(u)) {
		odo_updown_free(u);
		return odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
	}
	for (uint32_t h = 0; h < forest->f->n_hosts; h++)
		u->hosts[odo_host_switch(forest->f, h)]++;
	list_neighbours(u);
	*out = u;
	return 0;
}

void odo_updown_free(odo_updown *u)
{
	if (!u)
		return;
	free(u->near);
	free(u->above);
	free(u->below);
	free(u->order);
	free(u->sorted);
	free(u->hosts);
	free(u->load);
	free(u->depth);
	free(u->queue);
	free(u->far);
	free(u->down);
	free(u->ways);
	free(u->first);
	free(u->first_down);
	free(u->gate);
	free(u->planned);
	free(u->entered);
	free(u->carried);
	free(u->ahead);
	free(u->column);
	free(u);
}

/* Up from a switch that reaches the destination by going down only. */
static uint32_t step_up(void *x, uint32_t t, uint32_t i)
{
	odo_updown *u = x;
	uint32_t s = u->near[i].t;
	if (u->depth[s] != ODO_NONE)
		return ODO_NONE;
	u->depth[s] = u->depth[t] + 1;
	u->down[s] = 1;
	return s;
}

/* Switches that reach d by going down only. @return how many */
static uint32_t climb(odo_updown *u, uint32_t d)
{
	memset(u->depth, 0xFF, u->w->n * sizeof *u->depth);
	memset(u->down, 0, u->w->n);
	u->depth[d] = 0;
	u->down[d] = 1;
	u->queue[0] = d;
	return odo_breadth_first(u->above, u->below, step_up, u, u->queue, 1);
}

/* The rest goes up; in order of numbers, so that all above are known. */
static void find_depths(odo_updown *u, uint32_t d)
{
	const odo_forest *forest = u->w;
	climb(u, d);
	for (uint32_t j = 0; j < forest->n; j++) {
		uint32_t s = u->sorted[j], least = ODO_NONE;
		if (u->depth[s] != ODO_NONE || forest->part[s] != forest->part[d])
			continue;
		for (uint32_t i = u->above[s]; i < u->below[s]; i++)
			least = u->depth[u->near[i].t] < least ? u->depth[u->near[i].t] : least;
		u->depth[s] = least + 1;
	}
}

/* Furthest first; of equal ones in order of numbers. */
static void sort_by_depth(odo_updown *u)
{
	uint32_t n = u->w->n, *start = u->queue; /* which is done with */
	memset(start, 0, n * sizeof *start);
	u->n_far = 0;
	for (uint32_t s = 0; s < n; s++) {
		if (u->depth[s] == ODO_NONE)
			continue;
		start[n - 1 - u->depth[s]]++;
		u->n_far++;
	}
	for (uint32_t i = 0, at = 0; i < n; i++) {
		uint32_t here = start[i];
		start[i] = at;
		at += here;
	}
	for (uint32_t j = 0; j < n; j++)
		if (u->depth[u->sorted[j]] != ODO_NONE)
			u->far[start[n - 1 - u->depth[u->sorted[j]]]++] = u->sorted[j];
}

/* Ways of s: up to any switch one hop nearer, down to those that go on down. A switch that could
 * go down only may go up as well, as long as that is no longer and no packet came from above. */
static uint32_t list_ways(odo_updown *u, uint32_t s, uint32_t n)
{
	uint32_t nearer = u->depth[s] - 1;
	for (uint32_t i = u->above[s]; i < u->below[s]; i++)
		if (u->depth[u->near[i].t] == nearer)
			u->ways[n++] = u->near[i];
	u->first_down[s] = n;
	for (uint32_t i = u->below[s]; i < u->above[s + 1] && u->down[s]; i++)
		if (u->down[u->near[i].t] && u->depth[u->near[i].t] == nearer)
			u->ways[n++] = u->near[i];
	return n;
}

/* The cable into d by which a way ends, as far as that is settled. */
static uint32_t gate_of(const odo_updown *u, neighbour by)
{
	return u->depth[by.t] ? u->gate[by.t] : by.slot;
}

/* Nearest first. @return cables into d */
static uint32_t find_gates(odo_updown *u, uint32_t d)
{
	uint32_t n_gates = 0;
	u->gate[d] = ODO_NONE;
	for (uint32_t i = u->n_far - 1; i-- > 0;) {
		uint32_t s = u->far[i], gate = gate_of(u, u->ways[u->first[s]]);
		for (uint32_t j = u->first[s]; j < u->first[s + 1]; j++) {
			bool last = u->ways[j].t == d;
			gate = gate_of(u, u->ways[j]) == gate ? gate : ODO_NONE;
			n_gates += last;
			if (last)
				u->planned[u->ways[j].slot] = 0;
		}
		u->gate[s] = gate;
	}
	return n_gates;
}

/* @param weight LIDs of d, of all its trees */
static void approach(odo_updown *u, uint32_t d, uint32_t weight)
{
	uint32_t n = 0, n_hosts = 0;
	find_depths(u, d);
	sort_by_depth(u);
	for (uint32_t s = 0; s < u->w->n; s++) {
		u->first[s] = u->first_down[s] = n;
		if (u->depth[s] == ODO_NONE || s == d)
			continue;
		n = list_ways(u, s, n);
		n_hosts += u->hosts[s];
	}
	u->first[u->w->n] = n;
	uint32_t n_gates = find_gates(u, d);
	u->fair = n_gates ? ((uint64_t)n_hosts * weight + n_gates - 1) / n_gates : 0;
}

static void look_ahead(odo_updown *u)
{
	for (uint32_t s = 0; s < u->w->n; s++) {
		uint64_t least = u->first[s] < u->first[s + 1] ? UINT64_MAX : 0;
		for (uint32_t i = u->first[s]; i < u->first[s + 1]; i++)
			if (u->load[u->ways[i].slot] < least)
				least = u->load[u->ways[i].slot];
		u->ahead[s] = least;
	}
}

/* True if a way would lead more paths over one of d's cables than its share. In a whole tree none
 * does; where d has lost cables, sources differ by which of the others they come. */
static bool is_crowded(const odo_updown *u, uint32_t s, neighbour by, uint64_t paths)
{
	uint32_t gate = gate_of(u, by);
	return u->gate[s] == ODO_NONE && gate != ODO_NONE && u->planned[gate] + paths > u->fair;
}

/* Of a switch's ways one that is not crowded, then the emptiest, then the one with the emptiest
 * cable beyond, then the first. */
static uint32_t choose(const odo_updown *u, uint32_t s, uint64_t paths)
{
	uint32_t begin = u->entered[s] ? u->first_down[s] : u->first[s], best = begin;
	bool best_crowded = is_crowded(u, s, u->ways[best], paths);
	for (uint32_t i = begin + 1; i < u->first[s + 1]; i++) {
		uint64_t here = u->load[u->ways[i].slot], least = u->load[u->ways[best].slot];
		bool emptier = here < least || (here == least &&
						u->ahead[u->ways[i].t] < u->ahead[u->ways[best].t]);
		bool crowded = is_crowded(u, s, u->ways[i], paths);
		if (crowded != best_crowded ? crowded : !emptier)
			continue;
		best = i;
		best_crowded = crowded;
	}
	return best;
}

/* From the far ends inwards: what a switch carries is known when it is its turn.
 * @param port   [n] gets the tree
 * @param weight LIDs that it leads to */
static void deal(odo_updown *u, uint8_t *port, uint32_t d, uint32_t weight)
{
	const odo_forest *forest = u->w;
	look_ahead(u);
	memset(port, ODO_NO_PORT, forest->n);
	port[d] = 0;
	memset(u->entered, 0, forest->n);
	memcpy(u->carried, u->hosts, forest->n * sizeof *u->carried);
	for (uint32_t i = 0; i + 1 < u->n_far; i++) {
		uint32_t s = u->far[i];
		uint64_t paths = (uint64_t)u->carried[s] * weight;
		uint32_t way = choose(u, s, paths);
		neighbour by = u->ways[way];
		port[s] = (uint8_t)(by.slot - forest->f->first_slot[s] + 1);
		u->entered[by.t] |= way >= u->first_down[s];
		u->carried[by.t] += u->carried[s];
		u->load[by.slot] += paths;
		if (u->gate[s] == ODO_NONE && gate_of(u, by) != ODO_NONE)
			u->planned[gate_of(u, by)] += paths;
	}
}

/* Rows of the forest are far apart, so columns are written a block of destinations at a time.
 * @param d [n_columns] their destinations */
static void put(const odo_forest *forest, unsigned k, const uint8_t *columns, const uint32_t *d,
		uint32_t n_columns)
{
	for (uint32_t s = 0; s < forest->n; s++) {
		uint8_t *row = odo_forest_row(forest, k, s);
		for (uint32_t i = 0; i < n_columns; i++)
			row[d[i]] = columns[i * odo_column_stride(forest->n) + s];
	}
}

void odo_updown_tree(odo_updown *u, unsigned k, uint32_t d)
{
	approach(u, d, 1);
	deal(u, u->column, d, 1);
	put(u->w, k, u->column, &d, 1);
}

/* Destinations that hang on the same switches one after another, so that rounds of equal ways
 * begin and end with them. */
static void sort_destinations(const odo_updown *u, uint64_t *sorted)
{
	for (uint32_t s = 0; s < u->w->n; s++) {
		uint32_t first = u->above[s] < u->below[s] ? u->order[u->near[u->above[s]].t] : 0;
		sorted[s] = (uint64_t)first << 32 | u->order[s];
	}
	qsort(sorted, u->w->n, sizeof *sorted, odo_by_u64);
}

/* LIDs of hosts that follow each tree; trees that nobody follows are left out. */
static void count_followers(const odo_forest *forest, uint32_t *followers, uint8_t *followed)
{
	for (uint32_t lid = 0; lid < forest->f->lid_count; lid++) {
		if (forest->lid_tree[lid] == ODO_NONE)
			continue;
		followed[forest->lid_tree[lid]] = 1;
		followers[forest->lid_tree[lid]] += forest->f->lid_host[lid] != ODO_NONE;
	}
}

/* Columns of a block of destinations, of each tree those that somebody follows. */
typedef struct block {
	uint8_t *columns; /* [n_trees * ODO_COLUMNS * stride] */
	uint32_t d[ODO_MOST_TREES][ODO_COLUMNS], n[ODO_MOST_TREES];
} block;

static void grow(odo_updown *u, uint32_t d, const uint32_t *followers, const uint8_t *followed,
		 block *b)
{
	const odo_forest *forest = u->w;
	uint32_t weight = 0;
	for (unsigned k = 0; k < forest->n_trees; k++)
		weight += followers[k * forest->n + d];
	approach(u, d, weight);
	for (unsigned k = 0; k < forest->n_trees; k++) {
		if (!followed[k * forest->n + d])
			continue;
		uint8_t *columns = b->columns + k * ODO_COLUMNS * odo_column_stride(forest->n);
		b->d[k][b->n[k]] = d;
		deal(u, columns + b->n[k]++ * odo_column_stride(forest->n), d,
		     followers[k * forest->n + d]);
		if (b->n[k] == ODO_COLUMNS) {
			put(forest, k, columns, b->d[k], ODO_COLUMNS);
			b->n[k] = 0;
		}
	}
}

static int grow_all(odo_updown *u, odo_error *err)
{
	const odo_forest *forest = u->w;
	size_t n_trees = (size_t)forest->n * forest->n_trees;
	size_t size = ODO_COLUMNS * odo_column_stride(forest->n);
	uint64_t *sorted = odo_new(forest->n, sizeof *sorted);
	uint32_t *followers = odo_new(n_trees, sizeof *followers);
	uint8_t *followed = odo_new(n_trees, 1);
	block b = {.columns = malloc(forest->n_trees * size)};
	bool room = sorted && followers && followed && b.columns;
	if (room) {
		sort_destinations(u, sorted);
		count_followers(forest, followers, followed);
	}
	for (uint32_t i = 0; room && i < forest->n; i++)
		grow(u, u->sorted[(uint32_t)sorted[i]], followers, followed, &b);
	for (unsigned k = 0; room && k < forest->n_trees; k++)
		put(forest, k, b.columns + k * size, b.d[k], b.n[k]);
	free(sorted);
	free(followers);
	free(followed);
	free(b.columns);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for up*/down*");
}

static bool has_hosts(const odo_fabric *f, uint32_t s)
{
	uint32_t i = f->first_slot[s], end = f->first_slot[s + 1];
	while (i < end && f->slot_host[i] == ODO_NONE)
		i++;
	return i < end;
}

/* Where some switches have no hosts, as in a tree, there is one for each LID behind a switch, as
 * far as there is room: every host of a leaf is to be reached over a spine of its own. Elsewhere
 * the cables next to the root fill first, and more would not help. */
static unsigned count_trees(const odo_fabric *f)
{
	uint64_t keys = odo_max_keys(f), pairs = (uint64_t)f->n_switches * f->n_switches;
	uint64_t most = FEW_TREES;
	for (uint32_t s = 0; s < f->n_switches && most == FEW_TREES; s++)
		if (!has_hosts(f, s))
			most = ODO_MOST_TREES;
	if (keys > most)
		keys = most;
	while (keys > 1 && keys * pairs > UINT32_MAX)
		keys--;
	return (unsigned)keys;
}

int odo_route_updown(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		     const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)row;
	(void)c;
	odo_forest *forest;
	odo_updown *u = NULL;
	int status = odo_forest_create(f, NULL, options, count_trees(f), 1, 1, &forest, err);
	if (status)
		return status;
	status = odo_updown_create(forest, &u, err);
	if (!status)
		status = grow_all(u, err);
	if (!status)
		status = odo_forest_write(forest, t, err);
	odo_updown_free(u);
	odo_forest_free(forest);
	return status;
}
