/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/experiment.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/semantics.h"
#include "experiment/point.h"
#include "experiment/result.h"
#include "experiment/run.h"
#include "emulator/traffic/pattern.h"
#include "experiment/sweep/sweep.h"
#include "experiment/sweep/mpi.h"
#include "emulator/traffic/workload.h"
#include "base/memory.h"
#include "fabric/format/slurp.h"

/** Write a line that identifies a file's contents, so that a sweep does not continue with other
 * contents. */
static int list_contents_of(const char *path, FILE *to, odo_error *err)
{
	char what[ODO_CONTENTS];
	if (!strcmp(path, "-"))
		return 0; /* standard input was already read */
	int status = odo_contents_of(path, what, err);
	if (!status)
		fprintf(to, "contents of %s: %s\n", path, what);
	return status;
}

static int list_contents_of_files(const odo_running *r, FILE *to, odo_error *err)
{
	const odo_experiment *x = r->x;
	const char *prefix = x->kind == ODO_EXPERIMENT_WORKLOAD ? "trace:" : ODO_FLOWS_PREFIX;
	int status = r->world.from_file ? list_contents_of(x->fabric, to, err) : 0;
	for (uint32_t i = 0; !status && i < x->n_curves; i++)
		if (x->curves[i].vlarb)
			status = list_contents_of(x->curves[i].vlarb, to, err);
	for (uint32_t i = 0; !status && i < x->n_patterns; i++)
		if (!strncmp(x->patterns[i], prefix, strlen(prefix)))
			status = list_contents_of(x->patterns[i] + strlen(prefix), to, err);
	return status;
}

/** Write all parameters that the results depend on: the file, complete models, cycles as run. */
static int list_parameters(const odo_running *r, char **text, odo_error *err)
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
				continue; /* packets of patterns have no bytes */
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
	int status = list_contents_of_files(r, to, err);
	if (odo_text_close(to, text) && !status)
		status = odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	return status;
}

static void report_points(void *context, uint32_t done, uint32_t n_points)
{
	const odo_running *r = context;
	if (r->underway)
		odo_underway_points(r->underway, done, n_points);
}

int odo_experiment_run_point(const odo_experiment *x, uint32_t point, char *line, odo_error *err)
{
	const odo_experiment_options options = {.folder = "."};
	odo_experiment plain = *x;
	odo_running r = {.x = &plain, .options = &options};
	plain.details = 0;
	int status = odo_experiment_world_make(&plain, &r.world, err);
	if (!status)
		status = odo_running_point(&r, point, line, err);
	odo_experiment_world_clear(&r.world);
	return status;
}

/** Arrange a point's line by the columns of the CSV. */
static int arrange_point_line(void *context, const char *line, char *out, odo_error *err)
{
	const odo_running *r = context;
	if (odo_result_arrange(line, odo_point_columns(r->x), r->columns, out, ODO_POINT_LINE))
		return odo_fail(err, ODO_EINPUT,
				"expected lines below %d letters, found \"%.60s...\"",
				ODO_SWEEP_LINE, line);
	return 0;
}

/** If a file does not name the semantics of its emulator, run its cheapest point again. */
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
			"%s; move the file away to run all points again",
			path, cheapest, differs);
	return status;
}

/** If there is a file that means the same although its head has other words, continue with its
 * words.
 * @param parameters today's; replaced by those of the file
 * @param columns    for free(); NULL if there is nothing to replace */
static int adopt_head(const char *path, char **parameters, char **columns, odo_error *err)
{
	odo_result there;
	odo_error ignored;
	/* The sweep itself reports files that are not ours, or whose head was cut off. */
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

/** Check that the known CSV suits the parameters, and use its columns for the new file.
 * @param columns for free(); unchanged if not NULL */
static int take_known(const odo_result *known, const char *parameters, char **columns,
		      odo_error *err)
{
	int status = odo_result_goes_with(known->path, known->text, parameters, err);
	if (!status)
		status = check_cheapest(known, known->path, err);
	if (!status && !*columns && !(*columns = strdup(known->columns)))
		status = odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	return status;
}

static bool pattern_begins_with(const odo_experiment *x, uint32_t pattern, const char *text)
{
	return !strncmp(x->patterns[pattern], text, strlen(text));
}

static bool is_wanted_point(void *context, uint32_t number)
{
	const odo_running *r = context;
	const odo_experiment_options *o = r->options;
	return (!o->only || o->only[number]) &&
	       (!o->pattern ||
		pattern_begins_with(r->x, odo_point_of(r->x, number).pattern, o->pattern));
}

static void write_csv_path(const odo_experiment *x, const odo_experiment_options *options,
			   char *path, size_t size)
{
	snprintf(path, size, "%.1000s/%s.csv", options->folder, x->name);
}

static int run_sweep(odo_running *r, odo_error *err)
{
	char path[1200], *parameters = NULL, *columns = NULL;
	int status = list_parameters(r, &parameters, err);
	write_csv_path(r->x, r->options, path, sizeof path);
	if (!status && odo_sweep_mpi_rank() == 0)
		status = adopt_head(path, &parameters, &columns, err);
	if (!status && r->options->known && odo_sweep_mpi_rank() == 0)
		status = take_known(r->options->known, parameters, &columns, err);
	r->columns = columns ? columns : odo_point_columns(r->x);
	const odo_sweep sweeping = {.path = path,
				    .parameters = parameters ? parameters : "",
				    .columns = r->columns,
				    .n_points = odo_experiment_points(r->x),
				    .threads = r->options->threads,
				    .context = r,
				    .run = odo_running_point,
				    .arrange = columns ? arrange_point_line : NULL,
				    .wanted = is_wanted_point,
				    .progress = report_points};
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
		if (pattern_begins_with(x, i, begin))
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
	odo_text_place at = odo_experiment_find(x, "measure", NULL);
	if (options->n_loads && x->kind != ODO_EXPERIMENT_LOAD)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected measure: load to run other loads, found %s",
				at.path, at.line, "another measure");
	if (options->packets && x->kind != ODO_EXPERIMENT_BURST)
		return odo_fail(
			err, ODO_EINPUT,
			"%s:%u: expected measure: burst to send other numbers of packets, found %s",
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
	odo_underway underway = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
	odo_running r = {
		.x = &as_run, .options = options, .underway = options->progress ? &underway : NULL};
	int status = odo_experiment_change(x, options, &as_run, err);
	if (status)
		return status;
	status = odo_sweep_mpi_agree(odo_experiment_world_make(&as_run, &r.world, err), err);
	if (!status)
		status = odo_sweep_mpi_agree(run_sweep(&r, err), err);
	odo_experiment_world_clear(&r.world);
	if (!status && odo_sweep_mpi_rank() == 0) {
		char path[1200];
		write_csv_path(&as_run, options, path, sizeof path);
		status = odo_experiment_redraw(path, NULL, err);
	}
	return status;
}
