/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Candidates that are close to the tables before. While switches change, some have old entries and
 * some new ones. These candidates avoid cycles of old and new paths, and lose fewer packets.
 */
#include "routing/choose/portfolio.h"

#include <string.h>

#include "routing/choose/relieve.h"
#include "routing/forest/forest.h"
#include "routing/reroute/apart.h"
#include "routing/reroute/blend.h"
#include "routing/reroute/hold.h"
#include "routing/reroute/splice.h"

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
	const odo_tables *before = p->options->before;
	int status = odo_hold(p->options->history, x->tables, err);
	if (!status)
		status = odo_transition_weigh(before, x->tables, &x->change, err);
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
