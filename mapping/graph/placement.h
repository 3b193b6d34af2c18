/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Coordinates of all or most vertices of a graph in a product of factors. */
#ifndef ODONATA_MAPPING_GRAPH_PLACEMENT_H
#define ODONATA_MAPPING_GRAPH_PLACEMENT_H

#include "fabric/coordinates.h"
#include "mapping/graph/bits.h"

typedef struct odo_placement {
	unsigned n_dims;
	odo_factor factor[ODO_MAX_DIMS];
	uint32_t size[ODO_MAX_DIMS];
	uint32_t q;
	/** Highest usual number of cables, to tell corners of a rectangle apart; 0 if unknown. */
	uint32_t width[ODO_MAX_DIMS];
	uint32_t n;         /**< vertices */
	uint32_t *at;       /**< [n * n_dims] ODO_NONE if unknown */
	odo_bits adjacent;  /**< links of a factor ODO_MMS; otherwise empty */
	uint32_t *occupant; /**< [positions] vertex at each, or ODO_NONE; NULL before indexing */
	size_t n_positions;
} odo_placement;

int odo_placement_make(uint32_t n, unsigned n_dims, odo_placement *placement, odo_error *err);
void odo_placement_clear(odo_placement *placement);

/** Copy coordinates without the index.
 * @param to for odo_placement_clear(), also on failure */
int odo_placement_copy(const odo_placement *from, odo_placement *to, odo_error *err);

static inline uint32_t *odo_placement_at(const odo_placement *placement, uint32_t v)
{
	return placement->at + (size_t)v * placement->n_dims;
}

/** Return true if all coordinates of v are known. */
bool odo_placement_placed(const odo_placement *placement, uint32_t v);

/** Iterator over the positions linked to a complete position, in all dimensions except groups. It
 * starts at the position itself; call odo_neighbours_next() for the first neighbour. */
typedef struct odo_neighbours {
	const odo_placement *placement;
	const uint32_t *from;      /**< [n_dims] */
	uint32_t at[ODO_MAX_DIMS]; /**< current neighbour */
	unsigned dim;              /**< dimension in which it differs */
} odo_neighbours;

odo_neighbours odo_neighbours_of(const odo_placement *placement, uint32_t v);
/** Advance to the next neighbour. Return false after the last. */
bool odo_neighbours_next(odo_neighbours *n);

/** Return the dimension in which a link joins positions `a` and `b`, or -1. Both are complete. */
int odo_placement_between(const odo_placement *placement, const uint32_t *a, const uint32_t *b);

/** Return the index of a complete position. */
size_t odo_placement_position(const odo_placement *placement, const uint32_t *at);
/** Compute the position [n_dims] of an index. */
void odo_placement_decode(const odo_placement *placement, size_t index, uint32_t *at);

/**
 * Compute coordinates from dimensions by the second relation of paper 004, section 2.1. Vertices
 * joined by links of all other dimensions have the same value. Parts without such links, because of
 * damage, stay unknown.
 * @param dim_of [n_edges] dimension of each edge, ODO_NONE if unknown
 * @param collapsed [n_dims] share of each dimension's edges whose ends got the same value: near 0
 *   for a real dimension
 */
int odo_placement_coordinates(const odo_links *g, const uint32_t *dim_of, odo_placement *placement,
			      double *collapsed, odo_error *err);

/** Count the vertices with this value of dimension 0, by their places. */
static inline uint32_t odo_placement_members(const odo_placement *placement, uint32_t value)
{
	size_t row = placement->n_positions / placement->size[0];
	uint32_t n = 0;
	for (size_t i = value * row; i < (value + 1) * row; i++)
		n += placement->occupant[i] != ODO_NONE;
	return n;
}

/**
 * Return the maximum number of positions of a product of these switches. The judge requires
 * switches at two positions in five. Before that, surplus values, one in each of several
 * dimensions, may triple the number, or more in a small fabric.
 */
static inline size_t odo_placement_room(const odo_links *g)
{
	return 8 * (size_t)g->n + 64;
}

/**
 * Fill the index of occupants. If two vertices have the same position, the one with fewer fitting
 * links loses it. ODO_EUNKNOWN if there are more than `most` positions.
 */
int odo_placement_index(const odo_links *g, odo_placement *placement, size_t most, odo_error *err);

/** Place the remaining vertices at positions on which their neighbours agree. */
int odo_placement_settle(const odo_links *g, odo_placement *placement, odo_error *err);

#endif
