/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/experiment.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/search/bound.h"
#include "emulator/semantics.h"
#include "experiment/point.h"
#include "experiment/result.h"
#include "experiment/underway.h"
#include "experiment/world.h"
#include "emulator/traffic/pattern.h"
#include "emulator/traffic/rank_placement.h"
#include "experiment/sweep/sweep.h"
#include "experiment/sweep/mpi.h"
#include "emulator/traffic/workload.h"
#include "base/hash.h"
#include "base/memory.h"
#include "fabric/format/slurp.h"

/** What the points need while the experiment runs. */
struct running {
	const odo_experiment *x;
	const odo_experiment_options *options;
	odo_experiment_world world;
	const char *columns; /**< of the CSV */
	odo_underway *told;  /**< NULL: nobody waits */
};

static odo_emulation emulation_of(const struct running *r, const odo_point *point)
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

/** NULL where the model of the point's curve knows neither bytes nor time. */
static const odo_units *units_of(const struct running *r, const odo_point *point)
{
	const odo_curve_world *curve = &r->world.curves[point->curve];
	return curve->real ? &curve->units : NULL;
}

/** Emulate and write the point's line and details. */
static int run_once(const struct running *r, const odo_point *point, const odo_emulation *e,
		    char *line, odo_error *err)
{
	odo_measures *m;
	int status = odo_emulate(e, &m, err);
	if (status)
		return status;
	status = odo_point_write_details(r->x, point, units_of(r, point), m, r->world.fabric,
					 r->options->folder, err);
	if (!status)
		status = odo_point_write_run(r->x, point, units_of(r, point), m, line,
					     ODO_SWEEP_LINE - 16);
	odo_measures_free(m);
	return status;
}

/* A load that is so near to one that fills a channel fills it. */
#define FILLS 1e-6
/* A second or two: what is found until then is a bound, if not the best. */
#define BOUND_ARCS 400000000ull

/** A load that fills a channel, however packets choose their ways, is not sustained, and is not
 * tried: it takes long to tell. Where packets have no choice, that is near the answer. */
static void end_below_bound(const struct running *r, const odo_point *point, const odo_emulation *e,
			    odo_saturation_search *how)
{
	const odo_split_limits limits = {.most_arcs = BOUND_ARCS};
	odo_split bound;
	if (!how->near || !e->tables || e->model->link_rates ||
	    odo_bound_split(e->tables, e->coordinates, r->x->patterns[point->pattern], e->run.seed,
			    &limits, &bound, NULL))
		return;
	uint32_t most = how->last ? how->last : how->steps;
	double below = fmax(ceil(bound.at_most * (1 - FILLS) * how->steps) - 1, 1);
	how->last = below < most ? (uint32_t)below : most;
	if (bound.even >= bound.at_most * (1 - FILLS))
		how->first = how->last;
}

static int run_saturation(const struct running *r, const odo_point *point, const odo_emulation *e,
			  const odo_watch *watch, char *line, odo_error *err)
{
	odo_saturation found;
	odo_saturation_search how = r->x->search;
	how.watch = watch;
	end_below_bound(r, point, e, &how);
	int status = odo_saturation_find(e, &how, &found, err);
	return status ? status
		      : odo_point_write_saturation(r->x, point, units_of(r, point), &found, line,
						   ODO_SWEEP_LINE - 16);
}

/** As `saturation`, but steps are shares of the bound, from near it to 2 % beyond it. */
static int run_bound(const struct running *r, const odo_point *point, const odo_emulation *e,
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
	return status ? status
		      : odo_point_write_bound(r->x, point, &bound, &found, line,
					      ODO_SWEEP_LINE - 16);
}

/** Workloads have no warm-up: they are over when they are over. */
static int run_workload(const struct running *r, const odo_point *point, odo_emulation *e,
			const odo_workload *work, char *line, odo_error *err)
{
	e->workload = work;
	e->traffic = NULL;
	e->run.warmup = 0;
	e->run.steady = false;
	int status = run_once(r, point, e, line, err);
	e->workload = NULL; /* which the caller frees */
	return status;
}

