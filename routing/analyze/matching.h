/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Matchings of most weight between sources that have room for several edges and targets that
 * have room for one.
 *
 * Primal-dual. Every vertex has a price; the two of an edge together never fall below its weight,
 * and an edge can be matched where they equal it. Prices of sources begin at the highest weight,
 * those of targets at 0. A stage matches as much as it can by augmenting paths (Pothen and Fan
 * 1990), then the sources that unmatched room reaches become cheaper by 1 and the targets dearer.
 * So there are as many stages as the highest weight: one, if all weights are 1.
 */
#ifndef ODONATA_ROUTING_ANALYZE_MATCHING_H
#define ODONATA_ROUTING_ANALYZE_MATCHING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct odo_edge {
	uint32_t from, to; /**< source, target */
	uint32_t weight;   /**< at least 1 */
} odo_edge;

/** Matches again and again over the same vertices. All arrays belong to it. */
typedef struct odo_matching {
	uint32_t n_from, n_to;
	uint32_t *matched; /**< [n_to] source that each target is matched to, or ODO_NONE */
	uint32_t *room;    /**< [n_from] edges that each source has room for yet */
	uint32_t *price_from, *price_to;
	uint32_t *first; /**< [n_from + 1] where edges of a source begin in `edge` */
	uint32_t *next;  /**< [n_from] edge to go on from in this phase */
	uint8_t *reached_from, *reached_to; /**< in this phase */
	uint32_t *path, *by; /**< [n_to + 1] sources of an augmenting path, targets between */
	odo_edge *edge;      /**< sorted by source */
	size_t edge_room;
} odo_matching;

/** @param m for odo_matching_clear(), also after a failure. Errors: ODO_ENOMEM. */
int odo_matching_create(odo_matching *m, uint32_t n_from, uint32_t n_to, odo_error *err);
void odo_matching_clear(odo_matching *m);

/**
 * The matching of most weight.
 * @param room   [n_from] of each source
 * @param edges  in any order, no two alike; `n` below 2^32
 * @param weight of the matching in m->matched
 * @param prices sum of the prices, sources times their room: no less than any matching's weight
 * Errors: ODO_ENOMEM.
 */
int odo_matching_find(odo_matching *m, const uint32_t *room, const odo_edge *edges, size_t n,
		      uint64_t *weight, uint64_t *prices, odo_error *err);

#endif
