/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The cables of a tree: which of them go up, and which parents have the same place in every pod. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fabric/search.h"
#include "routing/tree/tree.h"

/* Return true for a cable of the tree. Both ends give the same answer. */
static bool is_sound(const odo_tree *tree, uint32_t slot)
{
	const odo_fabric *f = tree->f;
	uint32_t s = f->owner[slot], t = odo_next_switch(f, slot);
	if (t == ODO_NONE || tree->c->port_class[slot] >= ODO_MAX_DIMS ||
	    tree->c->port_class[slot] != tree->c->port_class[f->peer[slot]] ||
	    odo_tree_at(tree, s, ODO_TREE_LEVEL) == ODO_NONE ||
	    odo_tree_at(tree, t, ODO_TREE_LEVEL) == ODO_NONE)
		return false;
	bool global = odo_grouped(tree->c) && tree->c->port_class[slot] == ODO_PORT_GLOBAL;
	if (tree->level[s] == tree->level[t])
		return tree->level[s] && global;
	return !global && abs(tree->level[s] - tree->level[t]) == 1;
}

static void read_levels(odo_tree *tree)
{
	const odo_fabric *f = tree->f;
	for (uint32_t s = 0; s < tree->n; s++) {
		uint32_t level = odo_tree_at(tree, s, ODO_TREE_LEVEL);
		tree->level[s] = (uint8_t)(level == ODO_NONE ? 0 : level);
	}
	for (uint32_t s = 0; s < tree->n; s++)
		tree->hosts[s] = odo_hosts_of(f, s);
}

typedef struct ranked {
	uint32_t level, first, plane, pod, index, s;
	uint64_t guid;
} ranked;

#define COMPARE(field)                                                                             \
	if (x->field != y->field)                                                                  \
		return x->field < y->field ? -1 : 1;

static int by_tree_place(const void *a, const void *b)
{
	const ranked *x = a, *y = b;
	COMPARE(level)
	COMPARE(first)
	COMPARE(plane)
	COMPARE(pod)
	COMPARE(index)
	COMPARE(guid)
	return 0;
}

/* Rank the switches of a level by their first ancestor on the top level. Parents of different pods
 * then come in the same order, whatever their coordinates are. */
static uint32_t rank_level(odo_tree *tree, unsigned level, uint32_t done, uint32_t *first,
			   ranked *room)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < tree->n; s++) {
		if (tree->level[s] != level)
			continue;
		room[n++] = (ranked){.level = level,
				     .first = level ? first[s] : 0,
				     .plane = odo_tree_at(tree, s, ODO_TREE_PLANE),
				     .pod = odo_tree_at(tree, s, ODO_TREE_POD),
				     .index = odo_tree_at(tree, s, ODO_TREE_INDEX),
				     .s = s,
				     .guid = tree->f->node_guid[s]};
	}
	qsort(room, n, sizeof *room, by_tree_place);
	for (uint32_t i = 0; i < n; i++)
		tree->rank[room[i].s] = done + i;
	for (uint32_t i = 0; i < n; i++)
		if (first[room[i].s] == ODO_NONE)
			first[room[i].s] = done + i;
	return done + n;
}

static void rank_all(odo_tree *tree, odo_arena *scratch)
{
	const odo_fabric *f = tree->f;
	uint32_t *first = odo_arena_new(scratch, tree->n, sizeof *first), done = 0;
	ranked *room = odo_arena_new(scratch, tree->n, sizeof *room);
	for (unsigned level = tree->n_levels; !scratch->failed && level-- > 0;) {
		for (uint32_t s = 0; s < tree->n; s++) {
			if (tree->level[s] != level)
				continue;
			first[s] = ODO_NONE;
			for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
				uint32_t t = odo_next_switch(f, i);
				if (is_sound(tree, i) && tree->level[t] > level &&
				    first[t] < first[s])
					first[s] = first[t];
			}
		}
		done = rank_level(tree, level, done, first, room);
	}
}

typedef struct placed {
	uint32_t rank;
	odo_tree_link link;
} placed;

static int by_rank(const void *a, const void *b)
{
	const placed *x = a, *y = b;
	COMPARE(rank)
	COMPARE(link.slot)
	return 0;
}

/*
 * List the cables of switch s by the rank, or number, of their far ends.
 * @param to [slots] 1 for the slots to list
 */
