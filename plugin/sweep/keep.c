/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/sweep/keep.h"

#include "plugin/opensm/translate.h"

/* Decline if the next engine should route instead. The operator has listed that engine for this
 * case. Minhop follows without being listed, and may deadlock: then all pairs would wait, where now
 * some have no path. */
static int weigh_cut_pairs(const odo_osm_engine *engine, const odo_carried *carried, odo_error *err)
{
	unsigned long long n = carried->n_missing, of = carried->n_pairs;
	if (n && engine->slot->next)
		return odo_fail(
			err, ODO_EDECLINE,
			"they cut off %llu of %llu pairs (switch, LID), and engine \"%s\" is "
			"listed next",
			n, of, engine->slot->next->name);
	if (n > of / 2 && !engine->osm->no_fallback_routing_engine)
		return odo_fail(err, ODO_EDECLINE,
				"they cut off %llu of %llu pairs (switch, LID), more than half", n,
				of);
	return 0;
}

static int carry_proved(const odo_osm_engine *engine, const odo_tables *before, odo_routed *now,
			odo_carried *carried, odo_error *err)
{
	unsigned n_vls = before->n_vls, n_served = engine->settings->n_served;
	if (n_vls > 1 && n_vls > n_served)
		return odo_fail(err, ODO_EDECLINE,
				"they need %u VLs, and VL arbitration gives VL %u no weight", n_vls,
				n_served);
	int status = odo_translate(&engine->osm->subn, &now->fabric, err);
	if (!status)
		status = odo_connections_begin(engine->connections, now->fabric, err);
	if (!status)
		status = odo_carry(before, engine->connections->history, now->fabric, &now->tables,
				   carried, err);
	now->n_cut = status ? 0 : carried->n_missing;
	return status;
}

int odo_keep(const odo_osm_engine *engine, odo_routed *now, odo_carried *carried, odo_error *err)
{
	const odo_routed *before = engine->routed;
	int status = carry_proved(engine, before->tables, now, carried, err);
	if (!status)
		status = weigh_cut_pairs(engine, carried, err);
	now->sweep = before->sweep;
	now->choice = before->choice;
	return status;
}

int odo_keep_ordered(const odo_osm_engine *engine, odo_routed *now, odo_carried *carried,
		     odo_error *err)
{
	const odo_saved *saved = &engine->orders->saved;
	int status = carry_proved(engine, saved->tables, now, carried, err);
	now->sweep = engine->state.sweep;
	now->choice = saved->choice;
	if (!status && carried->n_missing > carried->n_pairs / 2)
		status = odo_fail(err, ODO_EDECLINE,
				  "they cut off %llu of %llu pairs (switch, LID), more than half",
				  (unsigned long long)carried->n_missing,
				  (unsigned long long)carried->n_pairs);
	return status ? odo_fail_within(err, "tables of %s", engine->orders->order.what) : 0;
}
