/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Loads of static tables under a traffic pattern, without emulation: the load of every channel, and
 * the offered load at which the first channel is full. No higher load can be sustained for all
 * sources, though more may be accepted in total.
 *
 * A channel is one direction of a cable and is named by the slot that sends. Rates and loads are
 * shares of the line rate of the fastest host cable in the fabric. For slower or faster cables,
 * `use` gives the load as a share of their own rate. Traffic to a host with several LIDs (LMC) is
 * split over these LIDs in equal parts.
 */
#ifndef ODONATA_ROUTING_ANALYZE_ANALYZE_H
#define ODONATA_ROUTING_ANALYZE_ANALYZE_H

#include "fabric/coordinates.h"
#include "routing/tables.h"

/** A part of a traffic. */
typedef struct odo_flow {
	uint32_t from, to; /**< hosts; flows from a host to itself are ignored */
	float rate;
} odo_flow;

/** Loads by class of channel. */
typedef struct odo_class_load {
	uint32_t n_channels;
	double mean, max; /**< of `use` */
} odo_class_load;

#define ODO_MAX_HISTOGRAM 64

typedef struct odo_analysis {
	uint32_t n_slots;
	double *load; /**< [n_slots] by sending slot */
	double *use;  /**< [n_slots] load over the cable's own rate */
	double max_use;
	/** Offered load at which a channel fills, as a share of the traffic's rates: 1 / max_use,
	 * and at most 1 / the rate of the busiest sender. */
	double saturation;
	odo_class_load dim[ODO_MAX_DIMS];
	/** other: channels without a class, or without coordinates */
	odo_class_load inject, eject, other;
	/** Rate that crosses n cables between switches; the last entry also includes all longer
	 * paths. */
	double hops[ODO_MAX_HISTOGRAM];
	double mean_hops;
	double lost; /**< rate of flows that the tables do not deliver */
} odo_analysis;

/** Rate of the cable at a slot, in Gb/s; and rate of the fastest host cable, the unit of loads. */
double odo_cable_capacity(const odo_fabric *f, uint32_t slot);
double odo_unit_rate(const odo_fabric *f);

/**
 * Compute the loads of a list of flows, each followed through the LFTs; about 20 ns per hop.
 * @param c   classes of channels; NULL if not known
 * @param out free with odo_analysis_clear(), also on failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive tables.
 */
int odo_analyze_flows(const odo_tables *t, const odo_coordinates *c, const odo_flow *flows,
		      size_t n, odo_analysis *out, odo_error *err);

/**
 * Compute the loads of uniform traffic: each host sends at rate 1 to all others in equal parts.
 * Loads are summed down the tree of every LID instead of pair by pair.
 * @param index NULL, or gets the forwarding index: the largest number of (source, destination)
 *              pairs of hosts whose paths use one channel between switches
 */
int odo_analyze_uniform(const odo_tables *t, const odo_coordinates *c, odo_analysis *out,
			double *index, odo_error *err);

/**
 * Bound the total rate that is delivered if all flows are offered in full and each is delivered as
 * far as possible. Flows that share a channel together get at most its rate. Each flow is counted
 * on the fullest channel of its path.
 * @param a    analysis of these flows
 * @param most gets the sum over all flows, in their unit: at least `saturation` times their sum
 */
int odo_analyze_most(const odo_tables *t, const odo_flow *flows, size_t n, const odo_analysis *a,
		     double *most, odo_error *err);

void odo_analysis_clear(odo_analysis *a);

/**
 * Find the `n` channels of highest use, in descending order, equal ones by slot.
 * @param worst [n] filled
 * @return their number; less than n if fewer channels carry traffic
 */
uint32_t odo_analysis_worst(const odo_analysis *a, uint32_t n, uint32_t *worst);

/**
 * Effective bisection bandwidth (Hoefler et al., "Multistage switches are not crossbars", 2008):
 * hosts are split at random into two halves. Each host has a random partner in the other half, and
 * both send. A flow gets the least share of the channels on its path: rate of the channel / its
 * number of flows.
 * @param trials number of bisections
 * @param mean   gets the mean over flows and trials, as a share of the fastest host cable's rate
 * @param least  gets the mean over flows of the worst trial
 */
int odo_analyze_bisection(const odo_tables *t, unsigned trials, uint64_t seed, double *mean,
			  double *least, odo_error *err);

#endif
