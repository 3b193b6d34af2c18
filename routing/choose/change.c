/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/choose/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routing/choose/floor.h"
#include "routing/choose/relieve.h"
#include "routing/forest/forest.h"
#include "routing/reroute/apart.h"
#include "routing/reroute/blend.h"
#include "routing/reroute/hold.h"
#include "routing/reroute/splice.h"
#include "routing/transition/transition.h"
#include "routing/verify/verify.h"

bool odo_is_allowed(const odo_tables *t, const odo_route_options *options)
{
	return !options || ((!options->max_vls || t->n_vls <= options->max_vls) &&
			    (!options->max_sls || t->n_sls <= options->max_sls));
}

int odo_prove(odo_tables *t, const odo_route_options *options, odo_error *err)
{
	odo_verdict verdict = {0};
	int status = options ? odo_hold(options->history, t, err) : 0;
	if (!status) {
		status = odo_verify(t, &verdict, err);
		odo_verdict_clear(&verdict);
	}
	if (!status)
		return 0;
	odo_fail_within(err, "%s", t->engine);
	odo_tables_free(t);
	return status;
}

int odo_judge(const odo_tables *t, bool *proved, odo_error *err)
{
	odo_verdict verdict = {0};
	odo_error why;
	int status = odo_verify(t, &verdict, &why);
	odo_verdict_clear(&verdict);
	*proved = !status;
	return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
}

void odo_note_other(odo_tables *t, const char *engine, bool anew, bool at_most,
		    const odo_rating *own, const odo_rating *other)
{
	const char *how = t->from.spliced                ? " made anew"
			  : anew == t->from.detours_anew ? ""
			  : anew                         ? " with shorter detours"
							 : " with fewer detours";
	if (t->from.compared[0] && odo_floor_mean(other) < odo_floor_mean(&t->from.other))
		return;
	bool same = !strcmp(t->engine, engine);
	snprintf(t->from.compared, sizeof t->from.compared, "%.20s%s", engine, same ? how : "");
	t->from.rating = *own;
	t->from.other = *other;
	t->from.at_most = at_most;
}

static uint64_t lossy(const odo_transition *x)
{
	return x->n_looping + x->n_lost + x->n_cut_looping;
}

static bool is_much_slower(const odo_rating *own, const odo_rating *other)
{
	return odo_floor_mean(other) > ODO_WORTH_RECONNECTING * odo_floor_mean(own);
}

/* Effects on switches that change to other tables. */
typedef struct outlook {
	odo_transition change;
	odo_rating rating;
	bool moves; /* some switch gets an entry that it does not have yet */
} outlook;

/* Return true if a new routing by this engine would change nearly all paths. */
static bool deals_anew(const odo_tables *t)
{
	const odo_engine *row = odo_engine_find(t->engine);
	return row && row->deals_anew;
}

/* Decide if the old tables are kept, changed as little as possible. A change that cannot deadlock
 * is worth a much lower rating. A step without loss towards the new tables is taken, too. But
 * repaired tables are no longer a step on this way, and at some time the new tables must be
 * installed. A restart must change nothing. */
static bool is_kept(const odo_tables *before, const odo_tables *made, const outlook *step,
		    const outlook *like, bool blended)
{
	bool less_lossy = !step->change.n_cycle && lossy(&step->change) < lossy(&like->change);
	if (like->change.n_cycle && !step->change.n_cycle)
		return (blended && step->moves) || !is_much_slower(&step->rating, &like->rating);
	if (!step->moves)
		return before->from.spliced && !made->from.unfinished;
	if (blended)
		return less_lossy;
	return less_lossy && deals_anew(before) &&
	       !odo_floor_prefers(&step->rating, &like->rating, ODO_CHALLENGER);
}

/*
 * Move paths off the fullest cables if that does no harm: repaired tables crowd the cables near a
 * failure.
 * @param less effects of the change to the tables, without a cycle
 */
