/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fills in tables, destination by destination.
 *
 * Most switches come to a goal by its way (tree.h): those of the way go down it, all below them go
 * up to it. A switch that cannot, because its own cable is gone, or because the goal is loose, gets
 * the emptiest way there is, counted in paths between hosts on its fullest cable, down to the goal.
 * So all that goes by the plan is counted first, in one pass over all goals, and the rest is added
 * in another.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/engines.h"
#include "routing/graph/columns.h"
#include "routing/tree/tree.h"

/* Not looked at yet. */
#define UNKNOWN (ODO_NONE - 1)

typedef struct filler {
	const odo_tree *tree;
	const odo_fabric *f;
	uint8_t *columns;             /* [lid_count * n] port of each switch for each LID */
	uint32_t *sources, n_sources; /* switches with hosts */
	uint64_t *load;               /* [slots of switches] paths between hosts so far */
	/* The destination switch at hand: */
	uint32_t d;
	uint32_t *depth;         /* [n] hops to it, or ODO_NONE */
	uint8_t *down;           /* [n] reaches it by going down only */
	uint32_t *queue, n_down; /* those, nearest first */
	uint8_t *any;            /* [n] port of some way, for switches that nothing depends on */
	odo_tree_link *ways;     /* of each switch, a hop nearer: in the second pass */
	uint32_t *way_at;        /* [n + 1] */
	/* The goal at hand: */
	const odo_tree_goal *goal;
	uint8_t *port; /* [n] its column */
	uint32_t *visit;
	uint32_t n_visit;
	uint32_t side[ODO_TREE_LEVELS];   /* which of several cables to take up from each level */
	uint32_t column[ODO_TREE_LEVELS]; /* of the switch of the way, or ODO_NONE */
	uint64_t *carried;                /* [n] paths that have come to a switch */
	/* Where ways are still to be chosen: */
	uint32_t *gate;  /* [n] the last cable of all its ways, ODO_NONE, or UNKNOWN */
	uint64_t *noted; /* [n] how many of `carried` its gate's load has already */
} filler;

static uint32_t slot_of(const filler *x, uint32_t s)
{
	return x->f->first_slot[s] + x->port[s] - 1;
}

static uint32_t next_of(const filler *x, uint32_t s)
{
	return x->f->owner[x->f->peer[slot_of(x, s)]];
}

/* Hops of those that reach the destination by going down only. */
static void search_down(filler *x)
{
	const odo_tree *tree = x->tree;
	memset(x->depth, 0xFF, tree->n * sizeof *x->depth);
	memset(x->down, 0, tree->n);
	x->queue[0] = x->d;
	x->n_down = 1;
	x->depth[x->d] = 0;
	x->down[x->d] = 1;
	for (uint32_t head = 0; head < x->n_down; head++) {
		uint32_t s = x->queue[head];
		for (uint32_t i = tree->above[s]; i < tree->below[s]; i++) {
			uint32_t t = tree->near[i].to;
			if (x->down[t])
				continue;
			x->down[t] = 1;
			x->depth[t] = x->depth[s] + 1;
			x->queue[x->n_down++] = t;
		}
	}
}

/* Others go up first. @param strict so does nobody who can go down, were it shorter or not */
static void search_up(filler *x, bool strict)
{
	const odo_tree *tree = x->tree;
	for (uint32_t number = 0; number < tree->n; number++) {
		uint32_t s = tree->sorted[number], least = ODO_NONE;
		if (x->down[s] && strict)
			continue;
		for (uint32_t i = tree->above[s]; i < tree->below[s]; i++)
			if (x->depth[tree->near[i].to] < least)
				least = x->depth[tree->near[i].to];
		if (least == ODO_NONE || least + 1 >= x->depth[s])
			continue;
		x->depth[s] = least + 1;
		x->down[s] = 0;
	}
}

