/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/traffic/pattern.h"
#include "emulator/traffic/workload.h"
#include "fabric/format/format.h"
#include "base/memory.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/engine.h"

/** Prefix an error with its place in the file. */
static int fail_at_value(const odo_experiment *x, const char *key, const char *value,
			 odo_error *err)
{
	odo_text_place at = odo_experiment_find(x, key, value);
	return odo_fail_within(err, "%s:%u", at.path, at.line);
}

/** Replace the fabric by a transformed one, and carry over its coordinates. */
static int replace_scene_fabric(odo_experiment_world *scene, odo_fabric *made, odo_origin *origin,
				odo_error *err)
{
	odo_coordinates *carried = NULL;
	int status = 0;
	if (scene->coordinates)
		status = odo_coordinates_carry(scene->coordinates, made, origin, &carried, err);
	odo_origin_free(origin);
	odo_coordinates_free(scene->coordinates);
	odo_fabric_free(scene->fabric);
	scene->fabric = made;
	scene->coordinates = carried;
	return status;
}

static int open_fabric(const odo_experiment *x, odo_experiment_world *scene, odo_error *err)
{
	odo_fabric *made;
	odo_origin origin = {0};
	int status = odo_fabric_open(x->fabric, (uint8_t)x->lmc, &scene->fabric,
				     &scene->coordinates, err);
	scene->from_file = !status && !scene->coordinates;
	if (!status && (x->damage_switches > 0 || x->damage_links > 0)) {
		odo_damage damage = {x->damage_switches, x->damage_links, x->damage_seed};
		status = odo_fabric_damage(scene->fabric, &damage, &made, &origin, err);
		if (!status)
			status = replace_scene_fabric(scene, made, &origin, err);
	}
	if (!status && x->shuffled) {
		status = odo_fabric_shuffle(scene->fabric, x->shuffle, &made, &origin, err);
		if (!status)
			status = replace_scene_fabric(scene, made, &origin, err);
	}
	if (!status && !scene->coordinates)
		status = odo_map(scene->fabric, &scene->coordinates, err);
	return status ? fail_at_value(x, "fabric", x->fabric, err) : 0;
}

/** Read the experiment's model, then apply the curve's changes. @param f as for odo_model_parse()
 */
static int read_model(const odo_experiment *x, const odo_curve *curve, const odo_fabric *f,
		      odo_model *model, odo_error *err)
{
	bool own = !*x->model; /* without a model of the experiment, the curve's is a whole spec,
				* and may name a preset */
	int status = odo_model_change(own ? curve->model : x->model, own ? "" : curve->model, f,
				      model, err);
	return status ? fail_at_value(x, *curve->model ? "curves" : "model",
				      *curve->model ? curve->model : x->model, err)
		      : 0;
}

/** Read "tables", "tables:ENGINE", or a policy's spec. */
static int read_routing(const odo_experiment *x, const odo_curve *curve, odo_curve_world *made,
			odo_error *err)
{
	const odo_policy *row;
	odo_value value[ODO_MAX_OPTIONS] = {{0}};
	int status = 0;
	if (!strcmp(curve->routing, "tables")) {
		made->engine = NULL;
	} else if (!strncmp(curve->routing, "tables:", 7)) {
		made->engine = curve->routing + 7;
		if (!odo_engine_find(made->engine))
			status = odo_fail(err, ODO_EINPUT,
					  "expected an engine that \"odonata list\" names, found "
					  "\"%.60s\"",
					  made->engine);
	} else {
		made->policy = curve->routing;
		status = odo_policy_parse(curve->routing, &row, value, err);
	}
	return status ? fail_at_value(x, "curves", curve->routing, err) : 0;
}

static int read_vlarb(const odo_experiment *x, const odo_experiment_world *scene,
		      const odo_curve *curve, odo_curve_world *made, odo_error *err)
{
	if (!curve->vlarb || !odo_vlarb_read(curve->vlarb, scene->fabric, &made->vlarb, err))
		return 0;
	return fail_at_value(x, "vlarb", curve->vlarb, err);
}

static int check_pattern(const odo_experiment *x, const odo_experiment_world *made,
			 const char *spec, odo_error *err)
{
	int status;
	const char *key = "patterns";
	if (x->kind == ODO_EXPERIMENT_WORKLOAD) {
		key = "workloads";
		status = odo_workload_check(spec, err);
	} else {
		odo_traffic *traffic = NULL;
		status = odo_traffic_create(spec, made->fabric, made->coordinates, 1, &traffic,
					    err);
		odo_traffic_free(traffic);
	}
	return status ? fail_at_value(x, key, spec, err) : 0;
}

int odo_experiment_world_make(const odo_experiment *x, odo_experiment_world *made, odo_error *err)
{
	*made = (odo_experiment_world){.experiment = x, .lock = PTHREAD_MUTEX_INITIALIZER};
	made->curves = odo_new(x->n_curves, sizeof *made->curves);
	if (!made->curves)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	int status = open_fabric(x, made, err);
	for (uint32_t i = 0; !status && i < x->n_curves; i++) {
		odo_curve_world *curve = &made->curves[i];
		status = read_model(x, &x->curves[i], made->fabric, &curve->model, err);
		if (!status)
			status = read_routing(x, &x->curves[i], curve, err);
		if (!status)
			status = read_vlarb(x, made, &x->curves[i], curve, err);
		if (!status)
			curve->real = odo_units_of(made->fabric, &curve->model, &curve->units);
	}
	for (uint32_t i = 0; !status && i < x->n_patterns; i++)
		status = check_pattern(x, made, x->patterns[i], err);
	return status;
}

void odo_experiment_world_clear(odo_experiment_world *made)
{
	for (uint32_t i = 0; made->curves && i < made->experiment->n_curves; i++) {
		odo_tables_free(made->curves[i].tables);
		odo_vlarb_free(made->curves[i].vlarb);
	}
	free(made->curves);
	odo_coordinates_free(made->coordinates);
	odo_fabric_free(made->fabric);
}

int odo_experiment_world_route(odo_experiment_world *made, uint32_t curve, odo_error *err)
{
	odo_curve_world *c = &made->curves[curve];
	const odo_route_options options = {0};
	if (c->policy)
		return 0;
	pthread_mutex_lock(&made->lock);
	if (!c->tried) {
		c->tried = true;
		c->status = odo_route(made->fabric, made->coordinates, c->engine, &options,
				      &c->tables, &c->why);
	}
	pthread_mutex_unlock(&made->lock);
	if (c->status && err)
		*err = c->why;
	return c->status;
}

bool odo_experiment_is_real(const odo_experiment *x)
{
	bool real = false;
	odo_model model;
	odo_error err;
	for (uint32_t i = 0; i < x->n_curves; i++)
		real |= !read_model(x, &x->curves[i], NULL, &model, &err) && model.link_rates;
	return real;
}

bool odo_experiment_units(const odo_experiment *x, odo_units *out)
{
	odo_experiment_world made = {0};
	odo_error err;
	if (!x->real)
		return false;
	bool known = !odo_experiment_world_make(x, &made, &err);
	for (uint32_t i = 0; known && i < x->n_curves; i++) {
		const odo_curve_world *c = &made.curves[i];
		known = c->real && c->units.phit_bytes == made.curves[0].units.phit_bytes;
		*out = c->units;
	}
	odo_experiment_world_clear(&made);
	return known;
}
