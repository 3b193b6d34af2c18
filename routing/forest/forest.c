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
	/* The finaliser of splitmix64: GUIDs are mostly consecutive. */
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

static void classify(odo_forest *w, const odo_coordinates *c)
{
	const odo_fabric *f = w->f;
	for (uint32_t i = 0; i < f->first_slot[w->n]; i++) {
		uint8_t class = c ? c->port_class[i] : ODO_PORT_WRONG;
		w->next[i] = odo_next_switch(f, i);
		w->class_of[i] = w->next[i] == ODO_NONE ? ODO_CLASS_HOST
				 : class < ODO_MAX_DIMS ? class
							: ODO_CLASS_OTHER;
	}
}

static int allocate(odo_forest *w)
{
	size_t n = w->n, slots = w->f->first_slot[w->n];
	w->port = malloc(n * n * w->n_trees + 1);
	w->layer = odo_new(n * w->n_trees, 1);
	w->mended = odo_new(n * w->n_trees, 1);
	w->lid_tree = odo_new(w->f->lid_count, sizeof *w->lid_tree);
	w->class_of = odo_new(slots, 1);
	w->next = odo_new(slots, sizeof *w->next);
	w->place = odo_new(slots, sizeof *w->place);
	w->part = odo_new(n, sizeof *w->part);
	bool room = w->port && w->layer && w->mended && w->lid_tree && w->class_of && w->next &&
		    w->place && w->part;
	return room ? 0 : ODO_ENOMEM;
}

static void initialise(odo_forest *w, const odo_coordinates *c)
{
	const odo_fabric *f = w->f;
	classify(w, c);
	memset(w->rank, ODO_UNRANKED, sizeof w->rank);
	memset(w->port, ODO_NO_PORT, (size_t)w->n * w->n * w->n_trees);
	for (unsigned k = 0; k < w->n_trees; k++) {
		memset(w->layer + (size_t)k * w->n, (int)(k % w->n_layers), w->n);
		for (uint32_t s = 0; s < w->n; s++)
			odo_forest_row(w, k, s)[s] = 0;
	}
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		w->lid_tree[lid] = f->lid_switch[lid] == ODO_NONE
					   ? ODO_NONE
					   : odo_lid_key(f, lid) % w->n_trees * w->n +
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
	odo_forest *w = odo_new(1, sizeof *w);
	if (!w)
		return odo_fail(err, ODO_ENOMEM, "no memory for paths");
	*w = (odo_forest){.f = f,
			  .n = f->n_switches,
			  .n_trees = n_trees,
			  .options = options,
			  .n_vls = vls,
			  .n_layers = n_layers,
			  .n_sub = n_sub};
	w->max_layers = vls / n_sub < sls ? vls / n_sub : sls;
	if (allocate(w)) {
		odo_forest_free(w);
		return odo_fail(err, ODO_ENOMEM, "no memory for %u paths between %u switches",
				n_trees, f->n_switches);
	}
	int n_parts = odo_fabric_parts(f, w->part, err);
	if (n_parts < 0) {
		odo_forest_free(w);
		return n_parts;
	}
	w->n_parts = (unsigned)n_parts;
	initialise(w, c);
	*out = w;
	return 0;
}

void odo_forest_free(odo_forest *w)
{
	if (!w)
		return;
	free(w->port);
	free(w->layer);
	free(w->mended);
	free(w->lid_tree);
	free(w->class_of);
	free(w->next);
	free(w->place);
	free(w->part);
	free(w);
}

void odo_forest_sever(odo_forest *w)
{
	for (unsigned k = 0; w->n_parts > 1 && k < w->n_trees; k++)
		for (uint32_t s = 0; s < w->n; s++)
			for (uint32_t d = 0; d < w->n; d++)
				if (w->part[s] != w->part[d])
					odo_forest_row(w, k, s)[d] = ODO_NO_PORT;
}

int odo_forest_repair(odo_forest *w, odo_error *err)
{
	uint32_t *broken = NULL, n_broken = 0, n_wild = 0;
	odo_forest_sever(w);
	int status = odo_forest_broken(w, &broken, &n_broken, err);
	for (uint32_t i = 0; i < n_broken; i++)
		w->mended[broken[i]] = 1;
	if (!status && n_broken)
		status = odo_forest_mend(w, broken, n_broken, &n_wild, err);
	if (!status && n_wild)
		status = odo_forest_layer(w, broken, n_wild, err);
	free(broken);
	return status;
}

int odo_forest_finish(odo_forest *w, odo_tables *t, odo_error *err)
{
	int status = odo_forest_repair(w, err);
	return status ? status : odo_forest_write(w, t, err);
}
