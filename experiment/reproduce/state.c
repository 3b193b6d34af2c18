/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "emulator/semantics.h"
#include "experiment/point.h"
#include "fabric/fabric.h"
#include "fabric/format/slurp.h"

/* Take over the options of the manifest. */
static void apply_reduction(const odo_reduced *run, odo_asked *out)
{
	if (run->in_doubt)
		out->seeds_in_doubt = run->in_doubt;
	out->options = (odo_experiment_options){.measured = run->cycles,
						.seeds = run->n_seeds,
						.packets = run->n_packets,
						.loads = run->at_loads,
						.n_loads = run->loads_count};
}

/** Check the file's name: results have the name of their experiment. */
static int check_results_name(const odo_figure *f, const char *experiment, odo_error *err)
{
	const char *slash = strrchr(f->results, '/'), *name = slash ? slash + 1 : f->results;
	size_t n = strlen(experiment);
	if (!strncmp(name, experiment, n) && !strcmp(name + n, ".csv"))
		return 0;
	return odo_fail(err, ODO_EINPUT, "expected results called %.200s.csv, found %s", experiment,
			f->results);
}

/** Read a figure's configuration. */
static int read_configuration(const odo_manifest *m, const odo_figure *f, odo_asked *out,
			      odo_error *err)
{
	const char *experiment = f->experiment ? f->experiment : f->name;
	char config[1200];
	*out = (odo_asked){.seeds_in_doubt = m->in_doubt};
	if (f->run)
		apply_reduction(f->run, out);
	odo_manifest_path(m, f->config, config, sizeof config);
	int status = check_results_name(f, experiment, err);
	if (!status)
		status = odo_experiments_read(config, &out->all, err);
	if (!status)
		status = odo_experiments_find(&out->all, experiment, &out->stated, err);
	if (!status)
		status = odo_experiment_change(out->stated, &out->options, &out->x, err);
	out->seeds = out->x.n_seeds;
	return status;
}

static void describe_age(odo_figure_state *s)
{
	/* A record of an earlier file says nothing about this one. */
	if (s->again && s->again->content != odo_result_content(&s->result))
		s->again = NULL;
	const odo_record_row *row = s->again;
	bool older = s->result.semantics && s->result.semantics != ODO_SEMANTICS;
	const char *known = row && row->point != ODO_NONE ? odo_again_names[row->again] : NULL;
	bool differs = row && row->again == ODO_AGAIN_DIFFERS;
	const char *key = odo_experiment_differs(&s->asked.x, &s->result.x);
	s->stale = older || s->result.withdrawn || differs || key;
	if (s->result.withdrawn)
		snprintf(s->age, sizeof s->age, "not tried, since it is withdrawn");
	else if (older)
		snprintf(s->age, sizeof s->age,
			 "stale, since made by an emulator of semantics %u, which is %u now",
			 s->result.semantics, ODO_SEMANTICS);
	else if (differs)
		snprintf(s->age, sizeof s->age, "stale, since point %u gives another figure: %s",
			 row->point, row->what);
	else if (key)
		snprintf(s->age, sizeof s->age,
			 "stale, since the manifest or its configuration asks for another %s", key);
	else if (known)
		snprintf(s->age, sizeof s->age, "point %u gives the same figures%s", row->point,
			 row->again == ODO_AGAIN_ERRORS ? "; estimates of their errors differ"
							: "");
	else if (s->result.semantics)
		snprintf(s->age, sizeof s->age, "not tried, but made by semantics %u, as now",
			 ODO_SEMANTICS);
	else
		snprintf(s->age, sizeof s->age, "no point has been tried");
}

/** Want all seeds of a point, given by its number in the CSV. */
static void want_point(odo_figure_state *s, uint32_t point)
{
	const odo_experiment *x = &s->asked.x;
	for (uint32_t i = 0, n = odo_experiment_points(x); i < n; i += x->n_seeds)
		if (odo_result_point_of(&s->result, x, i) == point)
			memset(s->wanted + i, true, x->n_seeds * sizeof *s->wanted);
}

static int want_pick(odo_figure_state *s, const odo_claim *c, const odo_pick *pick, odo_error *err)
{
	uint32_t n = odo_pick_is_of_all(pick) ? s->result.x.n_patterns : 1;
	int status = 0;
	for (uint32_t i = 0; !status && i < n; i++) {
		odo_picked picked;
		status = odo_claim_pick(c, pick, &s->result, i, &picked, err);
		if (!status && picked.seeds)
			want_point(s, picked.point);
	}
	return status;
}

/** Want more seeds of the points whose verdict depends on the seed. */
static int want_doubtful(odo_figure_state *s, odo_error *err)
{
	const odo_figure *f = s->figure;
	int status = 0;
	for (uint32_t i = 0; !status && i < f->claims_count; i++) {
		const odo_claim *c = &f->claims[i];
		if (!odo_judgement_is_doubtful(&s->judged[i]))
			continue;
		status = want_pick(s, c, c->of, err);
		if (!status && c->over)
			status = want_pick(s, c, c->over, err);
	}
	return status;
}

/** Is this a requested point, that is, one of the first seeds or one already run? */
static bool is_requested(const odo_figure_state *s, uint32_t i)
{
	if (i % s->asked.x.n_seeds < s->asked.seeds)
		return true;
	uint32_t point = odo_result_point_of(&s->result, &s->asked.x, i);
	return point != ODO_NONE && s->result.line[point];
}