static int run_burst(const struct running *r, const odo_point *point, odo_emulation *e, char *line,
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

static int run_program(const struct running *r, const odo_point *point, odo_emulation *e,
		       char *line, odo_error *err)
{
	const odo_experiment *x = r->x;
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
					  .seed = e->run.seed};
	if (!status)
		status = odo_workload_create(x->patterns[point->pattern], &setup, &work, err);
	if (!status)
		status = run_workload(r, point, e, &work, line, err);
	odo_workload_free(&work);
	odo_order_free(order);
	free(host);
	return status;
}

static int run_traffic(const struct running *r, const odo_point *point, odo_emulation *e,
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

static int run_point(void *context, uint32_t number, char *line, odo_error *err)
{
	struct running *r = context;
	odo_point point = odo_point_of(r->x, number);
	int status = odo_experiment_world_route(&r->world, point.curve, err);
	if (!status) {
		odo_underway_point told;
		odo_emulation e = emulation_of(r, &point);
		odo_underway_begin(r->told, &told, &e.run);
		const odo_watch *watch = r->told ? &told.watch : NULL;
		status = r->x->kind == ODO_EXPERIMENT_WORKLOAD
				 ? run_program(r, &point, &e, line, err)
				 : run_traffic(r, &point, &e, watch, line, err);
		odo_underway_end(&told);
	}
	/* A routing that does not serve this fabric is a result, not the end of the sweep. */
	if (status == ODO_EDECLINE || status == ODO_EUNSAFE)
		return odo_point_write_declined(r->x, &point, err->text, line, ODO_SWEEP_LINE - 16);
	if (status)
		odo_fail_within(err, "%s, %s", r->x->curves[point.curve].name,
				r->x->patterns[point.pattern]);
	return status;
}

/** What is in a file, in one line, so that a sweep does not go on with another one's contents. */
static int list_file(const char *path, FILE *to, odo_error *err)
{
	char *text;
	size_t size;
	if (!strcmp(path, "-"))
		return 0; /* standard input has been read */
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	fprintf(to, "contents of %s: %zu bytes, %016" PRIx64 "\n", path, size,
		odo_hash_bytes(text, size));
	free(text);
	return 0;
}

static int list_files(const struct running *r, FILE *to, odo_error *err)
{
	const odo_experiment *x = r->x;
	const char *prefix = x->kind == ODO_EXPERIMENT_WORKLOAD ? "trace:" : ODO_FLOWS_PREFIX;
	int status = r->world.from_file ? list_file(x->fabric, to, err) : 0;
	for (uint32_t i = 0; !status && i < x->n_curves; i++)
		if (x->curves[i].vlarb)
			status = list_file(x->curves[i].vlarb, to, err);
	for (uint32_t i = 0; !status && i < x->n_patterns; i++)
		if (!strncmp(x->patterns[i], prefix, strlen(prefix)))
			status = list_file(x->patterns[i] + strlen(prefix), to, err);
	return status;
}

/** Everything the results depend on: the file, models spelt out, cycles as run. */
static int list_parameters(const struct running *r, char **text, odo_error *err)
{
	size_t size;
	FILE *to = open_memstream(text, &size);
	if (!to)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	fputs(r->x->text, to);
	if (r->x->text[0] && r->x->text[strlen(r->x->text) - 1] != '\n')
		fputc('\n', to);
	for (uint32_t i = 0; i < r->x->n_curves; i++) {
		fprintf(to, "model of %s:", r->x->curves[i].name);
		for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
			uint32_t value;
			bool bytes = o->offset == offsetof(odo_model, phit_bytes);
			if (bytes && r->x->kind != ODO_EXPERIMENT_WORKLOAD && !r->x->burst_bytes)
				continue; /* packets of patterns have none */
			memcpy(&value, (const char *)&r->world.curves[i].model + o->offset,
			       sizeof value);
			if (o->row.words)
				fprintf(to, " %s=%s", o->row.name, o->row.words[value]);
			else
				fprintf(to, " %s=%u", o->row.name, value);
		}
		fputc('\n', to);
	}
	fprintf(to, "semantics: %u\n", ODO_SEMANTICS);
	fprintf(to, "as run: warmup %" PRIu64 ", measured %" PRIu64, r->x->warmup, r->x->measured);
	if (r->options->seeds)
		fprintf(to, ", seeds %u", r->options->seeds);
	if (r->options->packets)
		fprintf(to, ", packets %u", r->options->packets);
	for (uint32_t i = 0; i < r->options->n_loads; i++)
		fprintf(to, "%s%.6g", i ? " " : ", loads ", r->options->loads[i]);
	fputc('\n', to);
	int status = list_files(r, to, err);
	if (odo_text_close(to, text) && !status)
		status = odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	return status;
}

