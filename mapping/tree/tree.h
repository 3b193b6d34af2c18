/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Trees: fat trees of two to four levels, and Dragonfly+, whose groups are trees of two levels.
 *
 * Switches with hosts are leaves. The other levels follow from the distance to them (heights.h).
 * Between two levels, cables form blocks: a block is a set of switches that are all linked to the
 * same switches above (blocks.h). A cable between two blocks, or one that skips a level, is wrong.
 */
#ifndef ODONATA_MAPPING_TREE_TREE_H
#define ODONATA_MAPPING_TREE_TREE_H

#include "fabric/coordinates.h"
#include "mapping/graph/levels.h"

enum { ODO_MOST_LEVELS = 4, ODO_NO_LEVEL = 0xFF };

/** Switches of one level (children), each linked to the same switches of the next level
 * (parents). */
typedef struct odo_block {
	uint32_t level; /**< level of its children */
	uint32_t n_children, n_parents;
	uint32_t n_links; /**< links between children and parents */
	uint32_t width;   /**< cables of a link if none is missing */
	bool loose;  /**< some child is not linked to all parents, so missing and wrong links cannot
			be detected */
	bool uneven; /**< missing links, and links with fewer cables, are intended */
} odo_block;

/** A tree during the search. Vertices are those of `g`. The tree owns its arrays. */
typedef struct odo_clos {
	const odo_fabric *f;
	const odo_links *g;
	bool *hosted;   /**< [n] vertices with hosts, except stray hosts */
	uint8_t *level; /**< [n] 0: leaves; ODO_NO_LEVEL if unknown */
	unsigned n_levels;
	bool *dealt; /**< [n] children that were given fewer parents than others by design (twins.h)
		      */
	uint32_t *up, *down; /**< [n] block in which a vertex is a child, a parent; or ODO_NONE */
	odo_block *block;    /**< in order of level */
	uint32_t n_blocks;
	uint8_t *wrong;    /**< [n_edges] wrong cables of each link */
	const char *lacks; /**< reason why it is no tree, as "it is ..." */
	bool global; /**< links between switches of the second level are intended: a Dragonfly+ */
} odo_clos;

/** Find the lower and the upper end of an edge. Return false if its ends are not one level
 * apart. */
static inline bool odo_clos_ends(const odo_clos *t, uint32_t edge, uint32_t *low, uint32_t *high)
{
	uint32_t a = t->g->end[edge][0], b = t->g->end[edge][1];
	bool up = t->level[a] < t->level[b];
	*low = up ? a : b;
	*high = up ? b : a;
	return t->level[*high] != ODO_NO_LEVEL && t->level[*high] == t->level[*low] + 1;
}

/** Return true if the edge joins two switches of the second level of a Dragonfly+. */
static inline bool odo_clos_global(const odo_clos *t, uint32_t edge)
{
	return t->global && t->level[t->g->end[edge][0]] == 1 && t->level[t->g->end[edge][1]] == 1;
}

/** Return true if the ends of the edge are one level apart and in the same block. */
static inline bool odo_clos_fits(const odo_clos *t, uint32_t edge, uint32_t *low, uint32_t *high)
{
	return odo_clos_ends(t, edge, low, high) && t->up[*low] != ODO_NONE &&
	       t->up[*low] == t->down[*high];
}

/**
 * Find a fat tree or a Dragonfly+.
 * @param slot_edge [n_slots] edge of each slot
 * @param out coordinates and faults; NULL if the fabric is neither
 * @param lacks reason, for users, why it is no fat tree, such as "it is in parts"; NULL if it is
 *   one
 * Errors: ODO_ENOMEM.
 */
int odo_clos_map(const odo_fabric *f, const odo_links *g, const uint32_t *slot_edge,
		 odo_coordinates **out, const char **lacks, odo_error *err);

#endif
