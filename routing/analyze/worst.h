/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The worst permutation for static tables: every host sends to at most one and gets from at most
 * one, so that some channel carries as much as any can.
 *
 * For one channel that is a matching of most weight between sources and destinations, where the
 * weight of a pair is the share of its packets that cross the channel (Towles and Dally,
 * "Worst-case traffic for oblivious routing functions", 2002). No more than the sources or the
 * destinations of a channel can cross it. So channels are tried in descending order of that limit,
 * until the best one found is no less than the next limit.
 */
#ifndef ODONATA_ROUTING_ANALYZE_WORST_H
#define ODONATA_ROUTING_ANALYZE_WORST_H

#include <stdbool.h>

#include "routing/tables.h"

typedef struct odo_worst {
	uint32_t slot; /**< that sends over the channel; ODO_NONE where no host reaches another */
	uint32_t n_flows; /**< that cross it */
	/** [n_hosts] host that each sends to; ODO_NONE for hosts without a flow over the channel.
	 * These may send to each other as they like: no channel carries more than this one. */
	uint32_t *to;
	double load; /**< of the channel, as odo_analysis.use: 1 / load bounds what is accepted */
	double at_most; /**< no permutation loads any channel more: `load` if the search ended */
} odo_worst;

/**
 * @param most_pairs of a switch and a host, over all channels tried, after which the search is
 * given up; 0 for no limit
 * @param out        for odo_worst_clear(), also after a failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive tables.
 */
int odo_worst_find(const odo_tables *t, uint64_t most_pairs, odo_worst *out, odo_error *err);

/** Limit that gives up after some ten seconds, and 0 up to 2,048 hosts, where nothing is given up.
 */
uint64_t odo_worst_limit(const odo_fabric *f);

void odo_worst_clear(odo_worst *worst);

#endif
