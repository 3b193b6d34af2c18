/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/engine.h"

#include <string.h>

#include "routing/engines.h"
#include "routing/adaptive/ext.h"
#include "routing/verify/verify.h"

#define FLATFLIES (1u << ODO_KIND_FLATFLY | 1u << ODO_KIND_HYPERCUBE)
#define SLIMFLIES (1u << ODO_KIND_SLIMFLY | 1u << ODO_KIND_SLIMFLY_FLATFLY)
#define PRODUCTS (FLATFLIES | SLIMFLIES)
#define DRAGONFLY (1u << ODO_KIND_DRAGONFLY)
#define ANY ((1u << (ODO_KIND_SLIMFLY_FLATFLY + 1)) - 1)

/* Without a name odo_route() takes the first of profile ib that suits the kind, and where it
 * cannot serve, those that serve any kind. */
const odo_engine odo_engines[] = {
	{"dor", "dimension order, one VL", "004, section 3.3", ODO_PROFILE_IB, FLATFLIES, 1,
	 odo_route_dor, false},
	{"dragonfly", "minimal local-global-local, two VLs by port class", "004, section 3.5",
	 ODO_PROFILE_IB, 1u << ODO_KIND_DRAGONFLY, 2, odo_route_dragonfly, false},
	{"slimfly", "minimal in the Slim Fly, then dimension order, two VLs", "004, section 3.6",
	 ODO_PROFILE_IB, SLIMFLIES, 2, odo_route_dor, false},
	{"torus", "dimension order with datelines, SLs carry the crossings", "004, section 3.2",
	 ODO_PROFILE_IB, 1u << ODO_KIND_TORUS, 2, odo_route_torus, false},
	{"mixed-dor", "up to four dimension orders, an SL and VLs each", "004, section 3.3",
	 ODO_PROFILE_IB, FLATFLIES | SLIMFLIES, 0, odo_route_mixed_dor, true},
	{"dragonfly-valiant",
	 "minimal to a host's first LID, over another group to the others (LMC)",
	 "003, section 2; 004, section 3.5", ODO_PROFILE_IB, DRAGONFLY, 4,
	 odo_route_dragonfly_valiant, true},
	{"layered", "balanced shortest paths in layers of VLs", "004, section 3.7", ODO_PROFILE_IB,
	 ANY, 0, odo_route_layered, false},
	{"updown", "up*/down*, one VL", "000, section 3.3.1", ODO_PROFILE_IB, ANY, 1,
	 odo_route_updown, false},
	{"ador", "DOR with one extra hop in each dimension", "004, section 3.3", ODO_PROFILE_IB_EXT,
	 PRODUCTS, 0, odo_route_ador, false},
	{"mixed-ador", "ADOR in up to four dimension orders", "004, section 3.3",
	 ODO_PROFILE_IB_EXT, PRODUCTS, 0, odo_route_ador, false},
	{"twisted-dor", "DOR after a first hop chosen by the destination's index",
	 "004, section 3.3", ODO_PROFILE_IB_EXT, PRODUCTS, 0, odo_route_ador, false},
	{"twisted-mixed-dor", "twisted DOR in up to four dimension orders", "004, section 3.3",
	 ODO_PROFILE_IB_EXT, PRODUCTS, 0, odo_route_ador, false},
	{"twisted-ador", "ADOR after a twist", "004, section 3.3", ODO_PROFILE_IB_EXT, PRODUCTS, 0,
	 odo_route_ador, false},
	{"twisted-mixed-ador", "twisted ADOR in up to four dimension orders", "004, section 3.3",
	 ODO_PROFILE_IB_EXT, PRODUCTS, 0, odo_route_ador, false},
	{"negative-first", "turn model: negative dimensions first", "004, section 3.4",
	 ODO_PROFILE_IB_EXT, 1u << ODO_KIND_HYPERCUBE, 1, odo_route_turn, false},
	{"abo-negative-first", "turn model: all but one negative dimensions first",
	 "004, section 3.4", ODO_PROFILE_IB_EXT, 1u << ODO_KIND_HYPERCUBE, 1, odo_route_turn,
	 false},
	{"abo-positive-last", "turn model: all but one positive dimensions last",
	 "004, section 3.4", ODO_PROFILE_IB_EXT, 1u << ODO_KIND_HYPERCUBE, 1, odo_route_turn,
	 false},
	{"dragonfly-static", "local-global-local, no choice", "004, section 3.5",
	 ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-s", "an extra local hop in the source group", "004, section 3.5",
	 ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-d", "an extra local hop in the destination group", "004, section 3.5",
	 ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-sd", "extra local hops in source and destination group", "004, section 3.5",
	 ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-g", "an extra global hop", "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6,
	 odo_route_gsid, false},
	{"dragonfly-gs", "an extra global hop, and a local one in the source group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-gi", "an extra global hop, and a local one in the intermediate group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-gd", "an extra global hop, and a local one in the destination group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-gsi", "an extra global hop, and local ones in source and intermediate group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-gid", "an extra global hop, and local ones in intermediate and last group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-gsd", "an extra global hop, and local ones in source and last group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"dragonfly-gsid", "an extra global hop, and a local one in every group",
	 "004, section 3.5", ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_gsid, false},
	{"ofar-tree", "OFAR with VLs for its flags, escape by a tree", "000, section 3",
	 ODO_PROFILE_IB_EXT, DRAGONFLY, 7, odo_route_ofar, false},
	{"ofar-ring", "OFAR with VLs for its flags, escape by a ring", "000, section 3",
	 ODO_PROFILE_IB_EXT, DRAGONFLY, 6, odo_route_ofar, false},
	{"ofar-ar", "OFAR's misroutings in four tables, VLs count hops", "000, section 3.1",
	 ODO_PROFILE_IB_AR, DRAGONFLY, 6, odo_route_gsid, false},
	{"distance-based", "all shortest paths, VL hopping", "004, section 3.7", ODO_PROFILE_IB_EXT,
	 ANY, 0, odo_route_distance, false},
	{"distance-based+1", "1 extra hop sideways, VL hopping", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{"distance-based+2", "2 extra hops sideways, VL hopping", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{"distance-based+3", "3 extra hops sideways, VL hopping", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{"distance-based+4", "4 extra hops sideways, VL hopping", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{"deflection+2", "2 extra hops, away from the destination too", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{"deflection+3", "3 extra hops, away from the destination too", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{"deflection+4", "4 extra hops, away from the destination too", "004, section 3.7",
	 ODO_PROFILE_IB_EXT, ANY, 0, odo_route_distance, false},
	{NULL, NULL, NULL, 0, 0, 0, NULL, false},
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
	bool general = e->kinds == ANY;
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
