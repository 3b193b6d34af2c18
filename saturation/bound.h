/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Bounds that tables set for a traffic, computed without sending packets. */
#ifndef ODONATA_SATURATION_BOUND_H
#define ODONATA_SATURATION_BOUND_H

#include "emulator/traffic/pattern.h"
#include "routing/analyze/analyze.h"
#include "routing/analyze/split.h"
#include "routing/analyze/worst.h"
#include "saturation/saturation.h"

/**
 * List the flows of a traffic, for a load of 1.
 * @param flows for free()
 * Errors: ODO_EINPUT for a traffic that changes; ODO_EDECLINE for more than a hundred million
 * flows.
 */
int odo_traffic_flows(const odo_traffic *traffic, odo_flow **flows, size_t *n, odo_error *err);

/** A bound. Loads are in phits, for links that carry a phit per cycle. */
typedef struct odo_bound {
	double load;     /**< per sending host, at which the first channel is full; at most 1 */
	double accepted; /**< at that load: accepted per host, whether it sends or not */
	double most;     /**< maximum per host at full offer: odo_analyze_most() */
} odo_bound;

/**
 * Find the bound of a traffic.
 * Errors: those of odo_traffic_flows() and odo_analyze_flows(); ODO_EDECLINE if no host sends,
 * tables do not deliver all of the traffic, or cables differ in speed.
 */
int odo_bound_find(const odo_tables *tables, const odo_traffic *traffic, odo_bound *out,
		   odo_error *err);

/**
 * Find the bounds of a traffic over all splits of packets among their ways. If packets have only
 * one way, all three figures are equal. Uniform traffic may have any number of pairs.
 * @param limits as for odo_split_find()
 * Errors: those of odo_traffic_flows(), odo_analyze_flows() and odo_split_find().
 */
int odo_bound_split(const odo_tables *tables, const odo_coordinates *c, const odo_traffic *traffic,
		    const odo_split_limits *limits, odo_split *out, odo_error *err);

/**
 * Limit a search of loads. A load that fills a cable for every choice of ways is not sustained, but
 * chance may hide this in short runs. Therefore the search ends below that load. If packets have no
 * choice, this load is near the answer and is tried first. The search is unchanged if no such load
 * is known: for policies, cables of several speeds, and traffic that changes or has too many pairs.
 * @param how a search of loads, not of shares of a bound
 */
void odo_bound_search(const odo_emulation *e, odo_saturation_search *how);

/** Static bounds of tables under all traffics by which a routing is judged: the load that each host
 * can offer until the first cable is full. */
typedef struct odo_bounds {
	double uniform;
	double shift; /**< minimum over all shifts of the ranks (rank_placement.h) */
	uint32_t shift_by;
	double complement;      /**< complement of the ranks */
	double mean, least;     /**< mean and minimum over random permutations */
	double worst;           /**< under the worst permutation (worst.h) */
	double worst_not_below; /**< the same, unless the search was given up */
} odo_bounds;

/**
 * Find the bounds of tables.
 * @param permutations number of random permutations, drawn with the seeds from `seed` on
 * @param watch        or NULL
 * Errors: ODO_EDECLINE for adaptive tables or a fabric with fewer than two hosts; ODO_ENOMEM.
 */
int odo_bounds_find(const odo_tables *tables, const odo_coordinates *c, unsigned permutations,
		    uint64_t seed, const odo_watch *watch, odo_bounds *out, odo_error *err);

/** The same for adaptive tables, with fewer traffics. */
typedef struct odo_split_bounds {
	odo_split uniform, complement;
	odo_split mean, least; /**< mean and minimum over random permutations, for each figure
				* separately */
} odo_split_bounds;

/** Find the bounds of adaptive tables, as odo_bounds_find(). Errors: those of odo_split_find();
 * ODO_EDECLINE for fewer than two hosts. */
int odo_split_bounds_find(const odo_tables *tables, const odo_coordinates *c, unsigned permutations,
			  uint64_t seed, const odo_watch *watch, odo_split_bounds *out,
			  odo_error *err);

#endif
