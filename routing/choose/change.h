/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Functions that choosing an engine and changing from one sweep's tables to the next share. */
#ifndef ODONATA_ROUTING_CHOOSE_CHANGE_H
#define ODONATA_ROUTING_CHOOSE_CHANGE_H

#include "routing/engine.h"

/** Factor by which tables whose SLs depend on the pair must be better, if the current tables have
 * no such SLs. This also applies to installed tables: with such SLs, each later change would cost
 * connections. */
#define ODO_WORTH_RECONNECTING 1.5

/**
 * Return true if tables use no more VLs and SLs than the operator allows.
 * @param options or NULL
 */
bool odo_is_allowed(const odo_tables *t, const odo_route_options *options);

/** Let tables keep SLs that connections already use, and prove the tables with these SLs. Free the
 * tables if the proof fails. */
int odo_prove(odo_tables *t, const odo_route_options *options, odo_error *err);

/**
 * Prove tables. A failed proof is a result, not an error.
 * @param proved gets the result
 * Errors: ODO_ENOMEM.
 */
int odo_judge(const odo_tables *t, bool *proved, odo_error *err);

/**
 * Store the comparison of tables with others; of several comparisons, keep the strongest.
 * @param anew    the other tables have shorter detours
 * @param at_most `other` is an upper bound
 */
void odo_note_other(odo_tables *t, const char *engine, bool anew, bool at_most,
		    const odo_rating *own, const odo_rating *other);

/**
 * Avoid cycles of old and new paths while switches change to new tables. If there could be one,
 * repair the tables before instead (reroute/splice.h). If something was added, take a part of the
 * new tables (reroute/blend.h). Do so only if the result closes no cycle and is not much slower.
 * @param options with `before`
 * @param t       proved; replaced by other tables, which are also proved
 * Errors: ODO_ENOMEM.
 */
int odo_change_safely(const odo_route_options *options, odo_tables **t, odo_error *err);

#endif