static void tell(void *context, uint32_t done, uint32_t n_points)
{
	const struct running *r = context;
	if (r->told)
		odo_underway_points(r->told, done, n_points);
}

int odo_experiment_run_point(const odo_experiment *x, uint32_t point, char *line, odo_error *err)
{
	const odo_experiment_options options = {.folder = "."};
	odo_experiment plain = *x;
	struct running r = {.x = &plain, .options = &options};
	plain.details = 0;
	int status = odo_experiment_world_make(&plain, &r.world, err);
	if (!status)
		status = run_point(&r, point, line, err);
	odo_experiment_world_clear(&r.world);
	return status;
}

/** A point's line, with the columns of the CSV. */
static int arrange(void *context, const char *line, char *out, odo_error *err)
{
	const struct running *r = context;
	if (odo_result_arrange(line, odo_point_columns(r->x), r->columns, out, ODO_SWEEP_LINE - 16))
		return odo_fail(err, ODO_EINPUT,
				"expected lines below %d letters, found \"%.60s...\"",
				ODO_SWEEP_LINE, line);
	return 0;
}

/** A file that does not say which emulator made it: run its cheapest point again. */
static int check_cheapest(const odo_result *there, const char *path, odo_error *err)
{
	char differs[200];
	uint32_t cheapest = 0;
	for (uint32_t i = 0; i < there->n_points; i++)
		if (odo_result_work(there, i) < odo_result_work(there, cheapest) ||
		    !there->line[cheapest])
			cheapest = i;
	if (there->semantics || !there->line[cheapest])
		return 0;
	int status = odo_result_again(there, cheapest, differs, sizeof differs, err);
	if (!status && *differs)
		return odo_fail(
			err, ODO_EINPUT,
			"%s: expected points as this version makes them, found point %u with "
			"%s; move the file away to run all anew",
			path, cheapest, differs);
	return status;
}

/** Where there is a file that means the same though its head has other words, go on with these.
 * @param parameters today's; replaced by the file's
 * @param columns    for free(), or NULL where there is nothing to replace */
static int adopt(const char *path, char **parameters, char **columns, odo_error *err)
{
	odo_result there;
	odo_error ignored;
	/* What is none of ours, or was cut off in its head, the sweep itself tells. */
	if (access(path, R_OK) || odo_result_read(path, &there, &ignored))
		return 0;
	int status = odo_result_agrees(path, there.text, *parameters, err);
	if (!status && there.n_lines < there.n_points)
		status = check_cheapest(&there, path, err);
	char *text = status ? NULL : strdup(there.text), *to = text;
	if (!status && !text)
		status = odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	if (text) {
		for (const char *at = there.text; !strncmp(at, "# ", 2);) {
			size_t n = strcspn(at, "\n") + 1;
			memcpy(to, at + 2, n - 2);
			to += n - 2;
			at += n;
		}
		*to = '\0';
		free(*parameters);
		*parameters = text;
		*columns = there.columns;
		there.columns = NULL;
	}
	odo_result_free(&there);
	return status;
}

