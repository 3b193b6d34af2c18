/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** SLs of new tables that suit existing connections. */
#ifndef ODONATA_ROUTING_REROUTE_HOLD_H
#define ODONATA_ROUTING_REROUTE_HOLD_H

#include "routing/reroute/connections.h"

/**
 * Let paths keep the SLs that they were assigned. Ports and SL2VL maps stay as they are; only the
 * SL of each path is chosen again. Other SLs that connections use go to `held_of_lid` or
 * `held_of_pair`, so that the verifier proves these as well. If no choice is safe with all SLs in
 * use, some pairs are left out, and odo_history_compare() reports them.
 *
 * Takes little time if each path already has the SL that it had before. Otherwise O(n_switches *
 * LIDs that differ in their trees * hops), and a sort of the channels.
 * @param h NULL for none
 * @param t complete tables of profile ib, free of deadlock with their own SLs; other tables do not
 *          change
 * Errors: ODO_ENOMEM.
 */
int odo_hold(const odo_history *h, odo_tables *t, odo_error *err);

#endif
