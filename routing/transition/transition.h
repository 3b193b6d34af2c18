/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * While tables change from old to new, each switch has one or the other, in any order, and packets
 * that are on the way live on.
 *
 * A *mix* gives each switch its old or its new forwarding table. A packet to a LID then has one
 * next switch everywhere. It can go round in some mix exactly if a cycle can be reached in the
 * graph that has both next switches of each: walk there by a shortest way and once round, and no
 * switch is passed twice, so none needs both tables. Switches that change while the packet is on
 * its way add nothing.
 *
 * What is counted happens after the fault: a cable that is gone carries nothing in any mix. A pair
 * is (switch, LID), as for the verifier (verify/verify.h). Where the fault itself cut the old path,
 * its packets were lost anyway: such pairs are counted apart.
 */
#ifndef ODONATA_ROUTING_TRANSITION_TRANSITION_H
#define ODONATA_ROUTING_TRANSITION_TRANSITION_H

#include "routing/tables.h"

/** Entries up to which a change is judged in operation, those of LIDs with the same tree once: a
 * few seconds. */
#define ODO_TRANSITION_MOST 10000000u

typedef struct odo_transition {
	uint32_t n_left_out;    /**< LIDs of switches, of which all that follows says nothing */
	uint64_t n_pairs;       /**< that the old and the new tables both connect after the fault */
	uint64_t n_looping;     /**< of these, those that go round in some mix */
	uint64_t n_lost;        /**< of these, those whose packets end somewhere in some mix */
	uint64_t n_cut;         /**< pairs that only the new tables connect */
	uint64_t n_cut_looping; /**< of those, the ones that go round in some mix */

	/* LFT entries of connected pairs, of switches and LIDs that are in both fabrics. */
	uint64_t n_entries, n_changed;
	/** Those that no tables could keep: the next cable is gone; or what is behind it has no way
	 * to the destination but back through the switch; or where all neighbours send back to
	 * switches whose cable is gone, one of the others. */
	uint64_t n_least;
	/** Those that no tables could keep whose paths are no longer than the new ones. */
	uint64_t n_least_as_short;

	/* Channels of a cycle of dependencies, a shortest one found; 0 where there is none. */
	/** In the old or the new ones by themselves, where n_cycle is not 0: not the change's
	 * fault. */
	uint32_t n_cycle_alone;
	/** In old paths by old SL2VL maps and SLs together with new paths by new ones. Old paths
	 * are those of the old fabric, from and to what is gone as well: their packets may be under
	 * way. */
	uint32_t n_cycle;
	/** In these and in all paths of any mix, where each entry, each SL2VL map and each path's
	 * SL may be the old or the new one. */
	uint32_t n_cycle_mixed;
} odo_transition;

/** @param dear gets whether a change to these tables has more entries than ODO_TRANSITION_MOST
 * Errors: ODO_ENOMEM */
int odo_transition_is_dear(const odo_tables *now, bool *dear, odo_error *err);

/**
 * Count what the change from old to new tables can do. Switches are the same by GUID, LIDs by the
 * port that has them. O(n_switches * LIDs * SLs of a path to one LID), and a search for cycles.
 * @param before tables of profile ib, for this fabric or for what it was before a fault
 * @param now    tables of profile ib
 * @param hosts_only leave out the LIDs of switches, which management alone uses
 * Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive tables.
 */
int odo_transition_count(const odo_tables *before, const odo_tables *now, bool hosts_only,
			 odo_transition *out, odo_error *err);

/**
 * Count only what decides between tables: all of odo_transition for hosts' LIDs, except n_least,
 * n_least_as_short and n_cycle_mixed, which stay 0. Parameters and errors are those of
 * odo_transition_count().
 */
int odo_transition_weigh(const odo_tables *before, const odo_tables *now, odo_transition *out,
			 odo_error *err);

/** Nothing can go wrong that the fault did not do: no loop, no loss, no cycle. */
static inline bool odo_transition_is_safe(const odo_transition *x)
{
	return !x->n_looping && !x->n_lost && !x->n_cut_looping && !x->n_cycle;
}

#endif
