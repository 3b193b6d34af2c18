/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The SLs that OpenSM has handed out, whichever of our engines they are from, and what the log
 * says of those that cannot stay. */
#ifndef ODONATA_PLUGIN_MEMORY_ANSWERED_H
#define ODONATA_PLUGIN_MEMORY_ANSWERED_H

#include <stdatomic.h>

#include "plugin/opensm/opensm.h"
#include "routing/reroute/history.h"

/** Pairs of which the log can tell. */
#define ODO_MAX_RECONNECT 4096u

/** One for all engines of a plugin. Changed under OpenSM's exclusive lock. */
typedef struct odo_answered {
	odo_history *history;   /**< NULL before the first sweep */
	atomic_uint free_hints; /**< SLs of others, a bit each, that paths got where any is safe */
} odo_answered;

/** What a sweep changes for connections. */
typedef struct odo_sl_update {
	odo_history *history; /**< once these tables are in use */
	odo_sl_changes changes;
	odo_reconnect *list; /**< the first ODO_MAX_RECONNECT pairs that must reconnect */
} odo_sl_update;

void odo_answered_clear(odo_answered *h);

/** SLs that were given as somebody hinted, since last asked, count as handed out for every pair. */
void odo_answered_add_hints(odo_answered *h);

/** An engine that is not ours routed: its paths got OpenSM's default SL. */
void odo_answered_add_default(odo_answered *h);

/** Compare proved tables with what was handed out before. @param update zeroed, for
 * odo_sl_update_clear(), also on ODO_ENOMEM */
int odo_answered_compare(const odo_answered *h, const odo_tables *t, odo_sl_update *update,
			 odo_error *err);

/** The tables are in use. */
void odo_answered_update(odo_answered *h, odo_sl_update *update);
void odo_sl_update_clear(odo_sl_update *update);

/** Write into the log which pairs must reconnect: a line a switch, up to some. */
void odo_sl_update_log(const odo_sl_update *update, const odo_tables *t, osm_log_t *log);

#endif
