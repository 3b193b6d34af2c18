/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Workloads: traffic that reacts. Ranks exchange messages step by step, or by a trace; a rank
 * continues when the messages it waits for have arrived, so the network sets the pace. Workloads
 * are rows of a table.
 *
 *   "ring:bytes=65536"          over all ranks that the setup places
 *   "halo:size=8x8x4,bytes=4096"
 *   "trace:FILE"               docs/reference/trace.md defines the format
 */
#ifndef ODONATA_EMULATOR_TRAFFIC_WORKLOAD_H
#define ODONATA_EMULATOR_TRAFFIC_WORKLOAD_H

#include "emulator/emulator.h"
#include "emulator/traffic/rank_placement.h"
#include "base/options.h"

struct odo_traffic;

/** Input for creating a workload. The pointers are borrowed and outlive the workload. */
typedef struct odo_workload_setup {
	uint32_t n_hosts;     /**< of the fabric */
	const uint32_t *host; /**< [n_ranks] host of each rank */
	uint32_t n_ranks;
	uint32_t packet;     /**< phits of a full packet */
	uint32_t phit_bytes; /**< bytes of a phit; 0: 4 */
	uint64_t seed;
	double cycle_ns; /**< cycle time, to convert times; 0: the model defines no times, and times
			  * are refused */
} odo_workload_setup;

/** Maximum cycles of a rank's computing: in one piece, or in one operation of a trace. */
#define ODO_MOST_COMPUTING (1u << 30)

/** Facts of a workload, for answers to users. */
typedef struct odo_workload_facts {
	uint32_t n_ranks; /**< number of its ranks: a trace may have fewer than there is room for */
	/** Number of computings that are given in cycles, whose duration therefore depends on the
	 * rate of cables; and the longest of them. */
	uint64_t n_in_cycles, most_in_cycles;
} odo_workload_facts;

/** Actions of a rank in one step. */
typedef struct odo_step {
	uint32_t n_sends;
	uint32_t peer[8];   /**< ranks to send to, in this order */
	uint32_t bytes;     /**< of each message */
	uint32_t n_recvs;   /**< messages of this step, of the same size, to wait for before the
			     * next step */
	uint32_t compute;   /**< cycles before the first message is sent */
	uint32_t unawaited; /**< 1: no rank waits for the messages sent in this step */
} odo_step;

/** A workload of steps, the same number for every rank. */
typedef struct odo_step_workload {
	const char *name, *summary;
	const char *paper;         /**< source that uses it */
	const odo_option *options; /**< ends with a NULL name */
	/** Check the options against the number of ranks. May be NULL. */
	int (*check)(const odo_value *value, uint32_t n_ranks, odo_error *err);
	/** Number of steps. */
	uint64_t (*n_steps)(const odo_value *value, uint32_t n_ranks);
	/** Compute step `step` of a rank. Each message that a rank sends in a step and that another
	 * rank waits for is expected by that rank in the same step. @param out zeroed */
	void (*step)(const odo_value *value, uint32_t n_ranks, uint64_t seed, uint32_t rank,
		     uint32_t step, odo_step *out);
} odo_step_workload;

/** Table of workloads of steps, ending with a NULL name. */
extern const odo_step_workload odo_step_workloads[];

/** Check a spec: a known name, with options in range. */
int odo_workload_check(const char *spec, odo_error *err);

/**
 * @param spec see above
 * @param out  for odo_workload_free()
 * Errors: ODO_EINPUT, with "file:line:" for an error in a trace.
 */
int odo_workload_create(const char *spec, const odo_workload_setup *setup, odo_workload *out,
			odo_error *err);

/** Every host sends `packets` full packets as fast as it can, to destinations of a traffic (paper
 * 000, section 5.3). @param traffic borrowed */
int odo_workload_burst(const struct odo_traffic *traffic, uint32_t packets,
		       const odo_workload_setup *setup, odo_workload *out, odo_error *err);

/** @param w from odo_workload_create() or odo_workload_burst() */
odo_workload_facts odo_workload_facts_of(const odo_workload *w);

void odo_workload_free(odo_workload *w);

#endif
