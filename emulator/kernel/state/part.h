/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The state of a run, private to the emulator.
 *
 * A world holds what is constant in a run. A part is a piece of the fabric small enough for a
 * cache: some switches, their packets and events. A part runs for a window of `lookahead` cycles,
 * the smallest latency between parts, before the next part runs. Messages between parts wait in
 * inboxes until the next window. The same rule serves caches, threads and ranks, and the result
 * does not depend on how a fabric is cut.
 *
 * Ports of a part are numbered consecutively, those of switch s from s << port_bits; lanes
 * likewise, those of port f from f << lane_bits. This number is an index into all the arrays below,
 * and a shift gives its switch. With F ports, L lanes and words of 64 bits:
 *
 *   free_in, free_out  bits [F]  ports that no packet passes
 *   parked      bits [F]  outputs that heads are parked at
 *   ready       bits [L]  lanes with a head that may go, as far as known
 *   parked_at [F]      bits, as many as a switch has lanes: heads parked at an output
 *   releases [cycles]  bits [F] each of inputs and outputs that become free in a later cycle
 *   links    [F]       peer of each port, and the output's state of arbitration
 *   lanes, rest [L]    queues of packets: VLs of an input, or injection queues of a host
 *   credits  [L]       phits free behind each VL of an output
 *
 * So a word of bits is several small switches, or a piece of a large one; a block is a word, or the
 * words of one switch. Bits of lanes have, for each word of ports, one word for their lanes 0, one
 * for their lanes 1, and so on. Operations between ports and lanes therefore work on whole words.
 *
 * The head of a lane is either ready or parked. A ready head may go; if its output turns out to be
 * busy or without credit, the head is parked until the output is released or credit comes. If the
 * head is also in `asks`, its policy is asked in every round. If the policy will name one of two
 * outputs, the head is parked at both while neither is free. So a waiting head costs nothing.
 */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_PART_H
#define ODONATA_EMULATOR_KERNEL_STATE_PART_H

#include "base/arena.h"
#include "emulator/kernel/state/calendar.h"
#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "emulator/streams.h"
#include "emulator/vlarb.h"
#include "base/memory.h"

#define ODO_MAX_LANES 15u
/** Minimum number of lanes of a port, as a power of two. */
#define ODO_LANE_BITS 2u
#define ODO_MAX_BATCHES 32u
/** Spare entries that list_bits() needs at the end of a list. */
#define ODO_LIST_SPARE 64u

/** Events of one cycle. */
typedef struct odo_bucket {
	odo_event *at, *end, *limit;
} odo_bucket;

static inline size_t odo_bucket_room(const odo_bucket *bucket)
{
	return (size_t)(bucket->limit - bucket->at);
}

/** Peer of a port's cable, and the allocator's state of the output next to it: for switches of up
 * to 16 ports, one cache line holds both. odo_link_at() finds it. */
typedef struct odo_link {
	odo_spot peer;     /**< first lane of the other end, in its part; or host of the part */
	uint32_t latency;  /**< cycles */
	uint32_t part;     /**< part of the other end */
	uint32_t sent;     /**< phits */
	uint32_t best;     /**< in a round, the lane that is first in turn, below its turn; or
			    * ODO_NOBODY */
	uint16_t cycles;   /**< per phit */
	uint16_t buffer;   /**< phits per lane of the buffer at this end */
	uint16_t grants;   /**< clock of its LRS; with round robin, the input after the one served
			    * last */
	uint8_t side;      /**< odo_side */
	uint8_t class : 7; /**< odo_link_class */
	uint8_t up : 1;    /**< 0: no cable */
	uint16_t served[]; /**< [P] least recently served: count of grants when it last served each
			    * input */
} odo_link;
static_assert(sizeof(odo_link) == 28, "with 16 ports a cache line");

#define ODO_NO_WAY 0xFFFFu
#define ODO_NO_VL 0xFFu

typedef struct odo_lane {
	uint32_t head, tail; /**< packets, or ODO_NONE */
	uint32_t petition;   /**< the part's count of petitions when this lane last petitioned */
	odo_spot to;         /**< way of the head: output and VL */
} odo_lane;
static_assert(sizeof(odo_lane) == 16, "four lanes a cache line");

