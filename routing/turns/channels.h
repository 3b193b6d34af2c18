/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * An acyclic graph of (link, VL) whose dependencies are counted. Several turns or paths may need
 * the same dependency: it leaves the graph when the last of them is removed. So a search for paths
 * or VLs can try one, take it back, and try another.
 */
#ifndef ODONATA_ROUTING_TURNS_CHANNELS_H
#define ODONATA_ROUTING_TURNS_CHANNELS_H

#include "routing/graph/acyclic.h"

typedef struct odo_channels {
	odo_acyclic graph;
	struct odo_counted_edge {
		uint64_t key; /**< 0: the place is empty */
		uint32_t uses;
	} * edges; /**< [room] hash table; a removed dependency keeps its place with no uses */
	size_t room, n_keys;
	bool no_memory; /**< a dependency was refused because memory ran out */
} odo_channels;

/**
 * Create a graph without dependencies.
 * @param x clear with odo_channels_clear(), also on ODO_ENOMEM
 */
int odo_channels_init(odo_channels *x, const odo_fabric *f, unsigned n_vls, odo_error *err);
void odo_channels_clear(odo_channels *x);

/** Return the channel of a link, named by the slot that sends, and a VL. */
static inline uint32_t odo_channel_at(const odo_channels *x, uint32_t slot, unsigned vl)
{
	return slot * x->graph.forward.n_vls + vl;
}

/** Return how many additions of a dependency are not removed yet. */
uint32_t odo_channels_uses(const odo_channels *x, odo_edge edge);

/**
 * Add a dependency once more. The head must be a channel of the switch to which the tail's link
 * leads.
 * @return false, with the graph unchanged, if it would close a cycle; also if memory runs out
 */
bool odo_channels_add(odo_channels *x, odo_edge edge);

/** Add dependencies, or none of them if they would close a cycle; equal ones count several times.
 */
bool odo_channels_add_all(odo_channels *x, const odo_edge *edges, uint32_t n);

/** Remove a dependency that was added, once. */
void odo_channels_remove(odo_channels *x, odo_edge edge);

#endif