static uint32_t list_links_of_switch(const odo_tree *tree, uint32_t s, const uint32_t *rank,
				     const uint8_t *to, odo_tree_link *links)
{
	placed found[ODO_MAX_PORTS];
	const odo_fabric *f = tree->f;
	uint32_t n = 0;
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
		if (!to[i])
			continue;
		uint32_t t = odo_next_switch(f, i);
		/* Parallel cables get their numbers below, in the order of their slots. */
		found[n++] = (placed){rank[t], {t, i, 0}};
	}
	qsort(found, n, sizeof *found, by_rank);
	for (uint32_t i = 0; i < n; i++) {
		links[i] = found[i].link;
		if (i && links[i - 1].to == links[i].to)
			links[i].side = links[i - 1].side + 1;
	}
	return n;
}

static bool leads_up_or_down(const odo_tree *tree, uint32_t slot, bool up)
{
	uint8_t here = tree->level[tree->f->owner[slot]];
	uint8_t there = tree->level[odo_next_switch(tree->f, slot)];
	return up ? there > here : there < here;
}

static void list_tree_links(odo_tree *tree, uint8_t *wanted)
{
	const odo_fabric *f = tree->f;
	for (int up = 0; up < 2; up++) {
		odo_tree_link *links = up ? tree->up : tree->down;
		uint32_t *at = up ? tree->up_at : tree->down_at, n = 0;
		for (uint32_t i = 0; i < f->first_slot[tree->n]; i++)
			wanted[i] = is_sound(tree, i) && leads_up_or_down(tree, i, up);
		for (uint32_t s = 0; s < tree->n; s++) {
			at[s] = n;
			n += list_links_of_switch(tree, s, tree->rank, wanted, links + n);
		}
		at[tree->n] = n;
	}
	for (uint32_t s = 0; s < tree->n; s++)
		for (uint32_t i = tree->up_at[s]; i < tree->up_at[s + 1]; i++)
			if (tree->up[i].side >= tree->sides[tree->level[s]])
				tree->sides[tree->level[s]] = tree->up[i].side + 1;
}

/* Return true if no two parents of these leaves are in one plane. Columns are then planes, so that
 * a pod without some parent has the other parents in the same columns as other pods. */
static bool have_planes(const odo_tree *tree, const uint64_t *parents, uint32_t n)
{
	uint8_t seen[ODO_MAX_PORTS + 1] = {0};
	for (uint32_t i = 0; i < n; i++) {
		uint32_t plane = odo_tree_at(tree, (uint32_t)parents[i], ODO_TREE_PLANE);
		if (plane > ODO_MAX_PORTS || seen[plane])
			return false;
		seen[plane] = 1;
	}
	return true;
}

/* Number the connected switches of a level and the next: parents get columns, children get rows. */
static void number_columns(odo_tree *tree, uint32_t start, uint8_t *seen, uint32_t *queue,
			   uint64_t *parents)
{
	uint64_t *children = parents + tree->n;
	uint32_t n = 1, n_parents = 0, n_children = 0;
	queue[0] = start;
	seen[start] = 1;
	for (uint32_t head = 0; head < n; head++) {
		uint32_t s = queue[head];
		bool child = tree->level[s] == tree->level[start];
		const odo_tree_link *links = child ? tree->up : tree->down;
		const uint32_t *at = child ? tree->up_at : tree->down_at;
		if (!child)
			parents[n_parents++] = (uint64_t)tree->rank[s] << 32 | s;
		for (uint32_t i = at[s]; i < at[s + 1]; i++) {
			if (seen[links[i].to])
				continue;
			seen[links[i].to] = 1;
			queue[n++] = links[i].to;
		}
	}
	qsort(parents, n_parents, sizeof *parents, odo_by_u64);
	bool planes = !tree->level[start] && tree->dim[ODO_TREE_PLANE] != ODO_TREE_NO_DIM &&
		      have_planes(tree, parents, n_parents);
	for (uint32_t i = 0; i < n_parents; i++) {
		uint32_t t = (uint32_t)parents[i];
		tree->column[t] = planes ? odo_tree_at(tree, t, ODO_TREE_PLANE) : i;
	}
	for (uint32_t i = 0; i < n; i++)
		if (tree->level[queue[i]] == tree->level[start])
			children[n_children++] = (uint64_t)tree->rank[queue[i]] << 32 | queue[i];
	qsort(children, n_children, sizeof *children, odo_by_u64);
	for (uint32_t i = 0; i < n_children; i++) {
		uint32_t s = (uint32_t)children[i];
		tree->n_columns[s] = planes ? tree->c->size[tree->dim[ODO_TREE_PLANE]] : n_parents;
		tree->row[s] = i;
		tree->n_rows[s] = n_children;
	}
}

