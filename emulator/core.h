/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The state of a run, private to the emulator.
 *
 * A world is what is constant; a core is one part of the fabric: the switches, packets and
 * events of one thread. Cores meet only in their outboxes, once every `lookahead` cycles.
 *
 * Everything about one switch is one piece of memory, laid out by a `shape` that all switches
 * with as many ports share:
 *
 *   masks   in_free, out_free [W]; wanted, credit_ok [V][W]; asks [I][W]; lane_free [I][W]
 *   links   [P]            what each port is cabled to
 *   lanes   [P][I]         queues of packets: VLs of an input, or injection queues of a host
 *   want    [P][V][I][W]   bit i of (o, v, l): the head of input i's lane l waits for VL v of
 *                          output o
 *   credits [P][V]         phits free behind each output
 *   served  [P][P]         when output o last served input i, as a count of o's grants
 *   order   [P]            lanes of an input, least recently served first, four bits each
 *
 * with P ports, V VLs, I lanes and W words of 64 bits to hold one bit per port. A waiting head
 * costs nothing: an output is looked at when it is free, has credit, and is wanted, which is
 * three words and-ed; and a switch is looked at only after an event that can have changed one
 * of them.
 */
#ifndef ODONATA_EMULATOR_CORE_H
#define ODONATA_EMULATOR_CORE_H

#include "emulator/emulator.h"
#include "emulator/pattern.h"
#include "emulator/streams.h"
#include "fabric/memory.h"

/** One less than four bits name: the last stands for a host that receives. */
#define ODO_MAX_LANES 15u
#define ODO_MAX_WORDS 4u
#define ODO_MAX_BATCHES 32u

/** A place in a core: switch, port (from 0) and lane, as events name it. */
typedef uint32_t odo_spot;
#define ODO_SPOT_SWITCHES (1u << 20)
static inline odo_spot odo_spot_make(uint32_t s, unsigned port, unsigned lane)
{
	return s << 12 | port << 4 | lane;
}
static inline uint32_t odo_spot_switch(odo_spot at)
{
	return at >> 12;
}
static inline unsigned odo_spot_port(odo_spot at)
{
	return at >> 4 & 0xFF;
}
static inline unsigned odo_spot_lane(odo_spot at)
{
	return at & 0xF;
}

/** The place in the high half; below it a packet (arrival), phits (credit), or an output and
 * a lane (release). */
typedef uint64_t odo_event;

typedef struct odo_bucket {
	odo_event *at;
	uint32_t n, room;
} odo_bucket;

/** What a port is cabled to. */
typedef struct odo_link {
	uint32_t peer; /**< odo_spot of the other end, in its core; host links: host of the core */
	uint32_t latency; /**< cycles */
	uint16_t core;    /**< that the other end belongs to */
	uint16_t cycles;  /**< per phit */
	uint8_t class;    /**< odo_link_class */
	uint8_t up;       /**< 0: no cable */
	uint16_t buffer;  /**< phits per lane of the buffer at this end */
} odo_link;

typedef struct odo_lane {
	uint32_t head, tail; /**< packets, or ODO_NONE */
	uint16_t space;      /**< phits the head needs behind its output */
	uint8_t port, vl;    /**< that the head waits for, port from 0 */
	uint16_t escape;     /**< the way is an escape channel */
	uint16_t fill;       /**< phits in an injection queue */
} odo_lane;

/** Byte offsets into a switch's memory, for one number of ports. */
typedef struct odo_shape {
	uint32_t ports, words;
	uint32_t wanted, credit_ok, asks, lane_free, dead; /**< in_free is at 0, out_free behind */
	uint32_t links, lanes, want, credits, capacity, served, grants, order, sending, sent;
	uint32_t rng, local;
	uint32_t bytes;
} odo_shape;

typedef struct odo_switch {
	unsigned char *at;
	const odo_shape *shape;
} odo_switch;

/** Sums of one batch of measured cycles. */
typedef struct odo_batch {
	uint64_t phits, packets, latency;
} odo_batch;

/** What a host remembers. */
typedef struct odo_host {
	uint32_t global;  /**< its number in the fabric */
	odo_spot at;      /**< its switch and port */
	uint32_t next;    /**< host due in the same cycle, or ODO_NONE */
	uint32_t due;     /**< cycle of the next generation */
	uint32_t pending; /**< packet that found its queue full, or ODO_NONE */
	uint32_t drawn;   /**< packets drawn so far: the counter of its random stream */
	uint8_t last;     /**< injection queue used last */
	uint8_t lane;     /**< injection queue that `pending` waits for */
	uint8_t freed;    /**< in the core's list of that name */
	uint8_t asleep;   /**< workload: waits for an arrival */
} odo_host;

/** A packet or a credit on its way to another core. */
typedef struct odo_message {
	odo_packet packet; /**< phits 0: a credit, of `word` phits */
	odo_spot at;
	uint32_t when;
} odo_message;

typedef struct odo_outbox {
	odo_message *at;
	size_t n, room;
} odo_outbox;

/** Gaps of a Bernoulli process, by inversion in integers. */
#define ODO_GAP_ENTRIES 256
typedef struct odo_gaps {
	bool silent, always;
	uint64_t below[ODO_GAP_ENTRIES]; /**< gap is k + 1 where a 32-bit draw is below this */
	uint8_t guide[256];              /**< first k for each leading byte of a draw */
} odo_gaps;

struct odo_core;

