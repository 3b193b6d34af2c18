/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the analyser's files share. */
#ifndef ODONATA_ROUTING_ANALYZE_INTERNAL_H
#define ODONATA_ROUTING_ANALYZE_INTERNAL_H

#include "routing/analyze/split.h"
#include "routing/analyze/states.h"

/** Longest path followed, in cables between switches: longer ones are loops to us. */
#define ODO_MAX_PATH 256

/** Slots that send a packet from a host to a LID, the host's own first, the last switch's to
 * the host last. @param path [ODO_MAX_PATH + 3] @return how many; 0 if it does not arrive */
uint32_t odo_follow(const odo_tables *t, uint32_t from, uint32_t lid, uint32_t *path);

/** The same from a switch on, the last switch's slot included. @param path [ODO_MAX_PATH + 2] */
uint32_t odo_follow_on(const odo_tables *t, uint32_t s, uint32_t lid, uint32_t *path);

/** Zeroed loads. Errors: ODO_ENOMEM */
int odo_analysis_begin(const odo_tables *t, odo_analysis *a, odo_error *err);

/** From loads and hops to everything that is told of them.
 * @param sends what the busiest host sends, as a share of the unit rate */
void odo_analysis_conclude(const odo_tables *t, const odo_coordinates *c, double sends,
			   odo_analysis *a);

/** Add to a->load the (source, destination) pairs of hosts over each channel, LIDs of one
 * host in equal parts; hops and lost likewise. */
int odo_count_pairs(const odo_tables *t, odo_analysis *a, odo_error *err);

/**
 * The best split: fill at_most, not_below and sweeps.
 * @param host_bound load at which a cable of some host is full
 * @param capacity   [n_slots] of switches' slots: share of the unit rate; 0: no cable between
 * switches Errors: ODO_ENOMEM
 */
int odo_split_best(odo_commodities *x, const double *capacity, uint32_t n_slots, double host_bound,
		   const odo_split_limits *limits, const odo_watch *watch, odo_split *out);

#endif