static void number_all_columns(odo_tree *tree, odo_arena *scratch)
{
	uint8_t *seen = odo_arena_new(scratch, tree->n, 1);
	uint32_t *queue = odo_arena_new(scratch, tree->n, sizeof *queue);
	uint64_t *parents = odo_arena_new(scratch, (size_t)tree->n * 2, sizeof *parents);
	for (unsigned level = 0; !scratch->failed && level < tree->n_levels; level++) {
		memset(seen, 0, tree->n);
		for (uint32_t s = 0; s < tree->n; s++)
			if (tree->level[s] == level && !seen[s])
				number_columns(tree, s, seen, queue, parents);
	}
}

typedef struct spread {
	const odo_tree *tree;
	uint32_t number;
} spread;

static uint32_t reach_part(void *x, uint32_t s, uint32_t slot)
{
	spread *w = x;
	(void)s;
	if (!is_sound(w->tree, slot))
		return ODO_NONE;
	uint32_t t = odo_next_switch(w->tree->f, slot);
	if (w->tree->part[t] != ODO_NONE)
		return ODO_NONE;
	w->tree->part[t] = w->number;
	return t;
}

/* Find the parts of the tree that its sound cables connect. */
static void find_tree_parts(odo_tree *tree, uint32_t *queue)
{
	const uint32_t *first = tree->f->first_slot;
	spread w = {.tree = tree};
	memset(tree->part, 0xFF, tree->n * sizeof *tree->part);
	for (uint32_t s = 0; s < tree->n; s++) {
		if (tree->part[s] != ODO_NONE)
			continue;
		tree->part[s] = w.number;
		queue[0] = s;
		odo_breadth_first(first, first + 1, reach_part, &w, queue, 1);
		w.number++;
	}
}

/* Use a wrong cable only if it connects two parts of the tree. */
static bool is_usable(const odo_tree *tree, uint32_t slot)
{
	uint32_t s = tree->f->owner[slot], t = odo_next_switch(tree->f, slot);
	return t != ODO_NONE && t != s && (is_sound(tree, slot) || tree->part[s] != tree->part[t]);
}

static void list_usable(odo_tree *tree, uint8_t *wanted)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < tree->f->first_slot[tree->n]; i++)
		wanted[i] = is_usable(tree, i);
	for (uint32_t s = 0; s < tree->n; s++) {
		tree->above[s] = n;
		n += list_links_of_switch(tree, s, tree->rank, wanted, tree->near + n);
	}
	tree->above[tree->n] = n;
}

/* Sort usable cables by the number of the far end: first the cables up, then the cables down. */
static void split_usable(odo_tree *tree, uint8_t *wanted)
{
	for (uint32_t s = 0; s < tree->n; s++) {
		uint32_t from = tree->above[s], n = tree->above[s + 1] - from;
		list_links_of_switch(tree, s, tree->order, wanted, tree->near + from);
		tree->below[s] = from;
		for (uint32_t i = from; i < from + n; i++)
			tree->below[s] += tree->order[tree->near[i].to] < tree->order[s];
	}
}

