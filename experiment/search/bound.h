/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What tables allow a traffic, without sending a packet. */
#ifndef ODONATA_EXPERIMENT_SEARCH_BOUND_H
#define ODONATA_EXPERIMENT_SEARCH_BOUND_H

#include "emulator/traffic/pattern.h"
#include "experiment/search/saturation.h"
#include "routing/analyze/analyze.h"
#include "routing/analyze/split.h"
#include "routing/analyze/worst.h"

/**
 * A traffic as flows, for a load of 1.
 * @param flows for free()
 * Errors: ODO_EINPUT for one that changes; ODO_EDECLINE where there are more than a hundred
 * million.
 */
int odo_traffic_flows(const odo_traffic *traffic, odo_flow **flows, size_t *n, odo_error *err);

/** Loads are in phits, of links that carry a phit a cycle. */
typedef struct odo_bound {
	double load;     /**< per sending host, at which the first channel is full; at most 1 */
	double accepted; /**< then, per host, senders or not */
	double most;     /**< most per host at full offer: odo_analyze_most() */
} odo_bound;

/**
 * Errors: those of odo_traffic_flows() and odo_analyze_flows(); ODO_EDECLINE where no host sends,
 * where tables do not deliver all, or where cables differ in speed.
 */
int odo_bound_find(const odo_tables *tables, const odo_traffic *traffic, odo_bound *out,
		   odo_error *err);

/**
 * What tables allow a traffic; where packets have one way, all three figures are that. Uniform
 * traffic may have any number of pairs.
 * @param limits of odo_split_find()
 * Errors: those of odo_traffic_flows(), odo_analyze_flows() and odo_split_find().
 */
int odo_bound_split(const odo_tables *tables, const odo_coordinates *c, const odo_traffic *traffic,
		    const odo_split_limits *limits, odo_split *out, odo_error *err);

/**
 * A load that fills a cable, however packets choose their ways, is not sustained, and chance may
 * hide that where cycles are few: a search of loads ends below it. Where packets have no choice
 * that is near the answer, and is tried first. Nothing changes where no such load is known:
 * policies, cables of several speeds, traffic that changes or has too many pairs.
 * @param how of loads, not of shares of another
 */
void odo_bound_search(const odo_emulation *e, odo_saturation_search *how);

/** Static bounds of some tables under every traffic that a routing is judged by: the load that a
 * host can offer until a first cable is full. */
typedef struct odo_bounds {
	double uniform;
	double shift; /**< least of all shifts of the ranks (rank_placement.h) */
	uint32_t shift_by;
	double complement;      /**< of ranks */
	double mean, least;     /**< of random permutations */
	double worst;           /**< of the worst permutation (worst.h) */
	double worst_not_below; /**< the same, unless the search was given up */
} odo_bounds;

/**
 * @param permutations how many random ones, drawn by the seeds from `seed` on
 * @param watch        or NULL
 * Errors: ODO_EDECLINE for adaptive tables or a fabric with fewer than two hosts; ODO_ENOMEM.
 */
int odo_bounds_find(const odo_tables *tables, const odo_coordinates *c, unsigned permutations,
		    uint64_t seed, const odo_watch *watch, odo_bounds *out, odo_error *err);

/** The same of adaptive tables, under fewer traffics. */
typedef struct odo_split_bounds {
	odo_split uniform, complement;
	odo_split mean, least; /**< of random permutations, each figure by itself */
} odo_split_bounds;

/** As odo_bounds_find(). Errors: those of odo_split_find(); ODO_EDECLINE for fewer than two hosts.
 */
int odo_split_bounds_find(const odo_tables *tables, const odo_coordinates *c, unsigned permutations,
			  uint64_t seed, const odo_watch *watch, odo_split_bounds *out,
			  odo_error *err);

#endif
