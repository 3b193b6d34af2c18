/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Performance of the routing: beside other engines, and after failures. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/version.h"
#include "cli/commands/parts.h"
#include "cli/emulation/emulation.h"
#include "cli/report/parts.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/progress.h"
#include "saturation/bound.h"

enum {
	PERMUTATIONS = 20, /**< drawn for the mean of a bound */
	WARMUP = 2000,     /**< cycles of a search's first run */
	MEASURED = 4000,
	FULLEST = 10,            /**< channels of a traffic to name */
	MOST_HOSTS_WORST = 2048, /**< the worst permutation is exact up to this size */
	MOST_TRAFFICS = 4 + REPORT_MOST_PATTERNS,
};

static bool is_small(const report *r)
{
	return r->own->complete || r->system.fabric->n_senders <= REPORT_MOST_HOSTS;
}

static int fail_too_large(const report *r, odo_error *err)
{
	return odo_fail(err, ODO_EDECLINE,
			"%u hosts take minutes, and more than %u are followed with --complete only",
			r->system.fabric->n_senders, REPORT_MOST_HOSTS);
}

/** Decline without two hosts, because traffic needs them. */
static int need_hosts(const report *r, odo_error *err)
{
	uint32_t n = r->system.fabric->n_senders;
	return n < 2 ? odo_fail(err, ODO_EDECLINE, "expected at least two hosts, found %u", n) : 0;
}

int report_add_bounds(report *r, odo_error *err)
{
	if (!is_small(r))
		return fail_too_large(r, err);
	json_t *rows = cli_analyze_bounds_of(&r->system, PERMUTATIONS, r->own->seed,
					     &r->worst_shift, err);
	return report_finish_part(r, "bounds", rows, rows ? 0 : err->status, err);
}

/** List the traffics of a report: those of the bounds, and the user's.
 * @param shift room for the name of the worst shift
 * @return the number of traffics */
static unsigned list_traffics(const report *r, const char **pattern, char shift[32])
{
	unsigned n = 0;
	pattern[n++] = "uniform";
	if (r->worst_shift) {
		snprintf(shift, 32, "shift:n=%u", r->worst_shift);
		pattern[n++] = shift;
	} else if (odo_grouped(r->system.coordinates)) {
		pattern[n++] = "advg:n=1"; /* close to the worst shift for groups */
	}
	pattern[n++] = "complement";
	if (r->system.fabric->n_senders <= MOST_HOSTS_WORST)
		pattern[n++] = "worst";
	for (unsigned i = 0; i < r->own->n_patterns; i++)
		pattern[n++] = r->own->pattern[i];
	return n;
}

/** Round to four places: colours show no more, and the page stays small. */
static json_t *rounded_load(double load)
{
	return json_real(round(load * 1e4) / 1e4);
}

/** Add the load of each cable in both directions, in the order of "cables". */
static void add_loads(json_t **row, const odo_fabric *f, const odo_analysis *a)
{
	json_t *there = json_array(), *back = json_array();
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		if (odo_next_switch(f, slot) == ODO_NONE || f->peer[slot] < slot)
			continue;
		cli_append(&there, rounded_load(a->use[slot]));
		cli_append(&back, rounded_load(a->use[f->peer[slot]]));
	}
	cli_put(row, "load", there);
	cli_put(row, "load_back", back);
}

static int add_traffic(report *r, const char *pattern, json_t **rows, odo_error *err)
{
	cli_followed x;
	int status = cli_analyze_pattern(&r->system, pattern, r->own->seed, &x, err);
	if (!status) {
		json_t *row = json_object();
		cli_analyze_answer(&row, &r->system, pattern, &x, FULLEST, false);
		add_loads(&row, r->system.fabric, &x.analysis);
		cli_append(rows, row);
		status = cli_check_answer(*rows, err);
	}
	cli_followed_clear(&x);
	return status;
}

int report_add_traffics(report *r, odo_error *err)
{
	const char *pattern[MOST_TRAFFICS];
	char shift[32], what[80];
	unsigned n = list_traffics(r, pattern, shift);
	int status = need_hosts(r, err);
	if (status)
		return status;
	json_t *rows = json_array();
	for (unsigned i = 0; i < n && !status; i++) {
		status = add_traffic(r, pattern[i], &rows, err);
		snprintf(what, sizeof what, "loads under %.60s", pattern[i]);
		if (status == ODO_EDECLINE && !report_leave_out(r, what, err->text))
			status = 0;
	}
	return report_finish_part(r, "traffics", rows, status, err);
}

