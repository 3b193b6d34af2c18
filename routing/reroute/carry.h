/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Tables of a fabric as it was, for the fabric as it is now. */
#ifndef ODONATA_ROUTING_REROUTE_CARRY_H
#define ODONATA_ROUTING_REROUTE_CARRY_H

#include "routing/reroute/connections.h"

/** Pairs (switch, LID) that cables connect. */
typedef struct odo_carried {
	uint64_t n_pairs;   /**< all of them */
	uint64_t n_missing; /**< those for which carried tables have no path */
} odo_carried;

/**
 * Carry tables over to the present state of their fabric, and verify them there. No path is
 * computed. Switches are recognised by GUID, cables by their two ports. A path stays if all its
 * cables do. Otherwise its pair is left out: a switch that can no longer deliver to a LID has no
 * entry, so that no packet takes a path that ends. The tree to a LID is the earlier one of its host
 * or switch, even if the LID has changed. A new host gets the tree of another host of its switch,
 * or of the switch if it had none; only VL 0 is used on the host's own link. Hosts of a new switch
 * reach each other, and no other host.
 *
 * O(n_switches * lid_count), and the proof.
 * @param before tables of profile ib, proved, perhaps carried themselves
 * @param history SLs assigned so far (connections.h), or NULL; they stay, and are proved too, if that
 * is safe
 * @param out    `carried` (tables.h); for odo_tables_free()
 * Errors: ODO_EUNSAFE if they are not proved, for example after links have lost VLs; ODO_ENOMEM.
 */
int odo_carry(const odo_tables *before, const odo_history *history, const odo_fabric *now,
	      odo_tables **out, odo_carried *carried, odo_error *err);

/** The same without SLs assigned so far, and without a proof. Errors: ODO_ENOMEM. */
int odo_carry_unproved(const odo_tables *before, const odo_fabric *now, odo_tables **out,
		       odo_error *err);

/** Share of entries from which a change counts as large: one in so many. Repairs of a cable change
 * fewer, other options or another engine more (docs/design/change.md). */
enum { ODO_LARGE_CHANGE = 4 };

/** Return true if tables are other ones, not those before with repairs: of another engine, or with
 * a large share of other entries for the switches and LIDs that are in both. True without memory.
 */
bool odo_is_large_change(const odo_tables *before, const odo_tables *now);

#endif
