/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata transition: the dangers while tables change. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/commands/losses.h"
#include "cli/terminal/output.h"
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

typedef struct answer {
	cli_call *call;
	const odo_tables *before;
	cli_losses losses;
	uint32_t *order;
} answer;

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

static int compare_transition_harm(const void *a, const void *b, void *context)
{
	const answer *x = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	for (unsigned k = 0; k < N_MEASURES; k++) {
		uint64_t left = harm_measure(&x->losses.effect[i], k),
			 right = harm_measure(&x->losses.effect[j], k);
		if (left != right)
			return left > right ? -1 : 1;
	}
	return i < j ? -1 : i > j;
}

static int set_counts(json_t *row, const odo_transition *t)
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
	int failed = 0;
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		failed |= json_object_set_new(row, cells[i].key,
					      json_integer((json_int_t)cells[i].n));
	return failed;
}

/* Add the scope of the following parts of the answer. */
static int set_scope(json_t *r, uint32_t n_left_out, bool assumes_sls)
{
	json_t *sls = json_sprintf(
		"packets with the SLs of their paths%s; other SLs are not judged",
		assumes_sls ? ", a guessed SL 0" : "");
	if (json_object_set_new(r, "scope", sls))
		return -1;
	return n_left_out ? json_object_set_new(r, "lids_not_judged", json_integer(n_left_out)) : 0;
}

static json_t *transition_row(const answer *x, uint32_t i)
{
	const odo_loss_effect *e = &x->losses.effect[i];
	json_t *row = json_object();
	int failed = json_object_set_new(row, "lost",
					 cli_loss_name(x->before->fabric, &x->losses.loss[i]));
	failed |= json_object_set_new(row, "engine",
				      e->declined ? json_string("none") : json_string(e->engine));
	failed |= set_counts(row, &e->transition);
	return cli_json_whole(row, failed);
}

static json_t *list_transition_rows(const answer *x, uint32_t most)
{
	json_t *rows = json_array();
	int failed = 0;
	for (uint32_t i = 0; i < x->losses.n && i < most; i++)
		failed |= json_array_append_new(rows, transition_row(x, x->order[i]));
	return cli_json_whole(rows, failed);
}

enum { SWITCHES = 1, CABLES = 2 };

static unsigned kinds_of_loss(const odo_loss *loss)
{
	unsigned kinds = 0;
	for (uint32_t i = 0; i < loss->n; i++)
		kinds |= loss->part[i].node != ODO_NONE ? SWITCHES : CABLES;
	return kinds;
}

/* Summarise the losses of a kind: how many end well in each way. Return NULL if there are none. */
static json_t *sum_losses(const answer *x, unsigned kind)
{
	static const char *const names[] = {"", "switches", "cables", "both"};
	uint64_t tried = 0, declined = 0, acyclic = 0, mixed = 0, straight = 0, whole = 0,
		 unharmed = 0, safe = 0, twice = 0, changed = 0, least = 0, as_short = 0,
		 twice_as_short = 0;
	for (uint32_t i = 0; i < x->losses.n; i++) {
		const odo_loss_effect *e = &x->losses.effect[i];
		const odo_transition *t = &e->transition;
		if (kinds_of_loss(&x->losses.loss[i]) != kind)
			continue;
		tried++;
		declined += e->declined;
		if (e->declined)
			continue;
		acyclic += !t->n_cycle;
		mixed += !t->n_cycle_mixed;
		straight += !t->n_looping && !t->n_cut_looping;
		whole += !t->n_looping && !t->n_lost;
		unharmed += !t->n_cycle && !t->n_looping && !t->n_lost;
		safe += odo_transition_is_safe(t);
		twice += t->n_changed <= 2 * t->n_least;
		changed += t->n_changed;
		least += t->n_least;
		as_short += t->n_least_as_short;
		twice_as_short += t->n_changed <= 2 * t->n_least_as_short;
	}
	if (!tried)
		return NULL;
	return json_pack("{ss sI sI sI sI sI sI sI sI sI sI sI sI sI}", "lost", names[kind],
			 "tried", (json_int_t)tried, "declined", (json_int_t)declined, "no_cycle",
			 (json_int_t)acyclic, "no_mixed_cycle", (json_int_t)mixed, "no_loop",
			 (json_int_t)straight, "all_arrive", (json_int_t)whole, "unharmed",
			 (json_int_t)unharmed, "safe", (json_int_t)safe, "changed_entries",
			 (json_int_t)changed, "least_entries", (json_int_t)least, "at_most_twice",
			 (json_int_t)twice, "least_as_short", (json_int_t)as_short,
			 "at_most_twice_as_short", (json_int_t)twice_as_short);
}

static json_t *list_loss_sums(const answer *x)
{
	json_t *rows = json_array();
	int failed = 0;
	for (unsigned kind = SWITCHES; kind <= (SWITCHES | CABLES); kind++) {
		bool any = false;
		for (uint32_t i = 0; i < x->losses.n && !any; i++)
			any = kinds_of_loss(&x->losses.loss[i]) == kind;
		if (any)
			failed |= json_array_append_new(rows, sum_losses(x, kind));
	}
	return cli_json_whole(rows, failed);
}

static uint32_t count_switch_lids(const odo_fabric *f)
{
	uint32_t n = 0;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		n += f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] == ODO_NONE;
	return n;
}