/** Fields of a lane that only few runs use, or only hosts. */
typedef struct odo_lane_rest {
	union {
		uint16_t space;  /**< phits the head needs behind its output; unused if all packets
				  * are uniform */
		uint16_t unsent; /**< with flits, once the head has a channel: flits still to be
				  * sent */
	};
	uint16_t fill;      /**< phits in an injection queue; with flits, in any lane */
	uint16_t arrived;   /**< with flits and a paced host: those of them that have arrived */
	uint8_t escape : 1; /**< the way is an escape channel */
	uint8_t yields : 2; /**< the way's priority, 0 the best */
	uint8_t unused : 5;
	union {
		uint8_t channel; /**< with flits: channel of that VL that it owns or owned last */
		uint8_t other;   /**< without flits: odo_way.other, or 0 */
	};
} odo_lane_rest;

/** VL arbitration of one output. */
typedef struct odo_vlarb_state {
	odo_vlarb_turn turn;
	uint8_t vl, table; /**< in this round: the VL that may go, and the table that selected it */
} odo_vlarb_state;

/** Data that is looked up by switch. The arrays are its share of the part's arrays. */
typedef struct odo_switch {
	const uint8_t *lft;    /**< its forwarding table, with tables */
	const uint16_t *sl2vl; /**< its rows of the tables' SL2VL maps; NULL for VL 0 */
	uint32_t ports;
	odo_spot first; /**< lane of its first port */
	uint16_t *credits, *capacity;
	void *local; /**< bytes of the policy */
	/* With flits. */
	uint64_t *owns;       /**< [I][W] inputs whose lane's head has a channel */
	uint16_t *room;       /**< [P][I] phits free behind each channel of an output */
	uint16_t *taken;      /**< [P] channels of an output that packets own, as bits */
	uint8_t *last_output; /**< [P] output that granted each input last */
	uint8_t *last_lane;   /**< [P] lane of that grant */
	uint16_t *last_owner; /**< [P][I] lane (input * I + lane) that owned a channel last */
} odo_switch;

/** Lanes on inputs of one side whose heads were granted in this cycle, at most one of each port. */
typedef struct odo_leaving {
	odo_spot *at, *end;
} odo_leaving;

/** Packets that leave by outputs of one side. */
typedef struct odo_going {
	struct odo_onward {
		uint32_t packet;
		odo_spot to;
	} * at, *end;
} odo_going;

#define ODO_NOBODY UINT32_MAX

/** Ways of a lane's head by sets of adaptive tables: the sets that are not empty, in order of
 * priority. */
#define ODO_MAX_CHOICES 3u
typedef struct odo_choice {
	uint64_t ports[ODO_MAX_CHOICES]; /**< bits */
	uint8_t vl[ODO_MAX_CHOICES];
	uint8_t n : 2, lower : 6; /**< number of sets; bit i: set i has a lower priority than the
				   * one before */
	uint32_t unused;
} odo_choice;
static_assert(sizeof(odo_choice) == 32, "two a cache line");

/** A round of the allocator, for all switches of a part. */
typedef struct odo_round {
	uint64_t *members; /**< bits: ports of the switches that take part in the round, unless all
			    * do */
	uint64_t *touched; /**< bits: outputs granted in any round of a pass */
	uint64_t *served;  /**< bits: inputs granted in any round of a pass */
	uint32_t *granted; /**< outputs that have a petition */
	uint32_t *single;  /**< petitioning inputs with one ready lane; then lanes that can go */
	uint32_t *several; /**< petitioning inputs with several ready lanes */
	uint32_t *askers;  /**< inputs of both lists with a head that asks again */
	odo_spot *blocked; /**< lanes that cannot go */
	odo_spot *losers;  /**< lanes whose petition was not granted */
	uint32_t n_granted, n_single, n_several, n_losers;
	uint64_t *digits; /**< bits: for each input of `single` its ready lane, in binary; one word
			   * per digit, stored where bits of lanes have one word per lane */
	/** [words] state of the part's ports before a pass, if a cycle has several passes */
	uint64_t *free_in, *free_out;
} odo_round;

