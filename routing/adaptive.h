/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Forwarding decisions of switches beyond plain InfiniBand (paper 004, section 3.1): a set of
 * output ports with priorities, chosen by input VL, input port and DLID. An engine of profile ib-ar
 * or ib-ext provides these functions. The emulator, the verifier and the exporters call them.
 */
#ifndef ODONATA_ROUTING_ADAPTIVE_H
#define ODONATA_ROUTING_ADAPTIVE_H

#include "routing/tables.h"

/** A possible next hop of a packet. */
typedef struct odo_candidate {
	uint8_t port;       /**< output port */
	uint8_t vl;         /**< VL on that link */
	uint8_t priority;   /**< 0 is tried first (minimal paths), then 1, then 2 */
	uint8_t escape : 1; /**< a channel of the escape subnetwork (Duato's condition) */
	uint8_t onward : 1; /**< not for packets that came by this very port */
	uint8_t unused : 6; /**< 0, so that ways can be compared byte by byte */
} odo_candidate;

#define ODO_MAX_CANDIDATES 1024

/** Ways that differ only in their port. */
typedef struct odo_port_set {
	uint64_t ports; /**< bit p - 1 is port p */
	uint8_t vl, priority;
	bool onward; /**< as in odo_candidate */
} odo_port_set;
#define ODO_MAX_PORT_SETS 4

/** Array with `each` bytes for each pair of switches, at [destination][switch]. */
typedef struct odo_pair_bytes {
	const void *at; /**< or NULL */
	size_t each;
} odo_pair_bytes;

/** Results depend only on the arguments, so that they could be written as tables. */
typedef struct odo_adaptive {
	void *state; /**< the engine's compact arrays */
	void (*free_state)(void *state);
	/** Return the VL on which a host injects a packet to a LID. */
	uint8_t (*inject)(const odo_tables *t, uint32_t host, uint32_t lid);
	/**
	 * List every way of a packet in switch `s`, including those that `onward` rules out. Call
	 * odo_candidates() for the ways of a single packet.
	 * @param input class of the input port (see below): the only property of the port that may
	 *              matter
	 * @param in_vl VL on which the packet came in
	 * @param way   [ODO_MAX_CANDIDATES] filled, in order of priority
	 * @return number of ways; 1 for a LID delivered here, 0 only if `lid` cannot be reached
	 */
	unsigned (*candidates)(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way);
	/** True if cycles among the other channels are allowed, because escape channels are acyclic
	 * and offered everywhere. */
	bool has_escape;
	/** NULL, or returns a number for a LID. LIDs of one switch with equal numbers are injected
	 * and forwarded in the same way in every state, except for their last hop. This saves the
	 * verifier work. */
	unsigned (*alike)(const odo_tables *t, uint32_t lid);
	/** [slots of switches] class of each port as an input, below n_inputs; part of the state.
	 * NULL: the class is the port number. Packets that reach a switch by ports of one class are
	 * forwarded in the same way; the verifier's speed depends on this. */
	const uint8_t *input;
	unsigned n_inputs;
	/**
	 * NULL, or lists the same ways as candidates(), in the same order, as sets: for switches of
	 * up to 64 ports, without escape channels. The LID must not belong to switch `s`.
	 * @param set [ODO_MAX_PORT_SETS] filled, in order of priority; sets may be empty
	 * @return number of sets
	 */
	unsigned (*sets)(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			 uint32_t lid, odo_port_set *set);
	/** Arrays that sets() reads and that exceed caches: fetch them as soon as a packet comes.
	 */
	odo_pair_bytes looked_up[2];
} odo_adaptive;

/** List every way of a packet that came into switch `s` by `in_port`; see candidates. */
static inline unsigned odo_candidates(const odo_tables *t, uint32_t s, unsigned in_port,
				      unsigned in_vl, uint32_t lid, odo_candidate *way)
{
	const odo_adaptive *a = t->adaptive;
	unsigned input = a->input ? a->input[odo_slot(t->fabric, s, in_port)] : in_port, kept = 0;
	unsigned n = a->candidates(t, s, input, in_vl, lid, way);
	for (unsigned i = 0; i < n; i++)
		if (!way[i].onward || way[i].port != in_port)
			way[kept++] = way[i];
	return kept;
}

#endif
