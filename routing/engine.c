/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/engine.h"

#include <string.h>

#include "routing/engines.h"
#include "routing/verify.h"

#define FLATFLIES (1u << ODO_KIND_FLATFLY | 1u << ODO_KIND_HYPERCUBE)
#define SLIMFLIES (1u << ODO_KIND_SLIMFLY | 1u << ODO_KIND_SLIMFLY_FLATFLY)
#define ANY ((1u << (ODO_KIND_SLIMFLY_FLATFLY + 1)) - 1)

/* Without a name odo_route() takes the first of profile ib that suits the kind, and where it
 * cannot serve, those that serve any kind. */
const odo_engine odo_engines[] = {
	{"dor", "dimension order, one VL", "004, section 3.3", ODO_PROFILE_IB, FLATFLIES, 1,
	 odo_route_dor},
	{"dragonfly", "minimal local-global-local, two VLs by port class", "004, section 3.5",
	 ODO_PROFILE_IB, 1u << ODO_KIND_DRAGONFLY, 2, odo_route_dragonfly},
	{"slimfly", "minimal in the Slim Fly, then dimension order, two VLs", "004, section 3.6",
	 ODO_PROFILE_IB, SLIMFLIES, 2, odo_route_dor},
	{"torus", "dimension order with datelines, SLs carry the crossings", "004, section 3.2",
	 ODO_PROFILE_IB, 1u << ODO_KIND_TORUS, 2, odo_route_torus},
	{"mixed-dor", "up to four dimension orders, an SL and VLs each", "004, section 3.3",
	 ODO_PROFILE_IB, FLATFLIES | SLIMFLIES, 0, odo_route_mixed_dor},
	{"layered", "balanced shortest paths in layers of VLs", "004, section 3.7", ODO_PROFILE_IB,
	 ANY, 0, odo_route_layered},
	{"updown", "up*/down*, one VL", "000, section 3.3.1", ODO_PROFILE_IB, ANY, 1,
	 odo_route_updown},
	{NULL, NULL, NULL, 0, 0, 0, NULL},
};

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
	if (options && options->strict && c && c->n_faults && e->kinds != ANY)
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
		status = e->route(f, c, options, t, err);
	}
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

/* Two rounds: engines made for the kind, then those for any graph. */
static int route_by_kind(const odo_fabric *f, const odo_coordinates *c,
			 const odo_route_options *options, odo_tables **out, odo_error *err)
{
	odo_error first = {0};
	int status = ODO_EDECLINE;
	bool tried = false;
	for (int round = 0; round < 2; round++) {
		for (const odo_engine *e = odo_engines; e->name; e++) {
			bool general = e->kinds == ANY;
			if (e->profile != ODO_PROFILE_IB || general != (round == 1) ||
			    !(e->kinds & 1u << kind_of(c)) || (tried && !general))
				continue;
			odo_error why = {0};
			status = route_with(e, f, c, options, out, &why);
			if (!status || status == ODO_ENOMEM)
				return status ? odo_fail(err, status, "%s", why.text) : 0;
			if (!first.text[0])
				first = why;
			tried = true;
		}
	}
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