/** Peer of a port's cable. ODO_SIDE_HERE: a switch of this part. ODO_SIDE_AWAY: a switch of another
 * part, or one so far off that its messages use an inbox too, so that the wheel stays small.
 * ODO_SIDE_HOST: a host. */
typedef enum odo_side { ODO_SIDE_HERE, ODO_SIDE_AWAY, ODO_SIDE_HOST, ODO_N_SIDES } odo_side;

#define ODO_STEADY_BATCHES 4

/** A warm-up: means of the last batches of cycles. */
typedef struct odo_steady {
	uint64_t batch;                   /**< cycles */
	uint64_t phits, packets, latency; /**< totals at the end of the last batch */
	double accepted[ODO_STEADY_BATCHES], mean[ODO_STEADY_BATCHES];
	uint32_t n; /**< batches seen */
} odo_steady;

/** Sums of one batch of measured cycles. */
typedef struct odo_batch {
	uint64_t phits, packets, latency;
} odo_batch;

/** State of a host. */
typedef struct odo_host {
	uint32_t global;  /**< its number in the fabric */
	odo_spot at;      /**< its switch and port */
	uint32_t next;    /**< host due in the same cycle, or ODO_NONE */
	uint32_t due;     /**< cycle of the next generation */
	uint32_t pending; /**< packet that found its queue full, or ODO_NONE */
	uint32_t drawn;   /**< packets drawn so far, which is the counter of its random stream */
	uint8_t last;     /**< injection queue used last */
	uint8_t lane;     /**< injection queue that `pending` waits for */
	uint8_t freed;    /**< already in the part's list `freed` */
	uint8_t asleep;   /**< workload: waits for an arrival */
	uint8_t vl;       /**< with rows of VLs: VL of its packets */
} odo_host;

/** Lists of hosts that are due, by cycle; hosts due later wait in the last list. */
#define ODO_DUE_CYCLES 256u

/** Gaps of a Bernoulli process, by inversion in integers. */
#define ODO_GAP_ENTRIES 256
typedef struct odo_gaps {
	bool silent, always;
	/** A gap is k + 1 if k is the first index whose entry exceeds a 32-bit draw; longer if
	 * there is none. */
	uint64_t below[ODO_GAP_ENTRIES + 1];
	uint8_t guide[256]; /**< first k for each leading byte of a draw */
} odo_gaps;

struct odo_part;
struct odo_worker;
struct odo_loop;

/** Run a part until cycle `until`; of other parts, only their inboxes are written. */
typedef void odo_run_part(struct odo_part *part, uint32_t until);
struct odo_progress;
struct freight;

/** Data of a host that sources need; the other fields serve tables. */
typedef struct odo_address {
	uint16_t lid; /**< its first LID */
	uint16_t end; /**< with `hop`: the end of ways that its packets go to */
	uint8_t exit; /**< with `hop`: the port from that end to the host */
	uint8_t lmc;
	uint8_t queue; /**< for a source with one queue for each section of the destinations */
} odo_address;

