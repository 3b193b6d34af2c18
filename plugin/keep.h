/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What stays where routing anew is not possible. */
#ifndef ODONATA_PLUGIN_KEEP_H
#define ODONATA_PLUGIN_KEEP_H

#include "plugin/install.h"
#include "routing/reroute/carry.h"
#include "routing/reroute/history.h"

/**
 * Carry the tables of a sweep before over to OpenSM's subnet as it is now, with their proof.
 * Where they would leave pairs cut off that cables connect, others may do better, and they are not
 * kept: if an engine is listed after ours, or, as minhop would follow, if that is more than half of
 * all pairs. With OpenSM's own `no_fallback` nobody follows.
 * @param before of a sweep before; only read
 * @param history SLs handed out, with which they are proved too; or NULL
 * @param n_served odo_settings.n_served, beyond which packets would never leave
 * @param slot   the engine that asks
 * @param now    zeroed; gets fabric and tables, for odo_routed_free() also on failure
 * Errors: those of odo_translate() and odo_carry(), and ODO_EDECLINE where others shall follow,
 * or VLs are not served.
 */
int odo_keep(const odo_routed *before, const odo_history *history, unsigned n_served,
	     const osm_opensm_t *osm, const struct osm_routing_engine *slot, odo_routed *now,
	     odo_carried *carried, odo_error *err);

#endif
