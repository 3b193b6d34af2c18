/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Trees: fat trees of two to four levels, and Dragonfly+, whose groups are trees of two levels.
 *
 * Only switches with hosts tell where the leaves are; the other levels follow from the distance to
 * them (heights.h). Between two levels, cables form blocks: some switches, each of which is linked
 * to the same switches above (blocks.h). A cable between two blocks, or beside the levels, is
 * wrong.
 */
#ifndef ODONATA_MAPPING_TREE_TREE_H
#define ODONATA_MAPPING_TREE_TREE_H

#include "fabric/coordinates.h"
#include "mapping/graph/levels.h"

enum { ODO_MOST_LEVELS = 4, ODO_NO_LEVEL = 0xFF };

/** Switches of one level, its children, each linked to the same ones a level up, its parents. */
typedef struct odo_block {
	uint32_t level; /**< of its children */
	uint32_t n_children, n_parents;
	uint32_t n_links; /**< between them */
	uint32_t width;   /**< cables of a link, nothing missing */
	bool loose;       /**< not all are linked to all: nothing tells what is missing or wrong */
	bool uneven;      /**< links that are missing, or of fewer cables, are meant to be so */
} odo_block;

/** A tree that is being found. Vertices are those of `g`. Arrays belong to it. */
typedef struct odo_clos {
	const odo_fabric *f;
	const odo_links *g;
	bool *hosted;   /**< [n] vertices with hosts, stray ones aside */
	uint8_t *level; /**< [n] 0: leaves; ODO_NO_LEVEL where nobody knows */
	unsigned n_levels;
	bool *dealt; /**< [n] children that were given fewer parents than others (twins.h) */
	uint32_t *up, *down; /**< [n] block in which a vertex is a child, a parent; or ODO_NONE */
	odo_block *block;    /**< in order of level */
	uint32_t n_blocks;
	uint8_t *wrong;    /**< [n_edges] wrong cables of each link */
	const char *lacks; /**< what it lacks to be a tree, as "it is ..." */
	bool global; /**< links between switches of the second level are meant: a Dragonfly+ */
} odo_clos;

/** The lower end of an edge, the upper one, or false where its ends are not a level apart. */
static inline bool odo_clos_ends(const odo_clos *t, uint32_t edge, uint32_t *low, uint32_t *high)
{
	uint32_t a = t->g->end[edge][0], b = t->g->end[edge][1];
	bool up = t->level[a] < t->level[b];
	*low = up ? a : b;
	*high = up ? b : a;
	return t->level[*high] != ODO_NO_LEVEL && t->level[*high] == t->level[*low] + 1;
}

/** Where such links are meant: it joins two switches of the second level. */
static inline bool odo_clos_global(const odo_clos *t, uint32_t edge)
{
	return t->global && t->level[t->g->end[edge][0]] == 1 && t->level[t->g->end[edge][1]] == 1;
}

/** Its ends are a level apart, and in the same block. */
static inline bool odo_clos_fits(const odo_clos *t, uint32_t edge, uint32_t *low, uint32_t *high)
{
	return odo_clos_ends(t, edge, low, high) && t->up[*low] != ODO_NONE &&
	       t->up[*low] == t->down[*high];
}

/**
 * Find a fat tree or a Dragonfly+.
 * @param slot_edge [n_slots] edge of each slot
 * @param out coordinates and faults; NULL where the fabric is neither
 * @param lacks why it is no fat tree, for people, such as "it is in parts"; NULL where it is one
 * Errors: ODO_ENOMEM.
 */
int odo_clos_map(const odo_fabric *f, const odo_links *g, const uint32_t *slot_edge,
		 odo_coordinates **out, const char **lacks, odo_error *err);

#endif
