/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The emulator: packets through tables or a policy, by virtual cut-through with credits, in
 * switches whose inputs are buffered per VL. docs/design/emulator.md states the model.
 */
#ifndef ODONATA_EMULATOR_EMULATOR_H
#define ODONATA_EMULATOR_EMULATOR_H

#include "emulator/model.h"
#include "emulator/policy.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "routing/tables.h"

struct odo_traffic; /* pattern.h */
struct odo_vlarb;   /* vlarb.h */
struct odo_measures;

/** Packet that a workload sends. */
typedef struct odo_send {
	uint32_t target; /**< host */
	uint32_t tag;    /**< returned on arrival */
	uint16_t phits;  /**< 1 .. the model's packet */
} odo_send;

/**
 * Traffic that reacts: messages, phases, dependencies. A host's state may be accessed only in calls
 * about that host, since hosts run in different threads and ranks.
 */
typedef struct odo_workload {
	void *state;
	/**
	 * Return the next packet of `host`; called once for each packet that enters its injection
	 * queue.
	 * @param not_before out, on false: cycle to ask again; UINT64_MAX: when a packet has
	 * arrived here
	 * @return false if the host has nothing to send now
	 */
	bool (*next)(void *state, uint32_t host, uint64_t cycle, odo_send *send,
		     uint64_t *not_before);
	/** `host` has received a packet in full. The host is then asked next() again.
	 * @return false without memory to record it: the run ends with ODO_ENOMEM */
	bool (*arrived)(void *state, uint32_t host, uint32_t source, uint32_t tag, uint64_t cycle);
} odo_workload;

/** A cable that fails during the run: it is granted no more packets. */
typedef struct odo_failure {
	uint64_t cycle;
	uint32_t slot; /**< either end */
} odo_failure;

typedef struct odo_run_options {
	uint64_t seed;
	double load;     /**< phits a host offers each cycle, 0 .. 1; unused by workloads */
	uint64_t warmup; /**< cycles before measuring; with `steady`: of one batch, at least 500 */
	uint64_t measured; /**< cycles of measuring; for workloads, the maximum cycles of the run */
	bool steady; /**< measure only once four batches have the same accepted load and latency */
	unsigned threads;  /**< 0: 1 */
	bool ranks;        /**< share the run over all MPI ranks: each rank calls with the same
			    * arguments and gets the same measures */
	uint64_t patience; /**< cycles without any movement that count as deadlock; 0: 20,000 */
	uint32_t max_hops; /**< hops that count as livelock; 0: 254 */
	uint32_t series;   /**< cycles of one interval of time series; 0: none */
	bool channels;     /**< time series of every channel too */
	bool conserve;     /**< check in every cycle that packets, phits and credits are conserved.
			    * Needs one thread and one rank; a violation ends the run with an error */
	bool sources; /**< count the packets that each host offered, and its packets that arrived */
	const odo_failure *failures; /**< in order of cycles */
	uint32_t n_failures;
	/** NULL, or called from time to time between two cycles, by one thread while others may
	 * wait.
	 * @param of cycle at which the run will end; 0: not yet known, or decided by a workload */
	void (*progress)(void *context, uint64_t cycle, uint64_t of);
	void *progress_context;
	/**
	 * NULL, or called once the requested cycles are measured: does the run continue? It is
	 * called by one thread of each rank, while the others wait. For the same measures it must
	 * answer the same on every rank. The continued run gives the results of a run started with
	 * the new `warmup` and `measured` cycles, but without errors of means if `warmup` is as
	 * before. Not with workloads, `steady` or `series`.
	 * @param warmup   as before, or at least the cycles run so far
	 * @param measured such that the run becomes longer
	 */
	bool (*go_on)(void *context, const struct odo_measures *so_far, uint64_t *warmup,
		      uint64_t *measured);
	void *go_on_context;
	bool plain; /**< for comparison: take the general loop (kernel/cycle/loops.h), use no
		     * instructions that only some processors have, ask policies in every round
		     * even if odo_ask says that this is not needed, and run every cycle of an idle
		     * network. Same outcome, but slower */
} odo_run_options;

/** Input of an emulation. The pointers are borrowed. */
typedef struct odo_emulation {
	const odo_fabric *fabric;
	const odo_coordinates *coordinates; /**< may be NULL: all links are local */
	const odo_tables *tables;           /**< NULL with a policy */
	const char *policy;                 /**< spec, as for odo_policy_parse(); NULL: tables */
	const odo_model *model;
	const struct odo_traffic *traffic; /**< open loop at run.load */
	const odo_workload *workload;      /**< instead of traffic */
	/** Overrides of the model per slot, or NULL. The values of a slot apply to packets that
	 * come in by it: latency of its link, buffer per VL, cycles for each phit. */
	const uint32_t *slot_latency, *slot_buffer, *slot_cycles;
	/** VL arbitration of outputs between switches, or NULL: packets are served by age, on any
	 * VL. Only with static tables and flow=packets. */
	const struct odo_vlarb *vlarb;
	odo_run_options run;
} odo_emulation;

