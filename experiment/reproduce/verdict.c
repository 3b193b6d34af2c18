/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/verdict.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "experiment/point.h"
#include "experiment/reproduce/rows.h"

const char *const odo_claim_verdict_names[] = {[ODO_CLAIM_AGREES] = "agrees",
					       [ODO_CLAIM_DIFFERS] = "differs",
					       [ODO_CLAIM_UNKNOWN] = "cannot be told"};

/* Distance of single seeds' figures from their mean, at nine in ten of the points where they differ
 * (docs/results/manifest.md); the last row is for all other figures. */
static const struct {
	const char *figure;
	double share;
} spread[] = {{"accepted", 0.02}, {"cycles", 0.03},  {"latency", 0.05}, {"network_latency", 0.05},
	      {"p99", 0.1},       {"max_hops", 0.5}, {NULL, 0.05}};

static double spread_of(const char *figure)
{
	unsigned i = 0;
	while (spread[i].figure && strcmp(spread[i].figure, figure))
		i++;
	return spread[i].share;
}

static int find_curve(const odo_pick *pick, const odo_experiment *x, uint32_t *curve,
		      odo_error *err)
{
	*curve = 0;
	while (*curve < x->n_curves && strcmp(x->curves[*curve].name, pick->curve))
		++*curve;
	if (*curve == x->n_curves)
		return odo_fail(err, ODO_EINPUT, "expected a curve of %s, found \"%.40s\"", x->name,
				pick->curve);
	return 0;
}

static int find_pattern(const odo_pick *pick, const odo_experiment *x, uint32_t *pattern,
			odo_error *err)
{
	*pattern = 0;
	while (*pattern < x->n_patterns && strcmp(x->patterns[*pattern], pick->pattern))
		++*pattern;
	if (*pattern == x->n_patterns)
		return odo_fail(err, ODO_EINPUT, "expected a pattern of %s, found \"%.40s\"",
				x->name, pick->pattern);
	return 0;
}

int odo_pick_find(const odo_pick *pick, const odo_experiment *x, uint32_t *curve, uint32_t *pattern,
		  odo_error *err)
{
	int status = find_curve(pick, x, curve, err);
	return status ? status : find_pattern(pick, x, pattern, err);
}

/** Explain a missing figure. Cycles of a burst, and a network's load, are meaningless if the run
 * did not end well. */
static const char *explain_missing(const odo_result *r, uint32_t point)
{
	for (uint32_t i = 0; i < r->x.n_seeds; i++) {
		unsigned outcome = odo_result_outcome(r, point + i);
		if (outcome == ODO_EXPERIMENT_OUTCOMES)
			continue;
		bool timeout = outcome == ODO_RUN_TIMEOUT && r->x.kind == ODO_EXPERIMENT_LOAD;
		if (outcome != ODO_RUN_DONE && !timeout)
			return odo_experiment_outcomes[outcome];
	}
	return "not run";
}

/** Average over seeds the figures of a point's files. */
static int mean_of_rows(const odo_claim *c, const odo_pick *pick, const odo_result *r,
			odo_picked *out, odo_error *err)
{
	int status = 0;
	for (uint32_t i = 0; !status && i < r->x.n_seeds; i++) {
		double value;
		bool there = false;
		if (odo_result_counts(r, i) && r->line[out->point + i])
			status = odo_rows_take(c, pick, r, out->point + i, &value, &there, err);
		if (!status && there)
			out->figure += (value - out->figure) / ++out->seeds;
	}
	return status;
}

/** Take the figure at one load. */
static int pick_at_load(const odo_claim *c, const odo_pick *pick, const odo_result *r,
			uint32_t point, odo_picked *out, odo_error *err)
{
	*out = (odo_picked){.point = point, .why = explain_missing(r, point)};
	if (strcmp(out->why, "not run")) /* one of its seeds has no such figure */
		return 0;
	if (!c->detail) {
		out->seeds = odo_result_mean(r, point, c->figure, &out->figure);
		return 0;
	}
	if (odo_result_outcome(r, point) < ODO_EXPERIMENT_OUTCOMES)
		out->why = "no such rows";
	return mean_of_rows(c, pick, r, out, err);
}

/** Find a load by its value. @return its index, or the number of loads if it is not among them */
static uint32_t find_load(const odo_result *r, const char *load)
{
	uint32_t i = 0;
	double wanted;
	const char *at = load;
	if (!odo_take_real(&at, 0, 1, &wanted))
		return odo_result_loads(r);
	while (i < odo_result_loads(r) && fabs(r->x.loads[i] - wanted) > 1e-6)
		i++;
	return i;
}

