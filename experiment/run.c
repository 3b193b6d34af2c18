/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "emulator/traffic/pattern.h"
#include "emulator/traffic/rank_placement.h"
#include "emulator/traffic/workload.h"
#include "experiment/point.h"
#include "experiment/result.h"
#include "saturation/bound.h"

static odo_emulation emulation_of_point(const odo_running *r, const odo_point *point)
{
	const odo_experiment *x = r->x;
	const odo_curve_world *curve = &r->world.curves[point->curve];
	return (odo_emulation){
		.fabric = r->world.fabric,
		.coordinates = r->world.coordinates,
		.tables = curve->tables,
		.policy = curve->policy,
		.model = &curve->model,
		.vlarb = curve->vlarb,
		.run = {.seed = x->first_seed + point->seed,
			.load = x->kind == ODO_EXPERIMENT_LOAD ? x->loads[point->load] : 1,
			.warmup = x->warmup,
			.measured = x->measured,
			.steady = x->steady,
			.series = x->details & ODO_DETAIL_SERIES ? x->series : 0},
	};
}

/** NULL if the model of the point's curve defines neither bytes nor time. */
static const odo_units *units_of_point(const odo_running *r, const odo_point *point)
{
	const odo_curve_world *curve = &r->world.curves[point->curve];
	return curve->real ? &curve->units : NULL;
}

/** Emulate and write the point's line and details. */
static int run_once(const odo_running *r, const odo_point *point, const odo_emulation *e,
		    char *line, odo_error *err)
{
	odo_measures *m;
	int status = odo_emulate(e, &m, err);
	if (status)
		return status;
	status = odo_point_write_details(r->x, point, units_of_point(r, point), m, r->world.fabric,
					 r->options->folder, err);
	if (!status)
		odo_point_write_run(r->x, point, units_of_point(r, point), m, line);
	odo_measures_free(m);
	return status;
}

static int run_saturation(const odo_running *r, const odo_point *point, const odo_emulation *e,
			  const odo_watch *watch, char *line, odo_error *err)
{
	odo_saturation found;
	odo_saturation_search how = r->x->search;
	how.watch = watch;
	odo_bound_search(e, &how);
	int status = odo_saturation_find(e, &how, &found, err);
	if (!status)
		odo_point_write_saturation(r->x, point, units_of_point(r, point), &found, line);
	return status;
}

/** Search as for `saturation`, but with steps as shares of the bound, from near it to 2 % beyond
 * it. */
static int run_bound(const odo_running *r, const odo_point *point, const odo_emulation *e,
		     const odo_watch *watch, char *line, odo_error *err)
{
	odo_saturation_search how = r->x->search;
	how.watch = watch;
	odo_saturation found;
	odo_bound bound;
	if (!e->tables)
		return odo_fail(err, ODO_EDECLINE, "policies have no bound");
	if (e->model->link_rates)
		return odo_fail(err, ODO_EDECLINE, "the bound is that of links of one rate");
	int status = odo_bound_find(e->tables, e->traffic, &bound, err);
	if (status)
		return status;
	how.whole = bound.load;
	if (!how.first)
		how.first = how.steps - how.steps / 16;
	how.last = (uint32_t)fmin(how.steps + how.steps / 50, how.steps / bound.load);
	status = odo_saturation_find(e, &how, &found, err);
	if (!status)
		odo_point_write_bound(r->x, point, &bound, &found, line);
	return status;
}

/** Run a workload: it has no warm-up and ends by itself. */
static int run_workload(const odo_running *r, const odo_point *point, odo_emulation *e,
			const odo_workload *work, char *line, odo_error *err)
{
	e->workload = work;
	e->traffic = NULL;
	e->run.warmup = 0;
	e->run.steady = false;
	int status = run_once(r, point, e, line, err);
	e->workload = NULL; /* the caller frees it */
	return status;
}

