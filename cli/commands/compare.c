/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata compare: several routings of a fabric, side by side. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/commands/parts.h"
#include "cli/drawing/bars.h"
#include "cli/terminal/progress.h"
#include "cli/options.h"
#include "cli/rows.h"
#include "cli/subnets.h"
#include "cli/system.h"
#include "export/import.h"

typedef cli_compare_settings settings;

static void set_engines(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	const char *list = text;
	char name[64];
	for (size_t n; list; list = list[n] ? list + n + 1 : NULL) {
		n = strcspn(list, ",");
		snprintf(name, sizeof name, "%.*s", (int)n, list);
		if (!odo_engine_find(name))
			cli_usage_error(call,
					"--engines: expected an engine, found '%s'; 'odonata list "
					"engines' lists them",
					name);
	}
	cli_set_text(call, flag, text, to);
}

static void add_imported_tables(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	settings *own = call->settings;
	(void)flag;
	if (own->n_with == CLI_MOST_IMPORTED)
		cli_usage_error(call, "--tables: expected up to %d times, found more",
				CLI_MOST_IMPORTED);
	((const char **)to)[own->n_with++] = text;
}

typedef struct comparison {
	const cli_call *call;
	const cli_system *system;
	const settings *own;
	json_t *rows, *declined, *portfolio;
	uint8_t *first;    /**< LFTs of the first row, or NULL */
	odo_tables *named; /**< NULL, or the tables of an engine whose row comes later */
	odo_error *err;
	cli_step step;
	cli_parts parts; /**< routings */
} comparison;

