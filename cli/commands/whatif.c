/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata whatif: the effect of each failure, before it happens. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/commands/losses.h"
#include "cli/commands/parts.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "routing/choose/floor.h"

typedef cli_whatif_settings settings;

typedef struct answer {
	const cli_call *call;
	const settings *own;
	const odo_tables *before;
	const odo_route_options *options;
	odo_rating rating;
	cli_losses losses;
	uint32_t *order;
} answer;

/* Sort by harm: losses that cannot be routed first, then pairs that are cut, load, and work. */
static int compare_loss_harm(const void *a, const void *b, void *context)
{
	const answer *x = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const odo_loss_effect *e = &x->losses.effect[i], *f = &x->losses.effect[j];
	double left = odo_floor_mean(&e->rating), right = odo_floor_mean(&f->rating);
	if (e->declined != f->declined)
		return e->declined ? -1 : 1;
	if (e->pairs_cut != f->pairs_cut)
		return e->pairs_cut > f->pairs_cut ? -1 : 1;
	if (left < right || left > right)
		return left < right ? -1 : 1;
	if (e->n_changed != f->n_changed)
		return e->n_changed > f->n_changed ? -1 : 1;
	return i < j ? -1 : i > j;
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

static json_t *loss_row(const answer *x, uint32_t i)
{
	const odo_loss_effect *e = &x->losses.effect[i];
	json_t *row = json_object();
	int failed = json_object_set_new(row, "lost",
					 cli_loss_name(x->before->fabric, &x->losses.loss[i]));
	failed |= json_object_set_new(row, "pairs_cut", json_integer((json_int_t)e->pairs_cut));
	failed |= json_object_set_new(row, "uniform", bound_or_null(e, e->rating.uniform));
	failed |= json_object_set_new(row, "shifts", bound_or_null(e, e->rating.shifts));
	failed |= json_object_set_new(row, "engine",
				      e->declined ? json_string("none") : json_string(e->engine));
	failed |= json_object_set_new(row, "vls", json_integer(e->n_vls));
	failed |= json_object_set_new(row, "hosts_off", json_integer((json_int_t)e->hosts_off));
	failed |= json_object_set_new(row, "changed_entries",
				      json_integer((json_int_t)e->n_changed));
	failed |= json_object_set_new(row, "changed_sls", json_integer((json_int_t)e->sl_changed));
	return cli_json_whole(row, failed);
}

static json_t *list_loss_rows(const answer *x, uint32_t most)
{
	json_t *rows = json_array();
	int failed = 0;
	for (uint32_t i = 0; i < x->losses.n && i < most; i++)
		failed |= json_array_append_new(rows, loss_row(x, x->order[i]));
	return cli_json_whole(rows, failed);
}

/* Count the losses with each effect. */
static int summarise_losses(const answer *x, json_t *r)
{
	uint32_t cut = 0, declined = 0, other_engine = 0, more_vls = 0;
	double least = x->rating.uniform;
	for (uint32_t i = 0; i < x->losses.n; i++) {
		const odo_loss_effect *e = &x->losses.effect[i];
		cut += e->pairs_cut > 0;
		declined += e->declined;
		if (e->declined)
			continue;
		other_engine += strcmp(e->engine, x->before->engine) != 0;
		more_vls += e->n_vls > x->before->n_vls;
		if (is_rated(e) && e->rating.uniform < least)
			least = e->rating.uniform;
	}
	int failed = json_object_set_new(r, "uniform", json_real(x->rating.uniform));
	failed |= json_object_set_new(r, "shifts", json_real(x->rating.shifts));
	failed |= json_object_set_new(r, "losses_tried", json_integer(x->losses.n));
	failed |= json_object_set_new(r, "that_cut_pairs", json_integer(cut));
	failed |= json_object_set_new(r, "that_no_engine_serves", json_integer(declined));
	failed |= json_object_set_new(r, "with_another_engine", json_integer(other_engine));
	failed |= json_object_set_new(r, "with_more_vls", json_integer(more_vls));
	return failed | json_object_set_new(r, "least_uniform", json_real(least));
}

static int try_losses(answer *x, odo_error *err)
{
	odo_losses losses = {
		.before = x->before, .engine = x->call->engine, .options = *x->options};
	int status = cli_losses_run(&x->own->losses, &losses, &x->losses, err);
	if (!status && !(x->order = odo_new(x->losses.n, sizeof *x->order)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	for (uint32_t i = 0; i < x->losses.n && !status; i++)
		x->order[i] = i;
	if (!status)
		qsort_r(x->order, x->losses.n, sizeof *x->order, compare_loss_harm, x);
	return status;
}

int cli_whatif_answer(const cli_call *call, const cli_system *system, const settings *own,
		      json_t *r, odo_error *err)
{
	answer x = {
		.call = call, .own = own, .before = system->tables, .options = &system->options};
	int status = odo_floor_rate(x.before, &x.rating, err);
	if (!status)
		status = try_losses(&x, err);
	if (!status) {
		int failed = summarise_losses(&x, r);
		failed |= json_object_set_new(r, "worst", list_loss_rows(&x, own->worst));
		if (failed)
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	cli_losses_clear(&x.losses);
	free(x.order);
	return status;
}

static int run_whatif(cli_call *call)
{
	odo_error err = {0};
	cli_system system = {0};
	int status = cli_system_route(call, &system, &err);
	if (!status) {
		json_t *r = call->result = json_object();
		int failed = cli_answer_origin(r, call);
		failed |= cli_answer_fabric(r, system.fabric, system.coordinates);
		failed |= json_object_set_new(r, "engine", json_string(system.tables->engine));
		failed |= json_object_set_new(r, "vls", json_integer(system.tables->n_vls));
		if (failed)
			status = odo_fail(&err, ODO_ENOMEM, "out of memory");
	}
	if (!status)
		status = cli_whatif_answer(call, &system, call->settings, call->result, &err);
	cli_system_clear(&system);
	return status ? cli_fail(call, &err) : CLI_OK;
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
	.summary = "Try what each failure of a switch or cable would do",
	.about =
		"Take away every switch and every cable between switches in turn; map, route and "
		"prove the fabric each time, as the subnet manager would after the failure. Shown "
		"are the losses that hurt most: pairs of hosts that no cables connect any more; "
		"the loads up to which no cable is full, under uniform traffic and in the mean of "
		"some shifts; the engine and the virtual lanes that serve then; hosts that were on "
		"lost switches; and how many entries of forwarding tables, and SLs of pairs "
		"(switch, LID), change.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.run = run_whatif,
	.examples = examples,
};
