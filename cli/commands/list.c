/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata list: tables of topologies, engines, patterns and other rows of the program. */
#include <string.h>

#include "cli/answers.h"
#include "cli/live.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "emulator/model.h"
#include "emulator/traffic/pattern.h"
#include "emulator/policy.h"
#include "emulator/traffic/workload.h"
#include "export/export.h"
#include "export/import.h"
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"

static int add_listing_row(json_t *rows, json_t *row)
{
	return json_array_append_new(rows, row);
}

static int list_topologies(json_t *rows)
{
	int failed = 0;
	for (const odo_topology *const *t = odo_topologies; *t; t++)
		failed |= add_listing_row(rows, json_pack("{ss ss ss ss}", "name", (*t)->name,
							  "example", (*t)->example, "paper",
							  (*t)->paper, "summary", (*t)->summary));
	return failed;
}

static int list_presets(json_t *rows)
{
	int failed = 0;
	for (const odo_preset *p = odo_presets; p->name; p++)
		failed |= add_listing_row(rows, json_pack("{ss ss ss}", "name", p->name, "spec",
							  p->spec, "summary", p->summary));
	return failed;
}

static json_t *kinds_text(uint32_t kinds)
{
	if (!(~kinds & ODO_ANY_KIND))
		return json_string("any");
	json_t *list = json_array();
	int failed = 0;
	for (odo_kind k = ODO_KIND_UNKNOWN; k < ODO_N_KINDS; k++)
		if (kinds & 1u << k)
			failed |= json_array_append_new(list, json_string(odo_kind_name(k)));
	return cli_json_whole(list, failed);
}

static int list_engines(json_t *rows)
{
	int failed = 0;
	for (const odo_engine *row = odo_engines; row->name; row++)
		failed |= add_listing_row(
			rows, json_pack("{ss ss so so ss ss}", "name", row->name, "profile",
					cli_profile_name(row->profile), "vls",
					row->n_vls ? json_integer(row->n_vls) : json_null(),
					"kinds", kinds_text(row->kinds), "paper", row->paper,
					"summary", row->summary));
	return failed;
}

static const odo_import_format *find_import(const char *name)
{
	const odo_import_format *f = odo_import_formats;
	while (f->name && strcmp(f->name, name))
		f++;
	return f->name ? f : NULL;
}

static bool is_exported(const char *name)
{
	const odo_export_format *format = odo_export_formats;
	while (format->name && strcmp(format->name, name))
		format++;
	return format->name != NULL;
}

static json_t *format_row(const char *name, const char *of, bool read, bool write,
			  const char *summary)
{
	return json_pack("{ss ss sb sb ss}", "name", name, "of", of, "read", read, "write", write,
			 "summary", summary);
}

static int list_file_formats(json_t *rows)
{
	int failed = 0;
	for (const odo_fabric_format *f = odo_fabric_formats; f->name; f++)
		failed |= add_listing_row(
			rows, format_row(f->name, "fabric", f->read, f->write, f->summary));
	for (const odo_export_format *f = odo_export_formats; f->name; f++)
		failed |= add_listing_row(rows, format_row(f->name, "tables", find_import(f->name),
							   true, f->summary));
	for (const odo_import_format *f = odo_import_formats; f->name; f++)
		if (!is_exported(f->name))
			failed |= add_listing_row(
				rows, format_row(f->name, "tables", true, false, f->summary));
	return failed;
}

static int list_patterns(json_t *rows)
{
	int failed = 0;
	for (const odo_pattern *p = odo_patterns; p->name; p++)
		failed |= add_listing_row(rows, json_pack("{ss ss ss}", "name", p->name, "paper",
							  p->paper, "summary", p->summary));
	for (const odo_traffic_name *t = odo_traffic_names; t->name; t++)
		failed |= add_listing_row(rows, json_pack("{ss ss ss}", "name", t->name, "paper",
							  t->paper, "summary", t->spec));
	return failed;
}