bool odo_pick_is_of_all(const odo_pick *pick)
{
	return !strcmp(pick->pattern, "all");
}

int odo_claim_pick(const odo_claim *c, const odo_pick *pick, const odo_result *r, uint32_t pattern,
		   odo_picked *out, odo_error *err)
{
	uint32_t curve, loads = odo_result_loads(r);
	int status = find_curve(pick, &r->x, &curve, err);
	*out = (odo_picked){.why = "this load was not run"};
	if (!status && !odo_pick_is_of_all(pick))
		status = find_pattern(pick, &r->x, &pattern, err);
	if (status)
		return status;
	if (!c->detail && !odo_point_column(&r->x, c->figure))
		return odo_fail(err, ODO_EINPUT, "expected a column of %s, found \"%.40s\"",
				r->x.name, c->figure);
	bool most = pick->load && !strcmp(pick->load, "most");
	uint32_t load = pick->load && !most ? find_load(r, pick->load) : loads - 1;
	for (uint32_t i = most ? 0 : load; !status && i <= load && load < loads; i++) {
		odo_picked one;
		status = pick_at_load(c, pick, r, odo_result_point(r, curve, pattern, i), &one,
				      err);
		if (!out->seeds || (one.seeds && one.figure > out->figure))
			*out = one;
	}
	return status;
}

static odo_claim_verdict apply_rule(const odo_claim *c, double ours)
{
	bool above = ours >= c->low * (1 - c->allowed), below = ours <= c->high * (1 + c->allowed);
	bool fine = c->judged_by == ODO_RULE_AT_LEAST  ? above
		    : c->judged_by == ODO_RULE_AT_MOST ? below
						       : above && below;
	return fine ? ODO_CLAIM_AGREES : ODO_CLAIM_DIFFERS;
}

/** Compute the figure, or the ratio. @param pattern used if the pick says "all" */
static int figure_under_pattern(const odo_claim *c, const odo_result *r, uint32_t pattern,
				odo_picked *out, odo_error *err)
{
	odo_picked over = {.figure = 1, .seeds = 1};
	int status = odo_claim_pick(c, c->of, r, pattern, out, err);
	if (!status && out->seeds && c->over)
		status = odo_claim_pick(c, c->over, r, pattern, &over, err);
	if (status || !over.seeds || !(over.figure > 0)) {
		out->seeds = 0;
		out->why = over.why ? over.why : out->why;
	} else {
		out->figure /= over.figure;
	}
	return status;
}

/** Judge by the seeds that count. */
static int judge_seeds(const odo_claim *c, const odo_result *r, odo_judgement *out, odo_error *err)
{
	int status = 0;
	*out = (odo_judgement){.verdict = ODO_CLAIM_UNKNOWN};
	uint32_t n = odo_pick_is_of_all(c->of) ? r->x.n_patterns : 1;
	for (uint32_t i = 0; !status && i < n && (!i || out->seeds); i++) {
		odo_picked one;
		status = figure_under_pattern(c, r, i, &one, err);
		out->seeds = one.seeds;
		out->why = one.why;
		out->ours += (one.figure - out->ours) / (i + 1);
	}
	if (r->withdrawn)
		out->why = "withdrawn";
	else if (!status && out->seeds) {
		out->why = NULL;
		out->verdict = apply_rule(c, out->ours);
	}
	return status;
}

/** Estimate how far a verdict depends on chance. */
static int measure_doubt(const odo_claim *c, const odo_result *r, odo_judgement *out,
			 odo_error *err)
{
	int status = 0;
	odo_result one = *r;
	if (out->seeds == 1) {
		double near = spread_of(c->figure);
		out->alone = 1;
		out->near = apply_rule(c, out->ours * (1 + near)) != out->verdict ||
			    apply_rule(c, out->ours * (1 - near)) != out->verdict;
		return 0;
	}
	for (uint32_t i = 0; !status && i < r->x.n_seeds; i++) {
		odo_judgement alone;
		one.only_seed = i + 1;
		status = judge_seeds(c, &one, &alone, err);
		out->alone += alone.verdict == out->verdict;
	}
	return status;
}

int odo_claim_judge(const odo_claim *c, const odo_result *r, odo_judgement *out, odo_error *err)
{
	*out = (odo_judgement){.verdict = ODO_CLAIM_UNKNOWN, .why = "not run"};
	if (!r)
		return 0;
	int status = judge_seeds(c, r, out, err);
	return status || out->verdict == ODO_CLAIM_UNKNOWN ? status : measure_doubt(c, r, out, err);
}
