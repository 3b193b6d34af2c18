/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata transition: the dangers while tables change. */

#include "cli/answers.h"
#include "cli/parts/losses.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "fabric/format/format.h"

typedef struct settings {
	cli_loss_settings losses;
	uint32_t worst;
	char *old, *new; /**< "FILE,FILE", or NULL */
	const char *was; /**< fabric of the old tables, or NULL */
	bool hosts_only, new_sls;
} settings;

/* Measures of the harm of a change after a loss, the most important first. */
enum { N_MEASURES = 6 };

static uint64_t harm_measure(const odo_loss_effect *e, unsigned measure)
{
	const odo_transition *t = &e->transition;
	const uint64_t by[N_MEASURES] = {
		e->declined,      t->n_cycle,       t->n_looping + t->n_lost,
		t->n_cut_looping, t->n_cycle_mixed, t->n_changed};
	return by[measure];
}

static int compare_transition_harm(const odo_loss_effect *e, const odo_loss_effect *f)
{
	int harm = 0;
	for (unsigned k = 0; k < N_MEASURES && !harm; k++) {
		uint64_t left = harm_measure(e, k), right = harm_measure(f, k);
		harm = (left < right) - (left > right);
	}
	return harm;
}

static void set_counts(json_t **row, const odo_transition *t)
{
	const struct {
		const char *key;
		uint64_t n;
	} cells[] = {{"cycle", t->n_cycle},
		     {"mixed_cycle", t->n_cycle_mixed},
		     {"looping", t->n_looping},
		     {"lost_pairs", t->n_lost},
		     {"cut_looping", t->n_cut_looping},
		     {"changed_entries", t->n_changed},
		     {"least_entries", t->n_least},
		     {"least_as_short", t->n_least_as_short}};
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		cli_put_count(row, cells[i].key, cells[i].n);
}

/* Add the scope of the following parts of the answer. */
static void set_scope(json_t **r, uint32_t n_left_out, bool assumes_sls)
{
	cli_put(r, "scope",
		json_sprintf("packets with the SLs of their paths%s; other SLs are not judged",
			     assumes_sls ? ", a guessed SL 0" : ""));
	if (n_left_out)
		cli_put_count(r, "lids_not_judged", n_left_out);
}

static void put_change(json_t **row, const odo_loss_effect *e)
{
	cli_put_text(row, "engine", e->declined ? "none" : e->engine);
	set_counts(row, &e->transition);
}

enum { SWITCHES = 1, CABLES = 2 };

static unsigned kinds_of_loss(const odo_loss *loss)
{
	unsigned kinds = 0;
	for (uint32_t i = 0; i < loss->n; i++)
		kinds |= loss->part[i].node != ODO_NONE ? SWITCHES : CABLES;
	return kinds;
}

/* Sums over losses. A declined loss counts in the first two alone. */
static const char *const sum_keys[] = {"tried",
				       "declined",
				       "no_cycle",
				       "no_mixed_cycle",
				       "no_loop",
				       "all_arrive",
				       "unharmed",
				       "safe",
				       "changed_entries",
				       "least_entries",
				       "at_most_twice",
				       "least_as_short",
				       "at_most_twice_as_short"};
enum { N_SUMS = sizeof sum_keys / sizeof *sum_keys };

static void add_to_sums(uint64_t *sum, const odo_loss_effect *e)
{
	const odo_transition *t = &e->transition;
	bool arrive = !t->n_looping && !t->n_lost;
	const uint64_t by[N_SUMS] = {1,
				     e->declined,
				     !t->n_cycle,
				     !t->n_cycle_mixed,
				     !t->n_looping && !t->n_cut_looping,
				     arrive,
				     arrive && !t->n_cycle,
				     odo_transition_is_safe(t),
				     t->n_changed,
				     t->n_least,
				     t->n_changed <= 2 * t->n_least,
				     t->n_least_as_short,
				     t->n_changed <= 2 * t->n_least_as_short};
	for (unsigned i = 0; i < (e->declined ? 2 : N_SUMS); i++)
		sum[i] += by[i];
}

