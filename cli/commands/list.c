/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata list: tables of topologies, engines, patterns and other rows of the program. */
#include <string.h>

#include "cli/answers.h"
#include "cli/live.h"
#include "cli/rows.h"
#include "cli/words.h"
#include "emulator/model.h"
#include "emulator/traffic/pattern.h"
#include "emulator/policy.h"
#include "emulator/traffic/workload.h"
#include "export/export.h"
#include "export/import.h"
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"

static void list_topologies(json_t **rows)
{
	for (const odo_topology *const *t = odo_topologies; *t; t++)
		cli_append(rows,
			   json_pack("{ss ss ss ss}", "name", (*t)->name, "example", (*t)->example,
				     "paper", (*t)->paper, "summary", (*t)->summary));
}

static void list_presets(json_t **rows)
{
	for (const odo_preset *p = odo_presets; p->name; p++)
		cli_append(rows, json_pack("{ss ss ss}", "name", p->name, "spec", p->spec,
					   "summary", p->summary));
}

static json_t *kinds_text(uint32_t kinds)
{
	if (!(~kinds & ODO_ANY_KIND))
		return json_string("any");
	json_t *list = json_array();
	for (odo_kind k = ODO_KIND_UNKNOWN; k < ODO_N_KINDS; k++)
		if (kinds & 1u << k)
			cli_append(&list, json_string(odo_kind_name(k)));
	return list;
}

static void list_engines(json_t **rows)
{
	for (const odo_engine *row = odo_engines; row->name; row++)
		cli_append(rows, json_pack("{ss ss so so ss ss}", "name", row->name, "profile",
					   cli_profile_name(row->profile), "vls",
					   row->n_vls ? json_integer(row->n_vls) : json_null(),
					   "kinds", kinds_text(row->kinds), "paper", row->paper,
					   "summary", row->summary));
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

static void list_file_formats(json_t **rows)
{
	for (const odo_fabric_format *f = odo_fabric_formats; f->name; f++)
		cli_append(rows, format_row(f->name, "fabric", f->read, f->write, f->summary));
	for (const odo_export_format *f = odo_export_formats; f->name; f++)
		cli_append(rows,
			   format_row(f->name, "tables", find_import(f->name), true, f->summary));
	for (const odo_import_format *f = odo_import_formats; f->name; f++)
		if (!is_exported(f->name))
			cli_append(rows, format_row(f->name, "tables", true, false, f->summary));
}

static void list_patterns(json_t **rows)
{
	for (const odo_pattern *p = odo_patterns; p->name; p++)
		cli_append(rows, json_pack("{ss ss ss}", "name", p->name, "paper", p->paper,
					   "summary", p->summary));
	for (const odo_traffic_name *t = odo_traffic_names; t->name; t++)
		cli_append(rows, json_pack("{ss ss ss}", "name", t->name, "paper", t->paper,
					   "summary", t->spec));
}

static void list_workloads(json_t **rows)
{
	for (const odo_step_workload *w = odo_step_workloads; w->name; w++)
		cli_append(rows, json_pack("{ss ss ss}", "name", w->name, "paper", w->paper,
					   "summary", w->summary));
}

static void list_placements(json_t **rows)
{
	for (const odo_rank_placement *p = odo_rank_placements; p->name; p++)
		cli_append(rows, json_pack("{ss ss}", "name", p->name, "summary", p->summary));
}

static void list_models(json_t **rows)
{
	for (const odo_model_preset *m = odo_model_presets; m->name; m++)
		cli_append(rows, json_pack("{ss ss ss}", "name", m->name, "paper", m->paper,
					   "summary", m->summary));
}

static void list_policies(json_t **rows)
{
	for (const odo_policy *const *at = odo_policies; *at; at++) {
		const odo_policy *p = *at;
		cli_append(rows, json_pack("{ss so ss ss ss}", "name", p->name, "kinds",
					   kinds_text(p->kinds), "paper", p->paper, "summary",
					   p->summary, "deadlock", p->deadlock));
	}
}

static json_t *words_list(const char *const *words)
{
	json_t *list = json_array();
	for (unsigned i = 0; words[i]; i++)
		cli_append(&list, json_string(words[i]));
	return list;
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

static void list_spec_options(json_t **rows, const odo_option *options)
{
	for (const odo_option *o = options; o && o->name; o++)
		cli_append(rows,
			   json_pack("{ss so ss ss}", "option", o->name, "values", option_values(o),
				     "default", o->fallback ? o->fallback : "must be given",
				     "summary", o->help));
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
static void list_fields(json_t **rows, const odo_model_preset *preset)
{
	for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
		uint32_t value;
		memcpy(&value, (const char *)&preset->model + o->offset, sizeof value);
		json_t *values = o->row.words ? words_list(o->row.words)
					      : json_sprintf("a number from %u to %u", o->row.min,
							     o->row.max);
		json_t *own = o->row.words ? json_string(o->row.words[value])
					   : default_of(preset, o, value);
		cli_append(rows, json_pack("{ss so so ss}", "option", o->row.name, "values", values,
					   "default", own, "summary", o->row.help));
	}
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
	void (*fill)(json_t **rows);
	const odo_option *(*options)(const char *name);
	const odo_option *common; /**< options of every row, too; NULL: none */
	bool models;              /**< rows are presets of models, which have the same options */
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

void cli_print_names(const char *listing, const char *suffix, const char *separator)
{
	json_t *rows = json_array(), *row;
	size_t i;
	const struct listing *of = find_listing(listing);
	if (of)
		of->fill(&rows);
	json_array_foreach(rows, i, row)
	{
		if (!json_is_false(json_object_get(row, "write")))
			printf("%s%s%s", json_string_value(json_object_get(row, "name")), suffix,
			       separator);
	}
	json_decref(rows);
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

static int run_list(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	const struct listing *listing = find_listing(call->arg[0]);
	const odo_option *options = NULL;
	const odo_model_preset *model = NULL;
	const char *row = call->arg[1];
	if (listing && listing->options && row)
		options = listing->options(row);
	if (listing && listing->models && row)
		model = odo_model_find(row, strlen(row));
	if (!listing || (row && !options && !model)) {
		call->code = refuse_name(call, listing);
		return 0;
	}
	call->result = json_array();
	if (options) {
		list_spec_options(&call->result, options);
		list_spec_options(&call->result, listing->common);
	} else if (model) {
		list_fields(&call->result, model);
	} else {
		listing->fill(&call->result);
	}
	return cli_check_answer(call->result, err);
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
	.summary = "List topologies, engines, patterns and other choices",
	.about = "Print one of the program's tables, a row for each topology, preset, engine, file "
		 "format, traffic pattern, workload, placement, model of switches or routing "
		 "policy. 'adapters' are those of this machine: which ports are InfiniBand, and "
		 "up. The first usable adapter reads a live subnet, unless -C or -P name another.",
	.run = run_list,
	.examples = examples,
};
