/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Common declarations of the kinds of workloads. */
#ifndef ODONATA_EMULATOR_TRAFFIC_WORKLOAD_INTERNAL_H
#define ODONATA_EMULATOR_TRAFFIC_WORKLOAD_INTERNAL_H

#include "base/arena.h"
#include "emulator/traffic/workload.h"

/** First member of every workload's state. */
typedef struct odo_workload_base {
	void (*free)(void *state); /**< free all but the arena; NULL: nothing */
	odo_arena memory;          /**< of arrays; freed by odo_workload_free() with the state */
	uint32_t *rank_of;         /**< [n_hosts] rank on each host, or ODO_NONE */
	uint32_t *host_of;         /**< [n_ranks] */
	uint32_t n_ranks, packet, phit_bytes;
	odo_workload_facts facts; /**< without n_ranks */
} odo_workload_base;

/** Convert a time to whole cycles.
 * @param what beginning of the message
 * Errors: ODO_EINPUT if the model defines no times, or beyond ODO_MOST_COMPUTING. */
int odo_workload_cycles(const char *what, double ns, double cycle_ns, uint32_t *cycles,
			odo_error *err);

/** @param base zeroed */
int odo_workload_base_make(const odo_workload_setup *setup, odo_workload_base *base,
			   odo_error *err);

/** Packets of a message: full ones, and a last one with the rest. A message of 0 bytes is a packet
 * of one phit. */
static inline uint64_t odo_message_phits(const odo_workload_base *b, uint32_t bytes)
{
	uint64_t phits = ((uint64_t)bytes + b->phit_bytes - 1) / b->phit_bytes;
	return phits ? phits : 1;
}
static inline uint32_t odo_message_packets(const odo_workload_base *b, uint32_t bytes)
{
	return (uint32_t)((odo_message_phits(b, bytes) + b->packet - 1) / b->packet);
}
/** Phits of packet `i` of a message. */
static inline uint16_t odo_packet_phits(const odo_workload_base *b, uint32_t bytes, uint32_t i)
{
	uint64_t left = odo_message_phits(b, bytes) - (uint64_t)i * b->packet;
	return (uint16_t)(left < b->packet ? left : b->packet);
}

int odo_workload_steps(const odo_step_workload *row, const odo_value *value,
		       const odo_workload_setup *setup, odo_workload *out, odo_error *err);
int odo_workload_trace(const char *path, const odo_workload_setup *setup, odo_workload *out,
		       odo_error *err);

#endif
