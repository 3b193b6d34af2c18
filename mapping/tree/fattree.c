/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/tree/fattree.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"
#include "mapping/graph/unionfind.h"
#include "mapping/tree/blocks.h"
#include "mapping/tree/contradictions.h"
#include "mapping/tree/heights.h"

/* Part, pod and plane of each switch. */
typedef struct places {
	const odo_clos *t;
	uint32_t *part;        /* [n] union-find */
	uint32_t *number;      /* [n] number of each part */
	uint32_t *pod, *plane; /* [n] */
} places;

static bool is_seated(const odo_clos *t, uint32_t v)
{
	return t->level[v] != ODO_NO_LEVEL && (t->up[v] != ODO_NONE || t->down[v] != ODO_NONE);
}

/* Unite switches joined by fitting links from levels `lowest` to `end` - 1 to the next level. */
static void unite_levels(places *p, unsigned lowest, unsigned end)
{
	const odo_clos *t = p->t;
	uint32_t low, high;
	odo_uf_reset(p->part, t->g->n);
	for (uint32_t e = 0; e < t->g->n_edges; e++)
		if (odo_clos_fits(t, e, &low, &high) && t->level[low] >= lowest &&
		    t->level[low] < end)
			odo_uf_unite(p->part, low, high);
	odo_uf_flatten(p->part, t->g->n);
}

/* Number the parts of the switches of these levels by their smallest GUID. The remaining switches
 * are in part 0. */
static void number_tree_parts(places *p, unsigned lowest, unsigned end, uint32_t *of)
{
	const odo_clos *t = p->t;
	uint32_t n = 0;
	memset(p->number, 0xFF, t->g->n * sizeof *p->number);
	for (uint32_t v = 0; v < t->g->n; v++) {
		of[v] = 0;
		if (!is_seated(t, v) || t->level[v] < lowest || t->level[v] >= end)
			continue;
		uint32_t *number = &p->number[p->part[v]];
		if (*number == ODO_NONE)
			*number = n++;
		of[v] = *number;
	}
}

/* Maximum share of switches without a connection to the rest. */
static const odo_share cut_off = {1, 10};

/* Return true if fitting links connect all but a few switches. */
static bool is_connected_tree(places *p)
{
	uint32_t *size = p->number, most = 0, n = p->t->g->n;
	unite_levels(p, 0, p->t->n_levels);
	memset(size, 0, n * sizeof *size);
	for (uint32_t v = 0; v < n; v++)
		if (++size[p->part[v]] > most)
			most = size[p->part[v]];
	return !odo_exceeds(n - most, cut_off, n);
}

/* Pods are the parts connected without the top level, planes the parts connected without the
 * leaves. A tree of two levels has no pods. */
static void find_pods_and_planes(places *p)
{
	unsigned levels = p->t->n_levels, below_top = levels > 2 ? levels - 1 : 0;
	unite_levels(p, 0, below_top ? below_top - 1 : 0);
	number_tree_parts(p, 0, below_top, p->pod);
	unite_levels(p, 1, levels);
	number_tree_parts(p, 1, levels, p->plane);
}

typedef struct seat {
	uint32_t at[ODO_TREE_DIMS]; /* the index is not yet known */
	uint32_t v;
} seat;

static int compare_seats(const void *a, const void *b)
{
	const seat *x = a, *y = b;
	int place = memcmp(x->at, y->at, sizeof x->at);
	return place ? place : (x->v > y->v) - (x->v < y->v);
}

/* Number the switches of each level, pod and plane by their GUIDs. */
static int seat_switches(const places *p, odo_coordinates *c)
{
	const odo_clos *t = p->t;
	uint32_t n = 0, index = 0;
	seat *seats = odo_new(t->g->n, sizeof *seats);
	if (!seats)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < t->g->n; v++)
		if (is_seated(t, v))
			seats[n++] = (seat){{t->level[v], p->pod[v], p->plane[v], 0}, v};
	qsort(seats, n, sizeof *seats, compare_seats);
	for (uint32_t i = 0; i < n; i++) {
		bool next = i && !memcmp(seats[i].at, seats[i - 1].at, sizeof seats[i].at);
		index = next ? index + 1 : 0;
		uint32_t *at = c->at + (size_t)t->g->vertex[seats[i].v] * c->n_dims;
		memcpy(at, seats[i].at, sizeof seats[i].at);
		at[ODO_TREE_INDEX] = index;
	}
	free(seats);
	return 0;
}

