/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dimension order on a torus (paper 004, section 3.2). Each cycle has a dateline, between its last
 * vertex and its first. A packet that will cross the dateline of dimension i uses VL 1 in that
 * dimension; other packets use VL 0. Standard switches choose VLs by SL, so bit i of the SL says if
 * the dateline of dimension i is crossed. Each pair has one SL, and 16 SLs allow at most four
 * dimensions. A cycle of three needs no dateline. A cycle of four is a product of two complete
 * graphs of two vertices, and needs none either.
 *
 * No cycle of dependencies exists: packets on VL 0 never use the dateline's cables. Packets on VL 1
 * all use them and go at most half way round, so they never use the opposite cables. If a cycle has
 * a gap, its packets go round the other way, up to the whole cycle, but then the gap breaks it.
 *
 * Destinations that dimension order no longer reaches get detours. Detours use layers of one VL
 * each above these two, as far as VLs and SLs remain.
 */
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/graph/columns.h"
#include "routing/minimal/dor.h"
#include "routing/engines.h"
#include "routing/minimal/hops.h"

#define DATELINE_VLS 2u
#define UNKNOWN 0xFFu /* as a mask: more dimensions than SLs allow */

typedef struct torus {
	odo_forest *forest;
	odo_arena memory;
	const odo_coordinates *c;
	unsigned n_bits;            /* cycles of more than three: only these need a dateline */
	unsigned n_sls;             /* of all paths */
	uint8_t bit[ODO_N_CLASSES]; /* bit of the SL, by class; ODO_N_SLS for no dateline */
	uint8_t *crosses; /* [slots of switches] bit of the dateline that the cable crosses */
	uint32_t *alike;  /* [n_trees * n] the first tree whose packets cross the same datelines */
	uint8_t *sl; /* [n_trees * n * n] SLs of the trees in `alike`, in the format of the forest's
			ports */
	/* Columns and masks of one tree, for a block of destinations: */
	uint8_t *column, *masks;
	size_t stride; /* from one column to the next */
	uint32_t *path;
} torus;

static void find_datelines(torus *x)
{
	const odo_forest *forest = x->forest;
	for (uint32_t i = 0; i < forest->f->first_slot[forest->n]; i++) {
		uint32_t s = forest->f->owner[i], t = forest->next[i];
		unsigned dim = forest->class_of[i];
		if (t == ODO_NONE || x->bit[dim] == ODO_N_SLS)
			continue;
		uint32_t from = odo_at(x->c, s)[dim], to = odo_at(x->c, t)[dim];
		uint32_t last = x->c->size[dim] - 1;
		if ((from == 0 && to == last) || (from == last && to == 0))
			x->crosses[i] = (uint8_t)(1u << x->bit[dim]);
	}
}

/* Find the datelines that packets from every switch cross on their way to d. */
static void find_masks(torus *x, const uint8_t *column, uint8_t *masks, uint32_t d)
{
	const odo_forest *forest = x->forest;
	memset(masks, UNKNOWN, forest->n);
	masks[d] = 0;
	for (uint32_t s = 0; s < forest->n; s++) {
		uint32_t n_path = 0, at = s;
		while (masks[at] == UNKNOWN && column[at] != ODO_NO_PORT) {
			x->path[n_path++] = at;
			at = forest->next[forest->f->first_slot[at] + column[at] - 1];
		}
		if (masks[at] == UNKNOWN)
			masks[at] = 0; /* not connected to d */
		uint8_t mask = masks[at];
		while (n_path) {
			at = x->path[--n_path];
			mask |= x->crosses[forest->f->first_slot[at] + column[at] - 1];
			masks[at] = mask;
		}
	}
}

/* Find trees with the same masks. Trees differ in the parallel cables that they use, and in the
 * direction if both are equally long, which depends on the phase (hops_extend.c). A tree with
 * detours has masks of its own. */