/** Constant during a run, and shared by all cores. */
typedef struct odo_world {
	const odo_emulation *e;
	odo_model model;
	unsigned n_vls, n_lanes;
	bool uniform;         /**< all packets of one size and no bubbles: any credit is enough */
	bool parallel_inputs; /**< model.input_parallel above 1 */
	const odo_policy *policy; /**< NULL: static tables */
	void *policy_state;
	uint32_t max_hops;
	size_t local_bytes, group_bytes;
	uint32_t n_groups;
	uint32_t *group;      /**< [n_switches] */
	uint16_t *core_of;    /**< [n_switches] */
	uint32_t *local_of;   /**< [n_switches] number of a switch in its core */
	uint16_t *lid;        /**< [n_hosts] base LID; NULL without tables */
	uint8_t *lmc;         /**< [n_hosts] */
	uint32_t *host_local; /**< [n_hosts] number of a host in its core */
	odo_gaps gaps;
	unsigned char *group_state; /**< [n_groups * group_bytes] */
	uint32_t lookahead;
	uint32_t n_cores;
	struct odo_core *cores;
	uint64_t measure_from, measure_to;
} odo_world;

typedef struct odo_core {
	const odo_world *world;
	uint32_t number;
	uint32_t now;

	/* Switches. */
	uint32_t n_switches;
	odo_switch *sw;
	uint32_t *global; /**< [n_switches] their numbers in the fabric */
	uint64_t *active; /**< bit per switch: look at it in this cycle */
	odo_shape **shapes;
	uint32_t n_shapes;
	unsigned char *arena;
	uint64_t arena_bytes;
	bool wide; /**< some switch has more than 64 ports */

	/* Packets. */
	odo_packet *pool;
	uint32_t *next; /**< behind a packet in its queue, or in the list of free ones */
	uint32_t pool_room, pool_free;
	uint64_t in_network;

	/* Events. */
	uint32_t wheel; /**< cycles, a power of two, more than any delay */
	odo_bucket *arrivals, *credits, *releases;
	odo_outbox *outbox; /**< [n_cores] */

	/* Hosts. */
	uint32_t n_hosts;
	odo_host *hosts;
	uint32_t *due;   /**< [wheel] first host of each cycle's list */
	uint32_t *freed; /**< hosts with a pending packet whose queue has moved in this cycle */
	uint32_t n_freed;

	/* Measures. */
	bool measuring, out_of_memory;
	uint32_t lost;      /**< packet that exceeded max_hops, or ODO_NONE */
	odo_spot astray;    /**< where routing had no sound answer, if `fault` */
	const char *fault;  /**< NULL, or what was wrong with it */
	uint32_t last_move; /**< cycle of the last grant */
	uint32_t last_received;
	uint64_t interval; /**< of the time series */
	odo_batch *batch;  /**< of this cycle */
	odo_batch batches[ODO_MAX_BATCHES];
	uint64_t packet_hops, generated_ever, delivered_ever;
	odo_measures *m;
} odo_core;

/* Accessors of a switch's memory. */
static inline uint64_t *odo_sw_in_free(const odo_switch *s)
{
	return (uint64_t *)(void *)s->at;
}
#define ODO_PART(name, type)                                                                       \
	static inline type *odo_sw_##name(const odo_switch *s)                                     \
	{                                                                                          \
		return (type *)(void *)(s->at + s->shape->name);                                   \
	}
ODO_PART(wanted, uint64_t)
ODO_PART(credit_ok, uint64_t)
ODO_PART(asks, uint64_t)
ODO_PART(lane_free, uint64_t)
ODO_PART(dead, uint64_t)
ODO_PART(links, odo_link)
ODO_PART(lanes, odo_lane)
ODO_PART(want, uint64_t)
ODO_PART(credits, uint16_t)
ODO_PART(capacity, uint16_t)
ODO_PART(served, uint16_t)
ODO_PART(grants, uint16_t)
ODO_PART(order, uint64_t)
ODO_PART(sending, uint8_t)
ODO_PART(sent, uint32_t)
#undef ODO_PART
static inline odo_rng *odo_sw_rng(const odo_switch *s)
{
	return (odo_rng *)(void *)(s->at + s->shape->rng);
}

/* layout.c */
int odo_core_build(odo_world *w, odo_error *err);
void odo_core_free(odo_core *c);

/* cycle.c */
/** Run until cycle `until`, touching nothing outside the core but its outboxes. */
void odo_core_run(odo_core *c, uint32_t until);
/** Take in what another core sent. */
void odo_core_receive(odo_core *c, const odo_outbox *from);
void odo_core_view(odo_core *c, uint32_t s, odo_view *out);
/** A packet will be at a place in cycle `when`. Lane ODO_MAX_LANES: at its host, in full. */
void odo_core_arrive(odo_core *c, uint32_t when, odo_spot at, uint32_t packet);

/* source.c */
void odo_gaps_make(odo_gaps *g, double probability);
/** Hosts' first generations. */
void odo_sources_start(odo_core *c);
/** Generate and inject, at the end of a cycle. */
void odo_sources_step(odo_core *c);
/** A packet has left injection queue `lane` of a host. */
void odo_source_moved(odo_core *c, uint32_t host, unsigned lane);
/** A workload's packet has been received in full. */
void odo_source_received(odo_core *c, uint32_t packet);
/** A packet of the pool, which may move; ODO_NONE and out_of_memory without memory. */
uint32_t odo_packet_new(odo_core *c);
static inline void odo_packet_free(odo_core *c, uint32_t packet)
{
	c->next[packet] = c->pool_free;
	c->pool_free = packet;
}

/* adaptive.c */
/** Forwards by the candidates of adaptive tables. */
extern const odo_policy odo_policy_adaptive_tables;

/* watch.c */
/** Who waits for whom: a cycle of packets if there is one. */
void odo_watch_report(const odo_world *w, char *text, size_t size);

#endif
