/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What choosing an engine and changing from one sweep's tables to the next have in common. */
#ifndef ODONATA_ROUTING_CHOOSE_CHANGE_H
#define ODONATA_ROUTING_CHOOSE_CHANGE_H

#include "routing/engine.h"

/** How much better tables must be whose SLs depend on the pair, where these have none such;
 * installed ones too: each change would cost connections again. */
#define ODO_WORTH_RECONNECTING 1.5

/** Do tables use no more VLs and SLs than the operator allows? @param options or NULL */
bool odo_is_allowed(const odo_tables *t, const odo_route_options *options);

/** Let tables keep SLs that were handed out, and prove them with these. What is not proved is
 * freed. */
int odo_prove(odo_tables *t, const odo_route_options *options, odo_error *err);

/** Are tables proved? That they are not is an answer. @param proved gets it; Errors: ODO_ENOMEM */
int odo_judge(const odo_tables *t, bool *proved, odo_error *err);

/**
 * Keep what tables were compared with: of several the strongest.
 * @param anew    the others' detours are shorter ones
 * @param at_most `other` is what they would reach at most
 */
void odo_note_other(odo_tables *t, const char *engine, bool anew, bool at_most,
		    const odo_rating *own, const odo_rating *other);

/**
 * While switches change to tables made anew, old and new paths together may close a cycle. Then the
 * tables before are mended instead (reroute/splice.h), or where something has come a part of the
 * new ones is taken (reroute/blend.h), if these close none and are not much slower.
 * @param options with `before`
 * @param t       proved; replaced by others, which are proved too
 * Errors: ODO_ENOMEM.
 */
int odo_change_safely(const odo_route_options *options, odo_tables **t, odo_error *err);

#endif
