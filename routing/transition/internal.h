/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the files of the transition share. */
#ifndef ODONATA_ROUTING_TRANSITION_INTERNAL_H
#define ODONATA_ROUTING_TRANSITION_INTERNAL_H

#include "routing/graph/dependency.h"
#include "routing/transition/transition.h"

/** Tables as the switches of a fabric have them. */
typedef struct odo_side {
	const odo_tables *t;
	const uint32_t *at; /**< [n_switches] what the tables call each switch, or ODO_NONE */
} odo_side;

/** Where packets to one LID can go. Hop 2 * s + i is that of switch s by side i. */
typedef struct odo_mix {
	const odo_fabric *f;
	odo_side side[2];
	unsigned n_sides;
	uint32_t lid, home;
	uint32_t *far;  /**< [slots of switches] switch behind each, or ODO_NONE */
	uint8_t *port;  /**< [2 * n_switches] entry; ODO_NO_PORT where the side lacks the switch */
	uint32_t *to;   /**< [2 * n_switches] switch behind it; ODO_NONE: the packet ends there */
	uint32_t *into; /**< [n_switches] a hop into each switch, or ODO_NONE */
	uint32_t *next; /**< [2 * n_switches] another hop into the same switch, or ODO_NONE */
	uint32_t *left, *stack; /**< [n_switches] scratch */
} odo_mix;

/** What can become of a packet that starts at a switch, a bit each. */
enum { ODO_ARRIVES_BEFORE = 1, ODO_ARRIVES_NOW = 2, ODO_CAN_LOOP = 4, ODO_CAN_END = 8 };

/** For packets by one side or a mix of two. @param mix for odo_mix_clear(), also on ODO_ENOMEM,
 * without a message */
int odo_mix_init(odo_mix *mix, const odo_fabric *f, const odo_side *side, unsigned n_sides);
void odo_mix_clear(odo_mix *mix);

/** Find the hops to a LID, which the fabric and all sides have. The LID's switch has none. */
void odo_mix_lead(odo_mix *mix, uint32_t lid);

/** Row of a switch, by LID: the port to it, and the SLs by which the switch's hosts send there. */
typedef struct odo_deeds {
	const uint8_t *port, *sl;
	const uint16_t *held; /**< or NULL */
} odo_deeds;

/** @param s a switch that the side has */
static inline odo_deeds odo_deeds_of(const odo_side *side, uint32_t s)
{
	const odo_tables *t = side->t;
	size_t row = (size_t)side->at[s] * t->fabric->lid_count;
	return (odo_deeds){t->lft + row, t->sl_of_pair ? t->sl_of_pair + row : t->sl_of_lid,
			   t->held_of_pair ? t->held_of_pair + row : t->held_of_lid};
}

/** SLs of packets to a LID, a bit each. */
static inline unsigned odo_deed_sls(const odo_deeds *row, uint32_t lid)
{
	return (row->held ? row->held[lid] : 0) | 1u << row->sl[lid];
}

/** Return a number that is equal for rows that do the same. */
static inline uint32_t odo_deed(const odo_deeds *row, uint32_t lid)
{
	return odo_deed_sls(row, lid) << 8 | row->port[lid];
}

/**
 * Find LIDs of a switch to which all other switches do the same, so that one tells of all: hosts of
 * a switch mostly share their trees.
 * @param wanted [lid_count] not 0 for LIDs that the fabric and all sides have
 * @param like   [lid_count] gets the first of those alike; itself where there is none before, and
 *               of the LIDs that are not wanted
 * @return 0 or ODO_ENOMEM, without a message
 */
int odo_mix_alike(const odo_mix *mix, const uint8_t *wanted, uint32_t *like);

/** A hop that the first side makes just the same. */
static inline bool odo_mix_repeats(const odo_mix *mix, uint32_t hop)
{
	return hop & 1 && mix->port[hop] == mix->port[hop - 1];
}

/** @param fate [n_switches] what can become of packets; mix of two sides */
void odo_mix_judge(odo_mix *mix, uint8_t *fate);

/**
 * Add what channels wait for on the way to some LIDs, by any choice of side at each switch.
 * @param wanted [lid_count] not 0 for these LIDs
 * @param deps   of the sides' fabric; VLs beyond its own are left out
 * Errors: ODO_ENOMEM.
 */
int odo_waits_collect(odo_mix *mix, const uint8_t *wanted, const odo_dependencies *deps,
		      odo_error *err);