static bool leads_down(const filler *x, uint32_t s)
{
	const odo_tree *tree = x->tree;
	for (uint32_t i = tree->below[s]; i < tree->above[s + 1]; i++)
		if (x->down[tree->near[i].to] && x->depth[tree->near[i].to] + 1 == x->depth[s])
			return true;
	return false;
}

/* What goes down must go on down: those that would have to go up after all, since that is shorter
 * from where they come to, spoil it. */
static bool is_consistent(const filler *x)
{
	for (uint32_t i = 1; i < x->n_down; i++)
		if (x->down[x->queue[i]] && !leads_down(x, x->queue[i]))
			return false;
	return true;
}

static void find_depths(filler *x)
{
	uint32_t n = 0;
	search_down(x);
	search_up(x, false);
	if (!is_consistent(x)) {
		search_down(x);
		search_up(x, true);
	}
	for (uint32_t i = 0; i < x->n_down; i++)
		if (x->down[x->queue[i]])
			x->queue[n++] = x->queue[i];
	x->n_down = n;
}

static bool is_way(const filler *x, uint32_t s, uint32_t t)
{
	bool up = x->tree->order[t] < x->tree->order[s];
	return x->depth[t] + 1 == x->depth[s] && x->depth[t] != ODO_NONE && up == !x->down[s] &&
	       (up || x->down[t]);
}

static odo_tree_link *ways_begin(const filler *x, uint32_t s)
{
	return x->tree->near + (x->down[s] ? x->tree->below[s] : x->tree->above[s]);
}

static odo_tree_link *ways_end(const filler *x, uint32_t s)
{
	return x->tree->near + (x->down[s] ? x->tree->above[s + 1] : x->tree->below[s]);
}

/* The first way from a place that differs by switch and by destination. */
static uint8_t find_any(const filler *x, uint32_t s)
{
	const odo_tree_link *links = ways_begin(x, s);
	uint32_t n = (uint32_t)(ways_end(x, s) - links);
	uint32_t turn = n ? (x->tree->rank[s] + x->tree->rank[x->d]) % n : 0;
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *way = &links[i + turn < n ? i + turn : i + turn - n];
		if (is_way(x, s, way->to))
			return (uint8_t)(way->slot - x->f->first_slot[s] + 1);
	}
	return ODO_NO_PORT;
}

static void list_ways(filler *x)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < x->tree->n; s++) {
		x->way_at[s] = n;
		for (odo_tree_link *way = ways_begin(x, s); way < ways_end(x, s); way++)
			if (is_way(x, s, way->to))
				x->ways[n++] = *way;
	}
	x->way_at[x->tree->n] = n;
}

enum { PLAN, COUNT, CHOOSE };

/* What depends on the destination switch only. */
static void approach(filler *x, uint32_t d, int pass)
{
	x->d = d;
	find_depths(x);
	for (uint32_t s = 0; pass != COUNT && s < x->tree->n; s++)
		x->any[s] = s == d ? ODO_NO_PORT : find_any(x, s);
	if (pass == CHOOSE)
		list_ways(x);
}

static void set_port(filler *x, uint32_t s, uint32_t slot)
{
	x->port[s] = (uint8_t)(slot - x->f->first_slot[s] + 1);
}

/* Down the goal's own way, and what its other cables are to be chosen by. */
static void follow_way(filler *x)
{
	const odo_tree *tree = x->tree;
	const odo_tree_goal *g = x->goal;
	uint32_t s = g->d;
	memset(x->side, 0, sizeof x->side);
	memset(x->column, 0xFF, sizeof x->column);
	x->visit[0] = s;
	x->n_visit = 1;
	for (unsigned i = 0; i < g->n_links; i++) {
		const odo_tree_link *up = &tree->up[g->link[i]];
		if (!is_way(x, up->to, s))
			break;
		set_port(x, up->to, x->f->peer[up->slot]);
		x->side[tree->level[s]] = up->side;
		x->column[tree->level[up->to]] = tree->column[up->to];
		s = up->to;
		x->visit[x->n_visit++] = s;
	}
}