/** List the requested points, and count those in the CSV. */
static int list_points(odo_figure_state *s, odo_error *err)
{
	const odo_experiment *x = &s->asked.x;
	uint32_t n = odo_experiment_points(x);
	bool same = true;
	int status = 0;
	free(s->wanted);
	s->n_asked = s->n_has = 0;
	s->wanted = odo_new(n, sizeof *s->wanted);
	if (!s->wanted)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u points", n);
	for (uint32_t i = 0; i < n; i++)
		s->wanted[i] = is_requested(s, i);
	if (x->n_seeds > s->asked.seeds)
		status = want_doubtful(s, err);
	for (uint32_t i = 0; i < n; i++)
		s->n_asked += s->wanted[i];
	if (s->there && !odo_experiment_differs(x, &s->result.x))
		s->n_has = odo_result_has(&s->result, x, s->wanted, &same);
	s->others = !same && s->n_has < s->n_asked;
	return status;
}

/** Once all points exist or have existed, more seeds of points in doubt are wanted. */
static int count_points(odo_figure_state *s, odo_error *err)
{
	const odo_asked *asked = &s->asked;
	int status = list_points(s, err);
	if (status || !s->there || s->stale || asked->seeds_in_doubt <= asked->seeds)
		return status;
	s->whole = s->n_has == s->n_asked;
	if (!(s->whole && s->doubtful) && s->result.x.n_seeds <= asked->seeds)
		return 0;
	s->asked.options.seeds = asked->seeds_in_doubt;
	status = odo_experiment_change(asked->stated, &asked->options, &s->asked.x, err);
	return status ? status : list_points(s, err);
}

static int judge_claims(odo_figure_state *s, odo_error *err)
{
	const odo_figure *f = s->figure;
	int status = 0;
	s->judged = odo_new(f->claims_count, sizeof *s->judged);
	if (!s->judged)
		return odo_fail(err, ODO_ENOMEM, "no memory for %s", f->name);
	for (uint32_t i = 0; !status && i < f->claims_count; i++) {
		status = odo_claim_judge(&f->claims[i], s->there ? &s->result : NULL, &s->judged[i],
					 err);
		s->count[s->judged[i].verdict]++;
		s->doubtful += odo_judgement_is_doubtful(&s->judged[i]);
	}
	return status;
}

int odo_figure_state_make(const odo_manifest *m, const odo_figure *f, const odo_record *record,
			  odo_figure_state *out, odo_error *err)
{
	char path[1200];
	*out = (odo_figure_state){.manifest = m, .figure = f};
	odo_manifest_path(m, f->results, path, sizeof path);
	out->again = odo_record_row_of(record, f->results);
	snprintf(out->age, sizeof out->age, "not run");
	int status = read_configuration(m, f, &out->asked, err);
	if (!status && !access(path, F_OK)) {
		status = odo_result_read(path, &out->result, err);
		out->there = !status;
	}
	if (out->there)
		describe_age(out);
	if (!status && f->bounds) {
		size_t size;
		odo_manifest_path(m, f->bounds, path, sizeof path);
		status = odo_slurp(path, &out->bounds, &size, err);
	}
	if (!status)
		status = judge_claims(out, err);
	if (!status)
		status = count_points(out, err);
	return status ? odo_fail_within(err, "%s", f->name) : 0;
}

double odo_figure_state_bound(const odo_figure_state *s, uint32_t curve, uint32_t pattern)
{
	const odo_experiment *x = &s->result.x;
	char key[600];
	const char *engine = strchr(x->curves[curve].routing, ':'), *at = NULL;
	for (unsigned quoted = 0; s->bounds && engine && quoted < 2 && !at; quoted++) {
		const char *q = quoted ? "\"" : "";
		snprintf(key, sizeof key, "\n%s%.300s%s,%.80s,\"%.150s\",", q, x->fabric, q,
			 engine + 1, x->patterns[pattern]);
		at = strstr(s->bounds, key);
	}
	return at ? strtod(at + strlen(key), NULL) : 0;
}

void odo_figure_state_clear(odo_figure_state *s)
{
	free(s->bounds);
	odo_experiments_free(&s->asked.all);
	if (s->there)
		odo_result_free(&s->result);
	free(s->judged);
	free(s->wanted);
	*s = (odo_figure_state){0};
}

void odo_figure_state_verdict(const odo_figure_state *s, char *out, size_t size)
{
	static const char *const several[] = {"agree", "differ", "cannot be told"};
	size_t used = 0;
	snprintf(out, size, "no claim");
	for (unsigned i = 0; i < 3; i++)
		if (s->count[i] == s->figure->claims_count && s->count[i])
			snprintf(out, size, "%s", odo_claim_verdict_names[i]);
		else if (s->count[i])
			used += (size_t)snprintf(out + used, used < size ? size - used : 0,
						 "%s%u %s", used ? ", " : "", s->count[i],
						 s->count[i] > 1 ? several[i]
								 : odo_claim_verdict_names[i]);
	used = strlen(out);
	if (s->doubtful && used < size)
		snprintf(out + used, size - used, " (%u %s on the seed)", s->doubtful,
			 s->doubtful > 1 ? "depend" : "depends");
}

const char *odo_figure_state_word(const odo_figure_state *s)
{
	return !s->there                                 ? "not run"
	       : s->result.withdrawn                     ? "withdrawn"
	       : s->stale                                ? "stale"
	       : s->n_has < s->n_asked                   ? "in part"
	       : s->again && s->again->point != ODO_NONE ? "same again"
							 : "not tried";
}
