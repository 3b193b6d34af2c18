/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata probe: reports what the switches of a live subnet can do. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/live.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "cli/terminal/answer.h"

typedef struct settings {
	uint64_t write; /**< GUID of the switch of the trial, or 0 */
} settings;

static void set_guid(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)flag;
	const char *at = text;
	if (!odo_take_digits(&at, NULL, 0, to) || *at || !*(uint64_t *)to)
		cli_usage_error(call, "--write: expected the GUID of a switch, found %s", text);
}

static void check_probe(cli_call *call)
{
	if (!cli_is_live(call->arg[0]))
		cli_usage_error(call, "expected live, found %s", call->arg[0]);
	if (call->damage.wanted || call->miscable.wanted || call->shuffle || call->part ||
	    call->lmc)
		cli_usage_error(call, "--damage, --miscable, --shuffle, --part, --lmc: expected "
				      "the subnet as it is");
}

enum { MODEL = 11 };

/* Write everything that makes a model: all that is reported except GUID and name. */
static void write_model(const odo_probe *p, uint32_t model[MODEL])
{
	const uint32_t all[MODEL] = {p->vendor,       p->device,
				     p->ports,        p->cabled,
				     p->lft_capacity, p->multicast_capacity,
				     p->vls,          p->operational_vls,
				     p->has_sl2vl,    p->optimized_sl2vl,
				     p->is_silent};
	memcpy(model, all, sizeof all);
}

static int compare_switch_models(const void *a, const void *b)
{
	uint32_t x[MODEL], y[MODEL];
	write_model(a, x);
	write_model(b, y);
	return memcmp(x, y, sizeof x);
}

static json_t *model_row(const odo_probe *p, size_t n)
{
	const char *sl2vl = p->is_silent ? "no answer" : p->has_sl2vl ? "yes" : "no";
	return json_pack("{sI so so so si si sI sI si si ss sb}", "switches", (json_int_t)n,
			 "example", cli_json_text(p->name), "vendor",
			 json_sprintf("0x%06x", p->vendor), "device",
			 json_sprintf("0x%04x", p->device), "ports", p->ports, "cabled", p->cabled,
			 "lft_capacity", (json_int_t)p->lft_capacity, "multicast_capacity",
			 (json_int_t)p->multicast_capacity, "vls", p->vls, "operational_vls",
			 p->operational_vls, "sl2vl", sl2vl, "optimized_sl2vl", p->optimized_sl2vl);
}

static json_t *list_switch_models(odo_probe *probe, size_t n, size_t *unable)
{
	json_t *rows = json_array();
	qsort(probe, n, sizeof *probe, compare_switch_models);
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n && !compare_switch_models(&probe[i], &probe[i + same]);)
			same++;
		*unable += probe[i].has_sl2vl ? 0 : same;
		cli_append(&rows, model_row(&probe[i], same));
	}
	return rows;
}

static json_t *trial_part(const odo_probe_trial *trial)
{
	return json_pack("{so si si si sb sb sb}", "switch", cli_json_guid(trial->guid), "input",
			 trial->in, "output", trial->out, "other_input", trial->other_in, "taken",
			 trial->is_taken, "by_input", trial->is_by_input, "restored",
			 trial->is_restored);
}

static int run_probe(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	const settings *own = call->settings;
	odo_probe_trial trial = {.guid = own->write};
	odo_probe *probe;
	char spec[CLI_SPEC];
	size_t n, unable = 0;
	int status = cli_live_probe(cli_live_spec(call, spec), call->key, &probe, &n,
				    own->write ? &trial : NULL, err);
	if (status)
		return status;
	json_t **r = &call->result;
	*r = json_object();
	cli_put_count(r, "switches", n);
	cli_put(r, "models", list_switch_models(probe, n, &unable));
	cli_put_count(r, "without_sl2vl", unable);
	if (own->write)
		cli_put(r, "trial", trial_part(&trial));
	free(probe);
	if (unable || (own->write && !(trial.is_by_input && trial.is_restored)))
		call->code = CLI_NO;
	return cli_check_answer(*r, err);
}

static const cli_flag flags[] = {{"write", 0, "GUID", "Try one map of the switch with this GUID",
				  "Write one SL2VL map of the switch with this GUID, at a port "
				  "without a cable, read it and a neighbour back, and restore it",
				  CLI_OWN(set_guid, settings, write)},
				 {0}};

static const cli_example examples[] = {
	{"odonata probe live", "The models of switches, and whether they have SL2VL maps",
	 CLI_SYSTEM},
	{"odonata probe live --write 0x1", "Try whether maps are kept by input port", CLI_SYSTEM},
	{0}};

const cli_command cli_probe = {
	.name = "probe",
	.arguments = "FABRIC",
	.summary = "Report what the switches of a live subnet can do",
	.about = "Read from every switch what Odonata's tables need of it, and count equal "
		 "switches: LIDs that forwarding tables hold, VLs that the cabled ports support "
		 "and have in operation (the fewest of a switch), SL2VL maps by input and output "
		 "port, and whether one packet may write several of them. Nothing is written, and "
		 "a subnet manager may run.\n\n"
		 "That a switch has maps is what it says of itself. --write shows it on one "
		 "switch: at a port without a cable, which no packet crosses, one map gets other "
		 "VLs, is read back beside the map of another input port, and is restored. "
		 "\"taken\": the switch holds the map as it was written; \"by_input\": the other "
		 "map stayed as it was; \"restored\": both are as before. OpenSM writes the maps of a "
		 "port when a cable comes up there, whatever becomes of the trial.\n\n"
		 "Exits with 1 if a switch has no maps, or if the trial failed. Tables on one VL "
		 "need no maps.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.check = check_probe,
	.run = run_probe,
	.examples = examples,
};