/** An entry of a switch by which packets do not arrive any more, though its cable is there. */
typedef struct odo_broken {
	uint32_t to, home; /**< switch behind the entry, and that of the LID */
	uint32_t lid;
	uint32_t next; /**< of the same switch, or ODO_NONE */
} odo_broken;

/**
 * How many of these lead to where the destination cannot be reached but back through the switch.
 * @param first [n_switches] of each switch, or ODO_NONE
 * @param n     [lid_count] the number for each LID is added
 * Errors: ODO_ENOMEM.
 */
int odo_least_hopeless(const odo_fabric *f, const odo_broken *broken, const uint32_t *first,
		       uint32_t *n, odo_error *err);

/**
 * Can all packets arrive if no entries change but those of the switches where old paths end?
 * @param old     led to the LID; its first side is the old one
 * @param ended   [n] these switches
 * @param arrives [n_switches] scratch
 * @param stack   [n_switches] scratch
 */
bool odo_least_suffices(const odo_mix *old, const uint32_t *ended, uint32_t n, uint8_t *arrives,
			uint32_t *stack);

/** Lengths of paths to a LID, in hops; ODO_NONE where there is no path. */
typedef struct odo_lengths {
	const odo_fabric *f;
	uint32_t home;      /**< whom `shortest` is of */
	uint32_t *shortest; /**< [n_switches] that cables allow */
	uint32_t *made;     /**< [n_switches] by the new tables */
	uint32_t *queue;    /**< [n_switches] scratch */
} odo_lengths;

/** @param x for odo_lengths_clear(), also on ODO_ENOMEM, without a message */
int odo_lengths_init(odo_lengths *x, const odo_fabric *f);
void odo_lengths_clear(odo_lengths *x);

/** Find those of the LID at hand. @param mix old tables first, then new ones */
void odo_lengths_find(odo_lengths *x, const odo_mix *mix);

/** By its old entry, a path from s is longer than the new one whatever others do. */
bool odo_least_is_longer(const odo_lengths *x, const odo_mix *mix, uint32_t s);

/** Marks of a LID: some switch sends to it by another port; by another port or SL; or sent over
 * what is gone. */
enum { ODO_OTHER_WAY = 1, ODO_OTHERWISE = 2, ODO_OVER_GONE = 4 };

/** Two tables, and what is common to their fabrics. */
typedef struct odo_change {
	const odo_tables *before, *now;
	const odo_fabric *then, *f; /**< fabrics of the two */
	bool hosts_only;
	bool in_full;     /**< count all; otherwise, what odo_transition_weigh() does */
	uint32_t *at;     /**< [n_switches] what each was called, or ODO_NONE */
	uint32_t *same;   /**< [most switches] 0, 1, 2, ...: what each is called */
	uint8_t *shared;  /**< [lid_count] LIDs that both have */
	uint8_t *differs; /**< [lid_count] marks of those */
	uint8_t *wanted;  /**< [most LIDs] scratch */
	odo_mix mix;
	odo_transition *out;

	/* Counts of pairs: */

	uint32_t *part;    /**< [n_switches] */
	uint32_t *n_in;    /**< [n_switches] switches of each part */
	uint32_t *n_known; /**< [n_switches] of these, switches that the fabric before has */
	/** Packets to a LID are proved to arrive if no entry to it differs. */
	bool proved;
	uint8_t *fate;            /**< [n_switches] */
	uint32_t *ended, n_ended; /**< [n_switches] where old paths to the LID at hand end */
	odo_broken *broken;
	size_t broken_room;
	uint32_t n_broken, *first; /**< [n_switches] */
	uint8_t *short_of;         /**< [lid_count] more changes than where old paths end */
	odo_lengths lengths;
	uint32_t *longer_of; /**< [lid_count] entries by which paths are longer than new ones */
} odo_change;

/** Return true if the verifier judges a LID of a fabric. */
static inline bool odo_change_judges(const odo_change *x, const odo_fabric *f, uint32_t lid)
{
	return f->lid_switch[lid] != ODO_NONE && (f->lid_host[lid] != ODO_NONE || !x->hosts_only);
}

/** Compare the tables entry by entry: find x->differs. */
void odo_change_compare(odo_change *x);

/** Find the cycles that x->out counts, with x->differs known. Errors: ODO_ENOMEM. */
int odo_change_find_cycles(odo_change *x, odo_error *err);

#endif