/** Constant during a run, and shared by all parts. */
typedef struct odo_world {
	const odo_emulation *e;
	odo_arena memory; /**< of the arrays that have one size during the whole run */
	odo_model model;
	unsigned n_vls, n_lanes;
	unsigned port_bits;      /**< places for ports of a switch, as a power of two; the same for
				  * all */
	unsigned lane_bits;      /**< places for lanes of a port, as a power of two */
	unsigned words;          /**< words of a block */
	uint64_t longest_packet; /**< maximum cycles that a packet keeps a port */
	bool uniform;         /**< all packets have one size and there are no bubbles: any credit is
			       * enough */
	bool even;            /**< all packets keep their ports for longest_packet cycles */
	bool parallel_inputs; /**< model.input_parallel above 1 */
	bool buffered;        /**< a faster crossbar, or output buffers */
	bool flits;           /**< model.flow is ODO_FLOW_FLITS: flits.h */
	bool failing;         /**< cables fail during the run */
	bool alike;           /**< all packets have the same number of phits */
	bool paper;           /**< the switches of paper 004: has_queues() in world.c */
	uint32_t passes;      /**< passes of the allocator in a cycle; several if packets are
			       * shorter than a cycle of the sped-up crossbar */
	const odo_policy *policy; /**< NULL: static tables */
	/** Adaptive tables whose ways are looked up as sets, once for each head (sets.h); or NULL.
	 * With them, packets have their switch in their word, above the LID, and the exit in their
	 * second byte. */
	const struct odo_adaptive *sets;
	void *policy_state;
	const struct odo_loop *loop; /**< row of odo_loops that its parts are run by */
	odo_run_part *run;
	bool revises;     /**< the policy may be asked about a head again */
	bool plain, late; /**< as odo_policy_setup says, for policies that revise */
	uint32_t max_hops;
	size_t local_bytes, group_bytes;
	uint32_t n_groups;
	uint32_t *group;      /**< [n_switches] */
	uint32_t *part_of;    /**< [n_switches] */
	uint32_t *local_of;   /**< [n_switches] number of a switch in its part */
	odo_address *address; /**< [n_hosts] */
	/** [n_switches][n_ends] port from a switch towards an end, 0 at the end's own switch. An
	 * end is a group of hosts of one switch that all other switches route alike, for every
	 * LID; it is all hosts of a switch if the tables do not distinguish them. Parts have their
	 * own shares of it, far smaller than tables. NULL if unused. Packets have the end in their
	 * word, above the LID, and the exit in their second byte. */
	uint8_t *hop;
	uint32_t n_ends;
	/** With one SL: rows of VLs by output, one for each distinct kind of input; or NULL. */
	uint8_t *vl_rows;
	uint32_t *host_local;        /**< [n_hosts] number of a host in its part */
	const uint32_t *slot_cycles; /**< the caller's, or `rates`, or NULL for 1 */
	uint32_t *rates;
	uint32_t *channel_series; /**< [n_intervals * n_slots], or NULL */
	uint32_t *channel_before; /**< [n_slots] cycles busy before the present interval */
	uint64_t n_intervals;
	odo_gaps gaps;
	unsigned char *group_state; /**< [n_groups * group_bytes] */
	uint32_t lookahead; /**< cycles that parts can run without messages from each other */
	uint32_t n_parts, n_workers;
	uint32_t rank, n_ranks;
	uint32_t *first_of_rank;       /**< [n_ranks + 1] parts */
	struct freight *freight;       /**< private to ranks.c */
	struct odo_progress *progress; /**< with ranks: progress of all ranks after the present
					* window */
	struct odo_part *parts;
	odo_inbox *boxes; /**< [n_parts][] */
	struct odo_worker *workers;
	uint64_t measure_from, measure_to; /**< far in the future until `steady` has been reached */
	odo_steady steady;
	odo_measures *found; /**< of a run that go_on() has ended, or NULL */
	int status;          /**< status of examining a run before it continues */
	odo_error *err;      /**< error of that examination */
	bool stretched;      /**< measuring continued beyond its planned end: batches differ in
			      * length */
} odo_world;