static void find_alike_trees(torus *x, unsigned n_phases)
{
	const odo_forest *forest = x->forest;
	for (uint32_t d = 0; d < forest->n; d++) {
		uint32_t first[2] = {ODO_NONE, ODO_NONE};
		for (unsigned k = 0; k < forest->n_trees; k++) {
			uint32_t tree = k * forest->n + d;
			unsigned phase = odo_hops_phase(forest->f, x->c, forest->n_trees, n_phases,
							k, d);
			uint32_t *like = &first[phase % 2];
			x->alike[tree] = tree;
			if (forest->has_detours[tree])
				continue;
			if (*like == ODO_NONE)
				*like = tree;
			x->alike[tree] = *like;
		}
	}
}

/* Find the masks of the tree whose column is at `at` of the block. */
static void find_masks_of(torus *x, uint32_t tree, size_t at)
{
	size_t n = x->forest->n;
	uint8_t layer = x->forest->layer[tree];
	if (x->alike[tree] != tree)
		return; /* not used */
	if (layer)
		memset(x->masks + at, (int)((1u << x->n_bits) + layer - 1u), n);
	else
		find_masks(x, x->column + at, x->masks + at, tree % x->forest->n);
}

static bool needs_sls(const torus *x, uint32_t tree, uint32_t width)
{
	for (uint32_t j = 0; j < width; j++)
		if (x->alike[tree + j] == tree + j)
			return true;
	return false;
}

/* Find the SLs of 64 destinations at a time, so that rows are read and written by cache lines. */
static void find_sls(torus *x, unsigned k, uint32_t first, uint32_t width)
{
	const odo_forest *forest = x->forest;
	size_t stride = x->stride, row = (size_t)k * forest->n;
	if (!needs_sls(x, k * forest->n + first, width))
		return;
	odo_forest_cut(forest, k, first, x->column, stride);
	for (uint32_t j = 0; j < width; j++)
		find_masks_of(x, k * forest->n + first + j, j * stride);
	for (uint32_t s = 0; s < forest->n; s += ODO_COLUMNS) {
		uint32_t n = odo_column_width(forest->n, s);
		odo_columns_cut(x->masks + s, stride, width, n,
				x->sl + (row + s) * forest->n + first, forest->n);
	}
}

/* Return VL 1 if the packet will cross the dateline of the port's dimension; detours have VLs of
 * their own. */
static unsigned vl_of_dateline(const void *of, unsigned sl, unsigned in, unsigned out)
{
	const torus *x = of;
	unsigned n_masks = 1u << x->n_bits;
	(void)in;
	if (out == ODO_CLASS_OWN || sl >= x->n_sls)
		return 0;
	if (sl >= n_masks)
		return DATELINE_VLS + sl - n_masks;
	return x->bit[out] < ODO_N_SLS ? sl >> x->bit[out] & 1 : 0;
}

static int write_pair_sls(torus *x, odo_tables *t, odo_error *err)
{
	const odo_forest *forest = x->forest;
	for (uint32_t d = 0; d < forest->n; d += ODO_COLUMNS)
		for (unsigned k = 0; k < forest->n_trees; k++)
			find_sls(x, k, d, odo_column_width(forest->n, d));
	uint32_t *tree_of = odo_arena_new(&x->memory, forest->f->lid_count, sizeof *tree_of);
	t->sl_of_pair = odo_new((size_t)forest->n * forest->f->lid_count, 1);
	if (!tree_of || !t->sl_of_pair)
		return odo_fail(err, ODO_ENOMEM, "no memory for the SLs of %u switches", forest->n);
	x->n_sls = (1u << x->n_bits) + forest->n_layers - 1;
	t->n_sls = (uint8_t)x->n_sls;
	t->n_vls = (uint8_t)(DATELINE_VLS + forest->n_layers - 1);
	for (uint32_t lid = 0; lid < forest->f->lid_count; lid++)
		tree_of[lid] = forest->lid_tree[lid] == ODO_NONE ? ODO_NONE
								 : x->alike[forest->lid_tree[lid]];
	return odo_forest_gather(forest, x->sl, tree_of, t->sl_of_pair, err);
}

