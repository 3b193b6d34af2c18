/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Vertices of a graph placed in a product of factors, all or most of them. */
#ifndef ODONATA_MAPPING_GRAPH_PLACEMENT_H
#define ODONATA_MAPPING_GRAPH_PLACEMENT_H

#include "fabric/coordinates.h"
#include "mapping/graph/bits.h"

typedef struct odo_placement {
	unsigned n_dims;
	odo_factor factor[ODO_MAX_DIMS];
	uint32_t size[ODO_MAX_DIMS];
	uint32_t q;
	uint32_t width[ODO_MAX_DIMS]; /**< most cables of a link, by which corners of a rectangle
					 can be told apart; 0 where not known */
	uint32_t n;                   /**< vertices */
	uint32_t *at;                 /**< [n * n_dims] ODO_NONE where not known */
	odo_bits adjacent;            /**< the links of a factor ODO_MMS; else none */
	uint32_t *occupant; /**< [positions] vertex there, or ODO_NONE; NULL until indexed */
	size_t n_positions;
} odo_placement;

int odo_placement_make(uint32_t n, unsigned n_dims, odo_placement *placement, odo_error *err);
void odo_placement_clear(odo_placement *placement);

/** The same coordinates, not indexed. @param to for odo_placement_clear(), also on failure */
int odo_placement_copy(const odo_placement *from, odo_placement *to, odo_error *err);

static inline uint32_t *odo_placement_at(const odo_placement *placement, uint32_t v)
{
	return placement->at + (size_t)v * placement->n_dims;
}

/** All coordinates of v are known. */
bool odo_placement_placed(const odo_placement *placement, uint32_t v);

/** The positions that a complete position is linked to, in all dimensions but groups'. Begins at
 * the position itself; the first is the next one. */
typedef struct odo_neighbours {
	const odo_placement *placement;
	const uint32_t *from;      /**< [n_dims] */
	uint32_t at[ODO_MAX_DIMS]; /**< one of them */
	unsigned dim;              /**< in which it differs */
} odo_neighbours;

odo_neighbours odo_neighbours_of(const odo_placement *placement, uint32_t v);
/** False: there are no more. */
bool odo_neighbours_next(odo_neighbours *n);

/** The dimension in which a link joins positions `a` and `b`, or -1. Both are complete. */
int odo_placement_between(const odo_placement *placement, const uint32_t *a, const uint32_t *b);

/** Index of a complete position. */
size_t odo_placement_position(const odo_placement *placement, const uint32_t *at);
/** The position [n_dims] of an index. */
void odo_placement_decode(const odo_placement *placement, size_t index, uint32_t *at);

/**
 * Coordinates from dimensions: the second relation of paper 004, section 2.1. Vertices that
 * links of all other dimensions join have the same value. Parts that such links do not reach,
 * because too much is missing, are left open.
 * @param dim_of [n_edges] dimension of each edge, ODO_NONE where not known
 * @param collapsed [n_dims] share of each dimension's edges whose ends got the same value:
 *                  near 0, or it is no dimension
 */
int odo_placement_coordinates(const odo_links *g, const uint32_t *dim_of, odo_placement *placement,
			      double *collapsed, odo_error *err);

/**
 * Positions that a product of these switches may have. Judgement asks for a switch in two positions
 * of five; before it, values that are too many, one in each of several dimensions, make up to three
 * times as many, and in a small fabric more.
 */
static inline size_t odo_placement_room(const odo_links *g)
{
	return 8 * (size_t)g->n + 64;
}

/**
 * Fill the index of occupants. Where two vertices claim a position the one with fewer fitting
 * links leaves. ODO_EUNKNOWN where positions are more than `most`.
 */
int odo_placement_index(const odo_links *g, odo_placement *placement, size_t most, odo_error *err);

/** Place vertices that are left where their neighbours agree on. */
int odo_placement_settle(const odo_links *g, odo_placement *placement, odo_error *err);

#endif
