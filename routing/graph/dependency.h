/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The channel dependency graph (Dally and Seitz). A channel is a (link, VL) between two switches.
 * It depends on the channels that a packet in it may request next. Routing is free of deadlock if
 * this graph has no cycle. Channels from and to hosts are left out: the former have no predecessor
 * and the latter no successor, so they are on no cycle.
 *
 * A packet in channel (slot, vl) is in the switch at the cable's far end and can only request an
 * output of that switch. The successors are therefore a bit mask over its ports and VLs.
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

/** Create an empty graph. @param d clear with odo_dependencies_clear(), also on ODO_ENOMEM */
int odo_dependencies_init(odo_dependencies *d, const odo_fabric *f, unsigned n_vls, odo_error *err);
void odo_dependencies_clear(odo_dependencies *d);

/** Return the graph in t->proved, which stays with the tables: never clear it. */
odo_dependencies odo_dependencies_proved(const odo_tables *t);

static inline uint64_t *odo_successors(const odo_dependencies *d, uint32_t slot, unsigned vl)
{
	return d->bits + ((size_t)slot * d->n_vls + vl) * d->words;
}

/**
 * Add a dependency: channel (slot, vl) depends on output `port`, on next_vl, of the switch at its
 * far end.
 */
static inline void odo_depend(const odo_dependencies *d, uint32_t slot, unsigned vl, unsigned port,
			      unsigned next_vl)
{
	odo_set_bit(odo_successors(d, slot, vl), (port - 1) * d->n_vls + next_vl);
}

/** Return the channel of bit 0 of a channel's successors. */
static inline uint32_t odo_first_successor(const odo_dependencies *d, uint32_t channel)
{
	const odo_fabric *f = d->fabric;
	return f->first_slot[f->owner[f->peer[channel / d->n_vls]]] * d->n_vls;
}

/** Iterator over the successors of one channel. */
typedef struct odo_successor_walk {
	uint32_t channel, first; /**< first: channel of bit 0, ODO_NONE until it is needed */
	unsigned word;
	uint64_t left; /**< bits of `word` that are not returned yet */
} odo_successor_walk;

static inline odo_successor_walk odo_walk_successors(const odo_dependencies *d, uint32_t channel)
{
	return (odo_successor_walk){
		.channel = channel, .first = ODO_NONE, .left = d->bits[(size_t)channel * d->words]};
}

/** Return the next successor, or ODO_NONE. */
static inline uint32_t odo_next_successor(const odo_dependencies *d, odo_successor_walk *walk)
{
	while (!walk->left) {
		if (++walk->word == d->words)
			return ODO_NONE;
		walk->left = d->bits[(size_t)walk->channel * d->words + walk->word];
	}
	if (walk->first == ODO_NONE)
		walk->first = odo_first_successor(d, walk->channel);
	uint32_t next = walk->first + walk->word * 64 + odo_lowest_bit(walk->left);
	walk->left &= walk->left - 1;
	return next;
}

/**
 * Sort channels in topological order (Kahn).
 * @param waiting [n_channels] scratch; 0 at the end for all channels in the order
 * @param order   [n_channels] gets the channels that no cycle leads to
 * @return their number
 */
uint32_t odo_dependencies_sort(const odo_dependencies *d, uint32_t *waiting, uint32_t *order);

/** Return the number of dependencies. */
uint64_t odo_dependencies_count(const odo_dependencies *d);

/**
 * Give every channel a level above those of all channels that it follows; 0 if it follows none. The
 * graph must have no cycle.
 * @param level gets [n_channels], free with free()
 */
int odo_dependencies_levels(const odo_dependencies *d, uint32_t **level, odo_error *err);

/**
 * Compute the largest number of channels that follow one another; it bounds the links of a path. It
 * is 1 if no channel follows another. The graph must have no cycle.
 * @return 0 or ODO_ENOMEM
 */
int odo_dependencies_longest(const odo_dependencies *d, uint32_t *longest, odo_error *err);

/**
 * Look for a cycle.
 * @param cycle gets a cycle that is a shortest one through one of its channels, free with free();
 *              NULL if there is none
 * @param n     gets its length
 * @return 0, also if there is a cycle, or ODO_ENOMEM
 */
int odo_dependencies_cycle(const odo_dependencies *d, odo_channel **cycle, uint32_t *n,
			   odo_error *err);

#endif
