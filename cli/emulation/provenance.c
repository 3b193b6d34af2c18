/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Settings on which the measures of an emulation depend. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/emulation/emulation.h"
#include "cli/terminal/output.h"
#include "emulator/semantics.h"
#include "fabric/format/formats.h"
#include "fabric/topology/topology.h"

static uint32_t field_of(const odo_model *model, const odo_model_option *o)
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
		uint32_t value = field_of(model, o);
		if (value == field_of(&preset->model, o))
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

/** The words that made another fabric of it: "--damage=5%,2%,1 --shuffle=7". */
static json_t *transforms(const cli_call *call)
{
	char text[400] = "";
	size_t n = 0;
#define ADD(...) n += (size_t)snprintf(text + n, sizeof text - n, __VA_ARGS__)
	if (call->damage.wanted)
		ADD(" --damage=%g%%,%g%%,%" PRIu64, 100 * call->damage.share[0],
		    100 * call->damage.share[1], call->damage.seed);
	if (call->miscable.wanted)
		ADD(" --miscable=%g%%,%" PRIu64, 100 * call->miscable.share[0],
		    call->miscable.seed);
	if (call->shuffle)
		ADD(" --shuffle=%" PRIu64, call->shuffle_seed);
	if (call->part)
		ADD(" --part=%u", call->part);
	if (call->lmc)
		ADD(" --lmc=%u", call->lmc);
#undef ADD
	return json_string(n ? text + 1 : "");
}

static int answer_fabric(json_t *answer, const cli_call *call)
{
	const char *spec = call->arg[0];
	json_t *changed = transforms(call);
	int failed = json_object_set_new(answer, "fabric", cli_json_text(spec));
	if (changed && *json_string_value(changed))
		failed |= json_object_set(answer, "fabric_changes", changed);
	json_decref(changed);
	return failed;
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
					 used ? ", " : "", w, odo_speed_name(s), n[w][s]);
		}
	return json_sprintf("%s%s", text, assumed ? "; the spec names no speed=" : "");
}

/** Computing that is given in cycles lasts as long as the cable's rate says: how long. */
static json_t *computing(const odo_workload_facts *facts, const cli_emulation *made)
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
					      json_sprintf("%u parts", made->n_parts));
	if (facts.n_in_cycles)
		failed |= json_object_set_new(answer, "computing", computing(&facts, made));
	return failed;
}

int cli_answer_provenance(json_t *answer, const cli_call *call, const cli_traffic *traffic,
			  const cli_emulation *made)
{
	const odo_run_options *run = &made->emulation.run;
	int failed = answer_fabric(answer, call);
	failed |= cli_answer_model(answer, traffic->model, &made->model);
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
