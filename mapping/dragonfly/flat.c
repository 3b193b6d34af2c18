/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Groups that are FlatFlies of two or more dimensions are too sparse for clusters. Here the caller
 * names the groups, and each group is mapped as a separate FlatFly.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/dragonfly/dragonfly.h"
#include "mapping/product/factors.h"
#include "mapping/dragonfly/group_fit.h"
#include "mapping/judge/polish.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* A group of two dimensions has at least four members, or three if one is missing. */
enum { FEWEST_MEMBERS = 3 };
/* Exchanges that may be tried to place groups again. After that they are probably no groups. */
enum { MOST_EXCHANGES = 1500000 };

typedef struct groups {
	uint32_t n;
	uint32_t *first;  /* [n + 1] into member */
	uint32_t *member; /* [vertices] */
	uint32_t *index;  /* [vertices] scratch for odo_links_part() */
} groups;

static int take_group(const odo_links *g, const groups *k, uint32_t c, odo_links *part,
		      odo_error *err)
{
	return odo_links_part(g, k->member + k->first[c], k->first[c + 1] - k->first[c], k->index,
			      part, err);
}

/* Two dimensions have the same width if their cables differ by less than this. Damage takes about
 * as many from both, and a doubled width differs by far more. */
static const odo_share as_wide = {4, 5};

typedef struct ranked {
	/* Cables of all its links; smallest vertex in its first row. */
	uint32_t size, cables, nearest;
} ranked;

static bool dim_ranks_before(const ranked *a, const ranked *b)
{
	if (a->size != b->size)
		return a->size > b->size;
	/* With equally many links the width decides, except for a few missing cables. */
	if (!odo_reaches(b->cables, as_wide, a->cables) ||
	    !odo_reaches(a->cables, as_wide, b->cables))
		return a->cables > b->cables;
	return a->nearest < b->nearest;
}

/* Order the dimensions: the largest first, then the widest, then by the smallest GUID in the row of
 * the group's smallest switch. */
static void rank_dims(const odo_links *part, const odo_placement *placement, uint8_t *order)
{
	ranked rank[ODO_MAX_DIMS];
	for (unsigned i = 0; i < placement->n_dims; i++)
		rank[i] = (ranked){.size = placement->size[i], .nearest = ODO_NONE};
	for (uint32_t e = 0; e < part->n_edges; e++) {
		int i = odo_placement_between(placement,
					      odo_placement_at(placement, part->end[e][0]),
					      odo_placement_at(placement, part->end[e][1]));
		if (i < 0)
			continue;
		rank[i].cables += part->n_cables[e];
	}
	for (uint32_t v = part->n; v-- > 1;) {
		int i = odo_placement_between(placement, odo_placement_at(placement, 0),
					      odo_placement_at(placement, v));
		if (i >= 0)
			rank[i].nearest = v; /* by position, because the cable may be missing */
	}
	for (unsigned i = 0; i < placement->n_dims; i++) {
		unsigned j = i;
		for (; j > 0 && dim_ranks_before(&rank[i], &rank[order[j - 1]]); j--)
			order[j] = order[j - 1];
		order[j] = (uint8_t)i;
	}
}

/* A group that was mapped separately. */
typedef struct shape {
	odo_placement placement; /* no dimensions if it is no FlatFly */
	uint8_t order[ODO_MAX_DIMS];
} shape;

/* Improve the placement of a group's switches as if the group were a whole fabric. */
static int polish_group(const odo_links *part, odo_placement *placement, odo_error *err)
{
	odo_finding h = {.kind = ODO_KIND_FLATFLY, .g = part, .placement = *placement};
	*placement = (odo_placement){0};
	int status = odo_finding_weigh(&h, err);
	if (!status)
		status = odo_polish(&h, err);
	if (!status) {
		*placement = h.placement;
		h.placement = (odo_placement){0};
	}
	odo_finding_clear(&h);
	return status;
}