/* Summarise the losses of switches, of cables, and of both. */
static json_t *list_loss_sums(const cli_losses *losses)
{
	static const char *const names[] = {"", "switches", "cables", "both"};
	json_t *rows = json_array();
	for (unsigned kind = SWITCHES; kind <= (SWITCHES | CABLES); kind++) {
		uint64_t sum[N_SUMS] = {0};
		for (uint32_t i = 0; i < losses->n; i++)
			if (kinds_of_loss(&losses->loss[i]) == kind)
				add_to_sums(sum, &losses->effect[i]);
		if (!sum[0])
			continue;
		json_t *row = json_pack("{ss}", "lost", names[kind]);
		for (unsigned i = 0; i < N_SUMS; i++)
			cli_put_count(&row, sum_keys[i], sum[i]);
		cli_append(&rows, row);
	}
	return rows;
}

static uint32_t count_switch_lids(const odo_fabric *f)
{
	uint32_t n = 0;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		n += f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] == ODO_NONE;
	return n;
}

static int answer_losses(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	cli_losses tried = {.compare = compare_transition_harm};
	int status = cli_system_route(call, system, err);
	if (!status) {
		odo_losses losses = {.before = system->tables,
				     .engine = call->engine,
				     .options = system->options,
				     .transitions = true,
				     .hosts_only = own->hosts_only,
				     .new_sls = own->new_sls};
		status = cli_losses_run(&own->losses, &losses, &tried, err);
	}
	if (!status) {
		json_t **r = &call->result;
		*r = json_object();
		cli_answer_origin(r, call);
		cli_answer_fabric(r, system->fabric, system->coordinates);
		cli_put_text(r, "engine", system->tables->engine);
		set_scope(r, own->hosts_only ? count_switch_lids(system->fabric) : 0,
			  system->tables->from.assumes_sls);
		cli_put(r, "losses", list_loss_sums(&tried));
		cli_put(r, "worst",
			cli_list_losses(&tried, system->fabric, own->worst, put_change));
		status = cli_check_answer(*r, err);
	}
	cli_losses_clear(&tried);
	return status;
}

/* Judge the new tables, which remain after the change, so they must be safe by themselves. */
static int answer_change(json_t **r, const odo_transition *t, const odo_tables *old,
			 const odo_tables *new, odo_error *err)
{
	odo_verdict verdict = {0};
	int status = odo_verify(new, &verdict, err);
	bool proved = !status;
	if (status && status != ODO_EUNSAFE) {
		odo_verdict_clear(&verdict);
		return status;
	}
	bool assumes_sls = old->from.assumes_sls || new->from.assumes_sls;
	bool partial = cli_guesses_sls(old) || assumes_sls || verdict.n_stray_arrivals ||
		       verdict.n_stray_guesses;
	bool safe = proved && odo_transition_is_safe(t);
	cli_put(r, "safe", cli_answer_safe(new, safe, partial));
	set_scope(r, t->n_left_out, assumes_sls);
	if (!proved)
		cli_put_text(r, "new_tables", verdict.text);
	cli_put_count(r, "pairs", t->n_pairs);
	cli_put_count(r, "cut_pairs", t->n_cut);
	cli_put_count(r, "cycle_alone", t->n_cycle_alone);
	set_counts(r, t);
	odo_verdict_clear(&verdict);
	return cli_check_answer(*r, err);
}