typedef struct odo_part {
	const odo_world *world;
	odo_arena memory; /**< of the arrays that have one size during the whole run */
	uint32_t number;
	uint32_t now;

	/* The policy's present call. */
	odo_view *views; /**< [n_switches], with a policy */
	odo_rng rng;
	uint32_t draws; /**< port and lane of the call; ODO_NONE once `rng` is made */
	uint32_t
		round; /**< round of the allocator, from 1; 0 before, larger than any round after */

	/* Switches. */
	uint32_t n_switches;
	odo_switch *sw;
	/** With the world's `hop`: [n_switches][n_ways] port towards an end. Ends that all switches
	 * of this part reach by the same ports share one way. */
	uint8_t *hop;
	uint16_t *way_to; /**< [n_ends] way of each end */
	uint32_t n_ways;
	uint32_t *vl_row; /**< [F] row of each input in the world's vl_rows, or NULL */
	uint32_t *global; /**< [n_switches] number of a switch in the fabric */
	uint32_t n_words; /**< words of a bit set of ports, in whole blocks */
	uint64_t *free_in, *free_out, *ready, *parked, *dead; /**< bits */
	/** [release_cycles][] bits of inputs, of outputs, and, with lanes side by side, of inputs
	 * for each lane */
	uint64_t *releases;
	uint32_t release_cycles; /**< a power of two, above the longest time that a port is busy */
	odo_lane *lanes;
	odo_lane_rest *rest;
	unsigned char *links; /**< odo_link_at() */
	uint32_t link_bytes;
	uint16_t *credits, *capacity;
	uint64_t *parked_at; /**< [1 + (F << lane_bits) * words of a block]: an unused word, then
			      * words for each output and lane */
	uint64_t *sending;   /**< with lanes side by side: bits [L] */
	uint16_t *asks;      /**< lanes of an input, as bits */
	/* With the world's `sets`. */
	odo_choice *choices; /**< [L] */
	uint8_t *input;      /**< [F] class as an input */
	uint64_t *roomy;     /**< bits [L] VLs of outputs with credits for a packet */
	uint64_t *full;      /**< bits [F] outputs whose queue has no place for a packet */
	uint64_t *opened;    /**< bits [F] outputs that have gained credits or a place in their
			      * queue */
	uint64_t *stuck;     /**< bits [L] heads that wait for such an output */
	uint32_t *line;      /**< with output buffers: cycle in which the last phit leaves */
	uint32_t *inward;    /**< paced: cycle from which a host's cable, or the return of a port's
			      * credits, is free */
	odo_vlarb_state *vlarb; /**< with VL arbitration */
	uint32_t petitions;     /**< petitions of all lanes since the start, the clock of the
				 * inputs' LRS */
	uint64_t *closing;      /**< releases of packets that are granted now, if all are equally
				 * long */
	uint64_t *active;       /**< with flits, a bit per switch: visit it in this cycle */
	unsigned char *arena;
	uint64_t arena_bytes;

	/* Packets. */
	odo_packet *pool;
	uint32_t *next; /**< next packet in its queue, or in the list of free ones */
	uint32_t pool_room, pool_free;
	uint64_t in_network;

	/* Events. */
	uint32_t wheel; /**< cycles, a power of two, more than any delay that needs no inbox */
	odo_bucket *arrivals, *returns; /**< packets, and credits, by cycle */
	odo_inbox *inbox; /**< of the world's [2 * odo_n_inboxes()]: those of even windows, then
			   * those of odd ones. Each window has one for every worker, one for
			   * other ranks, and one for messages due after the next window */
	uint32_t odd;     /**< is the present window odd? */
	odo_calendar coming;

	/* Hosts. */
	uint32_t n_hosts;
	odo_host *hosts;
	uint32_t *due;   /**< [ODO_DUE_CYCLES] first host of each cycle's list */
	uint32_t *freed; /**< hosts with a pending packet whose queue has moved in this cycle */
	uint32_t n_freed;

	/* Measures. */
	struct odo_worker *worker; /**< worker that runs this part */
	uint32_t *injected, *born; /**< [n_switches] packets */
	uint64_t delivered_ever, phits_ever, latency_ever;
	uint64_t waiting;       /**< at the end: packets generated that are not in an injection
				 * queue */
	uint64_t hops;          /**< packets sent to another switch since the run began */
	uint32_t last_move;     /**< cycle of the last grant */
	uint32_t last_received; /**< cycle in which the last packet is received in full; may be in
				 * the future */
	uint32_t awake;         /**< workload: hosts that have more to send */
	bool losing;            /**< packets have exceeded max_hops */
	odo_packet lost;        /**< a packet that has */
	bool out_of_memory;
	const char *fault; /**< NULL, or the defect of the routing's answer */
	odo_spot astray;   /**< place of the defect */
} odo_part;

/** Fill in a policy's view of switch `s` of a part (view.c; the functions for policies are in
 * policy.h). */
void odo_part_view(odo_part *part, uint32_t s, odo_view *out);

