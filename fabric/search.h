/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Breadth-first search over any graph that has the arcs of each vertex in a row: the slots of a
 * fabric's switches, or the arcs of odo_links. */
#ifndef ODONATA_FABRIC_SEARCH_H
#define ODONATA_FABRIC_SEARCH_H

#include "fabric/fabric.h"

/**
 * Follow an arc, once, from a vertex that the search has reached.
 * @param x what the caller of the search gave it
 * @return the vertex at its end, which the function notes as reached; ODO_NONE where there is none,
 *         or where it was reached before
 */
typedef uint32_t odo_follow(void *x, uint32_t vertex, uint32_t arc);

/**
 * Reach all that can be, nearest first; among equals, in the order of the arcs that lead there.
 * Inlined with `follow`, so that no arc costs a call.
 * @param first [vertices] first arc of each vertex
 * @param end   [vertices] arc behind its last; `first + 1` where the rows follow one another
 * @param queue [vertices] begins with `n` vertices to start from, noted as reached; on return it
 *              has all that is reached, in order
 * @return how many are reached
 */
static inline __attribute__((always_inline)) uint32_t odo_breadth_first(const uint32_t *first,
									const uint32_t *end,
									odo_follow *follow, void *x,
									uint32_t *queue, uint32_t n)
{
	for (uint32_t head = 0; head < n; head++) {
		uint32_t v = queue[head];
		for (uint32_t arc = first[v]; arc < end[v]; arc++) {
			uint32_t far = follow(x, v, arc);
			if (far != ODO_NONE)
				queue[n++] = far;
		}
	}
	return n;
}

/**
 * Count hops to all that can be reached.
 * @param first [vertices + 1] first arc of each vertex
 * @param to    [arcs] vertex at the end of each, or ODO_NONE
 * @param hops  [vertices] those of vertices to start from are given, ODO_NONE of all others that
 *              are to be reached
 * @param queue as for odo_breadth_first()
 * @return how many are in the queue
 */
uint32_t odo_count_hops(const uint32_t *first, const uint32_t *to, uint32_t *hops, uint32_t *queue,
			uint32_t n);

#endif
