/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Settings on which the measures of an emulation depend. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/version.h"
#include "cli/emulation/emulation.h"
#include "cli/terminal/answer.h"
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

/** Set the text that `write` prints, without separators before it; add nothing if it prints
 * nothing. */
static void put_written(json_t **answer, const char *key, const void *of,
			void (*write)(FILE *, const void *))
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (to)
		write(to, of);
	if (!to || odo_text_close(to, &text))
		cli_put(answer, key, NULL);
	else if (*text)
		cli_put_text(answer, key, text + strspn(text, " ;"));
	free(text);
}

/** A model, and the preset that it is derived from. */
struct model_changes {
	const odo_model_preset *preset;
	const odo_model *model;
};

/** Write " packet=64,pipeline=125": fields that differ from the preset's, in cycles and phits. */
static void write_model_changes(FILE *to, const void *of)
{
	const struct model_changes *x = of;
	char join = ' ';
	for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
		uint32_t value = model_field(x->model, o);
		if (value == model_field(&x->preset->model, o))
			continue;
		if (o->row.words)
			fprintf(to, "%c%s=%s", join, o->row.name, o->row.words[value]);
		else
			fprintf(to, "%c%s=%u", join, o->row.name, value);
		join = ',';
	}
}

void cli_answer_model(json_t **answer, const char *spec, const odo_model *model)
{
	const struct model_changes changes = {odo_model_preset_of(spec), model};
	cli_put_text(answer, "model", *spec ? spec : changes.preset->name);
	cli_put_text(answer, "model_of", changes.preset->paper);
	put_written(answer, "model_changes", &changes, write_model_changes);
}

/** Write the options that changed the fabric: " --damage=5%,2%,1 --shuffle=7". */
static void write_changes(FILE *to, const void *of)
{
	const cli_call *call = of;
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

/** Write the options that change the tables: " --vls=2 --roots=FILE". */
static void write_routing(FILE *to, const void *of)
{
	const cli_call *call = of;
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

/** Write a file's name, size and hash, unless it is standard input or a live subnet. */
static void write_contents_of(FILE *to, const char *path)
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

/** A call, and its traffic. */
struct inputs {
	const cli_call *call;
	const cli_traffic *traffic;
};

static void write_contents(FILE *to, const void *of)
{
	const struct inputs *x = of;
	const cli_call *call = x->call;
	const char *given[] = {call->arg[0],
			       call->pins,
			       call->roots,
			       call->compute,
			       call->io,
			       x->traffic->vlarb,
			       file_behind_prefix(x->traffic->pattern, ODO_FLOWS_PREFIX),
			       file_behind_prefix(x->traffic->workload, "trace:")};
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		write_contents_of(to, given[i]);
	for (unsigned i = 0; i < call->n_tables; i++)
		write_contents_of(to, call->tables[i]);
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

/** Describe computing that the workload gives in cycles, whose length depends on the cable's rate.
 */
static json_t *computing_summary(const odo_workload_facts *facts, const cli_emulation *made)
{
	json_t *part = json_pack("{sI sI}", "given_in_cycles", (json_int_t)facts->n_in_cycles,
				 "longest_cycles", (json_int_t)facts->most_in_cycles);
	if (made->real)
		cli_put_real(&part, "longest_us_at_this_rate",
			     odo_cycles_us(&made->units, (double)facts->most_in_cycles));
	return part;
}

static void answer_ranks(json_t **answer, const cli_traffic *traffic, const cli_emulation *made)
{
	const odo_workload_facts facts = odo_workload_facts_of(&made->workload);
	cli_put_count(answer, "ranks", facts.n_ranks);
	cli_put_text(answer, "placement", traffic->placement);
	if (made->n_parts)
		cli_put(answer, "placed_over", json_sprintf("%u %s", made->n_parts, made->parts));
	if (facts.n_in_cycles)
		cli_put(answer, "computing", computing_summary(&facts, made));
}

void cli_answer_provenance(json_t **answer, const cli_call *call, const cli_traffic *traffic,
			   const cli_emulation *made)
{
	const odo_run_options *run = &made->emulation.run;
	const struct inputs inputs = {call, traffic};
	cli_put_text(answer, "fabric", call->arg[0]);
	put_written(answer, "fabric_changes", call, write_changes);
	put_written(answer, "routing_options", call, write_routing);
	put_written(answer, "contents", &inputs, write_contents);
	cli_answer_model(answer, traffic->model, &made->model);
	if (!made->real)
		cli_put_text(answer, "times_are",
			     "cycles, to which this model gives no length in seconds");
	if (traffic->vlarb)
		cli_put_text(answer, "vlarb", traffic->vlarb);
	if (traffic->workload)
		answer_ranks(answer, traffic, made);
	if (made->real)
		cli_put(answer, "cable_rates",
			cable_rates(made->emulation.fabric,
				    odo_topology_lacks_speed(call->arg[0])));
	cli_put_count(answer, "active_hosts", made->n_active);
	cli_put(answer, "seed", json_sprintf("%" PRIu64, run->seed));
	cli_put_count(answer, "warmup_asked", run->warmup);
	cli_put_count(answer, "cycles_asked", run->measured);
	if (run->steady)
		cli_put_bool(answer, "steady", true);
	cli_put_text(answer, "version", odo_version);
	cli_put_count(answer, "semantics", ODO_SEMANTICS);
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