/* Map group c. ODO_EUNKNOWN if it is no FlatFly. */
static int map_group(const odo_links *g, const groups *k, uint32_t c, shape *to, odo_error *err)
{
	odo_links part = {0};
	odo_walk walk = {0};
	odo_support support = {0};
	odo_placement *placement = &to->placement;
	int status = take_group(g, k, c, &part, err);
	if (!status)
		status = odo_walk_make(&part, &walk, err);
	if (!status)
		status = odo_support_find(&walk, &support, err);
	if (!status)
		status = odo_factors_find(&part, &walk, &support, ODO_TRUST_FLAT, NULL, placement,
					  err);
	for (unsigned i = 0; i < placement->n_dims && !status; i++)
		if (placement->factor[i] != ODO_COMPLETE)
			status = odo_fail(err, ODO_EUNKNOWN, "a group is no FlatFly");
	if (!status && odo_uses("polished groups"))
		status = polish_group(&part, placement, err);
	if (!status)
		rank_dims(&part, placement, to->order);
	else
		odo_placement_clear(placement);
	odo_support_clear(&support);
	odo_walk_clear(&walk);
	odo_links_clear(&part);
	return status;
}

static int map_groups(const odo_links *g, const groups *k, shape *shapes, odo_error *err)
{
	int status = 0;
	for (uint32_t c = 0; c < k->n && !status; c++) {
		status = map_group(g, k, c, &shapes[c], err);
		if (status == ODO_EUNKNOWN)
			status = 0;
	}
	return status;
}

/* Share of groups that keep their full size in spite of damage. */
static const odo_share complete_ones = {2, 5};

/* Find the usual shape of groups: the most frequent number of dimensions, and for each the largest
 * size that enough groups have. Damage makes sizes smaller, never larger. */
static unsigned usual_shape(const shape *shapes, uint32_t n, uint32_t size[ODO_MAX_DIMS])
{
	uint32_t count[ODO_MAX_DIMS + 1] = {0};
	unsigned n_dims = 0;
	for (uint32_t c = 0; c < n; c++)
		count[shapes[c].placement.n_dims]++;
	for (unsigned d = 1; d < ODO_MAX_DIMS; d++) /* one dimension is for the group */
		if (count[d] > (n_dims ? count[n_dims] : 0))
			n_dims = d;
	for (unsigned d = 0; d < n_dims; d++) {
		size[d] = 0;
		for (uint32_t c = 0; c < n; c++) {
			const odo_placement *placement = &shapes[c].placement;
			uint32_t x = placement->n_dims == n_dims
					     ? placement->size[shapes[c].order[d]]
					     : 0,
				 has = 0;
			if (x <= size[d])
				continue;
			for (uint32_t other = 0; other < n; other++)
				has += shapes[other].placement.n_dims == n_dims &&
				       shapes[other].placement.size[shapes[other].order[d]] >= x;
			if (odo_reaches(has, complete_ones, count[n_dims]))
				size[d] = x;
		}
	}
	return n_dims;
}

/* Start a new placement of a group from its own placement, if that has the usual dimensions. */
static int usual_placement(const shape *from, uint32_t n, unsigned n_dims, const uint32_t *size,
			   odo_placement *placement, odo_error *err)
{
	const odo_placement *old = &from->placement;
	int status = odo_placement_make(n, n_dims, placement, err);
	for (unsigned d = 0; d < n_dims && !status; d++) {
		placement->factor[d] = ODO_COMPLETE;
		placement->size[d] = size[d];
	}
	for (uint32_t v = 0; v < n && old->n_dims == n_dims && !status; v++) {
		uint32_t *at = odo_placement_at(placement, v);
		for (unsigned d = 0; d < n_dims; d++) {
			uint32_t x = odo_placement_at(old, v)[from->order[d]];
			at[d] = x < size[d] ? x : ODO_NONE;
		}
	}
	return status;
}

/* Place a group again if its switches do not fill the usual sizes, or links contradict. */
static int refit_group(const odo_links *part, shape *to, unsigned n_dims, const uint32_t *size,
		       uint32_t *budget, odo_error *err)
{
	odo_placement placement = {0};
	uint32_t placed = 0;
	int status = usual_placement(to, part->n, n_dims, size, &placement, err);
	for (uint32_t v = 0; v < part->n && !status; v++)
		placed += odo_placement_placed(&placement, v);
	uint32_t before = status ? 0 : odo_group_fitting(part, &placement);
	if (!status && placed == part->n && before == part->n_edges) {
		odo_placement_clear(&placement);
		return 0;
	}
	if (!status)
		status = odo_group_fit(part, budget, &placement, err);
	if (!status && (placed < part->n || odo_group_fitting(part, &placement) > before)) {
		odo_placement_clear(&to->placement);
		to->placement = placement;
		for (unsigned d = 0; d < n_dims; d++)
			to->order[d] = (uint8_t)d;
		return 0;
	}
	odo_placement_clear(&placement);
	return status == ODO_EUNKNOWN ? 0 : status;
}

