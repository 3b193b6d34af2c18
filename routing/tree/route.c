/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"
#include "routing/engines.h"
#include "routing/graph/columns.h"
#include "routing/tree/tree.h"
#include "routing/tree/whole.h"

/* Tables that a new tree should resemble. */
typedef struct model {
	const odo_tree *tree; /* NULL; or a tree with all cables of this one and more */
	/* NULL; or entries to keep if they still lead to their destination */
	const uint8_t *columns;
} model;

/* A tree with its goals and columns. */
typedef struct filled {
	odo_arena memory;
	odo_tree *tree;
	odo_tree_goal *goals;
	uint32_t n_goals;
	uint8_t *columns;
	bool shared; /* hosts that exceed the cables share cables */
} filled;

static int fill_columns(filled *x, const uint8_t *like, odo_error *err)
{
	int status = odo_tree_deal(x->tree, x->shared, &x->memory, &x->goals, &x->n_goals, err);
	return status ? status
		      : odo_tree_fill(x->tree, x->goals, x->n_goals, like, &x->memory, &x->columns,
				      err);
}

static int fill_tree(filled *x, const odo_fabric *f, const odo_coordinates *c,
		     const odo_route_options *options, model like, odo_error *err)
{
	int status = odo_tree_create(f, c, options, like.tree, &x->memory, &x->tree, err);
	return status ? status : fill_columns(x, like.columns, err);
}

/* Check that every LID is reached from all switches that are connected to it. */
static int check_complete(const filled *x, bool *complete, odo_error *err)
{
	const odo_fabric *f = x->tree->f;
	uint32_t n = f->n_switches, *part = odo_new(n, sizeof *part);
	if (!part || odo_fabric_parts(f, part, err) < 0) {
		free(part);
		return odo_fail(err, ODO_ENOMEM, "no memory for the parts of a tree");
	}
	*complete = true;
	for (uint32_t lid = 0; *complete && lid < f->lid_count; lid++)
		for (uint32_t s = 0; f->lid_switch[lid] != ODO_NONE && s < n; s++)
			*complete &= x->columns[(size_t)lid * n + s] != ODO_NO_PORT ||
				     part[s] != part[f->lid_switch[lid]];
	free(part);
	return 0;
}

/* Entries that switches had before. */
typedef struct memory {
	uint8_t *columns; /* [lid_count * n], or NULL */
	bool same;        /* no cable or switch was lost, and each LID is at the same port */
} memory;

/* Return true if a LID is at the port where it was. */
static bool is_lid_there(const odo_fabric *f, const uint32_t *old, const odo_fabric *then,
			 uint32_t lid)
{
	uint32_t d = f->lid_switch[lid];
	return d != ODO_NONE && lid < then->lid_count && then->lid_switch[lid] == old[d] &&
	       then->lid_port[lid] == f->lid_port[lid];
}

/* Copy the entries of all switches; none for a LID that was at another port.
 * @return true if there is no such LID */
static bool recall_columns(const odo_fabric *f, const uint32_t *old, const odo_tables *before,
			   uint8_t *rows, uint8_t *columns)
{
	uint32_t n = f->n_switches, lids = f->lid_count, then = before->fabric->lid_count;
	bool same = true;
	for (uint32_t s = 0; s < n; s++) {
		memset(rows + (size_t)s * lids, ODO_NO_PORT, lids);
		memcpy(rows + (size_t)s * lids, before->lft + (size_t)old[s] * then,
		       lids < then ? lids : then);
	}
	for (uint32_t lid = 0; lid < lids; lid += ODO_COLUMNS)
		odo_columns_cut(rows + lid, lids, n, odo_column_width(lids, lid),
				columns + (size_t)lid * n, n);
	for (uint32_t lid = 0; lid < lids; lid++) {
		if (is_lid_there(f, old, before->fabric, lid))
			continue;
		memset(columns + (size_t)lid * n, ODO_NO_PORT, n);
		same &= f->lid_switch[lid] == ODO_NONE;
	}
	return same;
}

