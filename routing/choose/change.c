/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Candidates that are close to the tables before. While switches change, some have old entries and
 * some new ones. These candidates avoid cycles of old and new paths, and lose fewer packets.
 */
#include "routing/choose/portfolio.h"

#include <string.h>

#include "routing/choose/relieve.h"
#include "fabric/twins.h"
#include "routing/forest/forest.h"
#include "routing/reroute/apart.h"
#include "routing/reroute/blend.h"
#include "routing/reroute/carry.h"
#include "routing/reroute/hold.h"
#include "routing/reroute/splice.h"
#include "routing/turns/colour.h"
#include "routing/turns/stage.h"

static uint64_t lossy_pairs(const odo_transition *x)
{
	return x->n_looping + x->n_lost + x->n_cut_looping;
}

/* Return true if a new routing by this engine would change nearly all paths. */
static bool deals_anew(const odo_tables *t)
{
	const odo_engine *row = odo_engine_find(t->engine);
	return row && row->deals_anew;
}

/* Return true if tables before can be changed in steps: tables of plain InfiniBand that the
 * operator still allows, by the named engine if there is one. */
static bool has_usable_past(const odo_portfolio *p)
{
	const odo_tables *before = p->options->before;
	return before && (!p->named || !strcmp(before->engine, p->named->name)) &&
	       before->profile == ODO_PROFILE_IB && p->chosen.tables->profile == ODO_PROFILE_IB &&
	       odo_is_allowed(before, p->options);
}

int odo_weigh_change(odo_portfolio *p, odo_error *err)
{
	const odo_tables *before = p->options->before;
	odo_transition *change = &p->chosen.change;
	bool dear;
	if (!has_usable_past(p))
		return 0;
	int status = odo_transition_is_dear(p->chosen.tables, &dear, err);
	if (status || dear)
		return status;
	status = odo_transition_weigh(before, p->chosen.tables, change, err);
	bool harmless = !change->n_cycle && !lossy_pairs(change);
	p->weighs_change = !harmless || (before->from.spliced && !before->from.unfinished);
	return status;
}

/* Let tables close to those before keep SLs that connections use, and weigh their change. */
static int finish_step(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	int status = odo_hold(p->options->history, x->tables, err);
	if (!status)
		status = odo_transition_weigh(p->options->before, x->tables, &x->change, err);
	return status;
}

/* Return true if some switch gets an entry that it does not have yet. */
static bool moves_entries(const odo_portfolio *p, const odo_candidate *x)
{
	return x->change.n_changed ||
	       p->fabric->n_switches > p->options->before->fabric->n_switches;
}

/* `layered` takes no steps, since a repaired fabric must get its original tables back. */
bool odo_is_step(const odo_portfolio *p, const odo_engine *engine)
{
	(void)engine;
	return strcmp(p->options->before->engine, "layered") != 0;
}

/* Take a part of the chosen tables if something was added; others follow later. */
int odo_make_step(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	int status = odo_blend(p->options->before, p->chosen.tables, &x->tables, err);
	if (!status)
		status = finish_step(p, x, err);
	if (!status)
		x->tables->from.unfinished |= moves_entries(p, x);
	return status;
}

/* Return the price of tables that change no entry. A restart must change nothing, so repaired
 * tables that are installed stay. */
static odo_price price_restart(const odo_portfolio *p, const odo_candidate *x)
{
	bool repaired = p->options->before->from.spliced && !x->tables->from.unfinished;
	return repaired ? ODO_FREE : ODO_FORBIDDEN;
}

static bool avoids_cycle(const odo_portfolio *p, const odo_candidate *x)
{
	return p->chosen.change.n_cycle && !x->change.n_cycle;
}

static bool avoids_losses(const odo_portfolio *p, const odo_candidate *x)
{
	return !x->change.n_cycle && lossy_pairs(&x->change) < lossy_pairs(&p->chosen.change);
}