/** Bytes of a link, in units of half a cache line; `served` exists with LRS only. */
static inline uint32_t odo_link_bytes(unsigned port_bits, bool lrs)
{
	size_t served = lrs ? sizeof(uint16_t) << port_bits : 0;
	return (uint32_t)((sizeof(odo_link) + served + 31) / 32 * 32);
}

/** Link of a port of a part. */
static inline odo_link *odo_link_at(const odo_part *part, uint32_t f)
{
	return (odo_link *)(part->links + (size_t)f * part->link_bytes);
}

static inline uint32_t odo_n_inboxes(const odo_world *w)
{
	return w->n_workers + 2;
}

/** Progress of workers, exchanged after each window. */
typedef struct odo_progress {
	uint64_t in_network;
	uint32_t last_move, awake, last_received;
	uint32_t due; /**< the cycle before which nothing happens, if that was asked; or 0 */
	uint64_t phits, packets, latency; /**< received since the run began */
	bool failed, lost;
} odo_progress;

/** Memory that is needed soon. */
typedef struct odo_span {
	const unsigned char *at;
	uint32_t lines; /**< cache lines */
} odo_span;

typedef struct odo_prefetch {
	odo_span *spans;
	size_t room;
	uint32_t n, next;      /**< number of spans, and the first that is not finished */
	uint32_t lines, share; /**< lines of all spans, and lines for each cycle */
} odo_prefetch;

/** A thread, its parts, and its counters. Windows end at the bounds of measured intervals, so each
 * window belongs to one interval. */
typedef struct odo_worker {
	odo_world *world;
	odo_arena memory; /**< of the lists of a cycle, and of counters by host */
	uint32_t number;
	uint32_t first_part, end_part;
	/* State of the part that runs, in the present cycle. */
	odo_leaving leaving[ODO_N_SIDES]; /**< by side of the input */
	odo_going going[ODO_N_SIDES];     /**< by side of the output */
	odo_spot *heads;                  /**< lanes that have a new head, to be examined after all
					   * arrivals or departures of the cycle */
	uint32_t *due;                    /**< hosts that are due */
	odo_round round;
	odo_prefetch prefetch;
	bool measuring;
	odo_batch *batch;       /**< batch of the part that runs, at its cycle */
	odo_interval *interval; /**< of this window, or NULL */
	odo_batch batches[ODO_MAX_BATCHES];
	odo_interval *intervals;
	size_t n_intervals, intervals_room;
	uint32_t *offered_by_host,
		*arrived_by_host; /**< [n_hosts], or NULL; the same as in the measures */
	odo_measures m;           /**< sums only; its arrays are unused */
	odo_progress status[2];
	odo_outcome outcome;
	/** Cycle in which the run ended; for a finished workload, the cycle in which its last
	 * packet was received */
	uint32_t ended;
} odo_worker;

/** Number of bit sets in the releases of one cycle. */
static inline unsigned odo_release_sets(const odo_world *w)
{
	return w->parallel_inputs ? 2 + (1u << w->lane_bits) : 2;
}

/** A lane, by switch of the part, port (from 0) and number. */
static inline odo_spot odo_spot_make(const odo_world *w, uint32_t s, unsigned port, unsigned lane)
{
	return (s << w->port_bits | port) << w->lane_bits | lane;
}
static inline uint32_t odo_spot_switch(const odo_world *w, odo_spot at)
{
	return at >> (w->port_bits + w->lane_bits);
}
static inline unsigned odo_spot_port(const odo_world *w, odo_spot at)
{
	return at >> w->lane_bits & ((1u << w->port_bits) - 1);
}
static inline unsigned odo_spot_lane(const odo_world *w, odo_spot at)
{
	return at & ((1u << w->lane_bits) - 1);
}

/** A way within a switch, numbered as lanes of outputs; ODO_NO_WAY if it does not exist. */
static inline unsigned odo_way_of(const odo_world *w, const odo_switch *sw, unsigned out,
				  unsigned vl)
{
	bool exists = out < sw->ports && vl < w->n_vls && sw->capacity[out << w->lane_bits | vl];
	return exists ? out << w->lane_bits | vl : ODO_NO_WAY;
}

#endif