static bool begins_so(const odo_experiment *x, uint32_t pattern, const char *text)
{
	return !strncmp(x->patterns[pattern], text, strlen(text));
}

static bool is_wanted(void *context, uint32_t number)
{
	const struct running *r = context;
	return begins_so(r->x, odo_point_of(r->x, number).pattern, r->options->pattern);
}

static int sweep(struct running *r, odo_error *err)
{
	char path[1200], *parameters = NULL, *columns = NULL;
	int status = list_parameters(r, &parameters, err);
	snprintf(path, sizeof path, "%.1000s/%s.csv", r->options->folder, r->x->name);
	if (!status && odo_sweep_mpi_rank() == 0)
		status = adopt(path, &parameters, &columns, err);
	r->columns = columns ? columns : odo_point_columns(r->x);
	const odo_sweep sweeping = {.path = path,
				    .parameters = parameters ? parameters : "",
				    .columns = r->columns,
				    .n_points = odo_experiment_points(r->x),
				    .threads = r->options->threads,
				    .context = r,
				    .run = run_point,
				    .arrange = columns ? arrange : NULL,
				    .wanted = r->options->pattern ? is_wanted : NULL,
				    .progress = tell};
	status = odo_sweep_mpi_agree(status, err);
	if (!status)
		status = odo_sweep_run(&sweeping, err);
	free(parameters);
	free(columns);
	return status;
}

static bool has_pattern(const odo_experiment *x, const char *begin)
{
	for (uint32_t i = 0; i < x->n_patterns; i++)
		if (begins_so(x, i, begin))
			return true;
	return false;
}

int odo_experiment_change(const odo_experiment *x, const odo_experiment_options *options,
			  odo_experiment *as_run, odo_error *err)
{
	*as_run = *x;
	if (options->seeds)
		as_run->n_seeds = options->seeds;
	if (options->packets) {
		as_run->packets = options->packets;
		as_run->burst_bytes = 0;
	}
	if (options->measured) {
		double share = (double)options->measured / (double)x->measured;
		as_run->measured = options->measured;
		as_run->warmup = (uint64_t)((double)x->warmup * share);
	}
	odo_experiment_place at = odo_experiment_find(x, "measure", NULL);
	if (options->n_loads && x->kind != ODO_EXPERIMENT_LOAD)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected measure: load for loads of one's own, found %s",
				at.path, at.line, "another measure");
	if (options->packets && x->kind != ODO_EXPERIMENT_BURST)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected measure: burst for packets of one's own, found %s",
				at.path, at.line, "another measure");
	at = odo_experiment_find(x, "patterns", NULL);
	if (options->pattern && !has_pattern(x, options->pattern))
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected a pattern that begins with %s, found none",
				at.path, at.line, options->pattern);
	if (options->n_loads) {
		as_run->loads = options->loads;
		as_run->n_loads = options->n_loads;
	}
	if (odo_experiment_points(as_run) > 10000000)
		return odo_fail(err, ODO_EINPUT, "%s:1: expected up to 10,000,000 points, found %u",
				x->path, odo_experiment_points(as_run));
	return 0;
}

int odo_experiment_run(const odo_experiment *x, const odo_experiment_options *options,
		       odo_error *err)
{
	odo_experiment as_run;
	odo_underway told = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
	struct running r = {
		.x = &as_run, .options = options, .told = options->progress ? &told : NULL};
	int status = odo_experiment_change(x, options, &as_run, err);
	if (status)
		return status;
	status = odo_sweep_mpi_agree(odo_experiment_world_make(&as_run, &r.world, err), err);
	if (!status)
		status = odo_sweep_mpi_agree(sweep(&r, err), err);
	odo_experiment_world_clear(&r.world);
	if (!status && odo_sweep_mpi_rank() == 0)
		status = odo_experiment_plot(&as_run, options->folder, err);
	return status;
}
