/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/engine.h"

#include <string.h>

#include "routing/reroute/hold.h"
#include "routing/verify/verify.h"

const odo_engine *odo_engine_find(const char *name)
{
	for (const odo_engine *e = odo_engines; e->name; e++)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

static odo_kind kind_of(const odo_coordinates *c)
{
	return c ? c->kind : ODO_KIND_UNKNOWN;
}

static int check(const odo_engine *e, const odo_coordinates *c, const odo_route_options *options,
		 odo_error *err)
{
	if (!(e->kinds & 1u << kind_of(c)))
		return odo_fail(err, ODO_EDECLINE, "does not route the kind \"%s\"",
				odo_kind_name(kind_of(c)));
	if (!e->route)
		return odo_fail(err, ODO_EDECLINE, "needs state in packets: no tables exist");
	if (options && options->strict && c && c->n_faults && e->kinds != ODO_ANY_KIND)
		return odo_fail(err, ODO_EDECLINE,
				"%u contradictions in the fabric, and strictness is asked for",
				c->n_faults);
	return 0;
}

static int route_with(const odo_engine *e, const odo_fabric *f, const odo_coordinates *c,
		      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_tables *t = NULL;
	odo_verdict verdict = {0};
	int status = check(e, c, options, err);
	if (!status)
		status = odo_tables_create(f, e->name, &t, err);
	if (!status) {
		t->profile = e->profile;
		status = e->route(e, f, c, options, t, err);
	}
	if (!status && options)
		status = odo_hold(options->history, t, err);
	if (!status) {
		status = odo_verify(t, &verdict, err);
		odo_verdict_clear(&verdict);
	}
	if (status) {
		odo_tables_free(t);
		return odo_fail_within(err, "%s", e->name);
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

/* Engines that lead LIDs of one host different ways, where that is wanted; the first made for
 * the kind; those for any graph. */
enum { SPREADING, OF_KIND, GENERAL, N_ROUNDS };

static bool takes_part(const odo_engine *e, const odo_coordinates *c, int round)
{
	bool general = e->kinds == ODO_ANY_KIND;
	return e->profile == ODO_PROFILE_IB && e->kinds & 1u << kind_of(c) &&
	       general == (round == GENERAL) && (round != SPREADING || e->spreads_lids);
}

static int route_by_kind(const odo_fabric *f, const odo_coordinates *c,
			 const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_error first = {0};
	int status = ODO_EDECLINE;
	bool tried = false, spread = options && options->spread_lids && has_lmc(f);
	int end = options && options->no_fallback ? GENERAL : N_ROUNDS;
	for (int round = spread ? SPREADING : OF_KIND; round < end; round++) {
		for (const odo_engine *e = odo_engines; e->name; e++) {
			if (!takes_part(e, c, round))
				continue;
			odo_error why = {0};
			status = route_with(e, f, c, options, out, &why);
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

int odo_route(const odo_fabric *f, const odo_coordinates *c, const char *engine,
	      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	if (!engine)
		return route_by_kind(f, c, options, out, err);
	const odo_engine *e = odo_engine_find(engine);
	if (!e)
		return odo_fail(err, ODO_EINPUT, "no routing engine \"%s\"", engine);
	return route_with(e, f, c, options, out, err);
}
