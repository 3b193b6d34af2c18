/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Rectangles and triangles of the switch graph, found from each vertex by its paths of length two:
 * n * d^2 steps in all, as in paper 004, section 2.1.
 *
 * A rectangle counts only if its diagonal has exactly two common neighbours and is no edge. In a
 * product of graphs every pair of links in different dimensions has one such rectangle. A wrong
 * cable closes many rectangles too, but their diagonals nearly always had two common neighbours
 * already. So this rule alone ignores most wrong cables.
 */
#ifndef ODONATA_MAPPING_GRAPH_SQUARES_H
#define ODONATA_MAPPING_GRAPH_SQUARES_H

#include "base/arena.h"
#include "mapping/graph/links.h"
#include "mapping/graph/shares.h"

/** Rectangle u - mid[0] - far - mid[1]: opposite sides are (near[0], away[1]) and
 * (near[1], away[0]). */
typedef struct odo_square {
	uint32_t near[2], away[2]; /**< edges u-mid and mid-far */
} odo_square;

/** The same rectangle of u in a quarter of the memory: arcs are given by their index at u and at
 * mid. */
typedef struct odo_kept {
	uint8_t near[2], away[2];
} odo_kept;

/** State and results of walks over paths of length two. */
typedef struct odo_walk {
	const odo_links *g;
	uint8_t *paths;    /**< [n] paths of length two, up to 3; 255 for neighbours */
	odo_kept *square;  /**< [n] by far vertex */
	odo_square *list;  /**< [n] rectangles of the last walk */
	uint32_t *touched; /**< [n] far vertices seen */
	uint32_t stride;   /**< walks start from one vertex in this many */

	/* Rectangles of all links, kept by the first pass; none if they would take much more memory
	 * than the links. */
	odo_kept *kept;
	size_t *first;   /**< [n + 1] into kept, by u */
	const bool *use; /**< edges that walks use; NULL: all. Lent */
	bool *partly;    /**< [n] `use` excludes some path from here */
	odo_arena memory;
} odo_walk;

/**
 * Return true if a walk starts at v. If vertices have many links, the rectangles of one vertex in
 * `stride` suffice: n * d^2 steps become about n * 1,024. The choice is as good as random, and
 * always the same.
 */
static inline bool odo_walk_starts(const odo_walk *walk, uint32_t v)
{
	return walk->stride == 1 || (v * 2654435761u >> 16) % walk->stride == 0;
}

int odo_walk_make(const odo_links *g, odo_walk *walk, odo_error *err);
void odo_walk_clear(odo_walk *walk);

/** Restrict the following walks to the edges of `use` [n_edges]; NULL: all edges. `use` must not
 * change until the next call. */
void odo_walk_restrict(odo_walk *walk, const bool *use);

/**
 * List the rectangles with corner `u` and the opposite corner above `u`, with the edges of
 * odo_walk_restrict().
 * @param n gets their number
 * @return the rectangles, valid until the next walk
 */
const odo_square *odo_walk_squares(odo_walk *walk, uint32_t u, uint32_t *n);

/** List the same rectangles if a walk starts at `u`; otherwise none. */
static inline const odo_square *odo_walk_from(odo_walk *walk, uint32_t u, uint32_t *n)
{
	*n = 0;
	return odo_walk_starts(walk, u) ? odo_walk_squares(walk, u, n) : NULL;
}

/** List rectangles with corner `u` and the opposite corner anywhere. */
const odo_square *odo_walk_corners(odo_walk *walk, uint32_t u, uint32_t *n);

/** Numbers of triangles and of corners of rectangles for each edge. A rectangle has four corners.
 * Only vertices where walks start are counted, times the stride. */
typedef struct odo_support {
	uint32_t *triangles, *corners; /**< [n_edges] */
} odo_support;

/** Count triangles and rectangles from all vertices, and keep the rectangles in `walk`. */
int odo_support_find(odo_walk *walk, odo_support *support, odo_error *err);
void odo_support_clear(odo_support *support);

/** Return true if two edges are in about equally many triangles, as links of a complete graph and
 * parallel links are. A wrong cable is in few triangles; links of two dimensions beside it are in
 * more. */
static inline bool odo_support_alike(const odo_support *support, uint32_t a, uint32_t b)
{
	uint32_t x = support->triangles[a], y = support->triangles[b];
	return x < y ? odo_half(x, y) : odo_half(y, x);
}

#endif
