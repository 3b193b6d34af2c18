/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tables of a fabric that has lost something, with as little changed as can be. */
#ifndef ODONATA_ROUTING_REROUTE_SPLICE_H
#define ODONATA_ROUTING_REROUTE_SPLICE_H

#include "routing/tables.h"

/**
 * Take over the tables of the fabric as it was. Where a path is broken, its last switch takes
 * another port, or where all of them lead back to it, one before it does, such that all that
 * packets wait for under old and new entries together closes no cycle. SLs and SL2VL maps stay.
 *
 * O(n_switches * lid_count) and what broken entries take.
 * @param before tables of profile ib, proved
 * @param like   tables of the fabric as it is: no entry is left out that these have; of ports that
 *               are as good theirs is taken
 * @param out    unproved; for odo_tables_free()
 * Errors: ODO_EDECLINE where a cable has come, or some path cannot be mended so; ODO_ENOMEM.
 */
int odo_splice(const odo_tables *before, const odo_tables *like, odo_tables **out, odo_error *err);

#endif
