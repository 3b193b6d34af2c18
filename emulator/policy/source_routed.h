/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Common declarations of the source-adaptive policies; internal to them. */
#ifndef ODONATA_EMULATOR_POLICY_SOURCE_ROUTED_H
#define ODONATA_EMULATOR_POLICY_SOURCE_ROUTED_H

#include <assert.h>
#include <stddef.h>

#include "emulator/policy/ways/ladder.h"
#include "emulator/policy.h"
#include "emulator/policy/ways/ways.h"

/** Options, in the order of their rows. */
enum {
	ODO_SOURCE_THRESHOLD,
	ODO_SOURCE_LENGTHS,
	ODO_SOURCE_MINIMAL,
	ODO_SOURCE_REVISE,
	ODO_SOURCE_SENSE,
	ODO_SOURCE_PERCENT,
	ODO_SOURCE_EXCESS,
	ODO_SOURCE_QUEUE = ODO_SOURCE_PERCENT, /**< for UGAL-G */
};

typedef enum odo_source_rule {
	ODO_SOURCE_LOCAL,
	ODO_SOURCE_HYBRID,
	ODO_SOURCE_GLOBAL,
	ODO_SOURCE_PB,
	ODO_SOURCE_PAR,
} odo_source_rule;

typedef enum odo_source_lengths {
	ODO_LENGTHS_REAL,
	ODO_LENGTHS_CONSECUTIVE,
	ODO_LENGTHS_CONSECUTIVE_LOCAL,
} odo_source_lengths;

/** Condition on which a packet that waits for injection decides again. */
typedef enum odo_source_revise {
	ODO_REVISE_NEVER,
	ODO_REVISE_ALWAYS,
	ODO_REVISE_MINIMAL, /**< until it has decided to go aside */
} odo_source_revise;

typedef struct odo_source {
	odo_ways *ways;
	odo_ladder ladder;
	odo_source_rule rule;
	odo_source_lengths lengths;
	odo_source_revise revise;
	bool minimal_high, sense_vl;
	bool plain;                         /**< odo_policy_setup */
	bool backlog;                       /**< UGAL-G counts packets that wait for a channel */
	uint32_t packet, threshold;         /**< phits */
	uint32_t percent, excess;           /**< Piggybacking; excess in phits */
	uint32_t links_per_switch, history; /**< Piggybacking: size of its table */
	uint32_t under_way[2];              /**< PAR: phits, by link class, see odo_par_prepare() */
	uint32_t n_vls, n_stamps;           /**< credit round trips: size of their queues */
	uint32_t most_ports;
} odo_source;
static_assert(offsetof(odo_source, ways) == 0, "as offered.h says");

/** Bytes of a packet's header. `word` is the switch to pass by. */
enum { ODO_SOURCE_RUNGS, ODO_SOURCE_FLAGS };
enum {
	ODO_SOURCE_DECIDED = 1,    /**< the decision is final */
	ODO_SOURCE_IS_MINIMAL = 2, /**< the decision was to go minimally */
	ODO_SOURCE_PASSED = 4,     /**< has left the group to pass by */
	ODO_SOURCE_ASKED = 8,      /**< has decided before, with ODO_REVISE_MINIMAL */
};
/** First rung of minimal packets in "lglgl" if they use the VLs of a path's end. */
#define ODO_SOURCE_MINIMAL_RUNG 2

/** Piggybacking: in each cycle every switch reports to its group which of its global channels are
 * congested. The report arrives after one local link's latency. */
size_t odo_piggyback_bytes(const odo_policy_setup *setup, odo_source *source);
void odo_piggyback_tick(const void *state, const odo_view *v);
bool odo_piggyback_congested(const odo_source *source, const odo_view *v,
			     const odo_gateway *gateway);

/** Data of one way that a decision needs. */
typedef struct odo_source_choice {
	const odo_gateway *gateway; /**< gateway by which the way leaves the group, or NULL */
	uint8_t port;
	odo_link_class class;
	unsigned hops, taken; /**< taken: rungs used up if this way is chosen */
} odo_source_choice;

/** Count the hops from a switch to another, as the options say.
 * @param first gateway by which the way leaves the group of `from`, or NULL */
unsigned odo_source_hops(const odo_source *source, const odo_gateway *first, uint32_t from,
			 uint32_t to);
/** The same by way of a switch of another group. */
unsigned odo_source_hops_via(const odo_source *source, const odo_gateway *first, uint32_t from,
			     uint32_t via, uint32_t to, uint32_t spread);

/** Phits taken behind a way's output, on the VL that it would use or on all VLs. */
unsigned odo_source_queue(const odo_source *source, const odo_view *v, const odo_source_choice *c,
			  bool of_vl);

/** Prepare PAR: compute the phits that a link has under way when it is only in use. */
void odo_par_prepare(const odo_policy_setup *setup, odo_source *source);
/** Do the queues favour the minimal way `m` over the other way, `n`? */
bool odo_par_minimal(const odo_source *source, const odo_view *v, const odo_source_choice *m,
		     const odo_source_choice *n);

/** UGAL-G: count packets of a group that have left for a switch with a global channel of the group,
 * and that this channel has not granted yet. */
size_t odo_backlog_bytes(odo_source *source);
/** A packet leaves for `towards`, the switch to pass by or the target's. */
void odo_backlog_note(const odo_source *source, const odo_view *v, const odo_packet *p,
		      unsigned in_port, unsigned out_port, uint32_t towards);
/** Phits that wait for a global channel of the group of `v`. */
unsigned odo_backlog(const odo_source *source, const odo_view *v, uint32_t gate, unsigned port);

/** Return the largest number of global channels of a switch. */
uint32_t odo_most_globals(const odo_ways *ways);

/** Credit round trips: a queue of time stamps for each output and VL (paper 001, Figure 17). */
size_t odo_credit_bytes(const odo_policy_setup *setup, odo_source *source);
void odo_credit_sent(const odo_source *source, const odo_view *v, const odo_way *way);
void odo_credit_returned(const void *state, const odo_view *v, unsigned port, unsigned vl,
			 unsigned phits);
uint32_t odo_credit_hold(const void *state, const odo_view *v, unsigned in_port, unsigned out_port);

#endif
