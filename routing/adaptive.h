/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What switches beyond plain InfiniBand do with a packet (paper 004, section 3.1): a set of
 * output ports with priorities, chosen by input VL, input port and DLID. An engine of profile
 * ib-ar or ib-ext fills this in; the emulator, the verifier and the exporters ask it.
 */
#ifndef ODONATA_ROUTING_ADAPTIVE_H
#define ODONATA_ROUTING_ADAPTIVE_H

#include "routing/tables.h"

/** One way on for a packet. */
typedef struct odo_candidate {
	uint8_t port;       /**< output port */
	uint8_t vl;         /**< VL on that link */
	uint8_t priority;   /**< 0 is tried first (minimal paths), then 1, then 2 */
	uint8_t escape : 1; /**< a channel of the escape subnetwork (Duato's condition) */
	uint8_t onward : 1; /**< not for packets that came by this very port */
	uint8_t unused : 6; /**< 0, so that ways can be compared byte by byte */
} odo_candidate;

#define ODO_MAX_CANDIDATES 1024

/** Ways on that differ in their port alone. */
typedef struct odo_port_set {
	uint64_t ports; /**< bit p - 1 is port p */
	uint8_t vl, priority;
	bool onward; /**< as in odo_candidate */
} odo_port_set;
#define ODO_MAX_PORT_SETS 4

/** Of each pair of switches so many bytes, at [destination][switch]. */
typedef struct odo_pair_bytes {
	const void *at; /**< or NULL */
	size_t each;
} odo_pair_bytes;

/** Depends on nothing but its arguments, so that it could be written out as tables. */
typedef struct odo_adaptive {
	void *state; /**< the engine's compact arrays */
	void (*free_state)(void *state);
	/** VL on which a host injects a packet to a LID. */
	uint8_t (*inject)(const odo_tables *t, uint32_t host, uint32_t lid);
	/**
	 * Every way on for a packet in switch `s`, but for what `onward` rules out. Ask
	 * odo_candidates() for the ways of a packet.
	 * @param input the class of the port it came in by, see below: all that may matter of it
	 * @param in_vl the VL it came in on
	 * @param way     [ODO_MAX_CANDIDATES] filled, in order of priority
	 * @return how many; 1 for a LID delivered here, 0 only where `lid` cannot be reached
	 */
	unsigned (*candidates)(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			       uint32_t lid, odo_candidate *way);
	/** True where cycles among the other channels are allowed, since the escape channels
	 * are acyclic and offered everywhere. */
	bool has_escape;
	/** NULL, or a number for a LID: LIDs of one switch with equal numbers are injected and
	 * sent on alike in every state, but for their last hop. Spares the verifier work. */
	unsigned (*alike)(const odo_tables *t, uint32_t lid);
	/** [slots of switches] class of each port as an input, below n_inputs; part of the state.
	 * NULL: its number. What reaches a switch by ports of one class is sent on alike, which
	 * is what the verifier's speed rests on. */
	const uint8_t *input;
	unsigned n_inputs;
	/**
	 * NULL, or the same ways as candidates() has, in the same order, as sets: for switches of
	 * up to 64 ports, none an escape. For a LID that is not of switch `s`.
	 * @param set [ODO_MAX_PORT_SETS] filled, in order of priority; sets may be empty
	 * @return how many
	 */
	unsigned (*sets)(const odo_tables *t, uint32_t s, unsigned input, unsigned in_vl,
			 uint32_t lid, odo_port_set *set);
	/** What sets() looks up and no cache holds: to be fetched as soon as a packet comes. */
	odo_pair_bytes looked_up[2];
} odo_adaptive;

/** Every way on for a packet that came into switch `s` by `in_port`; see candidates. */
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
