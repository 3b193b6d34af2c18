/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Vertices of a graph placed in a product of factors, all or most of them. */
#ifndef ODONATA_MAPPING_GRID_H
#define ODONATA_MAPPING_GRID_H

#include "fabric/coordinates.h"
#include "mapping/links.h"

typedef struct odo_grid {
	unsigned n_dims;
	odo_factor factor[ODO_MAX_DIMS];
	uint32_t size[ODO_MAX_DIMS];
	uint32_t q;
	uint32_t n;           /**< vertices */
	uint32_t *at;         /**< [n * n_dims] ODO_NONE where not known */
	uint8_t *adjacent;    /**< a factor ODO_MMS: [size * size] 1 for its links; else NULL */
	uint32_t *occupant;   /**< [positions] vertex there, or ODO_NONE; NULL until indexed */
	size_t n_positions;
} odo_grid;

int odo_grid_make(uint32_t n, unsigned n_dims, odo_grid *p, odo_error *err);
void odo_grid_clear(odo_grid *p);

static inline uint32_t *odo_grid_at(const odo_grid *p, uint32_t v)
{
	return p->at + (size_t)v * p->n_dims;
}

/** All coordinates of v are known. */
bool odo_grid_placed(const odo_grid *p, uint32_t v);

/** True if values a and b of dimension `i` are linked. */
bool odo_grid_linked(const odo_grid *p, unsigned i, uint32_t a, uint32_t b);

/** The dimension in which a link joins positions `a` and `b`, or -1. Both are complete. */
int odo_grid_between(const odo_grid *p, const uint32_t *a, const uint32_t *b);

/** Index of a complete position. */
size_t odo_grid_index(const odo_grid *p, const uint32_t *at);

/**
 * Coordinates from dimensions: the second relation of paper 004, section 2.1. Vertices that
 * links of all other dimensions join have the same value. Parts that such links do not reach,
 * because too much is missing, are left open.
 * @param dim_of [n_edges] dimension of each edge, ODO_NONE where not known
 * @param collapsed [n_dims] share of each dimension's edges whose ends got the same value:
 *                  near 0, or it is no dimension
 */
int odo_grid_coordinates(const odo_links *g, const uint32_t *dim_of, odo_grid *p,
			 double *collapsed, odo_error *err);

/**
 * Fill the index of occupants. Where two vertices claim a position the one with fewer fitting
 * links leaves. ODO_EUNKNOWN where positions are more than `most`.
 */
int odo_grid_occupy(const odo_links *g, odo_grid *p, size_t most, odo_error *err);

/** Place vertices that are left where their neighbours agree on. */
int odo_grid_settle(const odo_links *g, odo_grid *p, odo_error *err);

#endif
