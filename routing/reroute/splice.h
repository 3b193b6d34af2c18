/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Repair of tables after a loss, with few changed entries. */
#ifndef ODONATA_ROUTING_REROUTE_SPLICE_H
#define ODONATA_ROUTING_REROUTE_SPLICE_H

#include "routing/tables.h"

/**
 * Take over the tables of the fabric as it was, and repair broken paths. The last switch that a
 * broken path reaches takes another port. If all its ports lead back to it, a switch before it
 * takes another port. Old and new dependencies together close no cycle. SLs and SL2VL maps stay.
 *
 * O(n_switches * lid_count), and more for each broken entry.
 * @param before tables of profile ib, proved
 * @param like   tables of the fabric as it is: pairs that these connect must be repaired; of
 *               equally good ports, theirs is taken
 * @param out    unproved; for odo_tables_free()
 * Errors: ODO_EDECLINE if a cable was added, or some path cannot be repaired so; ODO_ENOMEM.
 */
int odo_splice(const odo_tables *before, const odo_tables *like, odo_tables **out, odo_error *err);

#endif
