/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A graph of channel dependencies kept acyclic as dependencies come in, by a topological order
 * that is repaired (Marchetti-Spaccamela, Nanni and Rohnert, "Maintaining a topological order
 * under edge insertions", 1996). Where the order agrees, as it mostly does, one costs a
 * comparison; else what depends on the new edge's head moves behind its tail. Searching
 * backwards too and sorting both sets (Pearce and Kelly) was several times slower here, where
 * the sets are large.
 */
#ifndef ODONATA_ROUTING_GRAPH_ACYCLIC_H
#define ODONATA_ROUTING_GRAPH_ACYCLIC_H

#include "routing/graph/dependency.h"

typedef struct odo_edge {
	uint32_t from, to; /**< channels: slot * n_vls + vl */
} odo_edge;

typedef struct odo_acyclic {
	odo_dependencies forward;
	uint32_t *place; /**< [n_channels] in the topological order */
	uint32_t *at;    /**< [n_channels] channel at each place */
	uint64_t work;   /**< channels looked at or moved so far: about 2 ns each */
	uint8_t *mark;   /**< scratch, as the next */
	uint32_t *list;
} odo_acyclic;

/** Without dependencies. @param acyclic for odo_acyclic_clear(), also on ODO_ENOMEM */
int odo_acyclic_init(odo_acyclic *acyclic, const odo_fabric *f, unsigned n_vls, odo_error *err);
void odo_acyclic_clear(odo_acyclic *acyclic);

bool odo_acyclic_has(const odo_acyclic *acyclic, odo_edge edge);

/** Add a dependency that is not there; false, and nothing changed, if it closed a cycle. */
bool odo_acyclic_add(odo_acyclic *acyclic, odo_edge edge);

/** Add it unchecked; odo_acyclic_sort() has to follow. */
void odo_acyclic_mark(odo_acyclic *acyclic, odo_edge edge);

/** Take one away. */
void odo_acyclic_remove(odo_acyclic *acyclic, odo_edge edge);

/** Find an order after unchecked additions; false where there is a cycle. */
bool odo_acyclic_sort(odo_acyclic *acyclic);

#endif
