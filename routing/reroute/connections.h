/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * SLs that connections hold. An application keeps the SL that it got when it connected, while the
 * tables change. So new tables must be safe with SLs assigned before, too. Everything that assigns,
 * forgets or counts SLs goes through this module; docs/design/connections.md has its rules.
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
#ifndef ODONATA_ROUTING_REROUTE_CONNECTIONS_H
#define ODONATA_ROUTING_REROUTE_CONNECTIONS_H

#include <stdatomic.h>

#include "routing/tables.h"

/** No SL was assigned. */
#define ODO_SL_NONE 0xFF

/** Read-only outside this module. Rows are switches; there is a single row as long as every SL
 * depends on the LID alone. */
typedef struct odo_history {
	uint32_t n_switches, lid_count;
	uint32_t n_ports, n_here;
	bool by_pair;
	/** [n_switches] switches of the last fabric, then absent ones */
	uint64_t *switch_guid;
	/** [lid_count] GUID of the port or switch, 0 if the LID was never used */
	uint64_t *lid_guid;
	/** [lid_count] row of the switch that had the LID in the last tables, by which queries are
	 * answered until the next ones; ODO_NONE: it was unknown. */
	uint32_t *lid_row;
	uint16_t *held; /**< [rows * lid_count] SLs in use, a bit each */
	uint8_t *last;  /**< [rows * lid_count] SL assigned last, or ODO_SL_NONE */
	/** [rows * lid_count] SLs that are not proved but that absent ports may use; NULL if there
	 * are none. */
	uint16_t *owed;
	/** [n_ports] first n_here ports of the last fabric's hosts, then absent ports */
	uint64_t *port_guid;
	uint32_t *port_switch; /**< [n_ports] row of the switch where each port was last */
	unsigned n_shares; /**< owners besides the first: odo_history_share() */
} odo_history;

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

static inline size_t odo_history_entry(const odo_history *h, uint32_t s, uint32_t lid)
{
	return (h->by_pair ? (size_t)s * h->lid_count : 0) + lid;
}
/** Return the SLs that connections of a pair may use, a bit each. */
static inline unsigned odo_history_held(const odo_history *h, uint32_t s, uint32_t lid)
{
	return h->held[odo_history_entry(h, s, lid)];
}
static inline uint8_t odo_history_last(const odo_history *h, uint32_t s, uint32_t lid)
{
	return h->last[odo_history_entry(h, s, lid)];
}

/** Return the GUID of the port or switch that has a LID, or 0. */
uint64_t odo_lid_guid(const odo_fabric *f, uint32_t lid);

/**
 * Continue a history in a fabric: row s is that of switch s, and ports are where the fabric has
 * them. No SL is assigned or forgotten. A LID that had another owner before has no SL assigned
 * last.
 * @param before NULL for none; does not change
 * @param out    free with odo_history_free()
 * Errors: ODO_ENOMEM.
 */
int odo_history_continue(const odo_history *before, const odo_fabric *f, odo_history **out,
			 odo_error *err);

/**
 * Continue a history with the SLs of tables: those of their paths, and those with which they are
 * proved (odo_tables.held_of_lid). Present ports lose other SLs: odo_history_compare() reports
 * these pairs. Parameters and errors are those of odo_history_continue().
 */
int odo_history_note(const odo_history *before, const odo_tables *t, odo_history **out,
		     odo_error *err);
void odo_history_free(odo_history *h);
/** Add an owner, who frees it, too, in the same thread. @param h NULL for none */
odo_history *odo_history_share(odo_history *h);

/** Return the SLs of all pairs together, a bit each. */
unsigned odo_history_sls(const odo_history *h);

/** Record SLs, a bit each, that were assigned to all pairs. @return true if any is new to one */
bool odo_history_add(odo_history *h, unsigned sls);

/**
 * Compare tables with the SLs assigned before them.
 * @param list NULL, or gets the first `room` pairs that must reconnect
 * Errors: ODO_ENOMEM.
 */
int odo_history_compare(const odo_history *h, const odo_tables *t, odo_sl_changes *changes,
			odo_reconnect *list, uint32_t room, odo_error *err);

/** Complete a history that ends with tables, which lack SLs, and give them their SLs.
 * Errors: ODO_ENOMEM. */
int odo_history_give(odo_history *h, odo_tables *t, odo_error *err);

/* ---- What a manager does with them, sweep by sweep ---- */

/** Maximum number of pairs that a sweep names. */
#define ODO_MAX_RECONNECT 4096u

/** Connections of a subnet. Changed under OpenSM's exclusive lock, except that queries are answered
 * under the shared one. */
typedef struct odo_connections {
	odo_history *history;   /**< NULL before the first sweep */
	atomic_uint free_hints; /**< SLs that queries suggested, a bit each, given on paths where
				   any SL is safe */
	atomic_uint strange;    /**< SLs given on paths from or to LIDs that the tables lack */
	bool unsaved;           /**< SLs were recorded that need not change any table */
} odo_connections;

/** Changes of a sweep for existing connections. */
typedef struct odo_sl_update {
	odo_history *history; /**< SLs once these tables are in use */
	odo_sl_changes changes;
	odo_reconnect *list; /**< the first ODO_MAX_RECONNECT pairs that must reconnect */
} odo_sl_update;

/**
 * Answer a path query: return the SL of the path. Return `hint` for unknown LIDs, and if any SL is
 * safe and the path has only had SL 0.
 * @param t      tables in use
 * @param any_sl odo_tables_sls_alike(t)
 * @param hint   SL that OpenSM suggests
 */
uint8_t odo_connections_answer(odo_connections *c, const odo_tables *t, bool any_sl, uint8_t hint,
			       uint16_t slid, uint16_t dlid);

/**
 * Begin a sweep: continue the history in a fabric, and record the SLs that queries suggested since
 * the last one. Errors: ODO_ENOMEM; the next call records them.
 */
int odo_connections_begin(odo_connections *c, const odo_fabric *f, odo_error *err);

/** Record that another engine has routed. @param sls SLs of its paths, a bit each */
void odo_connections_foreign(odo_connections *c, unsigned sls);

/**
 * Compare proved tables with the SLs assigned before.
 * @param update zeroed, for odo_sl_update_clear(), also on ODO_ENOMEM
 */
int odo_connections_compare(const odo_connections *c, const odo_tables *t, odo_sl_update *update,
			    odo_error *err);

/** Record the SLs of tables that are now in use. */
void odo_connections_update(odo_connections *c, odo_sl_update *update);
void odo_sl_update_clear(odo_sl_update *update);

/** Continue from another manager's history. @param history owned by `c` afterwards, or NULL */
void odo_connections_replace(odo_connections *c, odo_history *history);

#endif
