/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Rectangles and triangles of the switch graph, found from each vertex by its paths of
 * length two: n * d^2 steps in all, as in paper 004, section 2.1.
 *
 * A rectangle counts only where its diagonal has exactly two common neighbours and is no edge.
 * In a product of graphs every pair of links in different dimensions has one such rectangle.
 * A wrong cable makes plenty of rectangles too, but nearly always on diagonals that had their
 * two common neighbours already, so that this rule alone keeps most wrong cables silent.
 */
#ifndef ODONATA_MAPPING_GRAPH_SQUARES_H
#define ODONATA_MAPPING_GRAPH_SQUARES_H

#include "mapping/graph/links.h"
#include "mapping/graph/shares.h"

/** Rectangle u - mid[0] - far - mid[1]: opposite sides are (near[0], away[1]) and
 * (near[1], away[0]). */
typedef struct odo_square {
	uint32_t near[2], away[2]; /**< edges u-mid and mid-far */
} odo_square;

/** The same for u, in a quarter of the memory: arcs by their place among those of u, and of mid. */
typedef struct odo_kept {
	uint8_t near[2], away[2];
} odo_kept;

/** Walks over paths of length two, and what they found. */
typedef struct odo_walk {
	const odo_links *g;
	uint8_t *paths;    /**< [n] paths of length two, up to 3; 255 for neighbours */
	odo_kept *square;  /**< [n] by far vertex */
	odo_square *list;  /**< [n] rectangles of the last walk */
	uint32_t *touched; /**< [n] far vertices seen */
	uint32_t stride;   /**< one vertex in so many is walked from */

	/* Rectangles of all links, kept by the first pass; none where they would take much more
	 * memory than the links do. */
	odo_kept *kept;
	size_t *first;   /**< [n + 1] into kept, by u */
	const bool *use; /**< the edges that are looked at now; NULL: all. Lent */
	bool *partly;    /**< [n] `use` leaves out some path from here */
} odo_walk;

/**
 * Where vertices have many links, one in `stride` has rectangles enough for all: n * d^2 steps
 * become about n * 1,024. The choice is as good as random, and always the same.
 */
static inline bool odo_walk_starts(const odo_walk *walk, uint32_t v)
{
	return walk->stride == 1 || (v * 2654435761u >> 16) % walk->stride == 0;
}

int odo_walk_make(const odo_links *g, odo_walk *walk, odo_error *err);
void odo_walk_clear(odo_walk *walk);

/** Look at the edges of `use` [n_edges] only from here on; NULL: at all. It must stay as it is
 * until this is called again. */
void odo_walk_restrict(odo_walk *walk, const bool *use);

/**
 * Rectangles with corner `u` and the opposite corner above `u`, as odo_walk_restrict() says.
 * @param n how many
 * @return them, until the next walk
 */
const odo_square *odo_walk_squares(odo_walk *walk, uint32_t u, uint32_t *n);

/** The same of a vertex that is walked from; of others none. */
static inline const odo_square *odo_walk_from(odo_walk *walk, uint32_t u, uint32_t *n)
{
	*n = 0;
	return odo_walk_starts(walk, u) ? odo_walk_squares(walk, u, n) : NULL;
}

/** The same with the opposite corner anywhere. */
const odo_square *odo_walk_corners(odo_walk *walk, uint32_t u, uint32_t *n);

/** For each edge: triangles, and corners of rectangles, each of which has four (those met from
 * the vertices that are walked from, times the stride). */
typedef struct odo_support {
	uint32_t *triangles, *corners; /**< [n_edges] */
} odo_support;

/** Walks from all vertices, and keeps the rectangles in `w`. */
int odo_support_find(odo_walk *walk, odo_support *support, odo_error *err);
void odo_support_clear(odo_support *support);

/** Two edges are in about equally many triangles, as links of a complete graph are, and links side
 * by side. A wrong cable is in few, with links of two dimensions that are in more. */
static inline bool odo_support_alike(const odo_support *support, uint32_t a, uint32_t b)
{
	uint32_t x = support->triangles[a], y = support->triangles[b];
	return x < y ? odo_half(x, y) : odo_half(y, x);
}

#endif
