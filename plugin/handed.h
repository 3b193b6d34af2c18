/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The SLs that OpenSM has handed out, whichever of our engines they are from, and what the log
 * says of those that cannot stay. */
#ifndef ODONATA_PLUGIN_HANDED_H
#define ODONATA_PLUGIN_HANDED_H

#include <stdatomic.h>

#include "plugin/opensm.h"
#include "routing/reroute/history.h"

/** Pairs of which the log can tell. */
#define ODO_MAX_TOLD 4096u

/** One for all engines of a plugin. Changed under OpenSM's exclusive lock. */
typedef struct odo_handed {
	odo_history *history;   /**< NULL before the first sweep */
	atomic_uint free_hints; /**< SLs of others, a bit each, that paths got where any is safe */
} odo_handed;

/** What a sweep changes for connections. */
typedef struct odo_told {
	odo_history *history; /**< once these tables are in use */
	odo_sl_changes changes;
	odo_reconnect *list; /**< the first ODO_MAX_TOLD pairs that must reconnect */
} odo_told;

void odo_handed_clear(odo_handed *h);

/** SLs that were given as somebody hinted, since last asked, count as handed out for every pair. */
void odo_handed_settle(odo_handed *h);

/** An engine that is not ours routed: its paths got OpenSM's default SL. */
void odo_handed_foreign(odo_handed *h);

/** Compare proved tables with what was handed out before. @param told zeroed, for
 * odo_told_clear(), also on ODO_ENOMEM */
int odo_handed_compare(const odo_handed *h, const odo_tables *t, odo_told *told, odo_error *err);

/** The tables are in use. */
void odo_handed_adopt(odo_handed *h, odo_told *told);
void odo_told_clear(odo_told *told);

/** Write into the log which pairs must reconnect: a line a switch, up to some. */
void odo_told_log(const odo_told *told, const odo_tables *t, osm_log_t *log);

#endif
