/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/choose/portfolio.h"

#include <stdio.h>
#include <string.h>

#include "routing/choose/floor.h"
#include "routing/reroute/hold.h"
#include "routing/verify/verify.h"

/* First tables: the first that can be made and proved. Then the same without the entries that they
 * keep. */
static const odo_candidate_row first_rows[] = {
	{.name = "rest of a change",
	 .takes_part = odo_is_rest,
	 .make = odo_make_rest,
	 .price = odo_price_first,
	 .derived = true},
	{.name = "named engine",
	 .takes_part = odo_is_named,
	 .make = odo_make_kept,
	 .price = odo_price_first},
	{.name = "engine that spreads LIDs",
	 .takes_part = odo_is_spreading,
	 .make = odo_make_kept,
	 .price = odo_price_first},
	{.name = "engine of the kind",
	 .takes_part = odo_is_of_kind,
	 .make = odo_make_kept,
	 .price = odo_price_first},
	{.name = "engine for any graph",
	 .takes_part = odo_is_general,
	 .make = odo_make_kept,
	 .price = odo_price_first},
	{.name = "recomputed",
	 .takes_part = odo_is_recomputed,
	 .make = odo_make_recomputed,
	 .price = odo_price_recomputed},
	{0},
};

/* Tables that may carry more. */
static const odo_candidate_row other_rows[] = {
	{.name = "relieved",
	 .takes_part = odo_is_relieved_first,
	 .make = odo_make_relieved,
	 .price = odo_price_relieved,
	 .derived = true},
	{.name = "rival",
	 .takes_part = odo_is_rival,
	 .make = odo_make_other,
	 .price = odo_price_other,
	 .records_gain = true,
	 .records_loss = true},
	{.name = "shorter detours",
	 .takes_part = odo_has_other_detours,
	 .make = odo_make_other,
	 .price = odo_price_other,
	 .anew = true,
	 .records_gain = true,
	 .records_loss = true},
	{.name = "up and down",
	 .takes_part = odo_is_updown,
	 .make = odo_make_bounded,
	 .price = odo_price_other,
	 .records_gain = true,
	 .records_loss = true},
	{.name = "layers of VLs",
	 .takes_part = odo_is_layered,
	 .make = odo_make_other,
	 .price = odo_price_other,
	 .records_gain = true,
	 .records_loss = true},
	{.name = "paths and VLs together",
	 .takes_part = odo_is_together,
	 .make = odo_make_other,
	 .price = odo_price_other,
	 .records_gain = true,
	 .records_loss = true},
	{.name = "one SL",
	 .takes_part = odo_is_of_one_sl,
	 .make = odo_make_of_one_sl,
	 .price = odo_price_other,
	 .records_gain = true,
	 .records_loss = true},
	{.name = "relieved",
	 .takes_part = odo_is_relieved_last,
	 .make = odo_make_relieved,
	 .price = odo_price_relieved,
	 .derived = true},
	{0},
};

/* Tables that do less harm while switches change from those before. */
static const odo_candidate_row change_rows[] = {
	{.name = "step",
	 .takes_part = odo_is_step,
	 .make = odo_make_step,
	 .price = odo_price_step,
	 .step = true,
	 .derived = true,
	 .records_gain = true},
	{.name = "repair",
	 .takes_part = odo_is_repair,
	 .make = odo_make_repair,
	 .price = odo_price_repair,
	 .derived = true,
	 .records_gain = true},
	{.name = "other VLs",
	 .takes_part = odo_is_apart,
	 .make = odo_make_apart,
	 .price = odo_price_apart,
	 .derived = true},
	{0},
};

/* Tables with which nothing goes wrong in whatever order switches change. */
static const odo_candidate_row mixing_rows[] = {
	{.name = "safe in any order",
	 .takes_part = odo_is_mixing,
	 .make = odo_make_unmixed,
	 .price = odo_price_first,
	 .derived = true},
	{0},
};

int odo_rate_candidate(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	if (x->rated)
		return 0;
	const odo_tables watched = odo_tables_watched(x->tables, p->options->watch);
	int status = odo_floor_rate(&watched, &x->rating, err);
	x->rated = !status;
	return status;
}

/* Let tables keep SLs that connections already use, and prove the tables with these SLs. */
static int prove_candidate(const odo_portfolio *p, odo_candidate *x, odo_error *err)
{
	int status = x->row->derived ? 0 : odo_hold(p->options->history, x->tables, err);
	if (!status)
		status = odo_verify_keep(x->tables, p->options->watch, err);
	return status ? odo_fail_within(err, "%s", x->tables->engine) : 0;
}

/* Record the comparison of tables with others in their provenance; of several comparisons, keep
 * the strongest. */
static void record_comparison(odo_candidate *own, const odo_candidate *other)
{
	odo_provenance *from = &own->tables->from;
	const char *engine = other->tables ? other->tables->engine : other->engine->name;
	bool anew = other->tables ? other->tables->from.detours_anew : other->row->anew;
	const char *how = from->spliced                ? " made anew"
			  : anew == from->detours_anew ? ""
			  : anew                       ? " with shorter detours"
						       : " with fewer detours";
	if (from->compared[0] && odo_floor_mean(&other->rating) < odo_floor_mean(&from->other))
		return;
	bool same = !strcmp(own->tables->engine, engine);
	snprintf(from->compared, sizeof from->compared, "%.20s%s", engine, same ? how : "");
	from->rating = own->rating;
	from->other = other->rating;
	from->at_most = other->at_most;
}

/* Replace the chosen tables by proved ones. */
static void replace_chosen(odo_portfolio *p, odo_candidate *x)
{
	if (x->rated)
		x->tables->from.rating = x->rating;
	if (x->row->records_gain)
		record_comparison(x, &p->chosen);
	p->replaced |= p->first && !x->row->derived;
	odo_tables_free(p->chosen.tables);
	p->chosen = *x;
	x->tables = NULL;
}