/** Count the entries of the LFTs that differ from the first row. */
static json_int_t count_changed(comparison *x, const odo_tables *t)
{
	size_t n = (size_t)t->fabric->n_switches * t->fabric->lid_count, n_changed = 0;
	if (!x->first) {
		x->first = odo_new(n, 1);
		if (x->first)
			memcpy(x->first, t->lft, n);
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		n_changed += x->first[i] != t->lft[i];
	return (json_int_t)n_changed;
}

/** Find bounds of any split, and the load of the even split, for adaptive tables. For static tables
 * both are the same. */
static int find_bounds(const odo_tables *t, const odo_coordinates *c, const settings *own,
		       odo_bounds *b, odo_split_bounds *s, odo_error *err)
{
	if (t->adaptive)
		return odo_split_bounds_find(t, c, own->permutations, own->seed, own->watch, s,
					     err);
	int status = odo_bounds_find(t, c, own->permutations, own->seed, own->watch, b, err);
	s->uniform = (odo_split){.at_most = b->uniform, .even = b->uniform};
	s->mean = (odo_split){.at_most = b->mean, .even = b->mean};
	return status;
}

/** Return true if a comma-separated list of engines contains an adaptive one. */
static bool has_adaptive(const char *engines)
{
	for (const odo_engine *e = odo_engines; e->name && engines; e++) {
		size_t length = strlen(e->name);
		if (e->profile != ODO_PROFILE_IB_AR && e->profile != ODO_PROFILE_IB_EXT)
			continue;
		for (const char *at = engines; at; at = strchr(at, ',')) {
			at += *at == ',';
			if (!strncmp(at, e->name, length) && (!at[length] || at[length] == ','))
				return true;
		}
	}
	return false;
}

static int add_bound_columns(const odo_tables *t, const odo_coordinates *c, const settings *own,
			     json_t **row, odo_error *err)
{
	odo_bounds b = {0};
	odo_split_bounds s = {0};
	bool shows_even = has_adaptive(own->engines);
	int status = find_bounds(t, c, own, &b, &s, err);
	if (status && status != ODO_EDECLINE)
		return status;
	const struct {
		const char *key;
		double bound;
		bool known, shown;
	} cells[] = {{"uniform", s.uniform.at_most, true, true},
		     {"worst_shift", b.shift, !t->adaptive, true},
		     {"mean_permutation", s.mean.at_most, true, true},
		     {"worst_permutation", b.worst, !t->adaptive, true},
		     {"uniform_even_split", s.uniform.even, true, shows_even},
		     {"mean_permutation_even_split", s.mean.even, true, shows_even}};
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		if (cells[i].shown)
			cli_put(row, cells[i].key,
				status || !cells[i].known ? json_null()
							  : json_real(cells[i].bound));
	return 0;
}

int cli_compare_row(json_t **row, const char *name, odo_tables *t, const odo_coordinates *c,
		    bool partial, json_int_t n_changed, const settings *own, odo_error *err)
{
	odo_verdict v = {0};
	odo_sl_verdict sls = {0};
	t->hosts_only |= own->hosts_only;
	int status = odo_verify(t, &v, err);
	bool is_safe = !status;
	if (status == ODO_EUNSAFE)
		status = 0;
	if (!status)
		status = odo_verify_sls(t, is_safe, &sls, err);
	json_t *safe = partial && odo_unheard_sls(t).assumed ? json_string("incomplete")
							     : cli_answer_safe(t, is_safe, partial);
	*row = json_object();
	cli_put_text(row, "routing", name);
	cli_put(row, "safe", cli_answer_within(safe, t, &v, &sls));
	if (!is_safe || !json_is_true(json_object_get(*row, "safe")))
		cli_answer_scope(row, t, &v);
	cli_answer_hosts(row, t, is_safe ? 0 : ODO_EUNSAFE);
	json_object_del(*row, "advice"); /* reported once, for all rows */
	cli_answer_sls(row, t, NULL, &sls, !partial);
	cli_put_count(row, "vls", t->n_vls);
	cli_put_count(row, "sls", t->n_sls);
	cli_put(row, "longest_path",
		v.max_hops == ODO_NONE ? json_null() : json_integer(v.max_hops));
	cli_put_count(row, "cut_pairs", v.n_cut);
	if (n_changed >= 0)
		cli_put_count(row, "changed_entries", (uint64_t)n_changed);
	if (!status)
		status = add_bound_columns(t, c, own, row, err);
	if (!status)
		status = cli_check_answer(*row, err);
	odo_verdict_clear(&v);
	if (status) {
		json_decref(*row);
		*row = NULL;
	}
	return status;
}

/** Add a routing as a row.
 * @param t freed */
static int add_routing(comparison *x, const char *name, bool installed, odo_tables *t)
{
	json_t *row;
	bool partial = installed && cli_live_is_partial(&x->system->installed, t);
	int status = cli_compare_row(&row, name, t, x->system->coordinates, partial,
				     count_changed(x, t), x->own, x->err);
	if (!status && !x->first)
		status = odo_fail(x->err, ODO_ENOMEM, "out of memory");
	odo_tables_free(t);
	cli_append(&x->rows, row);
	return status ? status : cli_check_answer(x->rows, x->err);
}

/** List the candidates of the tables that would be installed, as they were judged. */
static int list_candidates(comparison *x, const odo_provenance *from)
{
	for (unsigned i = 0; i < from->n_judged; i++) {
		const odo_judged *judged = &from->judged[i];
		bool rated = judged->rating.uniform > 0;
		json_t *row = json_object();
		cli_put_text(&row, "routing", judged->engine);
		cli_put_text(&row, "candidate", judged->candidate);
		cli_put_text(&row, "needs", judged->needs);
		cli_put_text(&row, "outcome", odo_standing_text(judged->standing));
		cli_put(&row, "uniform", rated ? json_real(judged->rating.uniform) : json_null());
		cli_put(&row, "shifts", rated ? json_real(judged->rating.shifts) : json_null());
		cli_put(&row, "at_most", json_boolean(judged->at_most));
		cli_append(&x->portfolio, row);
	}
	return cli_check_answer(x->portfolio, x->err);
}

static void begin_routing(comparison *x, const char *name)
{
	x->parts.done += x->parts.name ? 1 : 0;
	x->parts.name = name;
	cli_parts_at(&x->parts, 0);
}

/** Add an engine's routing.
 * @param name of an engine; NULL for the one that Odonata chooses
 * @param label name of the row */
static int add_engine_row(comparison *x, const char *name, const char *label)
{
	const settings *own = x->own;
	odo_tables *t = x->named;
	odo_route_options options = {.max_vls = own->vls};
	bool is_there = t && name && !strcmp(t->engine, name);
	int status = 0;
	begin_routing(x, label);
	if (is_there)
		x->named = NULL;
	else
		status = odo_route(x->system->fabric, x->system->coordinates, name, &options, &t,
				   x->err);
	if (!status && !name && list_candidates(x, &t->from)) {
		odo_tables_free(t);
		return ODO_ENOMEM;
	}
	if (!status)
		return add_routing(x, label, false, t);
	if (status != ODO_EDECLINE && status != ODO_EUNSAFE)
		return status;
	cli_append(&x->declined,
		   json_pack("{ss so}", "routing", label, "reason", cli_json_text(x->err->text)));
	return cli_check_answer(x->declined, x->err);
}

/** Return true if the engine suits the fabric and standard switches can use it. */
static bool suits_fabric(const comparison *x, const odo_engine *e)
{
	return e->profile == ODO_PROFILE_IB && e->kinds & 1u << x->system->coordinates->kind;
}

static bool wants_computed_alone(const comparison *x)
{
	return cli_is_live(x->call->arg[0]) || x->own->n_with;
}

/** Count the routings, for progress reports. */
static size_t count_routings(const comparison *x)
{
	const char *list = x->own->engines;
	size_t n = x->own->n_with + (cli_wants_installed(x->call) ? 1 : 0);
	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		n++;
	}
	for (const odo_engine *e = odo_engines; e->name && !list && !wants_computed_alone(x); e++)
		n += suits_fabric(x, e) ? 1 : 0;
	return n + (!list && wants_computed_alone(x) ? 1 : 0);
}