/* Recall the entries of the tables before, if this engine made them and the fabric has not grown
 * since. A grown fabric is routed again, so that new cables are used. Carried tables are not
 * recalled: they lack entries, and do not show if the fabric has grown. */
static int recall_entries(const odo_fabric *f, const odo_tables *before, const char *engine,
			  memory *out, odo_error *err)
{
	uint32_t n = f->n_switches;
	bool own = before && !before->from.carried && !strcmp(before->engine, engine);
	int grown = own ? odo_has_grown(f, before->fabric) : 1;
	if (grown > 0)
		return 0;
	int lost = grown ? grown : odo_has_grown(before->fabric, f);
	uint32_t *old = odo_twins(f, n, before->fabric, before->fabric->n_switches);
	uint8_t *rows = malloc((size_t)f->lid_count * n + 1);
	out->columns = malloc((size_t)f->lid_count * n + 1);
	bool room = old && rows && out->columns && lost >= 0;
	out->same = room && recall_columns(f, old, before, rows, out->columns) && !lost;
	free(rows);
	free(old);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to recall LFTs");
}

/* Keep the tables from before a loss, or those of the undamaged tree, and move only broken paths.
 * If there are neither, or if a switch would lose its path, `spared` stays false and nothing is
 * written. */
static int keep_working_entries(const odo_fabric *f, const odo_coordinates *c,
				const odo_route_options *options, bool shared,
				const uint8_t *recalled, odo_tables *t, odo_error *err)
{
	odo_whole whole;
	filled planned = {.shared = shared}, now = {.shared = shared};
	int status = odo_whole_init(&whole, f, c, err);
	if (!status && whole.n_added)
		status = odo_tree_create(&whole.f, &whole.c, options, NULL, &planned.memory,
					 &planned.tree, err);
	if (!status && planned.tree && !recalled)
		status = fill_columns(&planned, NULL, err);
	model like = {planned.tree, recalled ? recalled : planned.columns};
	if (!status && like.columns) {
		status = fill_tree(&now, f, c, options, like, err);
		if (!status)
			status = check_complete(&now, &t->from.spared, err);
		if (!status && t->from.spared)
			status = odo_tree_settle(now.tree, like.columns, recalled, now.columns,
						 err);
		if (!status && t->from.spared)
			odo_tree_write(f, now.columns, t);
	}
	odo_arena_free(&planned.memory);
	odo_arena_free(&now.memory);
	odo_whole_clear(&whole);
	return status;
}

/* Keep the tables of the sweep before. A restart of the manager must change nothing. */
static int keep_entries_before(const odo_fabric *f, const odo_coordinates *c,
			       const odo_route_options *options, bool shared, odo_tables *t,
			       odo_error *err)
{
	memory past = {0};
	int status = recall_entries(f, options ? options->before : NULL, t->engine, &past, err);
	if (!status && past.same) {
		odo_tree_write(f, past.columns, t);
		t->from.spared = true;
	} else if (!status)
		status = keep_working_entries(f, c, options, shared, past.columns, t, err);
	t->from.recalled = t->from.spared && past.columns;
	free(past.columns);
	return status;
}

int odo_route_tree(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	filled x = {.shared = row->variant == ODO_TREE_SHIFTS};
	bool keeps = row->spares && !(options && options->afresh);
	t->n_vls = t->n_sls = 1;
	int status = keeps ? keep_entries_before(f, c, options, x.shared, t, err) : 0;
	if (status || t->from.spared)
		return status;
	status = fill_tree(&x, f, c, options, (model){0}, err);
	if (!status)
		odo_tree_write(f, x.columns, t);
	if (!status && row->variant == ODO_TREE_VALIANT)
		status = odo_tree_pass_groups(x.tree, x.goals, x.n_goals, t, err);
	odo_arena_free(&x.memory);
	return status;
}
