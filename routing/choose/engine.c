/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routing/choose/change.h"
#include "routing/choose/floor.h"
#include "routing/choose/relieve.h"
#include "routing/verify/verify.h"

/* Engines that others are compared with. */
#define UPDOWN "updown"
#define LAYERED "layered"

const odo_engine *odo_engine_find(const char *name)
{
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

static odo_kind kind_of(const odo_coordinates *c)
{
	return c ? c->kind : ODO_KIND_UNKNOWN;
}

static int check(const odo_engine *row, const odo_coordinates *c, const odo_route_options *options,
		 odo_error *err)
{
	if (!(row->kinds & 1u << kind_of(c)))
		return odo_fail(err, ODO_EDECLINE, "does not route the kind \"%s\"",
				odo_kind_name(kind_of(c)));
	if (!row->route)
		return odo_fail(err, ODO_EDECLINE, "needs state in packets: no tables exist");
	if (options && options->strict && c && odo_contradictions(c) && row->kinds != ODO_ANY_KIND)
		return odo_fail(err, ODO_EDECLINE,
				"%u contradictions in the fabric, and strictness is asked for",
				odo_contradictions(c));
	return 0;
}

/* Make tables without a proof. */
static int make(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_tables *t = NULL;
	int status = check(row, c, options, err);
	if (!status)
		status = odo_tables_create(f, row->name, &t, err);
	if (!status) {
		t->profile = row->profile;
		t->watch = options ? options->watch : NULL;
		t->from.detours_anew = row->mends && options && options->detours_anew;
		status = row->route(row, f, c, options, t, err);
		t->from.by_pair = t->sl_of_pair != NULL;
	}
	if (!status && !odo_is_allowed(t, options))
		status = odo_fail(err, ODO_EDECLINE,
				  "takes %u VLs and %u SLs, more than are allowed", t->n_vls,
				  t->n_sls);
	if (status) {
		odo_tables_free(t);
		return odo_fail_within(err, "%s", row->name);
	}
	*out = t;
	return 0;
}

/* Least share of the bounds of newly computed tables, after damage. Tables that keep the undamaged
 * fabric's entries, on as many VLs, must reach it. */
#define SPARED_SHARE 0.94

/* Return true if the kept entries crowd cables. Installed entries are moved only for a larger gain
 * than entries of the undamaged fabric. */
static bool is_crowded(const odo_tables *t, const odo_rating *kept, const odo_rating *afresh)
{
	if (t->from.recalled)
		return odo_floor_prefers(kept, afresh, ODO_CHALLENGER);
	return kept->uniform < SPARED_SHARE * afresh->uniform ||
	       kept->shifts < SPARED_SHARE * afresh->shifts;
}

/* @param afresh freed, or replaces *out */
static int prefer_afresh(odo_tables **out, odo_tables *afresh, odo_error *err)
{
	odo_rating kept, other;
	int status = odo_floor_rate(*out, &kept, err);
	if (!status)
		status = odo_floor_rate(afresh, &other, err);
	if (!status && ((*out)->n_vls > afresh->n_vls || is_crowded(*out, &kept, &other))) {
		odo_tables *left = *out;
		*out = afresh;
		afresh = left;
	}
	odo_tables_free(afresh);
	return status;
}

/* Keep entries as they are, or as they were in the undamaged fabric, unless that crowds cables or
 * takes more VLs or SLs than are allowed. */
static int make_best(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		     const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_tables *afresh;
	odo_route_options other = options ? *options : (odo_route_options){0};
	other.afresh = true;
	int status = make(row, f, c, options, out, err);
	if (status == ODO_EDECLINE && row->spares)
		return make(row, f, c, &other, out, err);
	if (status || !(*out)->from.spared)
		return status;
	status = make(row, f, c, &other, &afresh, err);
	if (status == ODO_EDECLINE)
		return 0;
	if (!status)
		status = prefer_afresh(out, afresh, err);
	if (status)
		odo_tables_free(*out);
	return status;
}

static int route_with(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	int status = make_best(row, f, c, options, out, err);
	return status ? status : odo_prove(*out, options, err);
}

static bool has_lmc(const odo_fabric *f)
{
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (f->port_lmc[f->host_slot[h]])
			return true;
	return false;
}

static bool is_to_spread(const odo_fabric *f, const odo_route_options *options)
{
	return options && options->spread_lids && has_lmc(f);
}

/* Rounds of engines: engines that lead LIDs of one host over different paths, if requested; the
 * first engine made for the kind; engines for any graph. */
enum { SPREADING, OF_KIND, GENERAL, N_ROUNDS };

static bool takes_part(const odo_engine *row, const odo_coordinates *c, int round)
{
	bool general = row->kinds == ODO_ANY_KIND;
	return row->profile == ODO_PROFILE_IB && row->kinds & 1u << kind_of(c) &&
	       general == (round == GENERAL) && (round != SPREADING || row->spreads_lids);
}

static int route_by_kind(const odo_fabric *f, const odo_coordinates *c,
			 const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_error first = {0};
	int status = ODO_EDECLINE;
	bool tried = false, spread = is_to_spread(f, options);
	int end = options && options->no_fallback ? GENERAL : N_ROUNDS;
	for (int round = spread ? SPREADING : OF_KIND; round < end; round++) {
		for (const odo_engine *row = odo_engines; row->name; row++) {
			if (!takes_part(row, c, round))
				continue;
			odo_error why = {0};
			status = route_with(row, f, c, options, out, &why);
			if (!status || status == ODO_ENOMEM)
				return status ? odo_fail(err, status, "%s", why.text) : 0;
			if (!first.text[0])
				first = why;
			tried = true;
			if (round == OF_KIND)
				break;
		}
	}
	if (!tried)
		return odo_fail(err, status, "no engine is made for it: %s", c ? c->reason : "");
	return odo_fail(err, status, "%s", first.text);
}

static bool is_preferred(const odo_rating *own, odo_standing standing, const odo_tables *t,
			 const odo_tables *made, const odo_rating *other)
{
	if (made->from.by_pair && !t->from.by_pair)
		return odo_floor_mean(other) > ODO_WORTH_RECONNECTING * odo_floor_mean(own);
	return odo_floor_prefers(own, other, standing);
}

/* Return true if the operator asks for more than bounds can measure. */
static bool wants_more(const odo_fabric *f, const odo_route_options *options)
{
	return is_to_spread(f, options) || (options && options->no_fallback);
}

/* Tables to compare with. */
typedef struct rival {
	const char *engine;
	bool anew;
	bool stops; /**< the engine stops as soon as its tables cannot be better:
		       odo_route_options.ceiling */
} rival;

static bool is_installed(const rival *x, const odo_tables *before)
{
	return before && !strcmp(before->engine, x->engine) && before->from.detours_anew == x->anew;
}

/*
 * Return the standing of a rival. Installed paths stay unless others are clearly better.
 *
 * At first, up*\/down* paths stand like installed ones beside `layered`, which takes all available
 * VLs, and beside tables whose SLs depend on the pair. They need no SL, so no connection has to be
 * re-established after a change.
 *
 * Detours of the kind's own engine depend on the fabric alone, if SLs do not depend on the pair.
 * They change little from sweep to sweep. In a tree whose host names follow no order, shifts become
 * a few random permutations. These sometimes favour up*\/down* paths by a few percent.
 */
static odo_standing standing_of(const rival *x, const odo_tables *t, const odo_coordinates *c,
				const odo_tables *before)
{
	bool updown = !strcmp(x->engine, UPDOWN);
	if (before ? is_installed(x, before) && (!x->anew || before->from.by_pair)
		   : updown && (t->from.by_pair || !strcmp(t->engine, LAYERED)))
		return ODO_INCUMBENT;
	return before || !c || odo_contradictions(c) || updown ? ODO_CHALLENGER : ODO_EVEN;
}

typedef struct comparison {
	const odo_coordinates *c;
	const odo_route_options *options;
	bool take; /* replace the tables by better ones; otherwise only record the comparison */
	bool taken;
	odo_rating own;
} comparison;

/* Take better tables if they are proved. @param made the better tables */
static int take(comparison *x, const odo_rating *other, odo_tables **out, odo_tables *made,
		const odo_route_options *options, odo_error *err)
{
	odo_error why = {0};
	int status = odo_prove(made, options, &why);
	if (status)
		return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
	odo_note_other(made, (*out)->engine, (*out)->from.detours_anew, false, other, &x->own);
	odo_tables_free(*out);
	*out = made;
	x->own = *other;
	x->taken = true;
	return 0;
}

/* Rate other tables, and take them if they are better. @param made the other tables */
static int judge(comparison *x, const rival *with, odo_standing standing, odo_tables **out,
		 odo_tables *made, const odo_route_options *options, odo_error *err)
{
	const odo_tables *before = options->before;
	odo_rating other;
	/* Most connections would have to be re-established during operation. */
	bool upsets = before && made->from.by_pair && !is_installed(with, before);
	int status = odo_floor_rate(made, &other, err);
	if (!status && x->take && !upsets && is_preferred(&x->own, standing, *out, made, &other))
		return take(x, &other, out, made, options, err);
	if (!status)
		odo_note_other(*out, made->engine, made->from.detours_anew, false, &x->own, &other);
	odo_tables_free(made);
	return status;
}

/* Compare with another engine. An engine that declines sets no floor. Tables that certainly will
 * not be taken are not made. Only tables that are taken are proved, since a proof takes longer than
 * a rating. */
static int compare_with(comparison *x, rival with, odo_tables **out, odo_error *err)
{
	odo_tables *made = NULL;
	odo_error why = {0};
	odo_ceiling ceiling = {0};
	odo_route_options options = x->options ? *x->options : (odo_route_options){0};
	odo_standing standing = standing_of(&with, *out, x->c, options.before);
	bool same = !strcmp((*out)->engine, with.engine) && (*out)->from.detours_anew == with.anew;
	if (same || odo_floor_is_met(&x->own, standing))
		return 0;
	options.detours_anew = with.anew;
	options.ceiling = with.stops ? &ceiling : NULL;
	int status = 0;
	if (with.stops)
		status = odo_floor_ceiling((*out)->fabric, &x->own, standing, &ceiling, &why);
	if (!status)
		status = make(odo_engine_find(with.engine), (*out)->fabric, x->c, &options, &made,
			      &why);
	options.ceiling = NULL;
	odo_floor_ceiling_clear(&ceiling);
	if (ceiling.low)
		odo_note_other(*out, with.engine, with.anew, true, &x->own, &ceiling.at_most);
	if (status)
		return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
	return judge(x, &with, standing, out, made, &options, err);
}

/* Return true if `layered` may be tried. Layers need an SL for each pair, and a manager does not
 * change to such SLs during operation. These tables take longest to make, and would be made in
 * vain. */
static bool may_take_layers(const odo_route_options *options)
{
	const odo_tables *before = options ? options->before : NULL;
	return !before || !strcmp(before->engine, LAYERED);
}

/* Return true if the kind's other engine may be tried. On a damaged fabric it would serve no
 * purpose: lost cables already make loads uneven. */
static bool may_take_rival(const odo_engine *row, const odo_coordinates *c,
			   const odo_route_options *options)
{
	const odo_tables *before = options ? options->before : NULL;
	return before ? is_installed(&(rival){.engine = row->rival}, before)
		      : c && !odo_contradictions(c);
}

/* Factor by which tables must be better if all but a few entries stay. */
#define WORTH_MOVING 1.03

/* Return true if entries may be moved. Up*\/down* paths and those of trees are arranged for shifts,
 * which moved entries would break. During operation, entries are moved only if the tables before
 * have moved entries. While switches have different tables, packets could loop between an old entry
 * and a moved one. */
static bool may_relieve(const odo_tables *t, const odo_route_options *options)
{
	const odo_tables *before = options ? options->before : NULL;
	bool suits = odo_engine_find(t->engine)->mends || !strcmp(t->engine, LAYERED);
	return suits && (!before || before->from.relieved);
}

/* Use the result of odo_relieve() if it is worth the change and proved; otherwise keep the
 * tables. */
static int relieve(comparison *x, odo_tables *t, odo_error *err)
{
	size_t size = (size_t)t->fabric->n_switches * t->fabric->lid_count;
	uint32_t n_moved = 0;
	odo_rating other = {0};
	if (!may_relieve(t, x->options))
		return 0;
	uint8_t *lft = malloc(size + 1);
	if (!lft)
		return odo_fail(err, ODO_ENOMEM, "no memory for LFTs");
	memcpy(lft, t->lft, size);
	int status = odo_relieve(t, &n_moved, err);
	if (!status && n_moved)
		status = odo_floor_rate(t, &other, err);
	bool better = odo_floor_mean(&other) > WORTH_MOVING * odo_floor_mean(&x->own);
	t->from.relieved = false;
	if (!status && better)
		status = odo_judge(t, &t->from.relieved, err);
	if (t->from.relieved)
		x->own = t->from.rating = other;
	else
		memcpy(t->lft, lft, size);
	free(lft);
	return status;
}

/* Compare the tables with others. A fabric must not be slower than with up*\/down* paths, which
 * every fabric can have. If an engine made for the kind routes round damage, compare with shorter
 * detours, which take more VLs, and with shortest paths. For the record, only compare with
 * up*\/down*. */
static int compare(const odo_coordinates *c, const odo_route_options *options, bool take,
		   odo_tables **out, odo_error *err)
{
	comparison x = {.c = c, .options = options, .take = take};
	const odo_engine *row = odo_engine_find((*out)->engine);
	bool thorough = take && odo_floor_worth_more(*out);
	bool made_for_kind = thorough && row->kinds != ODO_ANY_KIND;
	if (!odo_floor_due(*out, c))
		return 0;
	int status = odo_floor_rate(*out, &x.own, err);
	if (!status && made_for_kind)
		status = relieve(&x, *out, err);
	if (!status && made_for_kind && row->rival && may_take_rival(row, c, options))
		status = compare_with(&x, (rival){.engine = row->rival}, out, err);
	if (!status && made_for_kind && row->mends && !(*out)->from.spilt)
		status = compare_with(&x, (rival){.engine = row->name, .anew = true}, out, err);
	if (!status)
		status = compare_with(&x, (rival){.engine = UPDOWN, .stops = true}, out, err);
	if (!status && made_for_kind && may_take_layers(options))
		status = compare_with(&x, (rival){.engine = LAYERED}, out, err);
	if (!status && thorough && (x.taken || !made_for_kind))
		status = relieve(&x, *out, err);
	return status;
}

int odo_route(const odo_fabric *f, const odo_coordinates *c, const char *engine,
	      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	const odo_engine *row = engine ? odo_engine_find(engine) : NULL;
	if (engine && !row)
		return odo_fail(err, ODO_EINPUT, "no routing engine \"%s\"", engine);
	odo_tables *t;
	int status = row ? route_with(row, f, c, options, &t, err)
			 : route_by_kind(f, c, options, &t, err);
	if (status)
		return status;
	bool due = row ? options && options->compare : !wants_more(f, options);
	if (due)
		status = compare(c, options, !row, &t, err);
	if (!status && options && options->before &&
	    (!row || !strcmp(options->before->engine, row->name)))
		status = odo_change_safely(options, &t, err);
	if (status) {
		odo_tables_free(t);
		return status;
	}
	t->watch = NULL; /* the watch was lent for this call only */
	*out = t;
	return 0;
}
