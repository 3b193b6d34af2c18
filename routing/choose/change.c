/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/choose/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routing/choose/floor.h"
#include "routing/choose/relieve.h"
#include "routing/reroute/blend.h"
#include "routing/reroute/hold.h"
#include "routing/reroute/splice.h"
#include "routing/transition/transition.h"
#include "routing/verify/verify.h"

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

void odo_note_other(odo_tables *t, const char *engine, bool anew, bool at_most,
		    const odo_rating *own, const odo_rating *other)
{
	const char *how = t->spliced                ? " made anew"
			  : anew == t->detours_anew ? ""
			  : anew                    ? " with shorter detours"
						    : " with fewer detours";
	if (t->compared[0] && odo_floor_mean(other) < odo_floor_mean(&t->other))
		return;
	bool same = !strcmp(t->engine, engine);
	snprintf(t->compared, sizeof t->compared, "%.20s%s", engine, same ? how : "");
	t->rating = *own;
	t->other = *other;
	t->at_most = at_most;
}

static uint64_t lossy(const odo_transition *x)
{
	return x->n_looping + x->n_lost + x->n_cut_looping;
}

static bool is_much_slower(const odo_rating *own, const odo_rating *other)
{
	return odo_floor_mean(other) > ODO_WORTH_RECONNECTING * odo_floor_mean(own);
}

/* Much is given for a change that cannot deadlock. Nothing is for one that loses no packets: the
 * more is mended, the further tables are from those made anew, and some day these have to be taken.
 * But a restart is to change nothing. */
static bool is_kept(const odo_tables *before, const odo_transition *less, const odo_rating *own,
		    const odo_transition *change, const odo_rating *other)
{
	if (change->n_cycle && !less->n_cycle)
		return !is_much_slower(own, other);
	return before->spliced && !less->n_changed;
}

/* Paths are led off the fullest cables, if that does no harm: mended ones crowd those near by.
 * @param less what the change to the tables does: no cycle */
static int relieve(odo_tables *t, const odo_tables *before, odo_transition *less, odo_error *err)
{
	size_t size = (size_t)t->fabric->n_switches * t->fabric->lid_count;
	uint8_t *lft = malloc(size + 1);
	uint32_t n_moved = 0;
	odo_transition change = {0};
	odo_verdict verdict = {0};
	odo_error why;
	if (!lft)
		return odo_fail(err, ODO_ENOMEM, "no memory for LFTs");
	memcpy(lft, t->lft, size);
	int status = odo_relieve(t, &n_moved, err);
	if (!status && n_moved)
		status = odo_transition_count(before, t, true, &change, err);
	bool harmless = !status && n_moved && !change.n_cycle && lossy(&change) <= lossy(less) &&
			!odo_verify(t, &verdict, &why);
	odo_verdict_clear(&verdict);
	t->relieved |= harmless;
	if (harmless)
		*less = change;
	else
		memcpy(t->lft, lft, size);
	free(lft);
	return status;
}

/* @param change what becomes of switches that change to t
 * @param made   takes the place of t, or is freed
 * @param mended after a loss; else they are a step on the way to t */
static int prefer(odo_tables **t, odo_tables *made, const odo_tables *before,
		  const odo_transition *change, bool mended, odo_error *err)
{
	odo_transition less = {0};
	odo_rating own = {0}, other = {0};
	int status = odo_transition_count(before, made, true, &less, err);
	if (!status && mended && less.n_changed && !less.n_cycle)
		status = relieve(made, before, &less, err);
	if (!status)
		status = odo_floor_rate(made, &own, err);
	if (!status)
		status = odo_floor_rate(*t, &other, err);
	if (!status && is_kept(before, &less, &own, change, &other)) {
		odo_tables *left = *t;
		odo_note_other(made, left->engine, left->detours_anew, false, &own, &other);
		*t = made;
		made = left;
	}
	odo_tables_free(made);
	return status;
}

static bool is_allowed(const odo_tables *t, const odo_route_options *options)
{
	return (!options->max_vls || t->n_vls <= options->max_vls) &&
	       (!options->max_sls || t->n_sls <= options->max_sls);
}

int odo_change_safely(const odo_route_options *options, odo_tables **out, odo_error *err)
{
	const odo_tables *before = options->before;
	odo_transition change = {0};
	odo_tables *made;
	odo_error why;
	uint64_t entries = (uint64_t)(*out)->fabric->n_switches * (*out)->fabric->lid_count;
	if (entries > ODO_TRANSITION_MOST || (*out)->profile != ODO_PROFILE_IB ||
	    before->profile != ODO_PROFILE_IB || !is_allowed(before, options))
		return 0;
	int status = odo_transition_count(before, *out, true, &change, err);
	if (status || (!change.n_cycle && (!before->spliced || before->unfinished)))
		return status;
	/* Where all is there again, `layered` is to give what it gave at first. */
	bool mended = !change.n_cycle || !strcmp(before->engine, "layered");
	status = mended ? ODO_EDECLINE : odo_blend(before, *out, &made, &why);
	if (status == ODO_EDECLINE) {
		mended = true;
		status = odo_splice(before, *out, &made, &why);
	}
	if (!status)
		status = odo_prove(made, options, &why);
	if (status)
		return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
	return prefer(out, made, before, &change, mended, err);
}