/* Rate a candidate and the chosen tables if the price or the record asks for it. */
static int rate_both(odo_portfolio *p, odo_candidate *x, odo_price price, odo_error *err)
{
	bool by_bounds = price != ODO_FREE && price != ODO_FORBIDDEN;
	bool wanted = by_bounds || x->row->records_loss ||
		      (x->row->records_gain && price != ODO_FORBIDDEN);
	int status = wanted && p->chosen.tables ? odo_rate_candidate(p, x, err) : 0;
	return wanted && p->chosen.tables && !status ? odo_rate_candidate(p, &p->chosen, err)
						     : status;
}

/* Compare a candidate with the chosen tables. Only tables that are chosen are proved, since a proof
 * takes longer than a rating. */
static int compare_candidate(odo_portfolio *p, odo_candidate *x, odo_standing *standing,
			     odo_error *err)
{
	odo_price price = x->row->price(p, x);
	int status = rate_both(p, x, price, err);
	if (status)
		return status;
	bool worth = odo_is_worth(price, &p->chosen.rating, &x->rating);
	*standing = ODO_NOT_WORTH;
	if (!worth && x->row->records_loss)
		record_comparison(&p->chosen, x);
	if (!worth)
		return 0;
	*standing = ODO_UNPROVED;
	status = prove_candidate(p, x, err);
	*standing = status ? ODO_UNPROVED : ODO_CHOSEN;
	return status;
}

static bool is_hopeless(const odo_portfolio *p, const odo_candidate *x)
{
	return p->chosen.rated && odo_is_hopeless(x->row->price(p, x), &p->chosen.rating);
}

static int judge_candidate(odo_portfolio *p, odo_candidate *x, odo_standing *standing,
			   odo_error *err)
{
	*standing = ODO_HOPELESS;
	if (is_hopeless(p, x))
		return 0;
	*standing = ODO_DECLINED;
	int status = x->row->make(p, x, err);
	if (status && x->at_most) {
		*standing = ODO_HOPELESS;
		record_comparison(&p->chosen, x);
	}
	return status ? status : compare_candidate(p, x, standing, err);
}

/* Update the record of the chosen tables: they are often rated later, or replaced. */
static void update_chosen(odo_portfolio *p, odo_standing standing)
{
	for (unsigned i = 0; i < p->n_judged; i++) {
		if (p->judged[i].standing != ODO_CHOSEN)
			continue;
		p->judged[i].rating = p->chosen.rating;
		p->judged[i].standing = standing;
	}
}

static void record_standing(odo_portfolio *p, const odo_candidate *x, odo_standing standing)
{
	const odo_tables *t = x->tables ? x->tables : p->chosen.tables;
	if (standing == ODO_CHOSEN)
		update_chosen(p, ODO_REPLACED);
	if (p->n_judged == ODO_MOST_JUDGED)
		return;
	odo_price price = p->chosen.tables ? x->row->price(p, x) : ODO_FREE;
	odo_judged *to = &p->judged[p->n_judged++];
	*to = (odo_judged){.candidate = x->row->name,
			   .standing = standing,
			   .needs = odo_price_text(price),
			   .rating = x->rating,
			   .at_most = x->at_most};
	snprintf(to->engine, sizeof to->engine, "%s", x->engine ? x->engine->name : t->engine);
}

static int judge_row(odo_portfolio *p, const odo_candidate_row *row, const odo_engine *engine,
		     odo_error *err)
{
	odo_candidate x = {.row = row, .engine = engine};
	odo_error why = {0};
	odo_standing standing;
	if (!row->takes_part(p, engine))
		return 0;
	int status = judge_candidate(p, &x, &standing, &why);
	record_standing(p, &x, standing);
	p->has_step |= row->step && standing != ODO_DECLINED;
	if (standing == ODO_CHOSEN)
		replace_chosen(p, &x);
	odo_tables_free(x.tables);
	if (!status)
		return 0;
	if (!p->failure)
		p->why = why;
	p->failure = status;
	return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
}

static int judge_rows(odo_portfolio *p, const odo_candidate_row *rows, odo_error *err)
{
	int status = 0;
	for (const odo_candidate_row *row = rows; row->name && !status; row++) {
		if (row->derived)
			status = judge_row(p, row, NULL, err);
		for (const odo_engine *e = odo_engines; e->name && !row->derived && !status; e++)
			status = judge_row(p, row, e, err);
	}
	return status;
}

static int fail_without_tables(const odo_portfolio *p, odo_error *err)
{
	const odo_coordinates *c = p->coordinates;
	if (p->failure)
		return odo_fail(err, p->failure, "%s", p->why.text);
	return odo_fail(err, ODO_EDECLINE, "no engine is made for it: %s", c ? c->reason : "");
}

int odo_portfolio_judge(odo_portfolio *p, odo_error *err)
{
	int status = judge_rows(p, first_rows, err);
	if (!status && !p->chosen.tables)
		status = fail_without_tables(p, err);
	bool rest = !status && p->chosen.row->make == odo_make_rest;
	if (!status && !rest)
		status = odo_begin_comparison(p, err);
	if (!status && p->first)
		status = judge_rows(p, other_rows, err);
	if (!status)
		status = odo_weigh_change(p, err);
	if (!status && p->weighs_change && !rest)
		status = judge_rows(p, change_rows, err);
	if (!status)
		status = judge_rows(p, mixing_rows, err);
	update_chosen(p, ODO_CHOSEN);
	if (status)
		odo_tables_free(p->chosen.tables);
	return status;
}