static int list_workloads(json_t *rows)
{
	int failed = 0;
	for (const odo_step_workload *w = odo_step_workloads; w->name; w++)
		failed |= add_listing_row(rows, json_pack("{ss ss ss}", "name", w->name, "paper",
							  w->paper, "summary", w->summary));
	return failed;
}

static int list_placements(json_t *rows)
{
	int failed = 0;
	for (const odo_rank_placement *p = odo_rank_placements; p->name; p++)
		failed |= add_listing_row(
			rows, json_pack("{ss ss}", "name", p->name, "summary", p->summary));
	return failed;
}

static int list_models(json_t *rows)
{
	int failed = 0;
	for (const odo_model_preset *m = odo_model_presets; m->name; m++)
		failed |= add_listing_row(rows, json_pack("{ss ss ss}", "name", m->name, "paper",
							  m->paper, "summary", m->summary));
	return failed;
}

static int list_policies(json_t *rows)
{
	int failed = 0;
	for (const odo_policy *const *at = odo_policies; *at; at++) {
		const odo_policy *p = *at;
		failed |= add_listing_row(rows, json_pack("{ss so ss ss ss}", "name", p->name,
							  "kinds", kinds_text(p->kinds), "paper",
							  p->paper, "summary", p->summary,
							  "deadlock", p->deadlock));
	}
	return failed;
}

static json_t *words_list(const char *const *words)
{
	json_t *list = json_array();
	int failed = 0;
	for (unsigned i = 0; words[i]; i++)
		failed |= json_array_append_new(list, json_string(words[i]));
	return cli_json_whole(list, failed);
}

/** Return the values that an option accepts. */
static json_t *option_values(const odo_option *o)
{
	if (o->type == ODO_OPTION_WORD)
		return words_list(o->words);
	if (o->type == ODO_OPTION_TIMES)
		return json_string("sdr to xdr, or as 2xhdr");
	return json_sprintf("%s from %u to %u",
			    o->type == ODO_OPTION_LIST     ? "numbers"
			    : o->type == ODO_OPTION_CYCLES ? "a time as 10us, or a number"
							   : "a number",
			    o->min, o->max);
}

static int list_spec_options(json_t *rows, const odo_option *options)
{
	int failed = 0;
	for (const odo_option *o = options; o && o->name; o++)
		failed |= add_listing_row(rows,
					  json_pack("{ss so ss ss}", "option", o->name, "values",
						    option_values(o), "default",
						    o->fallback ? o->fallback : "must be given",
						    "summary", o->help));
	return failed;
}

/** A number, or the time that a preset has there at every rate. */
static json_t *default_of(const odo_model_preset *preset, const odo_model_option *o, uint32_t value)
{
	const char *time = preset->times ? preset->times : "";
	size_t name = strlen(o->row.name), n;
	for (; *time; time += n + (time[n] == ',')) {
		n = strcspn(time, ",");
		if (odo_option_is(&o->row, time, n))
			return json_stringn(time + name + 1, n - name - 1);
	}
	return json_sprintf("%u", value);
}

/** Fields of a model, and what a preset has there. */
static int list_fields(json_t *rows, const odo_model_preset *preset)
{
	int failed = 0;
	for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
		uint32_t value;
		memcpy(&value, (const char *)&preset->model + o->offset, sizeof value);
		json_t *values = o->row.words ? words_list(o->row.words)
					      : json_sprintf("a number from %u to %u", o->row.min,
							     o->row.max);
		json_t *own = o->row.words ? json_string(o->row.words[value])
					   : default_of(preset, o, value);
		failed |= add_listing_row(rows, json_pack("{ss so so ss}", "option", o->row.name,
							  "values", values, "default", own,
							  "summary", o->row.help));
	}
	return failed;
}

/* ---- Options of a row by its name; NULL if there is no such row ---- */

static const odo_option *topology_options(const char *name)
{
	const odo_topology *const *t = odo_topologies;
	while (*t && strcmp((*t)->name, name))
		t++;
	return *t ? (*t)->options : NULL;
}

static const odo_option *pattern_options(const char *name)
{
	const odo_pattern *p = odo_patterns;
	while (p->name && strcmp(p->name, name))
		p++;
	return p->options;
}

