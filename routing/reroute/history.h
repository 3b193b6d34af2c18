/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * SLs that paths were assigned. An application keeps the SL that it got when it connected, while
 * the tables change. So new tables must be safe with SLs assigned before, too.
 *
 * For each pair of a source's switch and a LID, the history stores the SL assigned last, and the
 * set of SLs that connections may still use. Sources are ports of hosts. LIDs are those of hosts
 * and of switches. A source is identified by the GUIDs of port and switch, not by numbers in a
 * fabric. When it moves, it keeps the SLs that it was assigned. A LID is stored by its number, as
 * packets carry it, whatever port has it.
 *
 * An absent source receives no notice. The history therefore remembers SLs for it that are no
 * longer proved (`owed`). When the source returns, tables keep the SL again, or the pair is
 * reported.
 *
 * Switches and ports that are gone are remembered up to a limit: twice those of the largest fabric
 * so far, plus 64. Beyond it, switches gone for longest share a row, and ports gone for longest are
 * forgotten. A history thus needs at most five bytes for each pair of these switches and LIDs.
 */
#ifndef ODONATA_ROUTING_REROUTE_HISTORY_H
#define ODONATA_ROUTING_REROUTE_HISTORY_H

#include "routing/tables.h"

/** No SL was assigned. */
#define ODO_SL_NONE 0xFF

/** Read-only except for odo_history_add(). Rows are switches; there is a single row as long as
 * every SL depends on the LID alone. */
typedef struct odo_history {
	uint32_t n_switches, lid_count;
	uint32_t n_ports, n_here;
	bool by_pair;
	/** [n_switches] switches of the last fabric, then absent ones */
	uint64_t *switch_guid;
	/** [lid_count] GUID of the port or switch, 0 if the LID was never used */
	uint64_t *lid_guid;
	uint16_t *held; /**< [rows * lid_count] SLs in use, a bit each */
	uint8_t *last;  /**< [rows * lid_count] SL assigned last, or ODO_SL_NONE */
	/** [rows * lid_count] SLs that are not proved but that absent ports may use; NULL if there
	 * are none. */
	uint16_t *owed;
	uint64_t *
		/** [n_ports] first n_here ports of the last fabric's hosts, then absent ports */
		port_guid;
	uint32_t *port_switch; /**< [n_ports] row of the switch where each port was last */
} odo_history;

/** A history in the numbers of a fabric: switches and LIDs. */
typedef struct odo_past {
	bool by_pair;
	uint32_t lid_count;
	uint16_t *held; /**< [n_switches * lid_count], or [lid_count]; 0 for a pair without SLs */
	uint8_t *last;  /**< indexed the same way; ODO_SL_NONE */
} odo_past;

/** Differences between tables and the SLs assigned before. Pairs are (switch with hosts, LID of a
 * host or a switch). LIDs of switches are left out if the tables do not guarantee them. */
typedef struct odo_sl_changes {
	uint64_t n_pairs;     /**< connected pairs */
	uint64_t n_changed;   /**< pairs whose path has another SL than was assigned last */
	uint64_t n_reconnect; /**< pairs with connections whose SL is no longer proved to be safe */
} odo_sl_changes;

/** A pair whose connections must be re-established. */
typedef struct odo_reconnect {
	uint32_t s, lid;    /**< switch and LID in the tables' fabric */
	unsigned held, now; /**< SLs that are no longer safe, a bit each; SL of the path */
} odo_reconnect;

/**
 * Continue a history with the SLs of tables: those of their paths, and those with which they are
 * proved (odo_tables.held_of_lid). Present ports lose other SLs: odo_history_compare() reports
 * these pairs.
 * @param before NULL for none; does not change
 * @param out    free with odo_history_free()
 * Errors: ODO_ENOMEM.
 */
int odo_history_note(const odo_history *before, const odo_tables *t, odo_history **out,
		     odo_error *err);
void odo_history_free(odo_history *h);

/** Record SLs, a bit each, that another manager assigned to all pairs. */
void odo_history_add(odo_history *h, unsigned sls);

/**
 * Find the SLs that connections from ports of the fabric may use. A LID that had another owner
 * before has no SL assigned last.
 * @param past clear with odo_past_clear(), also on ODO_ENOMEM
 */
int odo_history_past(const odo_history *h, const odo_fabric *f, odo_past *past, odo_error *err);
void odo_past_clear(odo_past *past);

static inline unsigned odo_past_held(const odo_past *past, uint32_t s, uint32_t lid)
{
	return past->held[(past->by_pair ? (size_t)s * past->lid_count : 0) + lid];
}
static inline uint8_t odo_past_last(const odo_past *past, uint32_t s, uint32_t lid)
{
	return past->last[(past->by_pair ? (size_t)s * past->lid_count : 0) + lid];
}

/**
 * Compare tables with the SLs assigned before them.
 * @param list NULL, or gets the first `room` pairs that must reconnect
 * Errors: ODO_ENOMEM.
 */
int odo_history_compare(const odo_history *h, const odo_tables *t, odo_sl_changes *changes,
			odo_reconnect *list, uint32_t room, odo_error *err);

#endif