/* A step towards the chosen tables costs nothing, because they follow. */
odo_price odo_price_step(const odo_portfolio *p, const odo_candidate *x)
{
	if (!x->tables)
		return ODO_FREE;
	if (avoids_cycle(p, x))
		return moves_entries(p, x) ? ODO_FREE : ODO_SPARES_DEADLOCK;
	if (!moves_entries(p, x))
		return price_restart(p, x);
	return avoids_losses(p, x) ? ODO_FREE : ODO_FORBIDDEN;
}

bool odo_is_repair(const odo_portfolio *p, const odo_engine *engine)
{
	const odo_tables *before = p->options->before;
	(void)engine;
	return !p->has_step &&
	       (p->chosen.change.n_cycle || before->from.spliced || deals_anew(before));
}

/* Move paths off the fullest cables if that does no harm: repaired tables crowd the cables near a
 * failure. */
static int relieve_repair(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	uint32_t n_moved = 0;
	odo_tables *relieved = NULL;
	odo_transition change = {0};
	int status = odo_tables_copy(x->tables, &relieved, err);
	if (!status)
		status = odo_relieve(relieved, p->options->watch, &n_moved, err);
	if (!status && n_moved)
		status = odo_transition_weigh(p->options->before, relieved, &change, err);
	if (!status && n_moved && !change.n_cycle &&
	    lossy_pairs(&change) <= lossy_pairs(&x->change)) {
		odo_tables *crowded = x->tables;
		relieved->from.relieved = true;
		x->tables = relieved;
		x->change = change;
		relieved = crowded;
	}
	odo_tables_free(relieved);
	return status;
}

/* Repair the tables before: only paths that broke are led another way. */
int odo_make_repair(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	int status = odo_splice(p->options->before, p->chosen.tables, &x->tables, err);
	if (!status)
		status = finish_step(p, x, err);
	if (!status && x->change.n_changed && !x->change.n_cycle)
		status = relieve_repair(p, x, err);
	return status;
}

/* Repaired tables are no step towards the chosen ones, which must be installed at some time. */
odo_price odo_price_repair(const odo_portfolio *p, const odo_candidate *x)
{
	if (!x->tables || avoids_cycle(p, x))
		return ODO_SPARES_DEADLOCK;
	if (!moves_entries(p, x))
		return price_restart(p, x);
	return avoids_losses(p, x) && deals_anew(p->options->before) ? ODO_SPARES_MOVES
								     : ODO_FORBIDDEN;
}

/* With one VL before and now, the manager may not program SL2VL maps. */
bool odo_is_apart(const odo_portfolio *p, const odo_engine *engine)
{
	(void)engine;
	return p->chosen.change.n_cycle &&
	       (p->options->before->n_vls > 1 || p->chosen.tables->n_vls > 1);
}

/* Move the chosen tables to VLs that those before do not use. A restart recognises such tables as
 * it recognises repaired ones. */
int odo_make_apart(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	const odo_tables *before = p->options->before, *chosen = p->chosen.tables;
	odo_vl_map there;
	if (!odo_vls_apart(before, chosen, odo_vl_budget(chosen->fabric, p->options), &there))
		return odo_fail(err, ODO_EDECLINE, "too few VLs for old and new paths");
	int status = odo_tables_copy(chosen, &x->tables, err);
	if (!status)
		status = odo_vls_move(x->tables, &there, err);
	if (!status)
		status = odo_transition_weigh(before, x->tables, &x->change, err);
	if (!status)
		x->tables->from.spliced = true;
	return status;
}

odo_price odo_price_apart(const odo_portfolio *p, const odo_candidate *x)
{
	return !x->tables || avoids_cycle(p, x) ? ODO_FREE : ODO_FORBIDDEN;
}

/* The rest of a change in steps, as long as the fabric stays as it is. */

bool odo_is_rest(const odo_portfolio *p, const odo_engine *engine)
{
	(void)engine;
	return p->options->before && p->options->before->goal;
}

/* Carry tables over to the same fabric. */
static int take_over_tables(const odo_portfolio *p, const odo_tables *t, odo_tables **out,
			    odo_error *err)
{
	int status = odo_carry_unproved(t, p->fabric, out, err);
	if (!status)
		(*out)->from = t->from;
	return status;
}