static void fill_tree_dimensions(const places *p, odo_coordinates *c)
{
	c->kind = ODO_KIND_FATTREE;
	for (unsigned dim = 0; dim < ODO_TREE_DIMS; dim++) {
		c->factor[dim] = ODO_LABELS;
		c->size[dim] = 1;
		for (uint32_t s = 0; s < c->n_switches; s++) {
			uint32_t x = odo_at(c, s)[dim];
			if (x != ODO_NONE && x >= c->size[dim])
				c->size[dim] = x + 1;
		}
	}
	for (unsigned level = 0; level + 1 < p->t->n_levels; level++)
		c->width[level] = odo_blocks_width(p->t, level);
}

static int report_tree(const places *p, const uint32_t *slot_edge, odo_coordinates **out,
		       odo_error *err)
{
	int status = odo_coordinates_create(p->t->f, ODO_TREE_DIMS, out, err);
	if (!status && seat_switches(p, *out))
		status = odo_fail(err, ODO_ENOMEM, "no memory for the places of a tree");
	if (status)
		return status;
	fill_tree_dimensions(p, *out);
	return odo_fattree_contradictions(p->t, slot_edge, *out, err);
}

static int find_places(odo_clos *t, const uint32_t *slot_edge, odo_coordinates **out,
		       odo_error *err)
{
	odo_arena memory = {0};
	uint32_t n = t->g->n;
	places p = {.t = t,
		    .part = odo_arena_new(&memory, n, sizeof *p.part),
		    .number = odo_arena_new(&memory, n, sizeof *p.number),
		    .pod = odo_arena_new(&memory, n, sizeof *p.pod),
		    .plane = odo_arena_new(&memory, n, sizeof *p.plane)};
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for the places of a tree")
				   : 0;
	if (!status && is_connected_tree(&p)) {
		find_pods_and_planes(&p);
		status = report_tree(&p, slot_edge, out, err);
	} else if (!status) {
		t->lacks = "it is in parts that are not connected as in a fat tree";
	}
	odo_arena_free(&memory);
	return status;
}

/* Return true if few switches are at the top, and fitting links connect all leaves without them. */
static bool is_top_needless(const odo_clos *t, uint32_t *part)
{
	places p = {.t = t, .part = part};
	unsigned top = t->n_levels - 1;
	uint32_t n_top = 0, leaves = 0, apart = 0, root = ODO_NONE;
	unite_levels(&p, 0, top - 1);
	for (uint32_t v = 0; v < t->g->n; v++) {
		n_top += t->level[v] == top;
		if (t->level[v] || !is_seated(t, v))
			continue;
		root = root == ODO_NONE ? part[v] : root;
		leaves++;
		apart += part[v] != root;
	}
	return n_top < odo_at_least_rare(t->g->n) && odo_all_but_rare(leaves - apart, leaves);
}

/* Move the top level down if it joins no separate parts: its switches are leaves without hosts. */
static int take_down_top(odo_clos *t, odo_error *err)
{
	uint32_t *part = odo_new(t->g->n, sizeof *part);
	if (!part)
		return odo_fail(err, ODO_ENOMEM, "no memory for the top of a tree");
	bool needless = is_top_needless(t, part);
	free(part);
	for (uint32_t v = 0; v < t->g->n && needless; v++)
		if (t->level[v] + 1u == t->n_levels)
			t->level[v] = (uint8_t)(t->level[v] - 2);
	t->n_levels -= needless;
	return needless ? odo_blocks_find(t, err) : 0;
}

int odo_fattree_map(odo_clos *t, const uint32_t *slot_edge, odo_coordinates **out, odo_error *err)
{
	odo_heights_settle(t);
	if (t->n_levels < 2)
		return 0;
	int status = odo_blocks_find(t, err);
	if (!status && t->n_levels > 2 && odo_uses("tree: top without need"))
		status = take_down_top(t, err);
	if (!status && odo_blocks_hold(t)) {
		status = odo_blocks_measure(t, err);
		if (!status)
			status = odo_clos_find_wrong(t, err);
		if (!status)
			status = find_places(t, slot_edge, out, err);
	} else if (!status) {
		t->lacks = "too few leaves have their spines in common for a fat tree";
	}
	return status;
}
