/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Writing of proved tables into OpenSM. */
#ifndef ODONATA_PLUGIN_OPENSM_INSTALL_H
#define ODONATA_PLUGIN_OPENSM_INSTALL_H

#include "fabric/coordinates.h"
#include "plugin/opensm/opensm.h"
#include "routing/multicast/multicast.h"
#include "routing/tables.h"

/** Result of one sweep, kept to answer OpenSM's later questions. It refers to no object of OpenSM,
 * because these come and go between sweeps. It is read-only: the SA reads it from several threads,
 * under OpenSM's shared lock, and it is replaced under the exclusive one. */
typedef struct odo_routed {
	odo_fabric *fabric;
	odo_coordinates *coordinates; /**< NULL if the tables were kept (keep.h) */
	odo_tables *tables;
	unsigned sweep;   /**< number of the sweep in the log */
	uint32_t choice;  /**< odo_settings.choice of that sweep */
	uint64_t n_cut;   /**< pairs (switch, LID) that cables connect and these tables do not */
	odo_mcast *mcast; /**< tree of all groups, or NULL; see multicast.h */
	unsigned mcast_judged; /**< SLs for which a tree was searched, a bit each */
	bool mcast_beside_new; /**< the tree is safe beside the paths of these tables, but not
				* beside SLs of earlier tables that connections still use */
	unsigned n_shares;     /**< owners besides the first; only the sweep's thread counts them */
	bool any_sl;           /**< all SL2VL maps treat all SLs alike, so any SL is safe */
} odo_routed;

void odo_routed_free(odo_routed *routed);
/** Add an owner, who frees it, too. */
odo_routed *odo_routed_share(odo_routed *routed);

/** Count the pairs that a step leaves without a path. Kept tables have their own count (keep.h). */
void odo_routed_note_step(odo_routed *routed);

/** Return true if tables were kept because routing had failed. A step is carried as well, and other
 * tables are to follow it. */
bool odo_is_kept(const odo_tables *t);

/** Difference between the LFTs and those that OpenSM last sent to the switches. */
typedef struct odo_lft_changes {
	uint64_t n_entries; /**< of all switches together */
	uint64_t n_changed;
	uint64_t n_blocks; /**< changed blocks of 64 entries, a MAD each */
} odo_lft_changes;

/** Write the LFTs into OpenSM's switches, which it then sends. On failure nothing is written.
 * Errors: ODO_EDECLINE if a switch has no room for the LIDs, ODO_ENOMEM. */
int odo_install_lfts(const odo_routed *routed, const osm_subn_t *subn, odo_lft_changes *changes,
		     odo_error *err);

/** Fill the hop matrices, for multicast and dumps. On failure they are empty; same errors. */
int odo_install_hops(const odo_routed *routed, const osm_subn_t *subn, odo_error *err);

/** Set the VLs of (input, output) of a switch, or of an adapter's port. For a node or port that has
 * appeared since, OpenSM's table stays. */
void odo_install_sl2vl(const odo_routed *routed, const osm_physp_t *port, uint8_t in, uint8_t out,
		       ib_slvl_table_t *table);

/** Return the number of (input, output) maps that OpenSM sends when it programs all SL2VL tables.
 */
uint64_t odo_sl2vl_mads(const odo_fabric *f);

/** Return the number of linked ports whose VLs OpenSM will mask in this sweep: it masks with
 * OperVLs, which it raises only afterwards. */
uint32_t odo_masked_ports(const odo_routed *routed, const osm_subn_t *subn);

#endif
