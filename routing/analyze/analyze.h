/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What static tables make of a traffic, without emulating it: the load of every channel, and
 * so the offered load at which the first one is full. No higher load is sustained for all
 * sources, though more may be accepted in total.
 *
 * A channel is a cable in one direction and is named by the slot that sends. Rates and loads
 * are shares of the line rate of the fabric's fastest host cable; of slower or faster cables
 * `use` says which share of their own rate a load is. Hosts with several LIDs (LMC) are sent
 * to by all of them in equal parts.
 */
#ifndef ODONATA_ROUTING_ANALYZE_ANALYZE_H
#define ODONATA_ROUTING_ANALYZE_ANALYZE_H

#include "fabric/coordinates.h"
#include "routing/tables.h"

/** One part of a traffic. */
typedef struct odo_flow {
	uint32_t from, to; /**< hosts; equal ones are left out */
	float rate;
} odo_flow;

/** Loads by class of the channel that is used. */
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
	/** Offered load, as a share of what the traffic's rates are, at which a channel fills:
	 * 1 / max_use, and at most 1 / the rate of the host that sends most. */
	double saturation;
	odo_class_load dim[ODO_MAX_DIMS];
	odo_class_load inject, eject, other; /**< other: no class, or no coordinates */
	/** Rate that travels n switch-to-switch cables; the last entry has all beyond. */
	double hops[ODO_MAX_HISTOGRAM];
	double mean_hops;
	double lost; /**< rate of flows that the tables do not deliver */
} odo_analysis;

/** Gb/s of the cable at a slot; and of the fastest host cable, which loads are shares of. */
double odo_cable_capacity(const odo_fabric *f, uint32_t slot);
double odo_unit_rate(const odo_fabric *f);

/**
 * Loads of a list of flows, each followed through the LFTs; about 20 ns a hop.
 * @param c   classes of channels; NULL if not known
 * @param out for odo_analysis_clear(), also on failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive tables.
 */
int odo_analyze_flows(const odo_tables *t, const odo_coordinates *c, const odo_flow *flows,
		      size_t n, odo_analysis *out, odo_error *err);

/**
 * Loads of uniform traffic, every host sending at rate 1 to all others in equal parts; counted
 * down the tree of every LID instead of pair by pair.
 * @param index NULL, or the forwarding index: most (source, destination) pairs of hosts whose
 *              path uses one channel between switches
 */
int odo_analyze_uniform(const odo_tables *t, const odo_coordinates *c, odo_analysis *out,
			double *index, odo_error *err);

/**
 * Most that is delivered of flows that are all offered in full and go on where others cannot:
 * flows that have a channel in common get no more than it carries, each being counted on the
 * fullest of its own.
 * @param a    of these flows
 * @param most sum over all flows, in their unit: `saturation` times their sum or above
 */
int odo_analyze_most(const odo_tables *t, const odo_flow *flows, size_t n, const odo_analysis *a,
		     double *most, odo_error *err);

void odo_analysis_clear(odo_analysis *a);

/** The `n` channels of highest use, descending, equal ones by slot.
 * @param worst [n] filled @return how many: fewer where fewer carry anything */
uint32_t odo_analysis_worst(const odo_analysis *a, uint32_t n, uint32_t *worst);

/**
 * Effective bisection bandwidth (Hoefler et al., "Multistage switches are not crossbars",
 * 2008): hosts are split at random into two halves that are matched at random, both ways at
 * once; a flow gets the rate of a channel / the flows on it, of the channel where that is least.
 * @param trials bisections to take the mean of
 * @param mean   share of the fastest host cable's rate, mean over flows and trials
 * @param least  mean over the flows of the worst trial
 */
int odo_analyze_bisection(const odo_tables *t, unsigned trials, uint64_t seed, double *mean,
			  double *least, odo_error *err);

#endif
