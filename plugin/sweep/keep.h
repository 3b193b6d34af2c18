/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Keeping the tables of the sweep before if routing fails. */
#ifndef ODONATA_PLUGIN_SWEEP_KEEP_H
#define ODONATA_PLUGIN_SWEEP_KEEP_H

#include "plugin/sweep/engine.h"
#include "routing/reroute/carry.h"

/**
 * Carry the engine's tables over to OpenSM's present subnet, and prove them again, together with
 * the SLs that were answered. If they lack paths for pairs that cables connect, another engine may
 * do better. They are then not kept if an engine is listed after ours, or if minhop would follow
 * and more than half of all pairs lack a path. Under OpenSM's `no_fallback` no engine follows.
 * @param now zeroed; gets fabric and tables, for odo_routed_free() also on failure
 * Errors: those of odo_translate() and odo_carry(); ODO_EDECLINE if another engine shall follow, or
 * VL arbitration does not serve a VL of the tables.
 */
int odo_keep(const odo_osm_engine *engine, odo_routed *now, odo_carried *carried, odo_error *err);

/**
 * Carry the tables that the operator has ordered over to OpenSM's present subnet, in the same way.
 * Pairs without a path are the operator's choice, up to half of all.
 * Errors: as odo_keep().
 */
int odo_keep_ordered(const odo_osm_engine *engine, odo_routed *now, odo_carried *carried,
		     odo_error *err);

#endif