/* All below the way go up to it, over parents that stand where those of the way do. */
static void draw_in(filler *x)
{
	const odo_tree *tree = x->tree;
	for (uint32_t head = 0; head < x->n_visit; head++) {
		uint32_t s = x->visit[head];
		for (uint32_t i = tree->down_at[s]; i < tree->down_at[s + 1]; i++) {
			const odo_tree_link *down = &tree->down[i];
			uint32_t t = down->to, column = x->column[tree->level[t]];
			if (x->port[t] != ODO_NO_PORT || down->side != x->side[tree->level[t]] ||
			    !is_way(x, t, s) || (column != ODO_NONE && column != tree->column[t]))
				continue;
			set_port(x, t, x->f->peer[down->slot]);
			if (tree->level[t])
				x->visit[x->n_visit++] = t;
		}
	}
}

static void take_any(filler *x)
{
	for (uint32_t s = 0; s < x->tree->n; s++)
		x->port[s] = x->port[s] == ODO_NO_PORT ? x->any[s] : x->port[s];
}

/* Paths that go down from s. @param noted so many are in the load of the last cable already */
static void walk_down(filler *x, uint32_t s, uint64_t paths, uint64_t noted)
{
	while (s != x->d) {
		uint32_t t = next_of(x, s);
		x->load[slot_of(x, s)] += paths - (t == x->d ? noted : 0);
		s = t;
	}
}

/* All paths of s, one hop up, and from there down where that is settled. */
static void carry_up(filler *x, uint32_t s)
{
	uint64_t paths = x->carried[s], noted = x->noted[s];
	uint32_t t = next_of(x, s);
	x->load[slot_of(x, s)] += paths - (t == x->d ? noted : 0);
	if (x->down[t])
		walk_down(x, t, paths, noted);
	else
		x->carried[t] += paths;
}

/* True if every switch with hosts has a port. What is on its way further has one as well, then. */
static bool is_complete(const filler *x)
{
	for (uint32_t i = 0; i < x->n_sources; i++) {
		uint32_t s = x->sources[i];
		if (x->port[s] == ODO_NO_PORT && x->depth[s] != ODO_NONE)
			return false;
	}
	return true;
}

/* What goes by the plan. @return true if nothing is left to choose */
static bool plan(filler *x)
{
	const odo_tree_goal *g = x->goal;
	memset(x->port, ODO_NO_PORT, x->tree->n);
	x->port[g->d] = x->f->lid_port[g->lid];
	if (g->round != ODO_TREE_OWN) {
		follow_way(x);
		draw_in(x);
	}
	if (g->round != ODO_TREE_OWN && !is_complete(x))
		return false;
	take_any(x);
	return true;
}

/* Paths that go by the plan all the way. */
static void count_planned(filler *x)
{
	const odo_tree *tree = x->tree;
	for (uint32_t i = 1; i < x->n_down; i++)
		if (x->port[x->queue[i]] != ODO_NO_PORT)
			walk_down(x, x->queue[i], tree->hosts[x->queue[i]], 0);
	for (uint32_t s = 0; s < tree->n; s++)
		x->carried[s] = tree->hosts[s];
	for (uint32_t number = tree->n; number-- > 0;) {
		uint32_t s = tree->sorted[number];
		if (x->carried[s] && !x->down[s] && x->port[s] != ODO_NO_PORT)
			carry_up(x, s);
	}
}

/* The cable into the destination by which all ways of s end. */
static uint32_t gate_of(filler *x, uint32_t s);

static uint32_t gate_by(filler *x, uint32_t slot, uint32_t t)
{
	return t == x->d ? slot : gate_of(x, t);
}

