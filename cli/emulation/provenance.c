/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Settings on which the measures of an emulation depend. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cli/emulation/emulation.h"
#include "cli/terminal/output.h"
#include "emulator/semantics.h"
#include "emulator/traffic/pattern.h"
#include "fabric/format/formats.h"
#include "fabric/format/slurp.h"
#include "fabric/topology/topology.h"

static uint32_t model_field(const odo_model *model, const odo_model_option *o)
{
	uint32_t value;
	memcpy(&value, (const char *)model + o->offset, sizeof value);
	return value;
}

/** "packet=64,pipeline=125": fields that are not the preset's, in cycles and phits; "" for none. */
static json_t *changed_fields(const odo_model_preset *preset, const odo_model *model)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	const char *join = "";
	for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
		uint32_t value = model_field(model, o);
		if (value == model_field(&preset->model, o))
			continue;
		if (o->row.words)
			fprintf(to, "%s%s=%s", join, o->row.name, o->row.words[value]);
		else
			fprintf(to, "%s%s=%u", join, o->row.name, value);
		join = ",";
	}
	json_t *fields = odo_text_close(to, &text) ? NULL : cli_json_text(text);
	free(text);
	return fields;
}

int cli_answer_model(json_t *answer, const char *spec, const odo_model *model)
{
	const odo_model_preset *preset = odo_model_preset_of(spec);
	int failed = json_object_set_new(answer, "model",
					 cli_json_text(*spec ? spec : preset->name));
	failed |= json_object_set_new(answer, "model_of", json_string(preset->paper));
	json_t *fields = changed_fields(preset, model);
	if (!fields || *json_string_value(fields))
		return failed | json_object_set_new(answer, "model_changes", fields);
	json_decref(fields);
	return failed;
}

/** The words that made another fabric of it: " --damage=5%,2%,1 --shuffle=7". */
static void write_changes(FILE *to, const cli_call *call)
{
	if (call->damage.wanted)
		fprintf(to, " --damage=%g%%,%g%%,%" PRIu64, 100 * call->damage.share[0],
			100 * call->damage.share[1], call->damage.seed);
	if (call->miscable.wanted)
		fprintf(to, " --miscable=%g%%,%" PRIu64, 100 * call->miscable.share[0],
			call->miscable.seed);
	if (call->shuffle)
		fprintf(to, " --shuffle=%" PRIu64, call->shuffle_seed);
	if (call->part)
		fprintf(to, " --part=%u", call->part);
	if (call->lmc)
		fprintf(to, " --lmc=%u", call->lmc);
}

/** Files of an option may be absent. */
static void write_file_option(FILE *to, const char *option, const char *path)
{
	if (path)
		fprintf(to, " --%s=%s", option, path);
}

/** The words that other tables come from: " --vls=2 --roots=FILE". */
static void write_routing(FILE *to, const cli_call *call)
{
	write_file_option(to, "pins", call->pins);
	write_file_option(to, "engine", call->engine);
	if (call->route.max_vls)
		fprintf(to, " --vls=%u", call->route.max_vls);
	if (call->route.max_sls)
		fprintf(to, " --sls=%u", call->route.max_sls);
	fputs(call->route.strict ? " --strict" : "", to);
	fputs(call->route.spread_lids ? " --spread-lids" : "", to);
	write_file_option(to, "roots", call->roots);
	write_file_option(to, "compute", call->compute);
	write_file_option(to, "io", call->io);
	for (unsigned i = 0; i < call->n_tables; i++)
		write_file_option(to, "tables", call->tables[i]);
}

/** Set what `write` prints, without its first character; absent where it prints nothing. */
static int answer_words(json_t *answer, const char *key, const cli_call *call,
			void (*write)(FILE *, const cli_call *))
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return -1;
	write(to, call);
	int failed = odo_text_close(to, &text);
	if (!failed && *text)
		failed = json_object_set_new(answer, key, cli_json_text(text + 1));
	free(text);
	return failed;
}

/** A file that was read, and its size and hash; neither standard input nor a live subnet is one. */
static void list_contents(FILE *to, const char *path)
{
	char what[ODO_CONTENTS];
	struct stat about;
	if (path && !stat(path, &about) && S_ISREG(about.st_mode) &&
	    !odo_contents_of(path, what, NULL))
		fprintf(to, "; %s: %s", path, what);
}

/** Return the file's name behind a prefix as "trace:", or NULL. */
static const char *file_behind_prefix(const char *spec, const char *prefix)
{
	size_t n = strlen(prefix);
	return spec && !strncmp(spec, prefix, n) ? spec + n : NULL;
}