/** Search the saturation of a traffic, and add it as a row. */
static int add_saturation(report *r, const char *pattern, const odo_watch *watch, json_t **rows,
			  odo_error *err)
{
	odo_saturation_search how = {.steps = ODO_SATURATION_STEPS, .full = true, .watch = watch};
	cli_traffic traffic = {.pattern = pattern, .model = r->own->model};
	cli_emulation made = {0};
	odo_saturation s = {0};
	int status = cli_emulation_create(&traffic, &r->system, r->own->seed, &made, err);
	made.emulation.run = (odo_run_options){.seed = r->own->seed,
					       .warmup = WARMUP,
					       .measured = MEASURED,
					       .threads = r->own->threads};
	if (!status) {
		odo_bound_search(&made.emulation, &how);
		status = odo_saturation_find(&made.emulation, &how, &s, err);
	}
	if (!status && made.n_active)
		s.accepted_at_full *= (double)r->system.fabric->n_senders / made.n_active;
	json_int_t active = made.n_active;
	cli_emulation_clear(&made);
	if (status)
		return status;
	cli_append(rows,
		   json_pack("{so sf sf sf si sI}", "traffic", cli_json_text(pattern),
			     "sustained_load", (double)s.sustained / s.steps,
			     "accepted_at_full_offer", s.accepted_at_full, "latency_at_sustained",
			     s.latency, "deadlocks", s.deadlocks, "active_hosts", active));
	return cli_check_answer(*rows, err);
}

/** "emulation": what all searches have in common. */
static int add_emulation(report *r, odo_error *err)
{
	odo_model model;
	odo_units units;
	int status = odo_model_parse(r->own->model, r->system.fabric, &model, err);
	if (status)
		return status;
	json_t *part = json_pack("{so si si ss}", "seed", json_sprintf("%" PRIu64, r->own->seed),
				 "warmup_asked", WARMUP, "cycles_asked", MEASURED, "version",
				 odo_version);
	cli_answer_model(&part, r->own->model, &model);
	if (odo_units_of(r->system.fabric, &model, &units))
		cli_answer_units(&part, r->system.fabric, &model, &units);
	return report_finish_part(r, "emulation", part, 0, err);
}

int report_add_saturations(report *r, odo_error *err)
{
	const odo_tables *t = r->system.tables;
	const char *pattern[MOST_TRAFFICS];
	char shift[32];
	unsigned n = list_traffics(r, pattern, shift);
	if (t->held_of_lid || t->held_of_pair)
		return odo_fail(err, ODO_EDECLINE,
				"hosts of one switch have different SLs to a LID, which are proved "
				"and not emulated");
	int status = need_hosts(r, err);
	if (!status)
		status = add_emulation(r, err);
	if (status)
		return status;
	json_t *rows = json_array();
	cli_step step;
	cli_parts parts = {.step = &step, .n = n};
	const odo_watch watch = cli_parts_watch(&parts);
	cli_step_begin(&step, "emulating");
	for (; parts.done < n && !status; parts.done++) {
		char name[80];
		snprintf(name, sizeof name, "emulating %.60s", pattern[parts.done]);
		parts.name = name;
		cli_parts_at(&parts, 0);
		if (strcmp(pattern[parts.done], "worst")) /* "worst" is a search for a pattern */
			status = add_saturation(r, pattern[parts.done], &watch, &rows, err);
		/* The model is good: add_emulation() read it. The pattern may cross parts. */
		bool declined = status == ODO_EDECLINE || status == ODO_EINPUT;
		if (declined && !report_leave_out(r, name, err->text))
			status = 0;
	}
	cli_step_end(&step, status);
	return report_finish_part(r, "saturations", rows, status, err);
}

/** Join the files of --tables as "FILE,FILE".
 * @return for free(); NULL if there are none */
static char *join_table_files(const report *r, int *status, odo_error *err)
{
	size_t room = 1;
	for (unsigned i = 0; i < r->call->n_tables; i++)
		room += strlen(r->call->tables[i]) + 1;
	char *names = r->call->n_tables ? odo_new(room, 1) : NULL;
	if (r->call->n_tables && !names)
		*status = odo_fail(err, ODO_ENOMEM, "out of memory");
	for (unsigned i = 0; names && i < r->call->n_tables; i++)
		sprintf(names + strlen(names), "%s%s", i ? "," : "", r->call->tables[i]);
	return names;
}

int report_add_comparison(report *r, odo_error *err)
{
	if (!is_small(r))
		return fail_too_large(r, err);
	int status = 0;
	char *files = join_table_files(r, &status, err);
	cli_compare_settings own = {.permutations = PERMUTATIONS,
				    .vls = r->call->route.max_vls,
				    .seed = r->own->seed,
				    .hosts_only = r->own->hosts_only};
	if (files)
		own.with[own.n_with++] = files;
	json_t *part = json_object();
	if (!status)
		status = cli_compare_answer(r->call, &r->system, &own, &part, err);
	free(files);
	return report_finish_part(r, "comparison", part, status, err);
}

int report_add_whatif(report *r, odo_error *err)
{
	if (r->call->n_tables || cli_wants_installed(r->call))
		return odo_fail(err, ODO_EDECLINE,
				"cannot simulate failures on tables that Odonata did not make; "
				"use --engine to route the fabric");
	cli_whatif_settings own = {.worst = r->own->whatif, .losses = {.threads = r->own->threads}};
	json_t *part = json_object();
	int status = cli_whatif_answer(r->call, &r->system, &own, &part, err);
	return report_finish_part(r, "whatif", part, status, err);
}