static int answer_pair(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	odo_fabric *was = NULL;
	odo_tables *old = NULL, *new = NULL;
	odo_transition t;
	int status = cli_system_open(call, system, err);
	if (!status && own->was)
		status = odo_fabric_open(own->was, call->lmc, &was, NULL, err);
	if (!status && own->was)
		status = cli_report_repairs(call, own->was, was->repairs, err);
	if (!status)
		status = cli_import_list(was ? was : system->fabric, own->old, false, &old, err);
	if (!status)
		status = cli_import_list(system->fabric, own->new, false, &new, err);
	if (!status)
		status = odo_transition_count(old, new, own->hosts_only, &t, err);
	if (!status) {
		call->result = json_object();
		old->hosts_only = new->hosts_only = own->hosts_only;
		cli_answer_fabric(&call->result, system->fabric, NULL);
		status = answer_change(&call->result, &t, old, new, err);
	}
	odo_tables_free(old);
	odo_tables_free(new);
	odo_fabric_free(was);
	return status;
}

static int run_transition(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	int status = own->old ? answer_pair(call, system, err) : answer_losses(call, system, err);
	json_t *safe = json_object_get(call->result, "safe");
	call->code = safe && !json_is_true(safe) ? CLI_NO : CLI_OK;
	return status;
}

static const cli_flag flags[] = {
	{"old", 0, "FILE[,FILE...]", "Old tables to import",
	 "Old tables to import: LFTs, and their SL2VL maps and SLs, if any",
	 CLI_TEXT(settings, old), .needs = "new"},
	{"new", 0, "FILE[,FILE...]", "New tables to import", NULL, CLI_TEXT(settings, new),
	 .needs = "old"},
	{"was", 0, "FABRIC", NULL, "With --old: the fabric of the old tables [the same fabric]",
	 CLI_TEXT(settings, was), .needs = "old"},
	{"hosts-only", 0, NULL, NULL,
	 "Leave out paths to the LIDs of switches, which only management uses",
	 CLI_BOOL(settings, hosts_only)},
	{"new-sls", 0, NULL, NULL, "Assume that no connection keeps its SL after a loss",
	 CLI_BOOL(settings, new_sls)},
	{"worst", 0, "N", "Show the N losses with the most harmful change [10]",
	 "Show the N losses with the most harmful change",
	 CLI_NUMBER(settings, worst, 0, UINT32_MAX), .usual = "10"},
	CLI_LOSS_FLAGS(settings, "1"),
	{0}};

static const cli_example examples[] = {
	{"odonata transition dragonfly.net",
	 "Lose each switch and cable in turn: what can happen while tables change", CLI_OK},
	{"odonata transition dragonfly.net --old dragonfly.lfts --new dragonfly.lfts",
	 "The change from some tables to others; without SL2VL maps these can deadlock", CLI_NO},
	{0}};

const cli_command cli_transition = {
	.name = "transition",
	.arguments = "FABRIC",
	.summary = "Find what can go wrong while tables change",
	.about = "While the subnet manager installs new tables, some switches have the old ones "
		 "and some the new ones, in any order. Remove every switch and every cable between "
		 "switches in turn; map, route and prove the fabric each time, and judge the "
		 "change from the previous tables. Pairs are (switch, LID).\n\n"
		 "- Looping and lost pairs: both tables connect the pair, but its packets can "
		 "loop, or end at a wrong place, while switches differ.\n"
		 "- Cut looping: the loss itself cut the path, and its packets can loop.\n"
		 "- Cycle: number of channels (virtual lanes of cables) that can wait for each "
		 "other in a cycle while packets are on old and on new paths.\n"
		 "- Mixed cycle: the same for packets that may find an old or a new entry at every "
		 "switch.\n"
		 "- Least entries: the minimum number of changed entries of any new tables.\n"
		 "- Least as short: the minimum number of changed entries if paths may not get "
		 "longer than the new ones.\n\n"
		 "\"losses\" counts the losses without a cycle, without a loop, with all pairs "
		 "arriving that both tables connect, without cycle and with arrival (unharmed), "
		 "with all of these (safe), and with at most twice the least changed entries by "
		 "either count. With --old and --new, judge that one change, and prove the new "
		 "tables; exits with 1 if it is not safe.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.run = run_transition,
	.examples = examples,
};