static int answer_contents(json_t *answer, const cli_call *call, const cli_traffic *traffic)
{
	const char *given[] = {call->arg[0],
			       call->pins,
			       call->roots,
			       call->compute,
			       call->io,
			       traffic->vlarb,
			       file_behind_prefix(traffic->pattern, ODO_FLOWS_PREFIX),
			       file_behind_prefix(traffic->workload, "trace:")};
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return -1;
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		list_contents(to, given[i]);
	for (unsigned i = 0; i < call->n_tables; i++)
		list_contents(to, call->tables[i]);
	int failed = odo_text_close(to, &text);
	if (!failed && *text)
		failed = json_object_set_new(answer, "contents", cli_json_text(text + 2));
	free(text);
	return failed;
}

static int answer_fabric_options(json_t *answer, const cli_call *call)
{
	int failed = json_object_set_new(answer, "fabric", cli_json_text(call->arg[0]));
	failed |= answer_words(answer, "fabric_changes", call, write_changes);
	return failed | answer_words(answer, "routing_options", call, write_routing);
}

/** "4xNDR 300, 2xHDR 5": cables of each rate. */
static json_t *cable_rates(const odo_fabric *f, bool assumed)
{
	uint32_t n[13][ODO_XDR + 1] = {{0}};
	char text[400] = "";
	for (uint32_t s = 0; s < f->n_slots; s++)
		if (f->peer[s] != ODO_NONE && f->peer[s] > s && f->width[s] < 13 &&
		    f->speed[s] <= ODO_XDR)
			n[f->width[s]][f->speed[s]]++;
	for (unsigned w = 0; w < 13; w++)
		for (odo_speed s = 0; s <= ODO_XDR; s++) {
			size_t used = strlen(text);
			if (n[w][s] && used < sizeof text)
				snprintf(text + used, sizeof text - used, "%s%ux%s %u",
					 used ? ", " : "", w ? w : 4,
					 s ? odo_speed_name(s) : "SDR (not known)", n[w][s]);
		}
	return json_sprintf("%s%s", text, assumed ? "; the spec names no speed=" : "");
}

/** Computing that is given in cycles lasts as long as the cable's rate says: how long. */
static json_t *computing_summary(const odo_workload_facts *facts, const cli_emulation *made)
{
	json_t *part = json_pack("{sI sI}", "given_in_cycles", (json_int_t)facts->n_in_cycles,
				 "longest_cycles", (json_int_t)facts->most_in_cycles);
	if (part && made->real &&
	    json_object_set_new(
		    part, "longest_us_at_this_rate",
		    json_real(odo_cycles_us(&made->units, (double)facts->most_in_cycles)))) {
		json_decref(part);
		return NULL;
	}
	return part;
}

static int answer_ranks(json_t *answer, const cli_traffic *traffic, const cli_emulation *made)
{
	const odo_workload_facts facts = odo_workload_facts_of(&made->workload);
	int failed = json_object_set_new(answer, "ranks", json_integer(facts.n_ranks));
	failed |= json_object_set_new(answer, "placement", cli_json_text(traffic->placement));
	if (made->n_parts)
		failed |= json_object_set_new(answer, "placed_over",
					      json_sprintf("%u %s", made->n_parts, made->parts));
	if (facts.n_in_cycles)
		failed |= json_object_set_new(answer, "computing", computing_summary(&facts, made));
	return failed;
}

int cli_answer_provenance(json_t *answer, const cli_call *call, const cli_traffic *traffic,
			  const cli_emulation *made)
{
	const odo_run_options *run = &made->emulation.run;
	int failed = answer_fabric_options(answer, call);
	failed |= answer_contents(answer, call, traffic);
	failed |= cli_answer_model(answer, traffic->model, &made->model);
	if (!made->real)
		failed |= json_object_set_new(
			answer, "times_are",
			json_string("cycles, to which this model gives no length in seconds"));
	if (traffic->vlarb)
		failed |= json_object_set_new(answer, "vlarb", cli_json_text(traffic->vlarb));
	if (traffic->workload)
		failed |= answer_ranks(answer, traffic, made);
	if (made->real)
		failed |= json_object_set_new(answer, "cable_rates",
					      cable_rates(made->emulation.fabric,
							  odo_topology_lacks_speed(call->arg[0])));
	failed |= json_object_set_new(answer, "active_hosts", json_integer(made->n_active));
	failed |= json_object_set_new(answer, "seed", json_sprintf("%" PRIu64, run->seed));
	failed |= json_object_set_new(answer, "warmup_asked",
				      json_integer((json_int_t)run->warmup));
	failed |= json_object_set_new(answer, "cycles_asked",
				      json_integer((json_int_t)run->measured));
	if (run->steady)
		failed |= json_object_set_new(answer, "steady", json_true());
	failed |= json_object_set_new(answer, "version", json_string(ODONATA_VERSION));
	return failed | json_object_set_new(answer, "semantics", json_integer(ODO_SEMANTICS));
}

void cli_count_active(const cli_emulation *made, odo_measures *m)
{
	if (!made->n_active || made->n_active == m->n_hosts)
		return;
	double all = (double)m->n_hosts / made->n_active;
	m->offered *= all;
	m->accepted *= all;
	m->accepted_error *= m->accepted_error > 0 ? all : 1;
	m->n_hosts = made->n_active;
}
