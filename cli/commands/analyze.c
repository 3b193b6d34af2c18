/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata analyze: loads of tables under a traffic, without emulation. */
#include <stdlib.h>
#include <string.h>

#include "cli/answers.h"
#include "cli/commands/parts.h"
#include "cli/emulation/emulation.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "emulator/traffic/flows.h"
#include "base/memory.h"

typedef struct settings {
	const char *pattern;
	uint64_t seed;
	unsigned bisections;
	uint32_t worst;
	const char *flows;      /**< file for the worst permutation, or NULL */
	const char *model;      /**< model whose GB/s are reported, or NULL */
	const char *thresholds; /**< file of ibqueryerrors, or NULL */
	bool prometheus;        /**< write series instead of an answer */
	unsigned bounds;        /**< permutations to draw for --bounds, or 0 */
} settings;

enum { A_DAY = 86400 };

static bool is_worst(const char *pattern)
{
	return !strcmp(pattern, "worst");
}

/** Set `call->counters`, and the seconds to count; without a value totals are read. */
static void set_counters(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)to;
	call->counters = true;
	if (text != flag->without)
		cli_set_number(call, flag, text, &call->counted_seconds);
}

static void check_analyze(cli_call *call)
{
	const settings *own = call->settings;
	if (call->counters && !cli_wants_installed(call))
		cli_usage_error(call, "--counters: expected the FABRIC live, with the tables that "
				      "are installed there");
	if (own->prometheus && (call->counted_seconds || call->n_args > 1))
		cli_usage_error(call,
				"--prometheus: expected one FABRIC, and --counters without "
				"seconds, because Prometheus computes rates; found %s",
				call->counted_seconds ? "seconds" : "several");
	if (own->flows && !is_worst(own->pattern))
		cli_usage_error(call, "--flows: expected --pattern worst, found %s", own->pattern);
}

/* Follow the flows of a traffic. `flows` is NULL for uniform traffic under adaptive tables. */
static int follow_flows(const cli_system *system, const odo_flow *flows, size_t n, odo_analysis *a,
			odo_split *split, odo_error *err)
{
	return system->tables->adaptive
		       ? odo_split_find(system->tables, system->coordinates, flows, n, NULL, split,
					a, err)
		       : odo_analyze_flows(system->tables, system->coordinates, flows, n, a, err);
}

/* Analyse a traffic, pair by pair. */
static int analyze_traffic(const cli_system *system, const char *pattern, uint64_t seed,
			   odo_analysis *a, odo_split *split, odo_error *err)
{
	odo_traffic *traffic = NULL;
	odo_flow *flows = NULL;
	size_t n;
	int status = odo_traffic_create(pattern, system->fabric, system->coordinates, seed,
					&traffic, err);
	if (!status)
		status = odo_traffic_flows(traffic, &flows, &n, err);
	if (!status)
		status = follow_flows(system, flows, n, a, split, err);
	odo_traffic_free(traffic);
	free(flows);
	return status;
}

static int write_flows(const char *path, const odo_fabric *f, const odo_worst *worst,
		       odo_error *err)
{
	cli_file file;
	int status = cli_file_open(path, &file, err);
	if (status)
		return status;
	odo_flows_write(f, worst->to, file.to);
	return cli_file_close(&file, 0, err);
}

