/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fill in the tables, destination by destination.
 *
 * Most switches reach a goal by its way (tree.h): switches on the way go down it, and all switches
 * below them go up to it. A switch cannot do so if its own cable is missing or the goal is loose.
 * It gets the path whose fullest cable has the fewest paths between hosts. Planned paths are
 * therefore counted first, in one pass over all goals. A second pass adds the other paths.
 */
#include <string.h>

#include "routing/graph/columns.h"
#include "routing/tree/filler.h"
#include "routing/tree/whole.h"

/* Number of times that the plan of groups is computed. Each time uses all loads of the plan before.
 * If groups have unequal numbers of cables to each other, a single plan loads the fullest cable an
 * eighth more. */
#define N_PLANS 4u

/* Return true if every switch with hosts has a port. Then every switch further along these paths
 * has a port, too. */
static bool have_sources_ports(const odo_filler *x)
{
	for (uint32_t i = 0; i < x->n_sources; i++) {
		uint32_t s = x->sources[i];
		if (x->port[s] == ODO_NO_PORT && x->depth[s] != ODO_NONE)
			return false;
	}
	return true;
}

static void clear_port(odo_filler *x)
{
	memset(x->port, ODO_NO_PORT, x->tree->n);
	x->port[x->d] = x->f->lid_port[x->goal->lid];
}

/* Set ports down the goal's own way. Store the parallel cable and the column of each level, which
 * decide the other switches. */
static void follow_goal_way(odo_filler *x)
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
		if (!odo_filler_is_way(x, up->to, s))
			break;
		odo_filler_set(x, up->to, x->f->peer[up->slot]);
		x->side[tree->level[s]] = up->side;
		x->column[tree->level[up->to]] = tree->column[up->to];
		s = up->to;
		x->visit[x->n_visit++] = s;
	}
}

/* Let all switches below the way go up to it, through parents in the same columns as the way. */
static void draw_in_below(odo_filler *x)
{
	const odo_tree *tree = x->tree;
	for (uint32_t head = 0; head < x->n_visit; head++) {
		uint32_t s = x->visit[head];
		for (uint32_t i = tree->down_at[s]; i < tree->down_at[s + 1]; i++) {
			const odo_tree_link *down = &tree->down[i];
			uint32_t t = down->to, column = x->column[tree->level[t]];
			if (x->port[t] != ODO_NO_PORT || down->side != x->side[tree->level[t]] ||
			    !odo_filler_is_way(x, t, s) ||
			    (column != ODO_NONE && column != tree->column[t]))
				continue;
			odo_filler_set(x, t, x->f->peer[down->slot]);
			if (tree->level[t])
				x->visit[x->n_visit++] = t;
		}
	}
}

/* The plan of a fat tree: the way of the goal, and all switches that use it. */
static void plan_way(odo_filler *x)
{
	follow_goal_way(x);
	draw_in_below(x);
}

/* Keep a switch's port if it still leads on, to a switch whose port is also kept. */
static void keep_port(odo_filler *x, uint32_t s, unsigned port)
{
	if (s == x->d || port - 1u >= odo_n_ports(x->f, s))
		return;
	uint32_t slot = odo_slot(x->f, s, port), t = odo_next_switch(x->f, slot);
	if (t != ODO_NONE && odo_filler_is_way(x, s, t) && (t == x->d || x->port[t] != ODO_NO_PORT))
		odo_filler_set(x, s, slot);
}

/* Keep entries of the column in the undamaged tree that still lead to the goal by a shortest path;
 * other switches get no port. Process the nearest switches first: those that go down, then those
 * that go up to them. */
static void keep_whole_column(odo_filler *x, const uint8_t *column)
{
	const odo_tree *tree = x->tree;
	for (uint32_t i = 1; i < x->n_down; i++)
		keep_port(x, x->queue[i], column[x->queue[i]]);
	for (uint32_t number = 0; number < tree->n; number++) {
		uint32_t s = tree->sorted[number];
		if (!x->down[s])
			keep_port(x, s, column[s]);
	}
}

/* Set the planned ports. @return true if no port is left to choose */
static bool plan_goal(odo_filler *x)
{
	bool own = x->goal->round == ODO_TREE_OWN;
	if (!own && odo_tree_has_draft(x))
		odo_tree_forget_groups(x);
	clear_port(x);
	if (x->whole)
		keep_whole_column(x, x->whole + (size_t)x->goal->lid * x->tree->n);
	else if (!own && x->groups)
		odo_tree_plan_groups(x);
	else if (!own)
		plan_way(x);
	if (!own && !have_sources_ports(x))
		return false;
	odo_tree_take_any(x);
	return true;
}

