/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/connections.h"

#include <stdlib.h>

#include "cli/terminal/answer.h"
#include "routing/reroute/carry.h"
#include "routing/transition/transition.h"
#include "routing/verify/sls.h"
#include "routing/verify/verify.h"

typedef struct findings {
	bool proved; /* the new tables, for packets with the SL of their path */
	uint64_t n_pairs, n_cut, n_reconnect;
	bool knows_change; /* `change` was judged */
	odo_transition change;
	char why[500]; /* the tables are not proved; "" */
} findings;

/* Pairs with an SL that is not safe beside the new tables' own. Every SL in `safe` is so together
 * with the others of it, so connections of other pairs do not matter. */
static int count_unsafe_pairs(const odo_saved *past, const odo_tables *t, unsigned safe,
			      uint64_t *n, odo_error *err)
{
	const odo_fabric *f = past->fabric;
	odo_history *held = NULL;
	int status = odo_history_continue(past->history, f, &held, err);
	for (uint32_t s = 0; !status && s < f->n_switches; s++) {
		bool has_hosts = false;
		for (unsigned port = 1; port <= odo_n_ports(f, s) && !has_hosts; port++)
			has_hosts = f->slot_host[odo_slot(f, s, port)] != ODO_NONE;
		for (uint32_t lid = 1; has_hosts && lid < f->lid_count; lid++) {
			unsigned own = t->from.assumes_sls ? 0 : 1u << odo_path_sl(t, s, lid);
			*n += f->lid_host[lid] != ODO_NONE &&
			      odo_history_held(held, s, lid) & ~(safe | own);
		}
	}
	odo_history_free(held);
	return status;
}

/* Judge tables of another engine: SLs that connections have may mean other paths there. */
static int judge_foreign(const cli_connections *x, findings *out, odo_error *err)
{
	odo_verdict verdict = {0};
	odo_sl_verdict sls = {0};
	odo_error why;
	int status = odo_verify(x->tables, &verdict, &why);
	out->proved = !status;
	out->n_pairs = verdict.n_pairs;
	out->n_cut = verdict.n_missing;
	snprintf(out->why, sizeof out->why, "%s", verdict.text);
	odo_verdict_clear(&verdict);
	if (status && status != ODO_EUNSAFE)
		return odo_fail(err, status, "%s", why.text);
	status = odo_verify_sls(x->tables, out->proved, &sls, err);
	return status ? status
		      : count_unsafe_pairs(x->past, x->tables, sls.beside, &out->n_reconnect, err);
}

static int judge_saved(const cli_connections *x, odo_tables **t, findings *out, odo_error *err)
{
	odo_carried carried;
	odo_sl_changes changes = {0};
	int status = odo_carry(x->saved->tables, x->past->history, x->past->fabric, t, &carried,
			       err);
	if (status == ODO_EUNSAFE) {
		snprintf(out->why, sizeof out->why, "%s", err->text);
		return 0;
	}
	if (!status)
		status = odo_history_compare(x->past->history, *t, &changes, NULL, 0, err);
	out->proved = !status;
	out->n_pairs = carried.n_pairs;
	out->n_cut = carried.n_missing;
	out->n_reconnect = changes.n_reconnect;
	return status;
}

static bool is_harmless(const findings *x)
{
	return x->proved && !x->n_cut && !x->n_reconnect && !x->change.n_looping &&
	       !x->change.n_lost && !x->change.n_cycle;
}

/* "yes" needs all parts; any harm that was found is a "no". */
static json_t *say_safe(const findings *x, bool known)
{
	if (known && !is_harmless(x))
		return json_false();
	return known && x->knows_change ? json_true() : json_string("unknown");
}

static void put_findings(json_t **answer, const findings *x, bool known)
{
	cli_put(answer, "safe", say_safe(x, known));
	if (!known) {
		cli_put_text(answer, "reason", "nobody has seen the tables that will be installed");
		return;
	}
	if (!x->proved) {
		cli_put_text(answer, "reason", x->why);
		return;
	}
	cli_put_count(answer, "pairs", x->n_pairs);
	cli_put_count(answer, "cut_off", x->n_cut);
	cli_put_count(answer, "must_reconnect", x->n_reconnect);
	if (!x->knows_change) {
		cli_put_text(answer, "reason",
			     "the tables that are in the switches are not known: the time while "
			     "they change is not judged");
		return;
	}
	cli_put_count(answer, "changed_entries", x->change.n_changed);
	cli_put_count(answer, "lossy_meanwhile", x->change.n_looping + x->change.n_lost);
	cli_put_bool(answer, "deadlock_meanwhile", x->change.n_cycle > 0);
}

int cli_judge_connections(const cli_connections *change, json_t **answer, odo_error *err)
{
	findings out = {0};
	odo_tables *carried = NULL;
	bool known = change->saved || change->tables;
	int status = change->tables  ? judge_foreign(change, &out, err)
		     : change->saved ? judge_saved(change, &carried, &out, err)
				     : 0;
	const odo_tables *now = change->tables ? change->tables : carried;
	out.knows_change = !status && now && change->before;
	if (out.knows_change)
		status = odo_transition_count(change->before, now, true, &out.change, err);
	if (!status)
		put_findings(answer, &out, known);
	odo_tables_free(carried);
	return status;
}