/* Find the worst permutation and its load on every cable. */
static int analyze_worst(const cli_system *system, odo_analysis *a, odo_worst *worst,
			 odo_error *err)
{
	const odo_fabric *f = system->fabric;
	odo_flow *flows = NULL;
	uint32_t n = 0;
	int status = odo_worst_find(system->tables, odo_worst_limit(f), worst, err);
	if (!status && !(flows = odo_new(f->n_hosts, sizeof *flows)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	for (uint32_t h = 0; !status && h < f->n_hosts; h++)
		if (worst->to[h] != ODO_NONE)
			flows[n++] = (odo_flow){h, worst->to[h], 1};
	if (!status)
		status = odo_analyze_flows(system->tables, system->coordinates, flows, n, a, err);
	free(flows);
	return status;
}

int cli_analyze_pattern(const cli_system *system, const char *pattern, uint64_t seed,
			cli_followed *x, odo_error *err)
{
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	odo_tables t = odo_tables_watched(system->tables, &watch);
	cli_system watched = *system;
	int status;
	*x = (cli_followed){.worst = {.slot = ODO_NONE}};
	watched.tables = &t;
	cli_step_begin(&step, "following traffic");
	if (is_worst(pattern))
		status = analyze_worst(&watched, &x->analysis, &x->worst, err);
	else if (strcmp(pattern, "uniform"))
		status = analyze_traffic(&watched, pattern, seed, &x->analysis, &x->split, err);
	else if (t.adaptive)
		status = follow_flows(&watched, NULL, 0, &x->analysis, &x->split, err);
	else
		status = odo_analyze_uniform(&t, system->coordinates, &x->analysis, &x->index, err);
	return cli_step_end(&step, status);
}

void cli_followed_clear(cli_followed *x)
{
	odo_worst_clear(&x->worst);
	odo_analysis_clear(&x->analysis);
}

static void add_class(json_t **rows, const char *name, const odo_class_load *l)
{
	if (l->n_channels)
		cli_append(rows,
			   json_pack("{ss si sf sf}", "class", name, "channels", l->n_channels,
				     "mean_load", l->mean, "max_load", l->max));
}

static json_t *list_classes(const odo_analysis *a, const odo_coordinates *c)
{
	json_t *rows = json_array();
	char name[24];
	add_class(&rows, "host to switch", &a->inject);
	for (unsigned i = 0; i < ODO_MAX_DIMS; i++) {
		if (c && c->kind == ODO_KIND_FATTREE)
			snprintf(name, sizeof name, "levels %u and %u", i, i + 1);
		else
			snprintf(name, sizeof name, "dimension %u", i);
		add_class(&rows, odo_grouped(c) && i < 2 ? (i ? "local" : "global") : name,
			  &a->dim[i]);
	}
	add_class(&rows, "between switches", &a->other);
	add_class(&rows, "switch to host", &a->eject);
	return rows;
}

static json_t *list_path_lengths(const odo_analysis *a)
{
	json_t *rows = json_array();
	double total = 0;
	for (unsigned i = 0; i < ODO_MAX_HISTOGRAM; i++)
		total += a->hops[i];
	for (unsigned i = 0; i < ODO_MAX_HISTOGRAM; i++)
		if (a->hops[i] > 0)
			cli_append(&rows,
				   json_pack("{si sf}", "hops", i, "share", a->hops[i] / total));
	return rows;
}

/* List the channels with the highest load.
 * @param real also loads in GB/s, if every host sends at its full rate */
static json_t *list_worst_channels(const odo_analysis *a, const odo_fabric *f, uint32_t n,
				   bool real)
{
	uint32_t *slot = odo_new(n, sizeof *slot);
	json_t *rows = slot ? json_array() : NULL;
	uint32_t found = slot ? odo_analysis_worst(a, n, slot) : 0;
	for (uint32_t i = 0; i < found; i++) {
		json_t *row = cli_json_cable(f, slot[i]);
		cli_put_real(&row, "load", a->use[slot[i]]);
		if (real)
			cli_put_real(&row, "GB_per_s",
				     a->use[slot[i]] * odo_data_rate(f, slot[i]) / 8e3);
		cli_append(&rows, row);
	}
	free(slot);
	return rows;
}

/* Return the channel that the worst permutation loads most. */
static json_t *worst_permutation_row(const odo_worst *worst, const odo_fabric *f)
{
	json_t *row = cli_json_cable(f, worst->slot);
	cli_put_count(&row, "flows", worst->n_flows);
	cli_put_real(&row, "load", worst->load);
	cli_put_real(&row, "no_permutation_above", worst->at_most);
	return row;
}

static void add_split(json_t **r, const odo_split *split)
{
	cli_put_real(r, "best_split_found", split->not_below);
	cli_put_real(r, "even_split", split->even);
}

/* Append a bound. For adaptive tables, add the part of the bound of any split that is known to be
 * reachable, and the load of the even split.
 * @param split NULL for static tables */
static void add_bound(json_t **rows, const char *traffic, double bound, const odo_split *split)
{
	json_t *row = json_pack("{so sf}", "traffic", cli_json_text(traffic), "saturation_at_most",
				bound);
	if (split)
		add_split(&row, split);
	cli_append(rows, row);
}

static json_t *list_static_bounds(const odo_bounds *b, unsigned n)
{
	json_t *rows = json_array();
	char name[80];
	add_bound(&rows, "uniform", b->uniform, NULL);
	snprintf(name, sizeof name, "worst shift, n=%u", b->shift_by);
	add_bound(&rows, name, b->shift, NULL);
	add_bound(&rows, "complement", b->complement, NULL);
	snprintf(name, sizeof name, "mean of %u permutations", n);
	add_bound(&rows, name, b->mean, NULL);
	snprintf(name, sizeof name, "least of %u permutations", n);
	add_bound(&rows, name, b->least, NULL);
	add_bound(&rows, "worst permutation", b->worst, NULL);
	if (b->worst_not_below < b->worst)
		add_bound(&rows, "worst permutation, not below", b->worst_not_below, NULL);
	return rows;
}

static json_t *list_split_bounds(const odo_split_bounds *b, unsigned n)
{
	json_t *rows = json_array();
	char name[80];
	add_bound(&rows, "uniform", b->uniform.at_most, &b->uniform);
	add_bound(&rows, "complement", b->complement.at_most, &b->complement);
	snprintf(name, sizeof name, "mean of %u permutations", n);
	add_bound(&rows, name, b->mean.at_most, &b->mean);
	snprintf(name, sizeof name, "least of %u permutations", n);
	add_bound(&rows, name, b->least.at_most, &b->least);
	return rows;
}

json_t *cli_analyze_bounds_of(const cli_system *system, unsigned permutations, uint64_t seed,
			      uint32_t *worst_shift, odo_error *err)
{
	bool adaptive = system->tables->adaptive;
	odo_bounds b = {0};
	odo_split_bounds split;
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	/* Bounds of adaptive tables know more than the shares of single lists. */
	const odo_tables t = odo_tables_watched(system->tables, adaptive ? NULL : &watch);
	cli_step_begin(&step, "finding bounds");
	int status = adaptive ? odo_split_bounds_find(&t, system->coordinates, permutations, seed,
						      &watch, &split, err)
			      : odo_bounds_find(&t, system->coordinates, permutations, seed, &watch,
						&b, err);
	cli_step_end(&step, 0);
	if (status)
		return NULL;
	*worst_shift = b.shift_by;
	json_t *rows = adaptive ? list_split_bounds(&split, permutations)
				: list_static_bounds(&b, permutations);
	if (!rows)
		odo_fail(err, ODO_ENOMEM, "out of memory");
	return rows;
}

/* Begin an answer with facts about fabric and tables. */
static json_t **begin_answer(cli_call *call, const cli_system *system)
{
	json_t **r = &call->result;
	*r = json_object();
	cli_answer_origin(r, call);
	cli_answer_parts(r, system->fabric);
	cli_answer_tables(r, system->tables);
	return r;
}

/* Answer with bounds under every traffic by which a routing is judged, and nothing else. */
static int answer_bounds(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	uint32_t shift;
	json_t *rows = cli_analyze_bounds_of(system, own->bounds, own->seed, &shift, err);
	if (!rows)
		return err->status;
	json_t **r = begin_answer(call, system);
	cli_answer_load_unit(r, system->fabric, CLI_LOAD_OF_HOSTS);
	cli_put(r, "bounds", rows);
	return cli_check_answer(*r, err);
}

void cli_analyze_answer(json_t **r, const cli_system *system, const char *pattern,
			const cli_followed *x, uint32_t n_worst, bool real)
{
	const odo_analysis *a = &x->analysis;
	bool adaptive = system->tables->adaptive;
	double bound = adaptive ? x->split.at_most : a->saturation;
	cli_put_text(r, "traffic", pattern);
	cli_put(r, "saturation_at_most", a->max_use > 0 ? json_real(bound) : json_null());
	cli_answer_load_unit(r, system->fabric, CLI_LOAD_OF_HOSTS);
	if (adaptive && a->max_use > 0)
		add_split(r, &x->split);
	cli_put_real(r, "max_load", a->max_use);
	cli_put_real(r, "mean_hops", a->mean_hops);
	cli_put_real(r, "lost", a->lost);
	cli_put(r, "classes", list_classes(a, system->coordinates));
	cli_put(r, "path_lengths", list_path_lengths(a));
	cli_put(r, "worst", list_worst_channels(a, system->fabric, n_worst, real));
}

static int answer_loads(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	cli_followed x;
	double mean = 0, least = 0;
	bool adaptive = system->tables->adaptive;
	unsigned bisections = adaptive ? 0 : own->bisections;
	int status = cli_analyze_pattern(system, own->pattern, own->seed, &x, err);
	if (!status && own->flows)
		status = write_flows(own->flows, system->fabric, &x.worst, err);
	if (!status && bisections)
		status = odo_analyze_bisection(system->tables, bisections, own->seed, &mean, &least,
					       err);
	if (!status) {
		json_t **r = begin_answer(call, system);
		cli_analyze_answer(r, system, own->pattern, &x, own->worst, own->model);
		if (!strcmp(own->pattern, "uniform") && !adaptive)
			cli_put_real(r, "forwarding_index", x.index);
		if (x.worst.slot != ODO_NONE)
			cli_put(r, "worst_permutation",
				worst_permutation_row(&x.worst, system->fabric));
		if (bisections && system->fabric->n_senders > 1) {
			cli_put_real(r, "bisection", mean);
			cli_put_real(r, "least_bisection", least);
		}
		status = cli_check_answer(*r, err);
	}
	cli_followed_clear(&x);
	return status;
}

/* Answer with measured loads beside predicted ones, and nothing else. */
static int answer_counters(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	cli_followed x;
	int status = cli_analyze_pattern(system, own->pattern, own->seed, &x, err);
	if (!status)
		status = own->prometheus ? cli_counters_write(system, &x.analysis, call->out, err)
					 : cli_counters_answer(begin_answer(call, system), system,
							       own->pattern, own->thresholds,
							       &x.analysis, err);
	cli_followed_clear(&x);
	return status;
}

static int run_analyze(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	int status = own->model ? cli_check_real(own->model, err) : 0;
	if (!status)
		status = cli_system_route(call, system, err);
	if (!status)
		status = own->bounds      ? answer_bounds(call, system, err)
			 : call->counters ? answer_counters(call, system, err)
					  : answer_loads(call, system, err);
	if (!status && own->model)
		status = cli_answer_real_bounds(&call->result, system->fabric, err);
	return status;
}

static const cli_flag flags[] = {
	{"pattern", 'p', "TRAFFIC", "Traffic ('odonata list patterns')",
	 "Traffic ('odonata list patterns'), flows:FILE, or worst: the permutation that loads some "
	 "cable most",
	 CLI_TEXT(settings, pattern), .usual = "uniform"},
	{"flows", 0, "FILE", NULL,
	 "Write the flows of --pattern worst to FILE, for 'emulate --pattern flows:FILE'",
	 CLI_TEXT(settings, flows)},
	{"bounds", 0, "N", "Bounds under all traffics that judge a routing",
	 "Bounds under all traffics that judge a routing: uniform, the worst shift, bit "
	 "complement, N random permutations [100], the worst permutation",
	 CLI_NUMBER(settings, bounds, 1, 100000), .without = "100"},
	{"counters", 0, "SECONDS", NULL,
	 "Compare the bytes that ports of a live subnet counted in so many seconds [since the "
	 "counters were cleared] with those that the traffic would cause, the fullest cable first",
	 .set = set_counters, .size = sizeof(unsigned), .min = 1, .max = A_DAY, .without = "",
	 .not_with = "bounds"},
	{"thresholds", 0, "FILE", NULL,
	 "With --counters: list error counters above the numbers in FILE, which has the form of "
	 "ibqueryerrors' thresholds (SymbolErrorCounter=10) [those that infiniband-diags ships]",
	 CLI_TEXT(settings, thresholds), .needs = "counters"},
	{"prometheus", 0, NULL, NULL,
	 "With --counters: write counters and predicted loads of all ports as series of "
	 "Prometheus, 16 for each end of a cable",
	 CLI_BOOL(settings, prometheus), .needs = "counters", .not_with = "json"},
	{"model", 'm', "SPEC", "Report GB/s, too: infiniband",
	 "Report bounds in GB/s of a host, and loads in GB/s of a cable, too: infiniband",
	 CLI_TEXT(settings, model)},
	{"bisections", 0, "N", NULL, "Random bisections that the effective bandwidth is taken from",
	 CLI_NUMBER(settings, bisections, 0, 100000), .usual = "10"},
	{"worst", 0, "N", "Name the N channels with the highest load [5]",
	 "Name the N channels with the highest load", CLI_NUMBER(settings, worst, 0, 1000),
	 .usual = "5"},
	{"seed", 0, "N", NULL, "Seed of permutations and bisections",
	 CLI_NUMBER(settings, seed, 0, UINT64_MAX), .usual = "1"},
	{0}};

static const cli_example examples[] = {
	{"odonata analyze dragonfly.net", "Uniform traffic, the forwarding index, and bisections",
	 CLI_OK},
	{"odonata analyze dragonfly.net --pattern advg:n=1 --worst 3",
	 "Adversarial traffic: the bound on its saturation, and the cables that set it", CLI_OK},
	{"odonata analyze dragonfly.net --pattern worst --flows worst.flows && odonata emulate "
	 "dragonfly.net --pattern flows:worst.flows --load 0.1 --cycles 1000",
	 "The permutation that loads some cable most, and what becomes of it", CLI_OK},
	{"odonata analyze dragonfly.net --engine ofar-ar --pattern advg:n=1 --worst 1",
	 "What adaptive switches could carry at most, and what the even split carries", CLI_OK},
	{"odonata analyze dragonfly.net --bounds --model infiniband",
	 "All bounds of a routing at a glance, also in GB/s", CLI_OK},
	{0}};

const cli_command cli_analyze = {
	.name = "analyze",
	.arguments = "FABRIC...",
	.summary = "Add up the load of every cable, without sending packets",
	.about = "Follow a traffic through the tables, and add up the load of every cable as a "
		 "share of the fastest host cable's rate. The fullest cable bounds the load that "
		 "every host can send at. The bisection bandwidth is the mean over random halves "
		 "that send to each other. Uniform traffic has a forwarding index, too: the "
		 "largest number of pairs of hosts that share a cable between switches.\n\n"
		 "The worst permutation is exact up to 2,048 hosts. In a larger fabric the search "
		 "may end early; the answer then has a bound that no permutation exceeds.\n\n"
		 "Switches of an adaptive routing may split a traffic. No split carries more than "
		 "the bound, and some split carries the best found; for most traffics both are "
		 "within 1 %. Loads of cables are those of the even split over all ways that a "
		 "switch may take.",
	.flags = flags,
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.settings_size = sizeof(settings),
	.check = check_analyze,
	.run = run_analyze,
	.examples = examples,
};