static uint32_t gate_of(filler *x, uint32_t s)
{
	if (x->gate[s] != UNKNOWN)
		return x->gate[s];
	if (x->port[s] != ODO_NO_PORT)
		return x->gate[s] = gate_by(x, slot_of(x, s), next_of(x, s));
	const odo_tree_link *way = &x->ways[x->way_at[s]], *end = &x->ways[x->way_at[s + 1]];
	uint32_t gate = gate_by(x, way->slot, way->to);
	while (++way < end && gate != ODO_NONE)
		if (gate_by(x, way->slot, way->to) != gate)
			gate = ODO_NONE;
	return x->gate[s] = gate;
}

static uint64_t cost_of(filler *x, const odo_tree_link *way);

/* Of the best way on from a switch whose port is not chosen yet, but at least that of its gate. */
static uint64_t cost_beyond(filler *x, uint32_t s)
{
	uint32_t gate = gate_of(x, s);
	uint64_t least = UINT64_MAX, floor = gate == ODO_NONE ? 0 : x->load[gate];
	for (uint32_t i = x->way_at[s]; i < x->way_at[s + 1] && least > floor; i++) {
		uint64_t cost = cost_of(x, &x->ways[i]);
		least = cost < least ? cost : least;
	}
	return least > floor ? least : floor;
}

/* Load of the fullest cable on a way. */
static uint64_t cost_of(filler *x, const odo_tree_link *way)
{
	uint64_t most = x->load[way->slot];
	uint32_t s = way->to;
	for (; s != x->d && x->port[s] != ODO_NO_PORT; s = next_of(x, s))
		if (x->load[slot_of(x, s)] > most)
			most = x->load[slot_of(x, s)];
	uint64_t beyond = s == x->d ? 0 : cost_beyond(x, s);
	return beyond > most ? beyond : most;
}

static void choose(filler *x, uint32_t s)
{
	const odo_tree_link *ways = x->ways + x->way_at[s], *best = NULL;
	uint32_t n = x->way_at[s + 1] - x->way_at[s], turn = x->goal->number + x->tree->rank[s];
	uint64_t least = 0;
	for (uint32_t i = 0; i < n; i++) {
		const odo_tree_link *way = &ways[(i + turn) % n];
		uint64_t cost = cost_of(x, way);
		if (best &&
		    (cost > least || (cost == least && x->load[way->slot] >= x->load[best->slot])))
			continue;
		best = way;
		least = cost;
	}
	set_port(x, s, best->slot);
	x->gate[s] = gate_by(x, best->slot, best->to);
}

/* Ports of switches that go down only, nearest first. */
static void choose_down(filler *x)
{
	for (uint32_t i = 1; i < x->n_down; i++) {
		uint32_t s = x->queue[i];
		if (x->port[s] != ODO_NO_PORT)
			continue;
		choose(x, s);
		walk_down(x, s, x->tree->hosts[s], 0);
	}
}

/* Paths that are not planned, from the far ends inwards. */
static void choose_rest(filler *x)
{
	const odo_tree *tree = x->tree;
	for (uint32_t s = 0; s < tree->n; s++) {
		bool open = !x->down[s] && x->port[s] == ODO_NO_PORT && x->depth[s] != ODO_NONE;
		x->carried[s] = open ? tree->hosts[s] : 0;
		x->noted[s] = 0;
		x->gate[s] = UNKNOWN;
	}
	choose_down(x);
	for (uint32_t number = tree->n; number-- > 0;) {
		uint32_t s = tree->sorted[number];
		if (!x->carried[s])
			continue;
		if (x->port[s] == ODO_NO_PORT)
			choose(x, s);
		uint32_t t = next_of(x, s), gate = t == x->d ? ODO_NONE : gate_of(x, t);
		if (!x->down[t] && gate != ODO_NONE) {
			x->load[gate] += x->carried[s] - x->noted[s];
			x->noted[t] += x->carried[s];
			x->noted[s] = x->carried[s];
		}
		carry_up(x, s);
	}
	memset(x->noted, 0, tree->n * sizeof *x->noted);
	take_any(x);
}

