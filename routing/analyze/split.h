/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What adaptive tables allow a traffic, without emulating it. Each switch may split the packets to
 * a destination over the ways that the tables offer. Two figures: the best split, which no
 * selection of ways can beat, and the even split.
 *
 * The best split is a maximum concurrent flow. Any prices of cables bound it from above: all that
 * cables can carry, at their prices, over what the traffic costs at least. Any split bounds it from
 * below. best.c finds both until they meet.
 */
#ifndef ODONATA_ROUTING_ANALYZE_SPLIT_H
#define ODONATA_ROUTING_ANALYZE_SPLIT_H

#include "routing/analyze/analyze.h"

/** When to stop. */
typedef struct odo_split_limits {
	double precision;   /**< relative, between both bounds; 0: ODO_SPLIT_PRECISION */
	uint64_t most_arcs; /**< ways followed, in all sweeps; 0: ODO_SPLIT_ARCS */
} odo_split_limits;

#define ODO_SPLIT_PRECISION 0.01
/** Some 40 seconds of one core. */
#define ODO_SPLIT_ARCS 8000000000ull

/** Loads are what every host can offer, as odo_analysis.saturation. */
typedef struct odo_split {
	double at_most;   /**< no split carries more */
	double not_below; /**< some split carries this; near `at_most` unless the search was cut */
	double even;      /**< evenly over all ways that a switch may take, of any priority */
	unsigned sweeps;  /**< over all destinations */
} odo_split;

/**
 * @param flows  NULL for uniform traffic, every host sending at rate 1 to all others in equal parts
 * @param limits NULL for the usual ones
 * @param even   loads of the even split, but for `hops`; for odo_analysis_clear(), also on failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for static tables, which odo_analyze_flows() is for, and where
 * packets can be in too many states.
 */
int odo_split_find(const odo_tables *t, const odo_coordinates *c, const odo_flow *flows, size_t n,
		   const odo_split_limits *limits, odo_split *out, odo_analysis *even,
		   odo_error *err);

#endif
