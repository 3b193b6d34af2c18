/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Routing policies: algorithms with state in packets, as rows of one table. The part moves packets;
 * a policy only names the way. It knows what the hardware knows there: its switch's credits and
 * free outputs, the packet's header, and messages between switches of its group.
 *
 * Threads: a policy's own state is read-only during a run. Changing state is in packets, in bytes
 * of each switch, and in bytes of each group, which one thread owns as a whole.
 */
#ifndef ODONATA_EMULATOR_POLICY_H
#define ODONATA_EMULATOR_POLICY_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/options.h"
#include "base/random.h"
#include "emulator/model.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "routing/tables.h"

/** A packet. The packets of a run live in one pool; an index identifies a packet. */
typedef struct odo_packet {
	uint32_t source, target; /**< hosts */
	uint32_t born;           /**< cycle of generation */
	uint32_t entered;        /**< cycle of leaving the injection queue */
	uint32_t tag;            /**< with a workload: its message */
	uint16_t phits;
	uint8_t vl; /**< VL on which it arrived; with tables, the VL on which it started */
	uint8_t unused;
	/** Eight bytes of the routing, zero at generation. Tables keep the DLID and SL here. */
	uint32_t word;
	uint8_t byte[2];
	uint8_t hops;  /**< links between switches taken so far; stays at 255 */
	uint8_t flags; /**< odo_packet_flags */
} odo_packet;
static_assert(sizeof(odo_packet) == 32, "two packets a cache line");

enum odo_packet_flags {
	ODO_PACKET_ESCAPED = 2, /**< has used an escape channel */
};

/** Time at which a head that has not won its way asks again. */
enum odo_ask {
	ODO_ASK_EACH_ROUND,
	ODO_ASK_EITHER, /**< the same, and the policy will name this way's output or odo_way.other,
			 * so nothing is lost if it is not asked while both are busy */
	ODO_ASK_NEVER,  /**< the head waits for this way, which costs nothing */
	ODO_ASK_OPENED, /**< once the output, which is closed to the head now, is released or has
			 * credits back: nothing else could change the answer. Treated as
			 * ODO_ASK_EACH_ROUND if cables fail during the run */
};

/** A way on from a switch. */
typedef struct odo_way {
	uint8_t port;       /**< output, 1 .. */
	uint8_t vl;         /**< on that link; ignored towards hosts */
	uint8_t again;      /**< odo_ask */
	uint8_t other;      /**< with ODO_ASK_EITHER: the output that the policy may name instead */
	uint8_t escape : 1; /**< 1: an escape channel; counted, and kept in flags */
	uint8_t yields : 2; /**< its priority, 0 the best; used with `minimal-first` */
	uint8_t unused : 5;
	uint16_t space; /**< phits that must be free behind the output; 0: as many as the packet
			 * has. A larger value makes a bubble (paper 000, sections 3.3.2 and
			 * 3.4.2) */
} odo_way;

struct odo_part;

/** State that a switch can see of itself at one moment. The arrays are lent for the call. */
typedef struct odo_view {
	struct odo_part *part; /**< for odo_view_of() and odo_view_random() */
	uint32_t node;         /**< this switch */
	uint32_t now;          /**< cycle */
	uint32_t n_ports, n_vls;
	/** Phits free in the buffer behind an output's VL, as far as credits tell, at
	 * odo_view_at(). Towards hosts: always enough. */
	const uint16_t *credits;
	const uint16_t *capacity; /**< phits of that buffer; 0: no such VL */
	const uint64_t *free;     /**< odo_view_free() */
	const uint64_t *dead;     /**< odo_view_dead() */
	uint8_t first;            /**< bit of port 1 in `free` and `dead` */
	uint8_t stride_bits; /**< places of a port in credits and capacity, as a power of two */
	bool failing;        /**< cables fail during the run */
	void *local;         /**< the policy's bytes of this switch, zeroed at first */
	void *group;         /**< the policy's bytes of this switch's group */
} odo_view;

/** Index of an output's (from 1) VL in credits and capacity. */
static inline unsigned odo_view_at(const odo_view *v, unsigned port, unsigned vl)
{
	return (port - 1) << v->stride_bits | vl;
}
/** Phits taken in the buffer behind an output, including those on their way. */
static inline unsigned odo_view_taken(const odo_view *v, unsigned port, unsigned vl)
{
	unsigned at = odo_view_at(v, port, vl);
	return v->capacity[at] - v->credits[at];
}
/** The output (from 1) carries no packet now, and was granted none earlier in this cycle. */
static inline bool odo_view_free(const odo_view *v, unsigned port)
{
	return odo_has_bit(v->free, v->first + port - 1);
}
/** The cable of a port (from 1) has failed. */
static inline bool odo_view_dead(const odo_view *v, unsigned port)
{
	return odo_has_bit(v->dead, v->first + port - 1);
}

