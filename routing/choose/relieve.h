/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Detours off the fullest cables. */
#ifndef ODONATA_ROUTING_CHOOSE_RELIEVE_H
#define ODONATA_ROUTING_CHOOSE_RELIEVE_H

#include "routing/tables.h"

/**
 * Lead paths off the cable that uniform traffic between hosts fills first. In each move a switch
 * gets another port for a LID. Repeat as long as some move satisfies all of this:
 * - the path gets no longer;
 * - no changed cable becomes as full as the fullest one;
 * - no cable of the new path becomes fuller, under any pattern of odo_floor_patterns(), than the
 *   fullest was under that pattern at first;
 * - old and new dependencies together close no cycle.
 * SLs and SL2VL maps stay. The tables are still to be proved.
 * @param watch   NULL, or gets reports of progress
 * @param n_moved gets how many entries changed
 * Errors: ODO_ENOMEM.
 */
int odo_relieve(odo_tables *t, const odo_watch *watch, uint32_t *n_moved, odo_error *err);

#endif