static bool are_same_tables(const odo_tables *a, const odo_tables *b)
{
	return !strcmp(a->engine, b->engine) &&
	       !memcmp(a->lft, b->lft, (size_t)a->fabric->n_switches * a->fabric->lid_count);
}

/** Add the tables that would be installed if no engine is named, unless they equal an engine's own
 * tables. In a damaged fabric some entries are moved away from full cables. */
static int add_chosen(comparison *x)
{
	const cli_system *s = x->system;
	odo_route_options options = {.max_vls = x->own->vls};
	odo_tables *chosen;
	int status = odo_route(s->fabric, s->coordinates, NULL, &options, &chosen, x->err);
	if (status)
		return status == ODO_ENOMEM ? status : 0; /* the engines' rows say why */
	if (list_candidates(x, &chosen->from)) {
		odo_tables_free(chosen);
		return ODO_ENOMEM;
	}
	status = odo_route(s->fabric, s->coordinates, chosen->engine, &options, &x->named, x->err);
	bool alike = !status && are_same_tables(chosen, x->named);
	if (!alike && status != ODO_ENOMEM)
		return add_routing(x, "computed by Odonata", false, chosen);
	odo_tables_free(chosen);
	return alike ? 0 : status;
}

/** Add the engines of the operator's list, or else all that suit. */
static int add_engine_rows(comparison *x)
{
	const settings *own = x->own;
	int status = 0;
	if (own->engines) {
		char *copy = odo_new(strlen(own->engines) + 1, 1), *rest = copy, *name;
		if (!copy)
			return odo_fail(x->err, ODO_ENOMEM, "out of memory");
		strcpy(copy, own->engines);
		while (!status && (name = strsep(&rest, ",")))
			status = add_engine_row(x, name, name);
		free(copy);
		return status;
	}
	if (wants_computed_alone(x))
		return add_engine_row(x, NULL, "computed by Odonata");
	status = add_chosen(x);
	for (const odo_engine *e = odo_engines; e->name && !status; e++)
		if (suits_fabric(x, e))
			status = add_engine_row(x, e->name, e->name);
	return status;
}

static int add_imported(comparison *x, const char *files)
{
	odo_tables *t;
	begin_routing(x, files);
	int status = cli_import_list(x->system->fabric, files, cli_is_of_part(x->call), &t, x->err);
	return status ? status : add_routing(x, files, false, t);
}

static int add_routings(comparison *x)
{
	const settings *own = x->own;
	odo_tables *t;
	int status = 0;
	if (cli_wants_installed(x->call)) {
		begin_routing(x, "installed");
		status = cli_live_import(&x->system->installed, x->system->fabric, true, &t,
					 x->err);
		if (!status)
			status = add_routing(x, "installed", true, t);
	}
	for (unsigned i = 0; i < own->n_with && !status; i++)
		status = add_imported(x, own->with[i]);
	return status ? status : add_engine_rows(x);
}

/** Add the advice on switches' own LIDs, if some row needs it. */
static void add_advice(const comparison *x, json_t **answer)
{
	size_t i;
	json_t *row;
	bool wanted = false;
	json_array_foreach(x->rows, i, row)
		wanted |= json_object_get(row, "safe_for_hosts") != NULL;
	if (wanted)
		cli_put_text(answer, "advice", CLI_HOSTS_ADVICE);
}

int cli_compare_answer(const cli_call *call, const cli_system *system, const settings *own,
		       json_t **answer, odo_error *err)
{
	settings watched = *own;
	comparison x = {.call = call,
			.system = system,
			.own = &watched,
			.rows = json_array(),
			.declined = json_array(),
			.portfolio = json_array(),
			.err = err};
	const odo_watch watch = cli_parts_watch(&x.parts);
	watched.watch = &watch;
	x.parts = (cli_parts){.step = &x.step, .n = count_routings(&x)};
	cli_step_begin(&x.step, "comparing");
	int status = cli_step_end(&x.step, add_routings(&x));
	if (!status) {
		add_advice(&x, answer);
		cli_put(answer, "routings", json_incref(x.rows));
		if (json_array_size(x.declined))
			cli_put(answer, "declined", json_incref(x.declined));
		if (json_array_size(x.portfolio) > 1)
			cli_put(answer, "portfolio", json_incref(x.portfolio));
		status = cli_check_answer(*answer, err);
	}
	json_decref(x.rows);
	json_decref(x.declined);
	json_decref(x.portfolio);
	free(x.first);
	odo_tables_free(x.named);
	if (status == ODO_ENOMEM && err->status != ODO_ENOMEM)
		odo_fail(err, ODO_ENOMEM, "out of memory");
	return status;
}

