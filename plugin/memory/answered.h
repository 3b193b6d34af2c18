/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** SLs with which OpenSM has answered path queries, from whichever of our engines, and the log
 * messages about those that cannot stay. */
#ifndef ODONATA_PLUGIN_MEMORY_ANSWERED_H
#define ODONATA_PLUGIN_MEMORY_ANSWERED_H

#include <stdatomic.h>

#include "plugin/opensm/opensm.h"
#include "routing/reroute/history.h"

/** Maximum number of pairs that the log names. */
#define ODO_MAX_RECONNECT 4096u

/** Answered SLs, shared by all engines. Changed under OpenSM's exclusive lock. */
typedef struct odo_answered {
	odo_history *history;   /**< NULL before the first sweep */
	atomic_uint free_hints; /**< SLs that queries suggested, a bit each, given on paths where
				   any SL is safe */
} odo_answered;

/** Changes of a sweep for existing connections. */
typedef struct odo_sl_update {
	odo_history *history; /**< SLs once these tables are in use */
	odo_sl_changes changes;
	odo_reconnect *list; /**< the first ODO_MAX_RECONNECT pairs that must reconnect */
} odo_sl_update;

void odo_answered_clear(odo_answered *h);

/** Record the SLs that queries suggested since the last call as answered for every pair. */
void odo_answered_add_hints(odo_answered *h);

/** Record that another engine has routed: its paths got OpenSM's default SL. */
void odo_answered_add_default(odo_answered *h);

/**
 * Compare proved tables with the SLs answered before.
 * @param update zeroed, for odo_sl_update_clear(), also on ODO_ENOMEM
 */
int odo_answered_compare(const odo_answered *h, const odo_tables *t, odo_sl_update *update,
			 odo_error *err);

/** Record the SLs of tables that are now in use. */
void odo_answered_update(odo_answered *h, odo_sl_update *update);
void odo_sl_update_clear(odo_sl_update *update);

/** Log the pairs that must reconnect: a line per switch, up to a limit. */
void odo_sl_update_log(const odo_sl_update *update, const odo_tables *t, osm_log_t *log);

#endif