typedef enum odo_outcome {
	ODO_RUN_DONE,     /**< measured as requested, or the workload has finished */
	ODO_RUN_DEADLOCK, /**< nothing moved; the report names a cycle of waiting packets */
	ODO_RUN_LIVELOCK, /**< a packet exceeded max_hops */
	ODO_RUN_TIMEOUT,  /**< the workload had not finished after `measured` cycles */
} odo_outcome;

/** Latencies: exact below 1,024 cycles, above that 64 buckets for each doubling. */
#define ODO_HISTOGRAM_BUCKETS 2048
typedef struct odo_histogram {
	uint64_t count, sum, max;
	uint64_t bucket[ODO_HISTOGRAM_BUCKETS];
} odo_histogram;

double odo_histogram_mean(const odo_histogram *histogram);
/** Smallest value that at least `share` (0 .. 1) of all values do not exceed; 0 when empty. */
uint64_t odo_histogram_percentile(const odo_histogram *histogram, double share);

/** Largest value of a bucket. */
uint64_t odo_histogram_top(unsigned bucket);

/** Interval of a time series. */
typedef struct odo_interval {
	uint64_t first_cycle;
	uint64_t generated, injected,
		delivered; /**< packets; `generated` by their cycle of birth */
	uint64_t delivered_phits;
	uint64_t latency_sum;      /**< of packets delivered in the interval */
	uint64_t born_latency_sum; /**< of packets born in the interval that have been delivered */
	uint64_t born_delivered;
} odo_interval;

/** Measures of a run. Counts cover the measured cycles unless noted otherwise. */
typedef struct odo_measures {
	odo_outcome outcome;
	char report[4000]; /**< deadlock and livelock: the packets that wait, a line for each */
	uint64_t warmup, cycles; /**< as run; `cycles` were measured. For a finished workload: until
				  * its last packet was received */
	uint32_t n_hosts;

	double offered;  /**< phits generated per host and cycle, dropped ones included */
	double accepted; /**< phits received per host and cycle */
	/** Half width of the 95 % confidence interval, from means of batches. Below 0 if there is
	 * none: a workload, a run that was not measured to its end, or too few packets. */
	double accepted_error;
	double latency_error; /**< the same for the mean latency */
	double jain;          /**< fairness of packets injected per switch, 1 is even */

	uint64_t generated, dropped, injected, delivered; /**< packets */
	uint64_t generated_phits, delivered_phits;
	odo_histogram latency; /**< generation to full reception, of packets received */
	odo_histogram network; /**< from leaving the injection queue to full reception */
	uint64_t path[256];    /**< packets received, by number of hops between
				* switches */
	uint64_t escaped;      /**< packets received that used an escape channel */
	uint64_t hops[ODO_N_LINK_CLASSES]; /**< grants by class of link */
	uint64_t escape_hops;              /**< grants of escape channels */
	uint64_t packet_hops;              /**< hops from switch to switch, during the whole run */
	uint64_t waiting; /**< packets generated that were not in an injection queue at the end */
	uint64_t in_network; /**< packets left in the network at the end */

	uint32_t *channel;        /**< [n_slots] phits granted from each slot to its link */
	uint32_t *channel_cycles; /**< [n_slots] cycles for each phit there; NULL: 1 everywhere */
	uint32_t *by_switch;      /**< [n_switches] packets injected by its hosts */
	uint32_t *born_by_switch; /**< [n_switches] packets its hosts generated, dropped ones
				   * included: minus by_switch, it shows how far sources fell
				   * behind */
	/** NULL, or with run.sources [n_hosts] packets. Offered by each host: includes packets that
	 * were dropped, or not generated because a full queue stopped the source. Arrived: packets
	 * of each host that all hosts received. The difference is the growth of its packets on
	 * their way. */
	uint32_t *offered_by_host, *arrived_by_host;
	uint32_t n_intervals;
	odo_interval *intervals; /**< of the whole run, run.series cycles each */
	/** NULL, or [n_intervals * n_slots] cycles in which each slot sent phits. Phits count in
	 * their own interval even if their packet began or ended in another one; packets count as
	 * if they left in the cycle of their grant */
	uint32_t *channel_series;
	uint64_t memory; /**< bytes of the run's state */
} odo_measures;

/**
 * Run an emulation. The same seed gives the same measures for any number of threads.
 * @param out for odo_measures_free(); also made if the run deadlocks, which is a result
 * Errors: ODO_EINPUT if the emulation is not possible, ODO_ENOMEM, and those of a policy's
 * create().
 */
int odo_emulate(const odo_emulation *e, odo_measures **out, odo_error *err);
void odo_measures_free(odo_measures *m);

#endif