static int answer_losses(answer *x, odo_error *err)
{
	cli_call *call = x->call;
	const settings *own = call->settings;
	cli_system system = {0};
	int status = cli_system_route(call, &system, err);
	x->before = system.tables;
	if (!status) {
		odo_losses losses = {.before = x->before,
				     .engine = call->engine,
				     .options = system.options,
				     .transitions = true,
				     .hosts_only = own->hosts_only,
				     .new_sls = own->new_sls};
		status = cli_losses_run(&own->losses, &losses, &x->losses, err);
	}
	if (!status && !(x->order = odo_new(x->losses.n, sizeof *x->order)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	if (!status) {
		for (uint32_t i = 0; i < x->losses.n; i++)
			x->order[i] = i;
		qsort_r(x->order, x->losses.n, sizeof *x->order, compare_transition_harm, x);
		json_t *r = call->result = json_object();
		int failed = cli_answer_origin(r, call);
		failed |= cli_answer_fabric(r, system.fabric, system.coordinates);
		failed |= json_object_set_new(r, "engine", json_string(x->before->engine));
		failed |= set_scope(r, own->hosts_only ? count_switch_lids(system.fabric) : 0,
				    x->before->from.assumes_sls);
		failed |= json_object_set_new(r, "losses", list_loss_sums(x));
		failed |= json_object_set_new(r, "worst", list_transition_rows(x, own->worst));
		if (failed)
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	cli_losses_clear(&x->losses);
	free(x->order);
	cli_system_clear(&system);
	return status;
}

/* Judge the new tables, which remain after the change, so they must be safe by themselves. */
static int answer_change(json_t *r, const odo_transition *t, const odo_tables *old,
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
	int failed = json_object_set_new(r, "safe", cli_answer_safe(new, safe, partial));
	failed |= set_scope(r, t->n_left_out, assumes_sls);
	if (!proved)
		failed |= json_object_set_new(r, "new_tables", cli_json_text(verdict.text));
	failed |= json_object_set_new(r, "pairs", json_integer((json_int_t)t->n_pairs));
	failed |= json_object_set_new(r, "cut_pairs", json_integer((json_int_t)t->n_cut));
	failed |= json_object_set_new(r, "cycle_alone", json_integer(t->n_cycle_alone));
	failed |= set_counts(r, t);
	odo_verdict_clear(&verdict);
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : 0;
}

static int answer_pair(cli_call *call, odo_error *err)
{
	const settings *own = call->settings;
	cli_system system = {0};
	odo_fabric *was = NULL;
	odo_tables *old = NULL, *new = NULL;
	odo_transition t;
	int status = cli_system_open(call, &system, err);
	if (!status && own->was)
		status = odo_fabric_open(own->was, call->lmc, &was, NULL, err);
	if (!status && own->was)
		status = cli_tell_repairs(call, own->was, was->repairs, err);
	if (!status)
		status = cli_import_list(was ? was : system.fabric, own->old, &old, err);
	if (!status)
		status = cli_import_list(system.fabric, own->new, &new, err);
	if (!status)
		status = odo_transition_count(old, new, own->hosts_only, &t, err);
	if (!status) {
		call->result = json_object();
		old->hosts_only = new->hosts_only = own->hosts_only;
		status = cli_answer_fabric(call->result, system.fabric, NULL)
				 ? odo_fail(err, ODO_ENOMEM, "out of memory")
				 : answer_change(call->result, &t, old, new, err);
	}
	odo_tables_free(old);
	odo_tables_free(new);
	odo_fabric_free(was);
	cli_system_clear(&system);
	return status;
}

static int run_transition(cli_call *call)
{
	const settings *own = call->settings;
	odo_error err = {0};
	answer x = {.call = call};
	int status = own->old ? answer_pair(call, &err) : answer_losses(&x, &err);
	if (status)
		return cli_fail(call, &err);
	json_t *safe = json_object_get(call->result, "safe");
	return safe && !json_is_true(safe) ? CLI_NO : CLI_OK;
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
		 "and some "
		 "the new ones, in any order. Take away every switch and every cable between "
		 "switches in "
		 "turn; map, route and prove the fabric each time, and look at the change from the "
		 "tables "
		 "before. Pairs are (switch, LID). Looping and lost pairs: both tables connect "
		 "them, and "
		 "yet their packets can go round, or end somewhere, while switches differ. Cut "
		 "looping: "
		 "the loss itself cut their path, and their packets can go round. Cycle: channels "
		 "(virtual "
		 "lanes of cables) that can wait for each other in a circle while packets are on "
		 "old paths "
		 "and on new ones; here is how many. Mixed cycle: the same for packets that may "
		 "find an "
		 "old or a new entry at every switch. Least entries: those that any new tables "
		 "would have to change. Least as short: those that tables would have to change "
		 "whose paths are no longer than the new ones. For all losses the answer is how "
		 "many have no such cycle, no loop at all, all pairs that arrive as long as both "
		 "tables connect them, both of cycle and arrival (unharmed), all of these (safe), "
		 "and at most twice the least entries changed, by either count. "
		 "With --old and --new that one change is looked at, and what it leads to is "
		 "proved; exit code 1 says that it is not safe.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.run = run_transition,
	.examples = examples,
};
