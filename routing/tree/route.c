/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "routing/engines.h"
#include "routing/tree/tree.h"
#include "routing/tree/whole.h"

/* A tree with its goals and columns. */
typedef struct filled {
	odo_tree *tree;
	odo_tree_goal *goals;
	uint32_t n_goals;
	uint8_t *columns;
	bool shared; /* hosts left over share cables */
} filled;

static void clear(filled *x)
{
	free(x->goals);
	free(x->columns);
	odo_tree_free(x->tree);
}

/* @param like NULL, or the whole tree */
static int fill(filled *x, const odo_fabric *f, const odo_coordinates *c,
		const odo_route_options *options, const filled *like, odo_error *err)
{
	int status = odo_tree_create(f, c, options, like ? like->tree : NULL, &x->tree, err);
	if (!status)
		status = odo_tree_deal(x->tree, x->shared, &x->goals, &x->n_goals, err);
	return status ? status
		      : odo_tree_fill(x->tree, x->goals, x->n_goals, like ? like->columns : NULL,
				      &x->columns, err);
}

/* True if every LID can be had wherever cables lead there. */
static bool is_complete(const filled *x, odo_error *err)
{
	const odo_fabric *f = x->tree->f;
	uint32_t n = f->n_switches, *part = malloc((n + 1ul) * sizeof *part);
	bool complete = part && odo_fabric_parts(f, part, err) >= 0;
	for (uint32_t lid = 0; complete && lid < f->lid_count; lid++)
		for (uint32_t s = 0; f->lid_switch[lid] != ODO_NONE && s < n; s++)
			complete &= x->columns[(size_t)lid * n + s] != ODO_NO_PORT ||
				    part[s] != part[f->lid_switch[lid]];
	free(part);
	return complete;
}

/* Tables of the whole tree, and in them only moved what is broken. `spared` stays false, and
 * nothing is written, where no cable is missing, or where that leaves somebody without a way. */
static int keep(const odo_fabric *f, const odo_coordinates *c, const odo_route_options *options,
		bool shared, odo_tables *t, odo_error *err)
{
	odo_whole whole;
	filled before = {.shared = shared}, now = {.shared = shared};
	int status = odo_whole_init(&whole, f, c, err);
	if (!status && whole.n_added) {
		status = fill(&before, &whole.f, &whole.c, options, NULL, err);
		if (!status)
			status = fill(&now, f, c, options, &before, err);
		t->spared = !status && is_complete(&now, err);
		if (t->spared)
			status = odo_tree_settle(now.tree, before.columns, now.columns, err);
		if (!status && t->spared)
			odo_tree_write(now.tree, now.columns, t);
	}
	clear(&before);
	clear(&now);
	odo_whole_clear(&whole);
	return status;
}

int odo_route_tree(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	filled x = {.shared = row->variant == ODO_TREE_SHIFTS};
	bool keeps = row->spares && !(options && options->afresh);
	t->n_vls = t->n_sls = 1;
	int status = keeps ? keep(f, c, options, x.shared, t, err) : 0;
	if (status || t->spared)
		return status;
	status = fill(&x, f, c, options, NULL, err);
	if (!status)
		odo_tree_write(x.tree, x.columns, t);
	if (!status && row->variant == ODO_TREE_VALIANT)
		status = odo_tree_pass_groups(x.tree, x.goals, x.n_goals, t, err);
	clear(&x);
	return status;
}
