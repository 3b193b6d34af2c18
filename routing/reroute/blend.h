/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** From old tables to new ones step by step, after something was added. */
#ifndef ODONATA_ROUTING_REROUTE_BLEND_H
#define ODONATA_ROUTING_REROUTE_BLEND_H

#include "routing/tables.h"

/**
 * Take over the tables of a fabric that has lost nothing since. Replace the trees to as many LIDs
 * as possible by those of the new tables. Old and new dependencies together close no cycle, and no
 * packet goes round while switches differ. SLs and SL2VL maps stay, except on added cables.
 * @param before tables of profile ib, proved
 * @param like   the new tables
 * @param out    unproved; `unfinished` if old trees are left; for odo_tables_free()
 * Errors: ODO_EDECLINE if something was lost, or if some added part cannot be reached in this step;
 * ODO_ENOMEM.
 */
int odo_blend(const odo_tables *before, const odo_tables *like, odo_tables **out, odo_error *err);

#endif
