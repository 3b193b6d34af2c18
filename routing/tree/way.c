/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <string.h>

#include "routing/tree/filler.h"

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

void odo_tree_plan_way(odo_filler *x)
{
	follow_goal_way(x);
	draw_in_below(x);
}