static const odo_option *policy_options(const char *name)
{
	const odo_policy *const *p = odo_policies;
	while (*p && strcmp((*p)->name, name))
		p++;
	return *p ? (*p)->options : NULL;
}

static const odo_option *workload_options(const char *name)
{
	const odo_step_workload *w = odo_step_workloads;
	while (w->name && strcmp(w->name, name))
		w++;
	return w->options;
}

static const struct listing {
	const char *name;
	int (*fill)(json_t *rows);
	const odo_option *(*options)(const char *name);
	const odo_option *common; /**< that each of them has as well, or NULL */
	bool models;              /**< rows are presets of models, whose options are all alike */
} listings[] = {
	{"topologies", list_topologies, topology_options, odo_topology_common, false},
	{"presets", list_presets, NULL, NULL, false},
	{"engines", list_engines, NULL, NULL, false},
	{"formats", list_file_formats, NULL, NULL, false},
	{"patterns", list_patterns, pattern_options, NULL, false},
	{"workloads", list_workloads, workload_options, NULL, false},
	{"placements", list_placements, NULL, NULL, false},
	{"models", list_models, NULL, NULL, true},
	{"policies", list_policies, policy_options, NULL, false},
	{"adapters", cli_live_adapters, NULL, NULL, false},
};
#define N_LISTINGS (sizeof listings / sizeof *listings)

static const struct listing *find_listing(const char *name)
{
	for (size_t i = 0; i < N_LISTINGS; i++)
		if (!strcmp(listings[i].name, name))
			return &listings[i];
	return NULL;
}

/** Report an unknown name together with the valid ones, in one line. */
static int refuse_name(const cli_call *call, const struct listing *listing)
{
	const char *what = call->arg[0], *which = call->arg[1];
	if (listing && (listing->options || listing->models))
		return cli_refuse(call, "expected one of 'odonata list %s', found '%s'", what,
				  which);
	if (listing)
		return cli_refuse(call, "expected no options, as %s have none, found '%s'", what,
				  which);
	return cli_refuse(call, "expected %s, found '%s'", call->command->arguments, what);
}

static int run_list(cli_call *call)
{
	const struct listing *listing = find_listing(call->arg[0]);
	const odo_option *options = NULL;
	const odo_model_preset *model = NULL;
	const char *row = call->arg[1];
	if (listing && listing->options && row)
		options = listing->options(row);
	if (listing && listing->models && row)
		model = odo_model_find(row, strlen(row));
	if (!listing || (row && !options && !model))
		return refuse_name(call, listing);
	odo_error err;
	call->result = json_array();
	int failed = options ? list_spec_options(call->result, options) |
				       list_spec_options(call->result, listing->common)
		     : model ? list_fields(call->result, model)
			     : listing->fill(call->result);
	if (!failed)
		return CLI_OK;
	odo_fail(&err, ODO_ENOMEM, "out of memory");
	return cli_fail(call, &err);
}

static const cli_example examples[] = {
	{"odonata list topologies", "The topologies that specs can name", CLI_OK},
	{"odonata list topologies dragonfly", "The options of one of them", CLI_OK},
	{"odonata list models ofar", "The fields of a model, and what this preset has there",
	 CLI_OK},
	{"odonata list engines --json", "The routing engines, for a program", CLI_OK},
	{0}};

const cli_command cli_list = {
	.name = "list",
	.arguments = "topologies|presets|engines|formats|patterns|workloads|placements|models|"
		     "policies|adapters [NAME]",
	.summary = "What there is to choose from",
	.about =
		"Print one of the tables that the program is made of, a row for each topology, "
		"preset, engine, file format, traffic pattern, workload, placement, model of "
		"switches or routing policy. 'adapters' are those of this machine: which ports are "
		"InfiniBand, and up. A live subnet is read by the first of them that is usable, "
		"unless -C or -P name another.",
	.min_args = 1,
	.max_args = 2,
	.run = run_list,
	.examples = examples,
};