/* Give detours layers of their own, above the dateline's two VLs. */
static int repair_torus(torus *x, unsigned sls, odo_tables *t, odo_error *err)
{
	odo_forest *forest = x->forest;
	unsigned vls_left = forest->n_vls - DATELINE_VLS, sls_left = sls - (1u << x->n_bits);
	forest->n_closed = 1;
	forest->max_layers = 1 + (vls_left < sls_left ? vls_left : sls_left);
	int status = odo_forest_repair(forest, err);
	t->from.spilt = forest->spilt;
	return status;
}

static int init_torus(torus *x, unsigned n_phases, odo_error *err)
{
	size_t n = x->forest->n;
	x->crosses = odo_arena_new(&x->memory, x->forest->f->first_slot[n], 1);
	x->alike = odo_arena_new(&x->memory, n * x->forest->n_trees, sizeof *x->alike);
	x->sl = odo_arena_new(&x->memory, n * n * x->forest->n_trees, 1);
	x->stride = odo_column_stride(x->forest->n);
	x->column = odo_arena_new(&x->memory, x->stride, ODO_COLUMNS);
	x->masks = odo_arena_new(&x->memory, x->stride, ODO_COLUMNS);
	x->path = odo_arena_new(&x->memory, n, sizeof *x->path);
	if (x->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for datelines");
	find_datelines(x);
	find_alike_trees(x, n_phases);
	return 0;
}

static int check_limits(torus *x, const odo_fabric *f, const odo_route_options *options,
			unsigned *sls, odo_error *err)
{
	*sls = options && options->max_sls && options->max_sls < ODO_N_SLS ? options->max_sls
									   : ODO_N_SLS;
	memset(x->bit, ODO_N_SLS, sizeof x->bit);
	for (unsigned i = 0; i < x->c->n_dims; i++)
		if (x->c->factor[i] == ODO_CYCLE && x->c->size[i] > 3)
			x->bit[i] = (uint8_t)x->n_bits++;
	if (x->n_bits > 4 || 1u << x->n_bits > *sls)
		return odo_fail(err, ODO_EDECLINE, "%u cycles need %u SLs, %u can be used",
				x->n_bits, 1u << x->n_bits, *sls);
	if (odo_vl_budget(f, options) < DATELINE_VLS)
		return odo_fail(err, ODO_EDECLINE, "needs %u VLs, 1 can be used", DATELINE_VLS);
	return 0;
}

int odo_route_torus(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		    const odo_route_options *options, odo_tables *t, odo_error *err)
{
	(void)row;
	torus x = {.c = c};
	odo_dim_order orders[ODO_MAX_ORDERS] = {{{0}}};
	unsigned sls, keys = odo_max_keys(f), trees = keys < ODO_MAX_TREES ? keys : ODO_MAX_TREES;
	unsigned phases = odo_hops_phases(c, 0, ODO_HOPS_PHASES);
	int status = check_limits(&x, f, options, &sls, err);
	if (status)
		return status;
	odo_dor_orders(c->n_dims, orders);
	status = odo_forest_create(f, c, options, trees < phases ? trees : phases, 1, 1, &x.forest,
				   err);
	if (status)
		return status;
	status = odo_dor_fill(x.forest, c, orders, 1, phases, err);
	if (!status)
		status = repair_torus(&x, sls, t, err);
	if (!status)
		status = init_torus(&x, phases, err);
	if (!status)
		status = write_pair_sls(&x, t, err);
	if (!status)
		status = odo_forest_write_lfts(x.forest, t, err);
	if (!status)
		status = odo_forest_write_maps(x.forest, t, vl_of_dateline, &x, err);
	odo_forest_free(x.forest);
	odo_arena_free(&x.memory);
	return status;
}
