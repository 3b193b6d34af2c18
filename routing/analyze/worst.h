/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The worst permutation for static tables: every host sends to at most one host and receives from
 * at most one, so that some channel gets the highest possible load.
 *
 * For one channel this is a matching of maximum weight between sources and destinations. The weight
 * of a pair is the share of its packets that cross the channel (Towles and Dally, "Worst-case
 * traffic for oblivious routing functions", 2002). The flows over a channel are at most its
 * sources, and at most its destinations. So channels are tried in descending order of this limit,
 * until the best load found is at least the next limit.
 */
#ifndef ODONATA_ROUTING_ANALYZE_WORST_H
#define ODONATA_ROUTING_ANALYZE_WORST_H

#include <stdbool.h>

#include "routing/tables.h"

typedef struct odo_worst {
	uint32_t slot; /**< slot that sends over the channel; ODO_NONE if no host reaches another */
	uint32_t n_flows; /**< flows over the channel */
	/** [n_hosts] host that each sends to; ODO_NONE for hosts without a flow over the channel.
	 * These hosts may send to each other in any way: no channel carries more than this one. */
	uint32_t *to;
	double load;    /**< load of the channel, as odo_analysis.use: accepted load is at most 1 /
			   load */
	double at_most; /**< upper bound for any channel and permutation: `load` if the search is
			   complete */
} odo_worst;

/**
 * @param most_pairs number of pairs of a switch and a host, over all channels tried, after which
 *                   the search stops; 0 for no limit
 * @param out        clear with odo_worst_clear(), also after a failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive tables.
 */
int odo_worst_find(const odo_tables *t, uint64_t most_pairs, odo_worst *out, odo_error *err);

/** Return a limit that stops the search after about ten seconds; 0 up to 2,048 hosts, for a
 * complete search. */
uint64_t odo_worst_limit(const odo_fabric *f);

void odo_worst_clear(odo_worst *worst);

#endif
