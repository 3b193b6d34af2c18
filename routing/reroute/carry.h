/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tables of a fabric as it was, for the fabric as it is now. */
#ifndef ODONATA_ROUTING_REROUTE_CARRY_H
#define ODONATA_ROUTING_REROUTE_CARRY_H

#include "routing/reroute/history.h"

/** What carried tables do for the fabric: (switch, LID) pairs that cables connect. */
typedef struct odo_carried {
	uint64_t n_pairs;   /**< all of them */
	uint64_t n_missing; /**< that the tables have no path for */
} odo_carried;

/**
 * Carry tables over to what their fabric has become, and verify them there. Nothing is routed.
 * Switches are the same by GUID, cables by their two ports. A path stays where all its cables do,
 * else its pair is left out: each switch that cannot deliver any more has no entry, so that
 * no packet sets out on a way that ends. A LID follows the tree of its own host or switch under
 * whatever LID that had; a new host that of another host of its switch, or else of the switch. Its
 * own link is used on VL 0 alone. Hosts of a new switch reach each other and nobody else.
 *
 * O(n_switches * lid_count), and the proof.
 * @param before tables of profile ib, proved, perhaps carried themselves
 * @param history SLs handed out (history.h), which stay and are proved too where that is safe; or
 * NULL
 * @param out    `carried` (tables.h); for odo_tables_free()
 * Errors: ODO_EUNSAFE where they are not proved, as after links have lost VLs; ODO_ENOMEM.
 */
int odo_carry(const odo_tables *before, const odo_history *history, const odo_fabric *now,
	      odo_tables **out, odo_carried *carried, odo_error *err);

/** The same without SLs handed out, and without a proof. Errors: ODO_ENOMEM. */
int odo_carry_unproved(const odo_tables *before, const odo_fabric *now, odo_tables **out,
		       odo_error *err);

#endif
