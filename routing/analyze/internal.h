/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Functions that the analyser's files share. */
#ifndef ODONATA_ROUTING_ANALYZE_INTERNAL_H
#define ODONATA_ROUTING_ANALYZE_INTERNAL_H

#include "routing/analyze/split.h"
#include "routing/analyze/states.h"

/** Longest path that is followed, in cables between switches; longer paths count as loops. */
#define ODO_MAX_PATH 256

/** Return the number of LIDs of a host, 0 if it has none. */
static inline uint32_t odo_count_host_lids(const odo_fabric *f, uint32_t host)
{
	uint32_t slot = f->host_slot[host];
	return f->port_lid[slot] ? 1u << f->port_lmc[slot] : 0;
}

/**
 * Find the slots that send a packet from a host to a LID: the host's own first, the last switch's
 * slot to the host last.
 * @param path [ODO_MAX_PATH + 3]
 * @return their number; 0 if the packet does not arrive
 */
uint32_t odo_follow(const odo_tables *t, uint32_t from, uint32_t lid, uint32_t *path);

/**
 * Find the same slots from a switch on, including the last switch's slot.
 * @param path [ODO_MAX_PATH + 2]
 */
uint32_t odo_follow_on(const odo_tables *t, uint32_t s, uint32_t lid, uint32_t *path);

/** Allocate zeroed loads. Errors: ODO_ENOMEM */
int odo_analysis_begin(const odo_tables *t, odo_analysis *a, odo_error *err);

/**
 * Compute all other results from loads and hops.
 * @param sends rate of the busiest sender, as a share of the unit rate
 */
void odo_analysis_conclude(const odo_tables *t, const odo_coordinates *c, double sends,
			   odo_analysis *a);

/** Add the (source, destination) pairs of hosts over each channel to a->load, with LIDs of one host
 * in equal parts; also add to hops and lost. */
int odo_count_pairs(const odo_tables *t, odo_analysis *a, odo_error *err);

/**
 * Find the best split: fill at_most, not_below and sweeps.
 * @param host_bound load at which a cable of some host is full
 * @param capacity   [n_slots] for slots of switches: share of the unit rate; 0: no cable between
 *                   switches
 * Errors: ODO_ENOMEM
 */
int odo_split_best(odo_commodities *x, const double *capacity, uint32_t n_slots, double host_bound,
		   const odo_split_limits *limits, const odo_watch *watch, odo_split *out);

#endif
