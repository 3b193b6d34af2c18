/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A graph of channel dependencies that stays acyclic while dependencies are added. It repairs a
 * topological order (Marchetti-Spaccamela, Nanni and Rohnert, "Maintaining a topological order
 * under edge insertions", 1996). If the order already allows a new edge, as it mostly does, an
 * addition costs one comparison. Otherwise channels that depend on the head of the edge move behind
 * its tail. Searching backwards, too, and sorting both sets (Pearce and Kelly) is several times
 * slower here, because the sets are large.
 */
#ifndef ODONATA_ROUTING_GRAPH_ACYCLIC_H
#define ODONATA_ROUTING_GRAPH_ACYCLIC_H

#include "base/arena.h"
#include "routing/graph/dependency.h"

typedef struct odo_edge {
	uint32_t from, to; /**< channels: slot * n_vls + vl */
} odo_edge;

typedef struct odo_acyclic {
	odo_dependencies forward;
	odo_arena memory;
	uint32_t *base;  /**< [n_channels] first channel of the switch that sends by each */
	uint32_t *place; /**< [n_channels] place in the topological order */
	uint32_t *at;    /**< [n_channels] channel at each place */
	uint64_t work;   /**< channels examined or moved so far: about 2 ns each */
	uint8_t *mark;   /**< scratch, like `list` */
	uint32_t *list;
} odo_acyclic;

/**
 * Create a graph without dependencies.
 * @param acyclic clear with odo_acyclic_clear(), also on ODO_ENOMEM
 */
int odo_acyclic_init(odo_acyclic *acyclic, const odo_fabric *f, unsigned n_vls, odo_error *err);
void odo_acyclic_clear(odo_acyclic *acyclic);

bool odo_acyclic_has(const odo_acyclic *acyclic, odo_edge edge);

/** Add a new dependency. @return false, with the graph unchanged, if it would close a cycle */
bool odo_acyclic_add(odo_acyclic *acyclic, odo_edge edge);

/**
 * Add dependencies, or none of them if they would close a cycle.
 * @param edges [n] may be reordered
 */
bool odo_acyclic_add_all(odo_acyclic *acyclic, odo_edge *edges, uint32_t n);

/** Add a dependency without a check; call odo_acyclic_sort() afterwards. */
void odo_acyclic_mark(odo_acyclic *acyclic, odo_edge edge);

/** Remove a dependency. */
void odo_acyclic_remove(odo_acyclic *acyclic, odo_edge edge);

/** Find an order after unchecked additions. @return false if there is a cycle */
bool odo_acyclic_sort(odo_acyclic *acyclic);

#endif
