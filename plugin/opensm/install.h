/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Proved tables on their way into OpenSM. */
#ifndef ODONATA_PLUGIN_OPENSM_INSTALL_H
#define ODONATA_PLUGIN_OPENSM_INSTALL_H

#include "fabric/coordinates.h"
#include "plugin/opensm/opensm.h"
#include "routing/multicast/multicast.h"
#include "routing/tables.h"

/**
 * What was computed for one sweep, kept to answer OpenSM's later questions. Holds nothing of
 * OpenSM's, whose objects come and go between sweeps. Read-only: the SA asks from several
 * threads, under OpenSM's shared lock, and it is replaced under the exclusive one.
 */
typedef struct odo_routed {
	odo_fabric *fabric;
	odo_coordinates *coordinates; /**< NULL where the tables were kept (keep.h) */
	odo_tables *tables;
	unsigned sweep;        /**< that routed, by its number in the log */
	uint32_t choice;       /**< odo_settings.choice, by which it did */
	odo_mcast *mcast;      /**< tree of all groups, NULL where there is none; see multicast.h */
	unsigned mcast_judged; /**< SLs for which it was looked for, a bit each */
	bool mcast_beside_new; /**< the tree is safe beside the paths of these tables alone, not
				  beside the SLs that connections hold from earlier ones */
	bool any_sl;           /**< every SL2VL map treats all SLs alike, so any SL is safe */
} odo_routed;

void odo_routed_free(odo_routed *routed);

/** How the LFTs differ from what OpenSM last sent to the switches. */
typedef struct odo_lft_changes {
	uint64_t n_entries; /**< of all switches together */
	uint64_t n_changed;
	uint64_t n_blocks; /**< of 64 entries, a MAD each, with a change in them */
} odo_lft_changes;

/** Write the LFTs into OpenSM's switches, which it then sends out. Either all or nothing.
 * Errors: ODO_EDECLINE where a switch has no room for the LIDs, ODO_ENOMEM. */
int odo_install_lfts(const odo_routed *routed, const osm_subn_t *subn, odo_lft_changes *changes,
		     odo_error *err);

/** Fill the hop matrices, for multicast and dumps. All or nothing; the same errors. */
int odo_install_hops(const odo_routed *routed, const osm_subn_t *subn, odo_error *err);

/** VLs of (input, output) of a switch's or of an adapter's own port. What is not ours to say,
 * a node or port that has appeared since, stays as OpenSM has it. */
void odo_install_sl2vl(const odo_routed *routed, const osm_physp_t *port, uint8_t in, uint8_t out,
		       ib_slvl_table_t *table);

/** SL of a path; `hint` where the LIDs are not known, or where any SL is safe and the path has
 * never had another than 0. Host order. */
uint8_t odo_installed_sl(const odo_routed *routed, uint8_t hint, uint16_t slid, uint16_t dlid);

/** (input, output) maps that OpenSM sends when it programs every SL2VL table anew. */
uint64_t odo_sl2vl_mads(const odo_fabric *f);

/** Linked ports on which OpenSM will cut our VLs short this time, since it masks them with
 * OperVLs that it raises only afterwards. */
uint32_t odo_masked_ports(const odo_routed *routed, const osm_subn_t *subn);

#endif