/** Cycles until the queue of an output has a place for a packet; without queues, 1 while the output
 * is busy. A packet that crosses to the output just now closes no queue. */
unsigned odo_view_closed(const odo_view *v, unsigned port);

/**
 * View of another switch of the same group, for policies with ODO_POLICY_SEES_GROUP (UGAL-G: an
 * ideal that no hardware has).
 */
void odo_view_of(struct odo_part *part, uint32_t node, odo_view *out);

/** Random words of a switch's own stream: the same for any number of threads. */
uint32_t odo_view_random(const odo_view *v);
/** Uniform in [0, n), n above 0. */
uint32_t odo_view_below(const odo_view *v, uint32_t n);

/** Input for creating a policy. The pointers are borrowed and outlive the policy. */
typedef struct odo_policy_setup {
	const odo_fabric *fabric;
	const odo_coordinates *coordinates; /**< may be NULL */
	const odo_tables *tables;           /**< may be NULL */
	const odo_model *model;
	unsigned variant;       /**< of its row */
	const odo_value *value; /**< options read from its spec, one for each option row, defaults
				 * filled in */
	uint64_t seed;
	unsigned vls[2]; /**< in: from the model, 0 if free. Out: VLs that local and global
			      links need (fabrics without global links: the first) */
	size_t local_bytes, group_bytes; /**< out: its memory per switch and per group */
	/** Out: route() answers each head at once and for good, without bubbles, escapes or
	 * priorities, and notes in the packet that it leaves, so leave() is not called. */
	bool for_good;
	/** Out: as for_good, but heads may ask again, and leave() is called for those that do. Not
	 * with flits. */
	bool plain;
	/** Out, besides `plain`: at its source a head always asks again, and earlier answers do not
	 * change that, so it is asked in allocation alone. */
	bool late;
} odo_policy_setup;

enum odo_policy_traits {
	/** Asked in allocation only, not when a packet comes to the head of its queue: for policies
	 * that are seldom asked once only. */
	ODO_POLICY_ASKS = 2,
	/** Groups (coordinate 0 of a dragonfly, else the whole fabric) are not cut between
	 * threads. Implied by group_bytes. */
	ODO_POLICY_SEES_GROUP = 1,
};

typedef struct odo_policy {
	const char *name, *summary;
	const char *paper;         /**< paper and section */
	const char *deadlock;      /**< why it cannot deadlock, in a sentence */
	const odo_option *options; /**< ends with a NULL name */
	uint32_t kinds;            /**< bit 1 << odo_kind for each kind it routes */
	uint32_t traits;           /**< odo_policy_traits */
	unsigned variant;          /**< rows of a family may share create(), which distinguishes
				    * them by this */

	/** Prepare. ODO_EDECLINE if the policy cannot route the fabric. */
	int (*create)(odo_policy_setup *setup, void **state, odo_error *err);
	void (*free)(void *state);

	/** A packet is generated: make the draws of its source. May be NULL. */
	void (*generate)(const void *state, odo_packet *p, odo_rng *host_stream);

	/**
	 * Name the way of the packet at the head of a queue.
	 * @param in_port 1 .., port where it waits
	 * @param in_vl   VL, or number of the injection queue
	 * @param way     zeroed; filled in if there is a way
	 * @return false: no way now, ask again; allowed only where waiting at this switch closes no
	 * cycle
	 */
	bool (*route)(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		      unsigned in_vl, odo_way *way);

	/** The packet has won the way asked for and leaves: record this in its header, or in the
	 * switch. May be NULL. */
	void (*leave)(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
		      const odo_way *way);

	/** Called for every switch in every cycle before allocation. The call may be skipped once
	 * nothing has been in the network for two of its longest latencies plus a packet's length:
	 * all policy state must have come to rest by then. NULL costs nothing. */
	void (*tick)(const void *state, const odo_view *v);

	/** A credit of `phits` has come back for an output's VL. May be NULL. */
	void (*credit)(const void *state, const odo_view *v, unsigned port, unsigned vl,
		       unsigned phits);

	/** Cycles by which to hold back the credit for a packet that came in by in_port and
	 * leaves by out_port, less than ODO_CREDIT_HOLD. May be NULL. (Paper 001, section 4.3.2) */
	uint32_t (*hold_credit)(const void *state, const odo_view *v, unsigned in_port,
				unsigned out_port);
} odo_policy;

#define ODO_CREDIT_HOLD 4096u

/** Table of policies, ending with NULL. */
extern const odo_policy *const odo_policies[];

/** The policy that no spec names: it uses the candidates of adaptive tables. */
extern const odo_policy odo_policy_adaptive_tables;

/**
 * Read a spec such as "ofar:escape=tree": a policy's name and its options.
 * @param row   out: its row
 * @param value [ODO_MAX_OPTIONS] out: options, defaults filled in
 * Errors: ODO_EINPUT with what was expected.
 */
int odo_policy_parse(const char *spec, const odo_policy **row, odo_value *value, odo_error *err);

#endif