int odo_make_rest(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	const odo_tables *before = p->options->before, *goal = before->goal;
	int grown = odo_has_grown(p->fabric, goal->fabric);
	int lost = odo_has_grown(goal->fabric, p->fabric);
	if (grown < 0 || lost < 0)
		return odo_fail(err, ODO_ENOMEM, "no memory to go on with a change");
	if (grown || lost || !odo_is_allowed(goal, p->options))
		return odo_fail(err, ODO_EDECLINE, "the fabric or the options have changed");
	bool hold = p->options->hold_step;
	int status = take_over_tables(p, hold ? before : goal, &x->tables, err);
	if (!status && hold)
		status = take_over_tables(p, goal, &x->tables->goal, err);
	return status;
}

/* Changes without a cycle in any mix of old and new entries and maps. */

/* Return true if the manager programmed no SL2VL maps for the tables before, and does now. By its
 * own maps the VL depends on the SL. */
static bool gets_vls(const odo_portfolio *p)
{
	return p->options->before->n_vls == 1 && p->chosen.tables->n_vls > 1;
}

/* Only where the SL of packets does not matter: no other tables are judged by all mixes. */
bool odo_is_mixing(const odo_portfolio *p, const odo_engine *engine)
{
	(void)engine;
	return p->options->max_sls == 1 && has_usable_past(p) && p->chosen.change.n_pairs &&
	       odo_tables_sls_alike(p->options->before) && odo_tables_sls_alike(p->chosen.tables);
}

/* Take tables if the change to them closes no cycle in any mix; else free them. */
static int take_unmixed(const odo_portfolio *p, odo_candidate *x, odo_tables *t, odo_error *err)
{
	int status = t ? odo_transition_count(p->options->before, t, false, &x->change, err) : 0;
	if (!t || status || x->change.n_cycle_mixed)
		odo_tables_free(t);
	else
		x->tables = t;
	return status;
}

/* Take a first step, and note the tables that follow. */
static int take_first_step(const odo_portfolio *p, odo_candidate *x, odo_tables *first,
			   odo_tables **goal, odo_error *err)
{
	int status = take_unmixed(p, x, first, err);
	if (x->tables) {
		x->tables->goal = *goal;
		*goal = NULL;
	}
	return status;
}

/* Change VLs first. Entries follow. */
static int take_vls(const odo_portfolio *p, odo_candidate *x, odo_tables **goal, odo_error *err)
{
	odo_tables *t;
	int status = odo_stage_tables(p->options->before, *goal, ODO_STEP_VLS, NULL, &t, err);
	return status ? status : take_first_step(p, x, t, goal, err);
}

/* Choose VLs with which nothing goes wrong in any order; or change some entries, or VLs, first. */
int odo_make_unmixed(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	const odo_tables *before = p->options->before;
	odo_tables *goal, *first = NULL, *t = NULL;
	bool has_vls = before->n_vls > 1 || p->chosen.tables->n_vls > 1;
	bool at_once = !gets_vls(p), steps = p->options->steps;
	odo_transition as_is;
	int status = odo_transition_count(before, p->chosen.tables, false, &as_is, err);
	if (!status && at_once && !as_is.n_cycle_mixed)
		return odo_fail(err, ODO_EDECLINE, "no order of changes closes a cycle");
	if (status)
		return status;
	status = odo_colour_change(p->chosen.tables, has_vls ? p->options->max_vls : 1, before,
				   &goal, &first, err);
	if (!status && at_once && !first)
		status = odo_tables_copy(goal, &t, err);
	if (!status && t)
		status = take_unmixed(p, x, t, err);
	if (!status && at_once && first && steps)
		status = take_first_step(p, x, first, &goal, err);
	else
		odo_tables_free(first);
	if (!status && !x->tables && has_vls && steps && !before->goal)
		status = take_vls(p, x, &goal, err);
	odo_tables_free(goal);
	return status || x->tables ? status
				   : odo_fail(err, ODO_EDECLINE, "each step can close a cycle");
}
