/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Detours off the fullest cables. */
#ifndef ODONATA_ROUTING_CHOOSE_RELIEVE_H
#define ODONATA_ROUTING_CHOOSE_RELIEVE_H

#include "routing/tables.h"

/**
 * Lead paths off the cable that uniform traffic between hosts fills first, as long as that leaves
 * no cable as full, and no slower any pattern of odo_floor_patterns(): a switch takes another port
 * for a LID, on a way that is no longer. SLs and SL2VL maps stay, and so does what depends on what:
 * nothing that could close a cycle. The tables are still to be proved.
 * @param watch   NULL, or gets reports of progress
 * @param n_moved gets how many entries changed
 * Errors: ODO_ENOMEM.
 */
int odo_relieve(odo_tables *t, const odo_watch *watch, uint32_t *n_moved, odo_error *err);

#endif
