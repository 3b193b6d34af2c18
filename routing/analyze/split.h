/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Loads that adaptive tables allow under a traffic pattern, without emulation. Each switch may
 * split the packets to a destination over the ways that the tables offer. There are two figures:
 * the best split, which no selection of ways can beat, and the even split.
 *
 * The best split is a maximum concurrent flow. Any prices of cables bound it from above: the value
 * of all cables' capacity at these prices, divided by the least cost of the traffic. Any split
 * bounds it from below. best.c improves both bounds until they meet.
 */
#ifndef ODONATA_ROUTING_ANALYZE_SPLIT_H
#define ODONATA_ROUTING_ANALYZE_SPLIT_H

#include "routing/analyze/analyze.h"

/** Limits at which the search stops. */
typedef struct odo_split_limits {
	double precision;   /**< relative distance of both bounds; 0: ODO_SPLIT_PRECISION */
	uint64_t most_arcs; /**< arcs followed, in all sweeps; 0: ODO_SPLIT_ARCS */
} odo_split_limits;

#define ODO_SPLIT_PRECISION 0.01
/** About 40 seconds on one core. */
#define ODO_SPLIT_ARCS 8000000000ull

/** Loads that every host can offer, as odo_analysis.saturation. */
typedef struct odo_split {
	double at_most;   /**< no split carries more */
	double not_below; /**< some split carries this; close to `at_most` unless the search stopped
			     early */
	double even;      /**< load of an even split over all ways of a switch, of any priority */
	unsigned sweeps;  /**< passes over all destinations */
} odo_split;

/**
 * @param flows  NULL for uniform traffic: each host sends at rate 1 to all others in equal parts
 * @param limits NULL for the defaults
 * @param even   gets the loads of the even split, except `hops`; free with odo_analysis_clear(),
 *               also on failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for static tables (use odo_analyze_flows()), and if packets can
 * be in too many states.
 */
int odo_split_find(const odo_tables *t, const odo_coordinates *c, const odo_flow *flows, size_t n,
		   const odo_split_limits *limits, odo_split *out, odo_analysis *even,
		   odo_error *err);

#endif
