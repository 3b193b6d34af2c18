/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From old tables to new ones step by step, where something has come. */
#ifndef ODONATA_ROUTING_REROUTE_BLEND_H
#define ODONATA_ROUTING_REROUTE_BLEND_H

#include "routing/tables.h"

/**
 * Take over the tables of the fabric as it was, of which all stands, and of new ones the trees to
 * as many LIDs as may be: such that all that packets wait for under old and new entries together
 * closes no cycle, and no packet goes round while switches differ. SLs and SL2VL maps stay but on
 * cables that have come.
 * @param before tables of profile ib, proved
 * @param like   the new tables
 * @param out    unproved, `unfinished` where trees are left; for odo_tables_free()
 * Errors: ODO_EDECLINE where something is lost, or what has come cannot be
 * reached so; ODO_ENOMEM.
 */
int odo_blend(const odo_tables *before, const odo_tables *like, odo_tables **out, odo_error *err);

#endif
