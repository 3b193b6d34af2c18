/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/forest/forest.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

static int allocate_forest(odo_forest *forest)
{
	size_t n = forest->n, slots = forest->f->first_slot[forest->n];
	forest->port = malloc(n * n * forest->n_trees + 1);
	forest->layer = odo_new(n * forest->n_trees, 1);
	forest->mended = odo_new(n * forest->n_trees, 1);
	forest->lid_tree = odo_new(forest->f->lid_count, sizeof *forest->lid_tree);
	forest->class_of = odo_new(slots, 1);
	forest->next = odo_new(slots, sizeof *forest->next);
	forest->place = odo_new(slots, sizeof *forest->place);
	forest->part = odo_new(n, sizeof *forest->part);
	bool room = forest->port && forest->layer && forest->mended && forest->lid_tree &&
		    forest->class_of && forest->next && forest->place && forest->part;
	return room ? 0 : ODO_ENOMEM;
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
	if (allocate_forest(forest)) {
		odo_forest_free(forest);
		return odo_fail(err, ODO_ENOMEM, "no memory for %u paths between %u switches",
				n_trees, f->n_switches);
	}
	int n_parts = odo_fabric_parts(f, forest->part, err);
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
	if (!forest)
		return;
	free(forest->turn);
	free(forest->port);
	free(forest->layer);
	free(forest->mended);
	free(forest->lid_tree);
	free(forest->class_of);
	free(forest->next);
	free(forest->place);
	free(forest->part);
	free(forest);
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
		forest->mended[broken[i]] = 1;
	if (!status && n_broken)
		status = odo_forest_mend(forest, broken, n_broken, &n_wild, err);
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
