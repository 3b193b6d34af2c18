/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * SLs that were handed out. An application keeps the SL that it was given when it connected, while
 * tables change under it: so new tables must be safe with what was handed out before, too.
 *
 * For each pair of a source's switch and a LID there is the SL given last, and the set of those
 * that connections may hold. Sources are ports of hosts; LIDs are those of hosts and of switches. A
 * source is known by the GUIDs of port and switch, whatever they are called in a fabric, and takes
 * along what it was given when it moves. A LID is what packets carry, whoever has it.
 *
 * A source that is away hears of nothing. An SL that is not proved any more is therefore remembered
 * for it (`owed`). When it is back the SL is held again, or the pair is reported.
 *
 * Switches and ports that are gone are remembered until there are more than twice those of the
 * largest fabric so far, and 64. The longest gone switches then share a row, and the longest gone
 * ports are forgotten. So a history has at most five bytes for each pair of these switches and
 * LIDs.
 */
#ifndef ODONATA_ROUTING_REROUTE_HISTORY_H
#define ODONATA_ROUTING_REROUTE_HISTORY_H

#include "routing/tables.h"

/** No SL was given. */
#define ODO_SL_NONE 0xFF

/** Read-only but for odo_history_add(). Rows are switches; there is one row for all while every SL
 * depends on the LID alone. */
typedef struct odo_history {
	uint32_t n_switches, lid_count;
	uint32_t n_ports, n_here;
	bool by_pair;
	uint64_t *switch_guid; /**< [n_switches] those of the last fabric, then those gone */
	uint64_t *lid_guid;    /**< [lid_count] of the port or switch, 0 for nobody's so far */
	uint16_t *held;        /**< [rows * lid_count] SLs, a bit each */
	uint8_t *last;         /**< [rows * lid_count] SL given last, or ODO_SL_NONE */
	/** [rows * lid_count] SLs that are not proved, and that ports which are away may hold; NULL
	 * for none. */
	uint16_t *owed;
	uint64_t *
		port_guid; /**< [n_ports] n_here hosts' ports of the last fabric, then those away */
	uint32_t *port_switch; /**< [n_ports] row of the switch that each was at last */
} odo_history;

/** What a history says of a fabric's pairs, by what they are called there. */
typedef struct odo_past {
	bool by_pair;
	uint32_t lid_count;
	uint16_t *held; /**< [n_switches * lid_count], or [lid_count]; 0 for a pair without one */
	uint8_t *last;  /**< the same; ODO_SL_NONE */
} odo_past;

/** How tables differ from what was handed out. Pairs are (switch with hosts, LID of a host or a
 * switch); without the LIDs of switches where the tables promise nothing of these. */
typedef struct odo_sl_changes {
	uint64_t n_pairs;     /**< that are connected */
	uint64_t n_changed;   /**< whose path has another SL than was given last */
	uint64_t n_reconnect; /**< with connections whose SL is not proved to be safe any more */
} odo_sl_changes;

/** A pair whose connections must be made anew. */
typedef struct odo_reconnect {
	uint32_t s, lid;    /**< switch and LID in the tables' fabric */
	unsigned held, now; /**< SLs that are not safe any more, a bit each; SL of the path */
} odo_reconnect;

/**
 * A history that continues another by what tables hand out: their paths' SLs, and what they are
 * proved with (odo_tables.held_of_lid). What they are not proved with is dropped for ports that are
 * there: odo_history_compare() reports those pairs.
 * @param before NULL for none; stays as it is
 * @param out    for odo_history_free()
 * Errors: ODO_ENOMEM.
 */
int odo_history_note(const odo_history *before, const odo_tables *t, odo_history **out,
		     odo_error *err);
void odo_history_free(odo_history *h);

/** These SLs, a bit each, were handed out to all pairs by somebody else. */
void odo_history_add(odo_history *h, unsigned sls);

/** What connections from ports of the fabric may hold. A LID that had another owner before has no
 * SL given last. @param past for odo_past_clear(), also on ODO_ENOMEM */
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
 * Compare tables with what was handed out before them.
 * @param list NULL, or gets the first `room` pairs that must reconnect
 * Errors: ODO_ENOMEM.
 */
int odo_history_compare(const odo_history *h, const odo_tables *t, odo_sl_changes *changes,
			odo_reconnect *list, uint32_t room, odo_error *err);

#endif
