/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/forest.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "routing/graph/columns.h"

unsigned odo_vl_budget(const odo_fabric *f, const odo_route_options *options)
{
	unsigned vls = ODO_MAX_VLS;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
		if (f->n_vls[i] < vls && odo_next_switch(f, i) != ODO_NONE)
			vls = f->n_vls[i];
	if (options && options->max_vls && options->max_vls < vls)
		vls = options->max_vls;
	return vls ? vls : 1;
}

uint32_t odo_node_hash(const odo_fabric *f, uint32_t node)
{
	/* The finaliser of splitmix64 mixes the bits, because GUIDs are mostly consecutive. */
	uint64_t x = f->node_guid[node] + 0x9E3779B97F4A7C15ull;
	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
	x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
	return (uint32_t)(x >> 32);
}

uint32_t odo_lid_key(const odo_fabric *f, uint32_t lid)
{
	uint32_t s = f->lid_switch[lid], host = f->lid_host[lid], rank = 0;
	if (host == ODO_NONE)
		return lid - f->switch_lid[s];
	for (unsigned port = 1; port < f->lid_port[lid]; port++)
		rank += odo_next_switch(f, odo_slot(f, s, port)) == ODO_NONE;
	return rank + lid - f->port_lid[f->host_slot[host]];
}

uint32_t odo_max_keys(const odo_fabric *f)
{
	uint32_t most = 1;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		uint32_t key = f->lid_switch[lid] == ODO_NONE ? 0 : odo_lid_key(f, lid);
		if (key + 1 > most)
			most = key + 1;
	}
	return most;
}

uint32_t odo_most_parallel(const odo_fabric *f)
{
	uint32_t most = 1;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t s = f->owner[i], t = odo_next_switch(f, i), n = 0;
		for (uint32_t j = f->first_slot[s]; t != ODO_NONE && j < f->first_slot[s + 1]; j++)
			n += odo_next_switch(f, j) == t;
		most = n > most ? n : most;
	}
	return most;
}

static void classify_ports(odo_forest *forest, const odo_coordinates *c)
{
	const odo_fabric *f = forest->f;
	for (uint32_t i = 0; i < f->first_slot[forest->n]; i++) {
		uint8_t class = c ? c->port_class[i] : ODO_PORT_WRONG;
		forest->next[i] = odo_next_switch(f, i);
		forest->class_of[i] = forest->next[i] == ODO_NONE ? ODO_CLASS_HOST
				      : class < ODO_MAX_DIMS      ? class
								  : ODO_CLASS_OTHER;
	}
}

static bool allocate_forest(odo_forest *forest)
{
	size_t n = forest->n, slots = forest->f->first_slot[forest->n];
	forest->port = odo_arena_new(&forest->memory, n * n, forest->n_trees);
	forest->layer = odo_arena_new(&forest->memory, n * forest->n_trees, 1);
	forest->has_detours = odo_arena_new(&forest->memory, n * forest->n_trees, 1);
	forest->lid_tree = odo_arena_new(&forest->memory, forest->f->lid_count,
					 sizeof *forest->lid_tree);
	forest->class_of = odo_arena_new(&forest->memory, slots, 1);
	forest->next = odo_arena_new(&forest->memory, slots, sizeof *forest->next);
	forest->place = odo_arena_new(&forest->memory, slots, sizeof *forest->place);
	forest->part = odo_arena_new(&forest->memory, n, sizeof *forest->part);
	return !forest->memory.failed;
}

static void initialise_forest(odo_forest *forest, const odo_coordinates *c)
{
	const odo_fabric *f = forest->f;
	classify_ports(forest, c);
	memset(forest->rank, ODO_UNRANKED, sizeof forest->rank);
	memset(forest->port, ODO_NO_PORT, (size_t)forest->n * forest->n * forest->n_trees);
	for (unsigned k = 0; k < forest->n_trees; k++) {
		memset(forest->layer + (size_t)k * forest->n, (int)(k % forest->n_layers),
		       forest->n);
		for (uint32_t s = 0; s < forest->n; s++)
			odo_forest_row(forest, k, s)[s] = 0;
	}
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		forest->lid_tree[lid] = f->lid_switch[lid] == ODO_NONE
						? ODO_NONE
						: odo_lid_key(f, lid) % forest->n_trees *
								  forest->n +
							  f->lid_switch[lid];
}

