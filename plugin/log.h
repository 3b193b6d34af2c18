/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What OpenSM's log is told of a sweep. */
#ifndef ODONATA_PLUGIN_LOG_H
#define ODONATA_PLUGIN_LOG_H

#include "plugin/engine.h"

typedef struct odo_sweep {
	double translate, map, route, install; /**< ms of processor time */
	odo_lft_changes lfts;
	odo_sl_update sls; /**< of connections that exist */
} odo_sweep;

/** What was found and routed, and what is wrong with it. */
void odo_log_tables(const odo_osm_engine *engine, const odo_sweep *sweep);
/** What changes in the switches, and for connections that there are. */
void odo_log_changes(const odo_osm_engine *engine, const odo_sweep *sweep);
/** On which SLs packets may be that do not carry the SL of their path. @param ms it took */
void odo_log_sls(const odo_osm_engine *engine, double ms);
/** What can happen while it does (routing/transition/transition.h). */
void odo_log_transition(const odo_osm_engine *engine);

#endif
