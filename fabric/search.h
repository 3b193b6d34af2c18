/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Breadth-first search over any graph that stores the arcs of each vertex consecutively: the slots
 * of a fabric's switches, or the arcs of odo_links. */
#ifndef ODONATA_FABRIC_SEARCH_H
#define ODONATA_FABRIC_SEARCH_H

#include "fabric/fabric.h"

/**
 * Follow an arc, once, from a vertex that the search has reached.
 * @param x context given to the search
 * @return the vertex at the end of the arc, which the function marks as reached; ODO_NONE if there
 * is none, or if it was reached before
 */
typedef uint32_t odo_follow(void *x, uint32_t vertex, uint32_t arc);

/**
 * Reach all connected vertices, nearest first; equally near ones in the order of the arcs that lead
 * to them. The function is inlined together with `follow`, so that no arc costs a call.
 * @param first [vertices] first arc of each vertex
 * @param end [vertices] end of its arcs; `first + 1` if the arcs of all vertices are consecutive
 * @param queue [vertices] begins with `n` start vertices, marked as reached; on return it has all
 *   reached vertices, in order
 * @return the number of reached vertices
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
 * Count hops to all vertices that can be reached.
 * @param first [vertices + 1] first arc of each vertex
 * @param to [arcs] vertex at the end of each, or ODO_NONE
 * @param hops [vertices] hops of the start vertices are given; ODO_NONE for other vertices to be
 *   reached
 * @param queue as for odo_breadth_first()
 * @return the number of vertices in the queue
 */
uint32_t odo_count_hops(const uint32_t *first, const uint32_t *to, uint32_t *hops, uint32_t *queue,
			uint32_t n);

#endif
