/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Emulation of packets under tables or an adaptive policy, and its measures. */
#ifndef ODONATA_EMULATE_H
#define ODONATA_EMULATE_H

#include <odonata/route.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Settings of an emulation. Time is in cycles. A link carries at most one phit a cycle. */
typedef struct odonata_emulation {
	size_t size;
	const odonata_tables *tables; /**< set this to send packets by tables; else NULL */
	/** Set this and `policy` to send packets by a policy; else NULL. */
	const odonata_fabric *fabric;
	/** For a policy, may be NULL; without a policy NULL. */
	const odonata_coordinates *coordinates;
	/** Policy with its options, such as "ofar:escape=tree" (ODONATA_POLICIES). */
	const char *policy;
	/** Pattern of sources and destinations (ODONATA_PATTERNS); NULL: "uniform". */
	const char *pattern;
	/** Model of switches and links, such as "ofar:packet=4" or
	 * "infiniband:latency-local=5m,pipeline=200ns" (ODONATA_MODELS); NULL: the first of the
	 * list. */
	const char *model;
	double load;      /**< phits that a host offers each cycle, above 0 up to 1 */
	uint64_t seed;    /**< the same seed gives the same measures, on any number of threads */
	uint64_t warmup;  /**< cycles before measuring; 5,000 if `cycles` is 0 */
	uint64_t cycles;  /**< cycles of measuring; 0: 10,000 */
	uint32_t steady;  /**< 1: measure only once four batches of `warmup` cycles agree */
	uint32_t threads; /**< up to 1,024; 0: 1 */
} odonata_emulation;

/** Values of odonata_measures.outcome. */
enum odonata_outcome {
	ODONATA_DONE,     /**< measured as asked */
	ODONATA_DEADLOCK, /**< nothing moved; `report` names a cycle of waiting packets */
	ODONATA_LIVELOCK  /**< a packet took too many hops; `report` names it */
};

/**
 * Measures of the measured cycles, unless stated otherwise. Loads are in phits per host and cycle
 * of all `n_hosts`, also of those that the pattern keeps silent. `odonata emulate` divides by the
 * hosts that send instead. If no packet was received, latencies and hops are 0. `accepted` is the
 * mean load that the fabric carried. `fairness`, `waiting` and `dropped` show whether some hosts
 * were left out.
 */
typedef struct odonata_measures {
	size_t size;
	/** odonata_outcome; unless it is ODONATA_DONE, the measures are of an unfinished run. */
	uint32_t outcome;
	uint32_t n_hosts;
	uint64_t warmup, cycles; /**< as run */
	double offered;          /**< generated, dropped packets included */
	double accepted;         /**< received */
	double accepted_error;   /**< half of the 95 % confidence interval; below 0: not known */
	double latency;          /**< mean, from generation to full reception */
	double latency_error;    /**< as accepted_error */
	double network_latency;  /**< mean, from leaving the injection queue */
	uint64_t latency_median, latency_p99, latency_max;
	double mean_hops; /**< cables between switches */
	double fairness;  /**< Jain's index of packets injected by switch; 1 is even */
	uint64_t generated, dropped, injected, delivered; /**< packets */
	uint64_t waiting;    /**< packets not yet in an injection queue at the end */
	uint64_t in_network; /**< packets in the network at the end */
	uint64_t escaped;    /**< packets received that used an escape channel */
	char report[4000]; /**< deadlock and livelock: which packet waits for which, a line each */
	/** Nanoseconds of a cycle, and GB/s of load 1, with a model of bytes and time such as
	 * "infiniband"; else 0. */
	double cycle_ns, gb_per_s;
} odonata_measures;

/**
 * Run an emulation. Deadlock is a result, not an error.
 * @param measures filled up to its `size`
 * Errors: ODONATA_EINPUT for invalid settings; ODONATA_EDECLINE if a policy or pattern does not
 * suit the fabric; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_emulate(const odonata_emulation *emulation, odonata_measures *measures,
				odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
