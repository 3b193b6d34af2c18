/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Matchings of maximum weight between sources that have room for several edges and targets that
 * have room for one.
 *
 * The method is primal-dual. Every vertex has a price. The two prices of an edge together never
 * fall below its weight, and an edge can be matched if they equal it. Prices of sources begin at
 * the highest weight, prices of targets at 0. A stage matches as many edges as it can by augmenting
 * paths (Pothen and Fan 1990). Then sources that unmatched room reaches become cheaper by 1, and
 * targets become more expensive. So there are as many stages as the highest weight: one if all
 * weights are 1.
 */
#ifndef ODONATA_ROUTING_ANALYZE_MATCHING_H
#define ODONATA_ROUTING_ANALYZE_MATCHING_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct odo_edge {
	uint32_t from, to; /**< source, target */
	uint32_t weight;   /**< at least 1 */
} odo_edge;

/** Reusable state for many matchings over the same vertices. The structure owns all arrays. */
typedef struct odo_matching {
	uint32_t n_from, n_to;
	odo_arena memory;  /**< all arrays except `edge` */
	uint32_t *matched; /**< [n_to] source that each target is matched to, or ODO_NONE */
	uint32_t *room;    /**< [n_from] remaining room of each source */
	uint32_t *price_from, *price_to;
	uint32_t *first; /**< [n_from + 1] index in `edge` of the first edge of each source */
	uint32_t *next;  /**< [n_from] next edge to examine in this phase */
	uint8_t *reached_from, *reached_to; /**< reached in this phase */
	uint32_t *path, *by; /**< [n_to + 1] sources of an augmenting path; targets between them */
	odo_edge *edge;      /**< sorted by source */
	size_t edge_room;
} odo_matching;

/**
 * @param m clear with odo_matching_clear(), also after a failure
 * Errors: ODO_ENOMEM.
 */
int odo_matching_create(odo_matching *m, uint32_t n_from, uint32_t n_to, odo_error *err);
void odo_matching_clear(odo_matching *m);

/**
 * Find a matching of maximum weight.
 * @param room   [n_from] edges that each source has room for
 * @param edges  in any order, without duplicates; `n` below 2^32
 * @param weight gets the weight of the matching in m->matched
 * @param prices gets the sum of the prices, with sources times their room: an upper bound of any
 *               matching's weight
 * Errors: ODO_ENOMEM.
 */
int odo_matching_find(odo_matching *m, const uint32_t *room, const odo_edge *edges, size_t n,
		      uint64_t *weight, uint64_t *prices, odo_error *err);

#endif
