/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An earlier topology.conf: switches keep their names, and missing nodes keep their places. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/slurm_tree.h"

static const char *find_past_parent(const odo_slurm_options *o, bool is_switch, const char *name)
{
	size_t low = 0, high = o->n_was;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const odo_slurm_place *x = &o->was[middle];
		int order = x->is_switch != is_switch ? (int)x->is_switch - (int)is_switch
						      : odo_name_compare(x->name, name);
		if (!order)
			return x->above;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Possible earlier name of a spot: a switch above nodes that are now below the spot. */
typedef struct wish {
	const char *was;
	uint32_t spot, n;
} wish;

static int by_wish(const void *a, const void *b)
{
	const wish *x = a, *y = b;
	if (x->spot != y->spot)
		return x->spot < y->spot ? -1 : 1;
	return strcmp(x->was, y->was);
}

static int by_strength(const void *a, const void *b)
{
	const wish *x = a, *y = b;
	int order = strcmp(x->was, y->was);
	if (order || x->n != y->n)
		return order ? order : x->n > y->n ? -1 : 1;
	return (x->spot > y->spot) - (x->spot < y->spot);
}

static size_t list_wishes(const odo_slurm_tree *w, odo_slurm_kind kind, wish *list)
{
	size_t n = 0;
	for (size_t i = 0; kind == ODO_SLURM_LEAF && i < w->n_nodes; i++)
		list[n++] = (wish){find_past_parent(w->o, false, w->nodes[i].name),
				   w->nodes[i].leaf, 1};
	for (size_t i = 0; kind != ODO_SLURM_LEAF && i < w->n_spots; i++) {
		uint32_t above = w->spots[i].above;
		if (above != ODO_NONE && w->spots[i].n && w->spots[above].kind == kind)
			list[n++] = (wish){find_past_parent(w->o, true, w->spots[i].name), above,
					   1};
	}
	size_t known = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i].was)
			list[known++] = list[i];
	return known;
}

/* Keep one wish for each spot, the most frequent one. */
static size_t join_wishes(wish *list, size_t n)
{
	size_t kept = 0;
	if (n)
		qsort(list, n, sizeof *list, by_wish);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && !by_wish(&list[i], &list[j]);)
			j++;
		wish x = {list[i].was, list[i].spot, (uint32_t)(j - i)};
		if (kept && list[kept - 1].spot == x.spot)
			kept -= list[kept - 1].n < x.n;
		if (!kept || list[kept - 1].spot != x.spot)
			list[kept++] = x;
	}
	return kept;
}

/* Give spots of a kind their earlier names. */
static int keep_names(odo_slurm_tree *w, odo_slurm_kind kind)
{
	wish *list = odo_arena_new(&w->memory, w->n_nodes + w->n_spots, sizeof *list);
	if (!list)
		return ODO_ENOMEM;
	size_t n = join_wishes(list, list_wishes(w, kind, list));
	if (n)
		qsort(list, n, sizeof *list, by_strength);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(list[i].was, list[i - 1].was) != 0)
			snprintf(w->spots[list[i].spot].name, ODO_SLURM_NAME, "%s", list[i].was);
	return 0;
}

static uint32_t find_spot(const odo_slurm_tree *w, const char *name)
{
	for (size_t i = 0; i < w->n_spots; i++)
		if (w->spots[i].n && !strcmp(w->spots[i].name, name))
			return (uint32_t)i;
	return ODO_NONE;
}

/* Add the leaf of nodes that are all missing, below its earlier switch if that exists, otherwise
 * below the first top switch. */
static int add_old_leaf(odo_slurm_tree *w, const char *name, uint32_t *leaf)
{
	const char *above = find_past_parent(w->o, true, name);
	uint32_t spot = above ? find_spot(w, above) : ODO_NONE;
	for (size_t i = 0; spot == ODO_NONE && i < w->n_spots; i++)
		if (w->spots[i].kind == ODO_SLURM_TOP && w->spots[i].n)
			spot = (uint32_t)i;
	if (spot == ODO_NONE) {
		spot = (uint32_t)w->n_spots;
		if (odo_slurm_add_spot(w, ODO_SLURM_TOP, ODO_NONE, "", above ? above : "fabric"))
			return ODO_ENOMEM;
	}
	*leaf = (uint32_t)w->n_spots;
	int status = odo_slurm_add_spot(w, ODO_SLURM_LEAF, spot, "", name);
	if (!status)
		w->spots[*leaf].n = w->spots[spot].n = 1; /* so that find_spot() returns both */
	return status;
}