/* Count paths that follow the plan all the way. Paths that go up are added where they join. */
static void count_planned(odo_filler *x)
{
	const odo_tree *tree = x->tree;
	for (uint32_t i = 1; i < x->n_down; i++)
		if (tree->hosts[x->queue[i]] && x->port[x->queue[i]] != ODO_NO_PORT)
			odo_tree_walk(x, x->queue[i], tree->hosts[x->queue[i]]);
	memcpy(x->carried, tree->hosts, tree->n * sizeof *x->carried);
	for (uint32_t number = tree->n; number-- > 0;) {
		uint32_t s = tree->sorted[number];
		if (!x->carried[s] || x->down[s] || x->port[s] == ODO_NO_PORT)
			continue;
		uint32_t t = odo_filler_next(x, s);
		x->load[odo_filler_slot(x, s)] += x->carried[s];
		if (x->down[t])
			odo_tree_walk(x, t, x->carried[s]);
		else
			x->carried[t] += x->carried[s];
	}
}

static void fill_goal(odo_filler *x, int pass, uint8_t *open)
{
	if (pass == ODO_FILL_DRAFT) {
		clear_port(x);
		odo_tree_plan_groups(x);
	} else if (pass == ODO_FILL_PLAN)
		*open = !plan_goal(x);
	else if (pass == ODO_FILL_COUNT)
		count_planned(x);
	else
		odo_tree_choose_rest(x);
}

static void fill_pass(odo_filler *x, int pass, const odo_tree_goal *goals, uint32_t n_goals,
		      uint8_t *open)
{
	uint32_t d = ODO_NONE;
	for (uint32_t i = 0; i < n_goals; i++) {
		if (((pass == ODO_FILL_COUNT || pass == ODO_FILL_DRAFT) &&
		     goals[i].round == ODO_TREE_OWN) ||
		    (pass == ODO_FILL_CHOOSE && !open[i]))
			continue;
		if (goals[i].d != d)
			odo_tree_approach(x, goals[i].d, pass);
		d = goals[i].d;
		x->goal = &goals[i];
		x->i_goal = i;
		x->port = x->columns + (size_t)goals[i].lid * x->tree->n;
		fill_goal(x, pass, &open[i]);
	}
}

static void fill_all_passes(odo_filler *x, const odo_tree_goal *goals, uint32_t n_goals,
			    uint8_t *open)
{
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		if (x->f->lid_switch[lid] == ODO_NONE)
			memset(x->columns + (size_t)lid * x->tree->n, ODO_NO_PORT, x->tree->n);
	x->drafts = odo_tree_has_draft(x);
	if (x->drafts)
		fill_pass(x, ODO_FILL_DRAFT, goals, n_goals, open);
	unsigned plans = x->drafts ? N_PLANS : 1;
	x->drafts = false;
	for (unsigned i = 0; i < plans; i++)
		fill_pass(x, ODO_FILL_PLAN, goals, n_goals, open);
	if (memchr(open, 1, n_goals)) {
		memset(x->load, 0, x->f->first_slot[x->tree->n] * sizeof *x->load);
		fill_pass(x, ODO_FILL_COUNT, goals, n_goals, open);
		fill_pass(x, ODO_FILL_CHOOSE, goals, n_goals, open);
	}
}

void odo_tree_write(const odo_fabric *f, const uint8_t *columns, odo_tables *t)
{
	uint32_t n = f->n_switches, lids = f->lid_count;
	for (uint32_t s = 0; s < n; s += ODO_COLUMNS) {
		odo_columns_cut(columns + s, n, lids, odo_column_width(n, s),
				t->lft + (size_t)s * lids, lids);
	}
}

static bool allocate_filler(odo_filler *x, odo_arena *memory, uint32_t n_goals)
{
	size_t n = x->tree->n, slots = x->f->first_slot[n];
	x->sources = odo_arena_new(memory, n, sizeof *x->sources);
	x->load = odo_arena_new(memory, slots, sizeof *x->load);
	x->depth = odo_arena_new(memory, n, sizeof *x->depth);
	x->down = odo_arena_new(memory, n, 1);
	x->queue = odo_arena_new(memory, n, sizeof *x->queue);
	x->any = odo_arena_new(memory, n, 1);
	x->ways = odo_arena_new(memory, slots, sizeof *x->ways);
	x->way_at = odo_arena_new(memory, n + 1, sizeof *x->way_at);
	x->visit = odo_arena_new(memory, n + 1, sizeof *x->visit);
	x->open = odo_arena_new(memory, n, 1);
	x->carried = odo_arena_new(memory, n, sizeof *x->carried);
	x->beyond = odo_arena_new(memory, n, sizeof *x->beyond);
	for (uint32_t s = 0; !memory->failed && s < n; s++)
		if (x->tree->hosts[s])
			x->sources[x->n_sources++] = s;
	if (odo_grouped(x->tree->c))
		x->groups = odo_tree_groups_new(x->tree, n_goals, memory);
	return !memory->failed;
}

int odo_tree_fill(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals,
		  const uint8_t *whole, odo_arena *memory, uint8_t **columns, odo_error *err)
{
	odo_arena scratch = {0};
	odo_filler x = {.tree = tree, .f = tree->f, .whole = whole};
	uint8_t *open = odo_arena_new(&scratch, n_goals, 1);
	x.columns = *columns = odo_arena_new(memory, tree->f->lid_count, tree->n);
	bool room = allocate_filler(&x, &scratch, n_goals) && x.columns;
	if (room)
		fill_all_passes(&x, goals, n_goals, open);
	odo_arena_free(&scratch);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for LFTs");
}