static void allocate_tree(odo_tree *tree, odo_arena *memory)
{
	size_t n = tree->n, slots = tree->f->first_slot[n];
	tree->level = odo_arena_new(memory, n, 1);
	tree->rank = odo_arena_new(memory, n, sizeof *tree->rank);
	tree->part = odo_arena_new(memory, n, sizeof *tree->part);
	tree->hosts = odo_arena_new(memory, n, sizeof *tree->hosts);
	tree->up = odo_arena_new(memory, slots, sizeof *tree->up);
	tree->down = odo_arena_new(memory, slots, sizeof *tree->down);
	tree->up_at = odo_arena_new(memory, n + 1, sizeof *tree->up_at);
	tree->down_at = odo_arena_new(memory, n + 1, sizeof *tree->down_at);
	tree->column = odo_arena_new(memory, n, sizeof *tree->column);
	tree->n_columns = odo_arena_new(memory, n, sizeof *tree->n_columns);
	tree->row = odo_arena_new(memory, n, sizeof *tree->row);
	tree->n_rows = odo_arena_new(memory, n, sizeof *tree->n_rows);
	tree->order = odo_arena_new(memory, n, sizeof *tree->order);
	tree->sorted = odo_arena_new(memory, n, sizeof *tree->sorted);
	tree->near = odo_arena_new(memory, slots, sizeof *tree->near);
	tree->above = odo_arena_new(memory, n + 1, sizeof *tree->above);
	tree->below = odo_arena_new(memory, n, sizeof *tree->below);
}

/* Copy ranks, columns and rows from another tree of the same switches. */
static void copy_places(odo_tree *tree, const odo_tree *like)
{
	size_t size = tree->n * sizeof *tree->rank;
	memcpy(tree->rank, like->rank, size);
	memcpy(tree->column, like->column, size);
	memcpy(tree->n_columns, like->n_columns, size);
	memcpy(tree->row, like->row, size);
	memcpy(tree->n_rows, like->n_rows, size);
	memcpy(tree->sides, like->sides, sizeof tree->sides);
}

/* Return the root of the other tree if it still has all its cables. Otherwise switches that are not
 * below it could be reached only down through its neighbours. */
static uint32_t root_to_keep(const odo_tree *tree, const odo_tree *like)
{
	uint32_t root = like ? like->sorted[0] : ODO_NONE;
	bool whole = root != ODO_NONE && tree->up_at[root + 1] - tree->up_at[root] ==
						 like->up_at[root + 1] - like->up_at[root];
	return whole ? root : ODO_NONE;
}

/* Fill in the tree. @return 0 or ODO_ENOMEM */
static int shape_tree(odo_tree *tree, const odo_tree *like, odo_arena *scratch)
{
	uint8_t *wanted = odo_arena_new(scratch, tree->f->first_slot[tree->n], 1);
	uint32_t *queue = odo_arena_new(scratch, tree->n, sizeof *queue);
	if (scratch->failed)
		return ODO_ENOMEM;
	read_levels(tree);
	if (like)
		copy_places(tree, like);
	else
		rank_all(tree, scratch);
	list_tree_links(tree, wanted);
	if (!like)
		number_all_columns(tree, scratch);
	find_tree_parts(tree, queue);
	list_usable(tree, wanted);
	int status = scratch->failed ? ODO_ENOMEM : odo_tree_order(tree, root_to_keep(tree, like));
	if (!status)
		split_usable(tree, wanted);
	return status;
}

static void find_dimensions(odo_tree *tree)
{
	static const uint8_t whole[ODO_TREE_DIMS] = {ODO_TREE_LEVEL, ODO_TREE_POD, ODO_TREE_PLANE,
						     ODO_TREE_INDEX};
	static const uint8_t grouped[ODO_TREE_DIMS] = {1, 0, ODO_TREE_NO_DIM, 2};
	memcpy(tree->dim, odo_grouped(tree->c) ? grouped : whole, sizeof tree->dim);
	tree->n_levels = tree->c->size[tree->dim[ODO_TREE_LEVEL]];
}

int odo_tree_create(const odo_fabric *f, const odo_coordinates *c, const odo_route_options *options,
		    const odo_tree *like, odo_arena *memory, odo_tree **out, odo_error *err)
{
	odo_arena scratch = {0};
	odo_tree *tree = *out = odo_arena_new(memory, 1, sizeof *tree);
	if (!tree)
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree");
	*tree = (odo_tree){.f = f, .c = c, .options = options, .n = f->n_switches};
	find_dimensions(tree);
	if (tree->n_levels > ODO_TREE_LEVELS)
		return odo_fail(err, ODO_EDECLINE, "%u levels, can route %u", tree->n_levels,
				ODO_TREE_LEVELS);
	allocate_tree(tree, memory);
	int status = memory->failed ? ODO_ENOMEM : shape_tree(tree, like, &scratch);
	odo_arena_free(&scratch);
	return status ? odo_fail(err, status, "no memory for a tree of %u switches", tree->n) : 0;
}
