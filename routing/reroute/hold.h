/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** SLs of new tables that suit what connections hold. */
#ifndef ODONATA_ROUTING_REROUTE_HOLD_H
#define ODONATA_ROUTING_REROUTE_HOLD_H

#include "routing/reroute/history.h"

/**
 * Let paths keep the SLs that were handed out for them. Ports and SL2VL maps stay as they are; only
 * the SL of each path is chosen anew, and what connections hold besides goes to `held_of_lid` or
 * `held_of_pair`, so that the verifier proves it as well. Where no choice is safe with all that is
 * held, some pairs are left out; odo_history_compare() says which.
 *
 * Costs next to nothing where each path has got the SL that it had. Else O(n_switches * LIDs that
 * differ in their trees * hops), and a sort of the channels.
 * @param h NULL for none
 * @param t complete tables of profile ib, free of deadlock with their own SLs; else as they were
 * Errors: ODO_ENOMEM.
 */
int odo_hold(const odo_history *h, odo_tables *t, odo_error *err);

#endif
