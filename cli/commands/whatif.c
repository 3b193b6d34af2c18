/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata whatif: the effect of each failure, before it happens. */
#include <string.h>

#include "cli/answers.h"
#include "cli/parts/losses.h"
#include "cli/commands/parts.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "routing/choose/floor.h"

typedef cli_whatif_settings settings;

/* Compare by harm: losses that cannot be routed first, then pairs that are cut, load, and work. */
static int compare_loss_harm(const odo_loss_effect *e, const odo_loss_effect *f)
{
	double left = odo_floor_mean(&e->rating), right = odo_floor_mean(&f->rating);
	if (e->declined != f->declined)
		return e->declined ? -1 : 1;
	if (e->pairs_cut != f->pairs_cut)
		return e->pairs_cut > f->pairs_cut ? -1 : 1;
	if (left < right || left > right)
		return left < right ? -1 : 1;
	return (e->n_changed < f->n_changed) - (e->n_changed > f->n_changed);
}

/* Return true if bounds are comparable. If pairs are cut, their traffic is missing, so bounds
 * cannot be compared with those of the whole fabric. */
static bool is_rated(const odo_loss_effect *e)
{
	return !e->declined && !e->pairs_cut;
}

static json_t *bound_or_null(const odo_loss_effect *e, double value)
{
	return is_rated(e) ? json_real(value) : json_null();
}

static void put_effect(json_t **row, const odo_loss_effect *e)
{
	cli_put_count(row, "pairs_cut", e->pairs_cut);
	cli_put(row, "uniform", bound_or_null(e, e->rating.uniform));
	cli_put(row, "shifts", bound_or_null(e, e->rating.shifts));
	cli_put_text(row, "engine", e->declined ? "none" : e->engine);
	cli_put_count(row, "vls", e->n_vls);
	cli_put_count(row, "hosts_off", e->hosts_off);
	cli_put_count(row, "changed_entries", e->n_changed);
	cli_put_count(row, "changed_sls", e->sl_changed);
}

/* Count the losses with each effect. */
static void summarise_losses(const cli_losses *losses, const odo_tables *before,
			     const odo_rating *rating, json_t **r)
{
	uint32_t cut = 0, declined = 0, other_engine = 0, more_vls = 0;
	double least = rating->uniform;
	for (uint32_t i = 0; i < losses->n; i++) {
		const odo_loss_effect *e = &losses->effect[i];
		cut += e->pairs_cut > 0;
		declined += e->declined;
		if (e->declined)
			continue;
		other_engine += strcmp(e->engine, before->engine) != 0;
		more_vls += e->n_vls > before->n_vls;
		if (is_rated(e) && e->rating.uniform < least)
			least = e->rating.uniform;
	}
	cli_put_all(r, json_pack("{sf sf si si si si si sf}", "uniform", rating->uniform, "shifts",
				 rating->shifts, "losses_tried", losses->n, "that_cut_pairs", cut,
				 "that_no_engine_serves", declined, "with_another_engine",
				 other_engine, "with_more_vls", more_vls, "least_uniform", least));
}

int cli_whatif_answer(const cli_call *call, const cli_system *system, const settings *own,
		      json_t **r, odo_error *err)
{
	const odo_tables *before = system->tables;
	odo_losses losses = {.before = before, .engine = call->engine, .options = system->options};
	cli_losses tried = {.compare = compare_loss_harm};
	odo_rating rating;
	int status = odo_floor_rate(before, &rating, err);
	if (!status)
		status = cli_losses_run(&own->losses, &losses, &tried, err);
	if (!status) {
		summarise_losses(&tried, before, &rating, r);
		cli_put(r, "worst",
			cli_list_losses(&tried, before->fabric, own->worst, put_effect));
		status = cli_check_answer(*r, err);
	}
	cli_losses_clear(&tried);
	return status;
}

static int run_whatif(cli_call *call, cli_system *system, odo_error *err)
{
	int status = cli_system_route(call, system, err);
	if (!status) {
		json_t **r = &call->result;
		*r = json_object();
		cli_answer_origin(r, call);
		cli_answer_fabric(r, system->fabric, system->coordinates);
		cli_put_text(r, "engine", system->tables->engine);
		cli_put_count(r, "vls", system->tables->n_vls);
		status = cli_whatif_answer(call, system, call->settings, r, err);
	}
	return status;
}

static const cli_flag flags[] = {{"worst", 0, "N", "Show the N most harmful losses [10]",
				  "Show the N most harmful losses",
				  CLI_NUMBER(settings, worst, 0, UINT32_MAX), .usual = "10"},
				 CLI_LOSS_FLAGS(settings, "2"),
				 {0}};

static const cli_example examples[] = {
	{"odonata whatif dragonfly.net", "Which switch or cable hurts most when it fails", CLI_OK},
	{"odonata whatif dragonfly.net --random 20 --together 3 --json",
	 "Three failures at a time, for a script", CLI_OK},
	{0}};

const cli_command cli_whatif = {
	.name = "whatif",
	.arguments = "FABRIC",
	.summary = "Predict the effect of each failed switch or cable",
	.about = "Remove every switch and every cable between switches in turn; map, route and "
		 "prove the fabric each time, as the subnet manager would after the failure. Print "
		 "the most harmful losses: pairs of hosts that no cables connect any more; the "
		 "loads up to which no cable is full, under uniform traffic and in the mean of "
		 "some shifts; the engine and its virtual lanes; hosts on lost switches; and the "
		 "number of changed entries of forwarding tables, and of changed SLs of pairs "
		 "(switch, LID).",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.run = run_whatif,
	.examples = examples,
};