static int by_node_name(const void *a, const void *b)
{
	return odo_name_compare(((const odo_slurm_node *)a)->name,
				((const odo_slurm_node *)b)->name);
}

static bool has_node(const odo_slurm_tree *w, const char *name)
{
	odo_slurm_node key = {.leaf = 0};
	snprintf(key.name, sizeof key.name, "%s", name);
	return w->n_nodes && bsearch(&key, w->nodes, w->n_nodes, sizeof key, by_node_name);
}

static int add_absent_node(odo_slurm_tree *w, const odo_slurm_place *x)
{
	uint32_t leaf = find_spot(w, x->above);
	if ((leaf == ODO_NONE || w->spots[leaf].kind != ODO_SLURM_LEAF) &&
	    add_old_leaf(w, x->above, &leaf))
		return ODO_ENOMEM;
	if (odo_grow(&w->nodes, &w->nodes_room, w->n_nodes + 1, sizeof *w->nodes))
		return ODO_ENOMEM;
	odo_slurm_node *node = &w->nodes[w->n_nodes++];
	*node = (odo_slurm_node){.leaf = leaf};
	snprintf(node->name, sizeof node->name, "%s", x->name);
	return 0;
}

static void note_nodes(const odo_slurm_tree *w, const char *what, const char **list, size_t n)
{
	if (!n)
		return;
	fprintf(w->notes, "%s: ", what);
	odo_hostlist_write(list, n, 16, w->notes);
	putc('\n', w->notes);
}

/* Add nodes of the earlier file that are missing now. */
static int keep_nodes(odo_slurm_tree *w)
{
	const odo_names *wanted = &w->o->nodes;
	const char **list = odo_arena_new(&w->memory, w->o->n_was, sizeof *list);
	odo_slurm_place const *was = w->o->was;
	size_t n = 0, there = w->n_nodes;
	int status = list ? 0 : ODO_ENOMEM;
	for (size_t i = 0; i < w->o->n_was && !was[i].is_switch && !status; i++) {
		bool again = i && !strcmp(was[i].name, was[i - 1].name);
		size_t all = w->n_nodes;
		w->n_nodes = there; /* later nodes are not sorted */
		bool away = !again && !has_node(w, was[i].name) &&
			    (!wanted->n || odo_names_has(wanted, was[i].name));
		w->n_nodes = all;
		if (!away)
			continue;
		list[n++] = was[i].name;
		status = add_absent_node(w, &was[i]);
	}
	if (!status)
		note_nodes(w, "not seen, kept where they were", list, n);
	if (w->n_nodes)
		qsort(w->nodes, w->n_nodes, sizeof *w->nodes, by_node_name);
	return status;
}

static int note_missing_nodes(odo_slurm_tree *w)
{
	const char **list = odo_arena_new(&w->memory, w->o->nodes.n, sizeof *list);
	size_t n = 0;
	for (size_t i = 0; list && i < w->o->nodes.n; i++)
		if (!has_node(w, w->o->nodes.name[i]))
			list[n++] = w->o->nodes.name[i];
	if (list)
		note_nodes(w, "left out, not seen", list, n);
	return list ? 0 : ODO_ENOMEM;
}

int odo_slurm_keep_past(odo_slurm_tree *w)
{
	int status = 0;
	for (odo_slurm_kind kind = ODO_SLURM_LEAF; kind <= ODO_SLURM_TOP && !status && w->o->n_was;
	     kind++)
		status = keep_names(w, kind);
	if (!status && w->o->n_was)
		status = keep_nodes(w);
	return status ? status : note_missing_nodes(w);
}
