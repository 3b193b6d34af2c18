/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The switches as a simple graph. Both directions of a cable and all parallel cables become one
 * edge, which implements rules 1 and 2 of paper 004, section 2.1.
 *
 * Vertices are ranks of switches by GUID. So all results, ties included, are independent of the
 * order in which the fabric was discovered.
 */
#ifndef ODONATA_MAPPING_GRAPH_LINKS_H
#define ODONATA_MAPPING_GRAPH_LINKS_H

#include "base/arena.h"
#include "fabric/fabric.h"
#include "mapping/graph/budget.h"

typedef struct odo_links {
	uint32_t n; /**< vertices */
	uint32_t n_edges;
	uint32_t *first;    /**< [n + 1] first arc of each vertex */
	uint32_t *to;       /**< [2 * n_edges] neighbours, ascending for each vertex */
	uint32_t *edge;     /**< [2 * n_edges] edge of each arc */
	uint32_t (*end)[2]; /**< [n_edges] vertices, the smaller first */
	uint8_t *n_cables;  /**< [n_edges] parallel cables */
	uint32_t *vertex;   /**< [n] switch, or vertex of the larger graph */
	odo_budget *budget; /**< budget for this graph and its parts; lent; NULL: no limit */
	/** Gets the kinds that were rejected (judge/nearest.h); lent; may be NULL. */
	struct odo_nearest *nearest;
	odo_arena memory;
} odo_links;

/** Make the graph of a whole fabric. `slot_edge` [n_slots] gets the edge of each slot, or ODO_NONE;
 * it may be NULL. Cables from a switch to itself are no edges. */
int odo_links_make(const odo_fabric *f, odo_links *g, uint32_t *slot_edge, odo_error *err);

/** Make the subgraph of some vertices.
 * @param members vertices of the subgraph, ascending
 * @param index [whole->n] scratch, ODO_NONE everywhere, also on return */
int odo_links_part(const odo_links *whole, const uint32_t *members, uint32_t n_members,
		   uint32_t *index, odo_links *part, odo_error *err);

void odo_links_clear(odo_links *g);

static inline uint32_t odo_degree(const odo_links *g, uint32_t v)
{
	return g->first[v + 1] - g->first[v];
}

/** Return the cables of a vertex, or of all links. */
uint32_t odo_links_cables_of(const odo_links *g, uint32_t v);
uint64_t odo_links_cables(const odo_links *g);

/** Return the other end of an edge of v. */
static inline uint32_t odo_far_end(const odo_links *g, uint32_t e, uint32_t v)
{
	return g->end[e][g->end[e][0] == v];
}

/** Return the arc from u to v, or ODO_NONE. */
uint32_t odo_links_arc(const odo_links *g, uint32_t u, uint32_t v);

#endif