/** Draw the bounds as bars instead of the table. */
static int draw_comparison(cli_call *call, odo_error *err)
{
	static const cli_bar bars[] = {{"uniform", "uniform"},
				       {"worst_shift", "worst shift"},
				       {"mean_permutation", "mean permutation"},
				       {"worst_permutation", "worst permutation"},
				       {0}};
	int status = cli_draw_bars(json_object_get(call->result, "routings"), "routing", bars,
				   call->out, err);
	json_decref(call->result);
	call->result = NULL;
	return status;
}

static const char *first_decline_reason(const json_t *answer)
{
	const json_t *row = json_array_get(json_object_get(answer, "declined"), 0);
	const char *reason = json_string_value(json_object_get(row, "reason"));
	return reason ? reason : "no engine suits the fabric";
}

static int run_compare(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	int status = cli_system_map(call, system, err);
	if (!status) {
		call->result = json_object();
		cli_answer_fabric(&call->result, system->fabric, system->coordinates);
		status = cli_compare_answer(call, system, own, &call->result, err);
	}
	if (!status && !json_array_size(json_object_get(call->result, "routings")))
		status = odo_fail(err, ODO_EDECLINE,
				  "no engine of the list can route the fabric: %.300s",
				  first_decline_reason(call->result));
	if (!status && own->svg)
		status = draw_comparison(call, err);
	return status;
}

static const cli_flag flags[] = {
	{"engines", 0, "LIST", "Engines to compare, as in 'dor,updown'",
	 "Engines to compare, as in 'dor,updown' ('odonata list engines') [all that suit the "
	 "fabric and run on standard switches]",
	 CLI_OWN(set_engines, settings, engines)},
	{"tables", 0, "FILE[,FILE...]", "Tables to import and compare",
	 "Tables to import and compare: LFTs, and their SL2VL maps and SLs, if any; may be given "
	 "several times",
	 CLI_OWN(add_imported_tables, settings, with), .many = true, .older = "with"},
	{"hosts-only", 0, NULL, NULL, CLI_HOSTS_ONLY_HELP, CLI_BOOL(settings, hosts_only)},
	{"permutations", 0, "N", NULL, "Random permutations that the mean is taken of",
	 CLI_NUMBER(settings, permutations, 1, 100000), .usual = "20"},
	{"seed", 0, "N", NULL, "Seed of permutations", CLI_NUMBER(settings, seed, 0, UINT64_MAX),
	 .usual = "1"},
	{"vls", 0, "N", "Engines use at most N virtual lanes", NULL,
	 CLI_NUMBER(settings, vls, 1, ODO_MAX_VLS)},
	{"svg", 0, NULL, "Draw the bounds as bars, as SVG",
	 "Draw the bounds as bars, as SVG, instead of the table", CLI_BOOL(settings, svg),
	 .not_with = "json"},
	{0}};

static const cli_example examples[] = {
	{"odonata compare dragonfly.net", "All engines that suit a fabric", CLI_OK},
	{"odonata compare dragonfly.net --svg -o engines.svg", "The same as a picture", CLI_OK},
	{"odonata compare dragonfly.net --tables dragonfly.lfts",
	 "What is installed, and what Odonata would install", CLI_OK},
	{0}};

const cli_command cli_compare = {
	.name = "compare",
	.arguments = "FABRIC...",
	.summary = "Compare several routings of a fabric",
	.about = "Print a row for each routing: whether it is proved safe with path SLs, the "
		 "service levels that are safe for packets without the SL of their path, the "
		 "virtual lanes and service levels that it needs, its longest path, and the loads "
		 "up to which no cable is full. Traffics are uniform, the worst shift, the mean of "
		 "random permutations, and the worst permutation. Changed entries are those of "
		 "forwarding tables that differ from the first row's.\n\n"
		 "Bounds of an adaptive routing hold for any split over the ways that switches may "
		 "take; further columns have the load of the even split. On a live subnet the "
		 "first row is the installed routing, and the second the routing that Odonata "
		 "would install at a first start.",
	.flags = flags,
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_OUTPUT,
	.installed = true,
	.settings_size = sizeof(settings),
	.run = run_compare,
	.examples = examples,
};
