/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The channel dependency graph (Dally and Seitz): a channel is a (link, VL) between two
 * switches; it depends on the channels that a packet holding it may ask for next. Routing is
 * free of deadlock if this graph has no cycle. Channels from and to hosts are left out: the
 * first have no predecessor and the second no successor, so no cycle can hold them.
 *
 * A packet in channel (slot, vl) sits in the switch at the cable's far end and can only ask
 * for one of that switch's outputs, so the successors are a bit mask over its ports and VLs.
 */
#ifndef ODONATA_ROUTING_GRAPH_DEPENDENCY_H
#define ODONATA_ROUTING_GRAPH_DEPENDENCY_H

#include "base/bits.h"
#include "routing/tables.h"

typedef struct odo_dependencies {
	const odo_fabric *fabric;
	uint32_t n_channels; /**< slots of switches times n_vls */
	unsigned n_vls, words;
	uint64_t *bits; /**< [n_channels * words] bit (port - 1) * n_vls + vl of the next switch */
} odo_dependencies;

/** An empty graph. @param d for odo_dependencies_clear(), also on ODO_ENOMEM */
int odo_dependencies_init(odo_dependencies *d, const odo_fabric *f, unsigned n_vls, odo_error *err);
void odo_dependencies_clear(odo_dependencies *d);

static inline uint64_t *odo_successors(const odo_dependencies *d, uint32_t slot, unsigned vl)
{
	return d->bits + ((size_t)slot * d->n_vls + vl) * d->words;
}

/** Channel (slot, vl) depends on (output `port` of the switch at its far end, next_vl). */
static inline void odo_depend(const odo_dependencies *d, uint32_t slot, unsigned vl, unsigned port,
			      unsigned next_vl)
{
	odo_set_bit(odo_successors(d, slot, vl), (port - 1) * d->n_vls + next_vl);
}

/** How many dependencies there are. */
uint64_t odo_dependencies_count(const odo_dependencies *d);

/**
 * The most channels that follow one another, which bounds the links of a path; 1 where none
 * does. Only where there is no cycle.
 * @return 0 or ODO_ENOMEM
 */
int odo_dependencies_longest(const odo_dependencies *d, uint32_t *longest, odo_error *err);

/**
 * Look for a cycle.
 * @param cycle a cycle that is a shortest one through one of its channels, for free(); NULL
 *              where there is none
 * @param n     its length
 * @return 0, also when there is a cycle, or ODO_ENOMEM
 */
int odo_dependencies_cycle(const odo_dependencies *d, odo_channel **cycle, uint32_t *n,
			   odo_error *err);

#endif
