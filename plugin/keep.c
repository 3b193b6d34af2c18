/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/keep.h"

#include "plugin/translate.h"

/* Who is listed next was chosen for this. Minhop comes by itself, and may deadlock: all must wait
 * then for what a cut takes from some. */
static int weigh_cut_pairs(const osm_opensm_t *osm, const struct osm_routing_engine *slot,
			   const odo_carried *carried, odo_error *err)
{
	unsigned long long n = carried->n_missing, of = carried->n_pairs;
	if (n && slot->next)
		return odo_fail(
			err, ODO_EDECLINE,
			"they cut off %llu of %llu pairs (switch, LID), and engine \"%s\" is "
			"listed next",
			n, of, slot->next->name);
	if (n > of / 2 && !osm->no_fallback_routing_engine)
		return odo_fail(err, ODO_EDECLINE,
				"they cut off %llu of %llu pairs (switch, LID), more than half", n,
				of);
	return 0;
}

int odo_keep(const odo_routed *before, const odo_history *history, unsigned n_served,
	     const osm_opensm_t *osm, const struct osm_routing_engine *slot, odo_routed *now,
	     odo_carried *carried, odo_error *err)
{
	if (before->tables->n_vls > 1 && before->tables->n_vls > n_served)
		return odo_fail(err, ODO_EDECLINE,
				"they need %u VLs, and VL arbitration gives VL %u no weight",
				before->tables->n_vls, n_served);
	int status = odo_translate(&osm->subn, &now->fabric, err);
	if (!status)
		status = odo_carry(before->tables, history, now->fabric, &now->tables, carried,
				   err);
	if (!status)
		status = weigh_cut_pairs(osm, slot, carried, err);
	now->sweep = before->sweep;
	now->choice = before->choice;
	return status;
}
