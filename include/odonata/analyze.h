/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Analysis: the load of every cable under a traffic, without sending packets. */
#ifndef ODONATA_ANALYZE_H
#define ODONATA_ANALYZE_H

#include <odonata/route.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Results of a traffic on given tables. A channel is a cable in one direction, named by the slot
 * that sends. Loads are shares of the rate of the fabric's fastest host cable.
 */
typedef struct odonata_analysis {
	size_t size;
	double saturation; /**< offered load at which the first channel is full; at most 1. No
				higher load is sustained for all sources, though more may be
				accepted in total. Below 0: no channel carries any */
	/** Maximum over channels, as a share of the channel's own rate, if every sending host
	 * offers 1. */
	double max_use;
	double mean_hops;        /**< cables between switches */
	double lost;             /**< rate of flows that the tables do not deliver */
	double forwarding_index; /**< most pairs of hosts that share a channel between switches;
				      below 0 for other traffic than "uniform" */
	uint32_t fullest;        /**< slot of the channel with max_use, or ODONATA_NONE */
	uint32_t unused;
} odonata_analysis;

/**
 * Follow a traffic through static tables and add up the load of every channel.
 * @param pattern as in "advg:n=1" or "80%uniform+20%reverse"; NULL: "uniform"
 * @param seed for random patterns, such as a permutation
 * @param use [n_slots of the fabric] filled with the use of every channel; may be NULL
 * @param analysis filled up to its `size`
 * Errors: ODONATA_EINPUT for an unknown pattern; ODONATA_EDECLINE for adaptive tables, and for a
 * pattern that does not suit the fabric; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_analyze(const odonata_tables *tables, const char *pattern, uint64_t seed,
				double *use, odonata_analysis *analysis, odonata_error *err);

/**
 * Compute the effective bisection bandwidth: hosts are split at random into two halves, and each
 * sends to a random partner in the other half. A flow gets the rate of a channel divided by the
 * flows on it, for the channel of its path where that is lowest.
 * @param trials bisections to take the mean of, at least 1
 * @param mean share of the fastest host cable's rate, mean over flows and trials
 * @param least mean over the flows of the worst trial; may be NULL
 * Errors: ODONATA_EINPUT for no trials or fewer than two hosts; ODONATA_EDECLINE for adaptive
 * tables; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_bisection(const odonata_tables *tables, unsigned trials, uint64_t seed,
				  double *mean, double *least, odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
