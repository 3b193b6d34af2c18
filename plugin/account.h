/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What OpenSM's log is told of a sweep. */
#ifndef ODONATA_PLUGIN_ACCOUNT_H
#define ODONATA_PLUGIN_ACCOUNT_H

#include "plugin/engine.h"

typedef struct odo_account {
	double translate, map, route, install; /**< ms of processor time */
	odo_lft_changes lfts;
	odo_told told; /**< to connections that there are */
} odo_account;

/** What was found and routed, and what is wrong with it. */
void odo_account_log(const odo_osm_engine *engine, const odo_account *ms);
/** What changes in the switches, and for connections that there are. */
void odo_account_log_changes(const odo_osm_engine *engine, const odo_account *ms);
/** On which SLs packets may be that do not carry the SL of their path. @param ms it took */
void odo_account_log_sls(const odo_osm_engine *engine, double ms);
/** What can happen while it does (routing/transition/transition.h). */
void odo_account_log_transition(const odo_osm_engine *engine);

#endif