static void do_goal(filler *x, int pass, uint8_t *open)
{
	if (pass == PLAN)
		*open = !plan(x);
	else if (pass == COUNT)
		count_planned(x);
	else
		choose_rest(x);
}

static void do_pass(filler *x, int pass, const odo_tree_goal *goals, uint32_t n_goals,
		    uint8_t *open)
{
	uint32_t d = ODO_NONE;
	for (uint32_t i = 0; i < n_goals; i++) {
		if ((pass == COUNT && goals[i].round == ODO_TREE_OWN) ||
		    (pass == CHOOSE && !open[i]))
			continue;
		if (goals[i].d != d)
			approach(x, goals[i].d, pass);
		d = goals[i].d;
		x->goal = &goals[i];
		x->port = x->columns + (size_t)goals[i].lid * x->tree->n;
		do_goal(x, pass, &open[i]);
	}
}

static void fill_all(filler *x, const odo_tree_goal *goals, uint32_t n_goals, uint8_t *open)
{
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		if (x->f->lid_switch[lid] == ODO_NONE)
			memset(x->columns + (size_t)lid * x->tree->n, ODO_NO_PORT, x->tree->n);
	do_pass(x, PLAN, goals, n_goals, open);
	if (memchr(open, 1, n_goals)) {
		do_pass(x, COUNT, goals, n_goals, open);
		do_pass(x, CHOOSE, goals, n_goals, open);
	}
}

/* From columns to rows. */
static void write_lfts(const filler *x, odo_tables *t)
{
	uint32_t n = x->tree->n, lids = x->f->lid_count;
	for (uint32_t s = 0; s < n; s += ODO_COLUMNS) {
		uint32_t width = n - s < ODO_COLUMNS ? n - s : ODO_COLUMNS;
		odo_columns_cut(x->columns + s, n, lids, width, t->lft + (size_t)s * lids, lids);
	}
}

static int allocate(filler *x)
{
	size_t n = x->tree->n, slots = x->f->first_slot[n], size = x->f->lid_count * n;
	x->columns = malloc(size + 1);
	x->sources = odo_new(n, sizeof *x->sources);
	x->load = odo_new(slots, sizeof *x->load);
	x->depth = odo_new(n, sizeof *x->depth);
	x->down = odo_new(n, 1);
	x->queue = odo_new(n, sizeof *x->queue);
	x->any = odo_new(n, 1);
	x->ways = odo_new(slots, sizeof *x->ways);
	x->way_at = odo_new(n + 1, sizeof *x->way_at);
	x->visit = odo_new(n + 1, sizeof *x->visit);
	x->carried = odo_new(n, sizeof *x->carried);
	x->gate = odo_new(n, sizeof *x->gate);
	x->noted = odo_new(n, sizeof *x->noted);
	bool room = x->columns && x->sources && x->load && x->depth && x->down && x->queue &&
		    x->any && x->ways && x->way_at && x->visit && x->carried && x->gate && x->noted;
	for (uint32_t s = 0; room && s < n; s++)
		if (x->tree->hosts[s])
			x->sources[x->n_sources++] = s;
	return room ? 0 : ODO_ENOMEM;
}

static void clear(filler *x)
{
	free(x->columns);
	free(x->sources);
	free(x->load);
	free(x->depth);
	free(x->down);
	free(x->queue);
	free(x->any);
	free(x->ways);
	free(x->way_at);
	free(x->visit);
	free(x->carried);
	free(x->gate);
	free(x->noted);
}

int odo_tree_fill(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals, odo_tables *t,
		  odo_error *err)
{
	filler x = {.tree = tree, .f = tree->f};
	uint8_t *open = odo_new(n_goals, 1);
	bool room = open && !allocate(&x);
	if (room) {
		fill_all(&x, goals, n_goals, open);
		write_lfts(&x, t);
	}
	clear(&x);
	free(open);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for LFTs");
}
