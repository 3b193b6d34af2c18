/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/engine.h"

#include <string.h>

#include "routing/choose/floor.h"
#include "routing/reroute/hold.h"
#include "routing/verify/verify.h"

/* What others must not fall below. */
#define FLOOR "updown"

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
	if (options && options->strict && c && c->n_faults && row->kinds != ODO_ANY_KIND)
		return odo_fail(err, ODO_EDECLINE,
				"%u contradictions in the fabric, and strictness is asked for",
				c->n_faults);
	return 0;
}

static int route_with(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_tables *t = NULL;
	odo_verdict verdict = {0};
	int status = check(row, c, options, err);
	if (!status)
		status = odo_tables_create(f, row->name, &t, err);
	if (!status) {
		t->profile = row->profile;
		status = row->route(row, f, c, options, t, err);
	}
	if (!status && options)
		status = odo_hold(options->history, t, err);
	if (!status) {
		status = odo_verify(t, &verdict, err);
		odo_verdict_clear(&verdict);
	}
	if (status) {
		odo_tables_free(t);
		return odo_fail_within(err, "%s", row->name);
	}
	*out = t;
	return 0;
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

/* Engines that lead LIDs of one host different ways, where that is wanted; the first made for
 * the kind; those for any graph. */
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

static void note(odo_tables *t, const odo_tables *left, const odo_rating *own,
		 const odo_rating *other)
{
	memcpy(t->compared, left->engine, sizeof t->compared);
	t->rating = *own;
	t->other = *other;
}

/* The better of tables and up*\/down* ones, which this consumes. */
static int take_better(const odo_rating *own, bool incumbent, bool take, odo_tables **out,
		       odo_tables *updown, odo_error *err)
{
	odo_rating other;
	int status = odo_floor_rate(updown, &other, err);
	if (!status && take && odo_floor_prefers(own, &other, incumbent)) {
		note(updown, *out, &other, own);
		odo_tables_free(*out);
		*out = updown;
		return 0;
	}
	if (!status)
		note(*out, updown, own, &other);
	odo_tables_free(updown);
	return status;
}

/* True if something else is asked for than what bounds tell of. */
static bool wants_more(const odo_fabric *f, const odo_route_options *options)
{
	return is_to_spread(f, options) || (options && options->no_fallback);
}

/* Are up*\/down* paths to stay unless others are clearly better? So they are once they are
 * installed; and at first, beside tables whose SLs depend on the pair: they need no SL, so that no
 * connection has to be made anew after a change. */
static bool is_incumbent(const odo_tables *t, const odo_route_options *options)
{
	const odo_tables *before = options ? options->before : NULL;
	return before ? !strcmp(before->engine, FLOOR) : t->sl_of_pair != NULL;
}

/* A fabric is not to be slower than with paths that any can have. What declines sets no floor. */
static int compare(const odo_coordinates *c, const odo_route_options *options, bool take,
		   odo_tables **out, odo_error *err)
{
	odo_rating own;
	odo_tables *updown = NULL;
	bool incumbent = is_incumbent(*out, options);
	if (!strcmp((*out)->engine, FLOOR) || !odo_floor_due(*out, c, !take))
		return 0;
	int status = odo_floor_rate(*out, &own, err);
	if (status || odo_floor_is_met(&own, incumbent))
		return status;
	odo_error why;
	status = route_with(odo_engine_find(FLOOR), (*out)->fabric, c, options, &updown, &why);
	if (status)
		return status == ODO_ENOMEM ? odo_fail(err, status, "%s", why.text) : 0;
	return take_better(&own, incumbent, take, out, updown, err);
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
	if (status)
		odo_tables_free(t);
	else
		*out = t;
	return status;
}