static int refit_groups(const odo_links *g, const groups *k, shape *shapes, unsigned n_dims,
			const uint32_t *size, odo_error *err)
{
	uint32_t budget = MOST_EXCHANGES;
	int status = 0;
	for (uint32_t c = 0; c < k->n && !status && budget; c++) {
		odo_links part = {0};
		status = take_group(g, k, c, &part, err);
		if (!status)
			status = refit_group(&part, &shapes[c], n_dims, size, &budget, err);
		odo_links_clear(&part);
	}
	return status;
}

/* Copy a group's coordinates. Values beyond the usual size remain unknown. */
static void copy_group_places(const groups *k, uint32_t c, const shape *from,
			      odo_placement *placement)
{
	const odo_placement *part = &from->placement;
	for (uint32_t i = 0; i < part->n && part->n_dims + 1 == placement->n_dims; i++) {
		const uint32_t *old = odo_placement_at(part, i);
		uint32_t *at = odo_placement_at(placement, k->member[k->first[c] + i]);
		if (!odo_placement_placed(part, i))
			continue;
		at[0] = c;
		for (unsigned d = 0; d < part->n_dims; d++) {
			uint32_t x = old[from->order[d]];
			at[d + 1] = x < placement->size[d + 1] ? x : ODO_NONE;
		}
	}
}

static int place_shaped_groups(const odo_links *g, const groups *k, odo_placement *placement,
			       odo_error *err)
{
	shape *shapes = odo_new(k->n, sizeof *shapes);
	uint32_t size[ODO_MAX_DIMS];
	int status = shapes ? map_groups(g, k, shapes, err)
			    : odo_fail(err, ODO_ENOMEM, "no memory for groups");
	unsigned n_dims = status ? 0 : usual_shape(shapes, k->n, size);
	if (!status && !n_dims)
		status = odo_fail(err, ODO_EUNKNOWN, "groups are no FlatFlies");
	if (!status && odo_uses("groups placed by annealing"))
		status = refit_groups(g, k, shapes, n_dims, size, err);
	if (!status)
		status = odo_placement_make(g->n, n_dims + 1, placement, err);
	if (!status) {
		placement->factor[0] = ODO_GROUPS;
		placement->size[0] = k->n;
		for (unsigned i = 1; i < placement->n_dims; i++) {
			placement->factor[i] = ODO_COMPLETE;
			placement->size[i] = size[i - 1];
		}
		for (uint32_t c = 0; c < k->n; c++)
			copy_group_places(k, c, &shapes[c], placement);
	}
	for (uint32_t c = 0; c < k->n && shapes; c++)
		odo_placement_clear(&shapes[c].placement);
	free(shapes);
	return status;
}

int odo_dragonfly_grouped(const odo_links *g, const uint32_t *of, odo_placement *placement,
			  odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *number = odo_arena_new(&memory, g->n, sizeof *number);
	groups k = {.first = odo_arena_new(&memory, (size_t)g->n + 2, sizeof *k.first),
		    .member = odo_arena_new(&memory, g->n, sizeof *k.member),
		    .index = odo_arena_new(&memory, g->n, sizeof *k.index)};
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for groups") : 0;
	*placement = (odo_placement){0};
	if (!status) {
		memset(k.index, 0xFF, g->n * sizeof *k.index);
		k.n = odo_uf_number(of, g->n, number);
		odo_uf_list(of, g->n, number, k.n, k.first, k.member);
		status = k.n < 2 || FEWEST_MEMBERS * k.n > g->n
				 ? odo_fail(err, ODO_EUNKNOWN,
					    "no groups of two or more dimensions")
				 : place_shaped_groups(g, &k, placement, err);
	}
	if (status)
		odo_placement_clear(placement);
	odo_arena_free(&memory);
	return status;
}