static int relieve(odo_tables *t, const odo_tables *before, odo_transition *less, odo_error *err)
{
	size_t size = (size_t)t->fabric->n_switches * t->fabric->lid_count;
	uint8_t *lft = malloc(size + 1);
	uint32_t n_moved = 0;
	odo_transition change = {0};
	if (!lft)
		return odo_fail(err, ODO_ENOMEM, "no memory for LFTs");
	memcpy(lft, t->lft, size);
	int status = odo_relieve(t, &n_moved, err);
	if (!status && n_moved)
		status = odo_transition_count(before, t, true, &change, err);
	bool harmless = !status && n_moved && !change.n_cycle && lossy(&change) <= lossy(less);
	if (harmless)
		status = odo_judge(t, &harmless, err);
	t->from.relieved |= harmless;
	if (harmless)
		*less = change;
	else
		memcpy(t->lft, lft, size);
	free(lft);
	return status;
}

/*
 * @param made replaces t, or is freed
 * @param like effects on switches that change to t; gets its rating, and the effects of the tables
 *             that are chosen
 */
static int prefer(odo_tables **t, odo_tables *made, const odo_tables *before, outlook *like,
		  bool blended, odo_error *err)
{
	outlook step = {0};
	int status = odo_transition_count(before, made, true, &step.change, err);
	if (!status && !blended && step.change.n_changed && !step.change.n_cycle)
		status = relieve(made, before, &step.change, err);
	if (!status)
		status = odo_floor_rate(made, &step.rating, err);
	if (!status)
		status = odo_floor_rate(*t, &like->rating, err);
	step.moves = step.change.n_changed || made->fabric->n_switches > before->fabric->n_switches;
	if (!status && is_kept(before, made, &step, like, blended)) {
		made->from.unfinished |= blended && step.moves;
		odo_tables *left = *t;
		odo_note_other(made, left->engine, left->from.detours_anew, false, &step.rating,
			       &like->rating);
		*t = made;
		made = left;
		like->change = step.change;
	}
	odo_tables_free(made);
	return status;
}

/* Make tables close to those before. `layered` is not blended, since a repaired fabric must get its
 * original tables back. */
static int make_step(const odo_tables *before, const odo_tables *like, bool mend, odo_tables **made,
		     bool *blended, odo_error *err)
{
	int status = !strcmp(before->engine, "layered") ? ODO_EDECLINE
							: odo_blend(before, like, made, err);
	*blended = status != ODO_EDECLINE;
	return !*blended && mend ? odo_splice(before, like, made, err) : status;
}

/* Move the new tables to other VLs if nothing else avoids a cycle of old and new paths. With one VL
 * before and now, the manager may not program SL2VL maps. A restart recognises such tables as it
 * recognises repaired ones. */
static int take_other_vls(const odo_route_options *options, odo_tables *t, odo_error *err)
{
	const odo_tables *before = options->before;
	odo_vl_map there, back;
	odo_transition change = {0};
	bool one = before->n_vls == 1 && t->n_vls == 1;
	if (one || !odo_vls_apart(before, t, odo_vl_budget(t->fabric, options), &there, &back))
		return 0;
	int status = odo_vls_move(t, &there, err);
	if (!status)
		status = odo_transition_count(before, t, true, &change, err);
	t->from.spliced = false;
	if (!status && !change.n_cycle)
		status = odo_judge(t, &t->from.spliced, err);
	return status || t->from.spliced ? status : odo_vls_move(t, &back, err);
}

static int mend(const odo_route_options *options, odo_tables **out, outlook *like, odo_error *err)
{
	const odo_tables *before = options->before;
	odo_tables *made;
	odo_error why;
	bool blended, mended = like->change.n_cycle || before->from.spliced || deals_anew(before);
	int status = make_step(before, *out, mended, &made, &blended, &why);
	if (!status)
		status = odo_prove(made, options, &why);
	if (status)
		return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
	return prefer(out, made, before, like, blended, err);
}

int odo_change_safely(const odo_route_options *options, odo_tables **out, odo_error *err)
{
	const odo_tables *before = options->before;
	outlook like = {0};
	bool dear;
	if ((*out)->profile != ODO_PROFILE_IB || before->profile != ODO_PROFILE_IB ||
	    !odo_is_allowed(before, options))
		return 0;
	int status = odo_transition_is_dear(*out, &dear, err);
	if (status || dear)
		return status;
	status = odo_transition_count(before, *out, true, &like.change, err);
	bool harmless = !like.change.n_cycle && !lossy(&like.change);
	if (status || (harmless && (!before->from.spliced || before->from.unfinished)))
		return status;
	status = mend(options, out, &like, err);
	if (!status && like.change.n_cycle)
		status = take_other_vls(options, *out, err);
	return status;
}