static int run_burst(const odo_running *r, const odo_point *point, odo_emulation *e, char *line,
		     odo_error *err)
{
	const odo_workload_setup setup = {
		.n_hosts = e->fabric->n_hosts, .packet = e->model->packet, .seed = e->run.seed};
	odo_workload work;
	const odo_experiment *x = r->x;
	uint32_t packets = x->burst_bytes ? odo_model_packets(e->model, x->burst_bytes)
					  : x->packets;
	int status = odo_workload_burst(e->traffic, packets, &setup, &work, err);
	if (status)
		return status;
	status = run_workload(r, point, e, &work, line, err);
	odo_workload_free(&work);
	return status;
}

static int run_program(const odo_running *r, const odo_point *point, odo_emulation *e, char *line,
		       odo_error *err)
{
	const odo_experiment *x = r->x;
	const odo_units *units = units_of_point(r, point);
	uint32_t n = x->ranks ? x->ranks : e->fabric->n_senders;
	uint32_t *host = odo_new(n, sizeof *host);
	odo_order *order = NULL;
	odo_workload work = {0};
	int status = host ? odo_order_create(e->fabric, e->coordinates, &order, err)
			  : odo_fail(err, ODO_ENOMEM, "no memory for a placement");
	if (!status)
		status = odo_place(order, x->placement, e->run.seed, n, host, err);
	const odo_workload_setup setup = {.n_hosts = e->fabric->n_hosts,
					  .host = host,
					  .n_ranks = n,
					  .packet = e->model->packet,
					  .phit_bytes = e->model->phit_bytes,
					  .seed = e->run.seed,
					  .cycle_ns = units ? units->cycle_ns : 0};
	if (!status)
		status = odo_workload_create(x->patterns[point->pattern], &setup, &work, err);
	if (!status)
		status = run_workload(r, point, e, &work, line, err);
	odo_workload_free(&work);
	odo_order_free(order);
	free(host);
	return status;
}

static int run_traffic(const odo_running *r, const odo_point *point, odo_emulation *e,
		       const odo_watch *watch, char *line, odo_error *err)
{
	odo_traffic *traffic = NULL;
	int status = odo_traffic_create(r->x->patterns[point->pattern], e->fabric, e->coordinates,
					e->run.seed, &traffic, err);
	if (status)
		return status;
	e->traffic = traffic;
	if (r->x->kind == ODO_EXPERIMENT_BURST)
		status = run_burst(r, point, e, line, err);
	else if (r->x->kind == ODO_EXPERIMENT_SATURATION)
		status = run_saturation(r, point, e, watch, line, err);
	else if (r->x->kind == ODO_EXPERIMENT_BOUND)
		status = run_bound(r, point, e, watch, line, err);
	else
		status = run_once(r, point, e, line, err);
	odo_traffic_free(traffic);
	return status;
}

static int emulate_point(odo_running *r, uint32_t number, char *line, odo_error *err)
{
	odo_point point = odo_point_of(r->x, number);
	int status = odo_experiment_world_route(&r->world, point.curve, err);
	if (!status) {
		odo_underway_point progress;
		odo_emulation e = emulation_of_point(r, &point);
		odo_underway_begin(r->underway, &progress, &e.run);
		const odo_watch *watch = r->underway ? &progress.watch : NULL;
		status = r->x->kind == ODO_EXPERIMENT_WORKLOAD
				 ? run_program(r, &point, &e, line, err)
				 : run_traffic(r, &point, &e, watch, line, err);
		odo_underway_end(&progress);
	}
	/* A routing that cannot serve this fabric is a result, not an error of the sweep. */
	if (status == ODO_EDECLINE || status == ODO_EUNSAFE) {
		odo_point_write_declined(r->x, &point, err->text, line);
		return 0;
	}
	if (status)
		odo_fail_within(err, "%s, %s", r->x->curves[point.curve].name,
				r->x->patterns[point.pattern]);
	return status;
}

int odo_running_point(void *context, uint32_t number, char *line, odo_error *err)
{
	odo_running *r = context;
	const odo_experiment_options *options = r->options;
	if (options->known && odo_result_carry(options->known, r->x, number, options->folder, line))
		return 0;
	return emulate_point(r, number, line, err);
}