int odo_forest_create(const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, unsigned n_trees, unsigned n_layers,
		      unsigned n_sub, odo_forest **out, odo_error *err)
{
	unsigned vls = odo_vl_budget(f, options);
	unsigned sls = options && options->max_sls && options->max_sls < ODO_N_SLS
			       ? options->max_sls
			       : ODO_N_SLS;
	if (n_layers * n_sub > vls)
		return odo_fail(err, ODO_EDECLINE, "needs %u VLs, %u can be used", n_layers * n_sub,
				vls);
	if (n_layers > sls)
		return odo_fail(err, ODO_EDECLINE, "needs %u SLs, %u can be used", n_layers, sls);
	if ((uint64_t)f->n_switches * f->n_switches * n_trees > UINT32_MAX)
		return odo_fail(err, ODO_EDECLINE, "%u switches are too many", f->n_switches);
	odo_forest *forest = odo_new(1, sizeof *forest);
	if (!forest)
		return odo_fail(err, ODO_ENOMEM, "no memory for paths");
	*forest = (odo_forest){.f = f,
			       .n = f->n_switches,
			       .n_trees = n_trees,
			       .n_unlike = n_trees,
			       .options = options,
			       .n_vls = vls,
			       .n_layers = n_layers,
			       .n_sub = n_sub};
	forest->max_layers = vls / n_sub < sls ? vls / n_sub : sls;
	int n_parts = allocate_forest(forest)
			      ? odo_fabric_parts(f, forest->part, err)
			      : odo_fail(err, ODO_ENOMEM,
					 "no memory for %u paths between %u switches", n_trees,
					 f->n_switches);
	if (n_parts < 0) {
		odo_forest_free(forest);
		return n_parts;
	}
	forest->n_parts = (unsigned)n_parts;
	initialise_forest(forest, c);
	*out = forest;
	return 0;
}

void odo_forest_free(odo_forest *forest)
{
	if (forest)
		odo_arena_free(&forest->memory);
	free(forest);
}

void odo_forest_hops(const odo_forest *forest, const uint8_t *port, uint32_t d, uint32_t lost,
		     uint32_t *hops, uint32_t *path)
{
	const uint32_t unseen = UINT32_MAX - 1, *first = forest->f->first_slot;
	for (uint32_t s = 0; s < forest->n; s++)
		hops[s] = unseen;
	hops[d] = 0;
	for (uint32_t s = 0; s < forest->n; s++) {
		uint32_t n_path = 0, at = s;
		while (at != ODO_NONE && hops[at] == unseen) {
			hops[at] = lost; /* a loop is no way */
			path[n_path++] = at;
			at = port[at] == ODO_NO_PORT ? ODO_NONE
						     : forest->next[first[at] + port[at] - 1u];
		}
		uint32_t n = at == ODO_NONE ? lost : hops[at];
		while (n_path && n != lost)
			hops[path[--n_path]] = ++n;
	}
}

uint32_t odo_forest_cut(const odo_forest *forest, unsigned k, uint32_t first, uint8_t *columns,
			size_t stride)
{
	uint32_t width = odo_column_width(forest->n, first);
	odo_columns_cut(odo_forest_row(forest, k, 0) + first, forest->n, forest->n, width, columns,
			stride);
	return width;
}

void odo_forest_count_hosts(const odo_forest *forest, uint32_t *hosts, uint32_t *followers)
{
	const odo_fabric *f = forest->f;
	for (uint32_t h = 0; h < f->n_senders; h++)
		hosts[odo_host_switch(f, h)]++;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		if (forest->lid_tree[lid] != ODO_NONE && odo_is_sent_to(f, lid))
			followers[forest->lid_tree[lid]]++;
}

/* Remove ports towards switches that no path reaches. */
static void cut_other_parts(odo_forest *forest)
{
	for (unsigned k = 0; forest->n_parts > 1 && k < forest->n_trees; k++)
		for (uint32_t s = 0; s < forest->n; s++)
			for (uint32_t d = 0; d < forest->n; d++)
				if (forest->part[s] != forest->part[d])
					odo_forest_row(forest, k, s)[d] = ODO_NO_PORT;
}

int odo_forest_repair(odo_forest *forest, odo_error *err)
{
	uint32_t *broken = NULL, n_broken = 0, n_wild = 0;
	cut_other_parts(forest);
	int status = odo_forest_broken(forest, &broken, &n_broken, err);
	for (uint32_t i = 0; i < n_broken; i++)
		forest->has_detours[broken[i]] = 1;
	if (!status && n_broken)
		status = odo_forest_detour(forest, broken, n_broken, &n_wild, err);
	if (!status && n_wild)
		status = odo_forest_layer(forest, broken, n_wild, err);
	free(broken);
	return status;
}

int odo_forest_finish(odo_forest *forest, odo_tables *t, odo_error *err)
{
	int status = odo_forest_repair(forest, err);
	t->from.spilt = forest->spilt;
	return status ? status : odo_forest_write(forest, t, err);
}
