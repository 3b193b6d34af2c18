/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A fat tree, or the trees of a Dragonfly+ (their spines are all of one level), as routing sees it:
 * which cables go up, in one order that all switches agree on, and the way by which each host is to
 * be reached from above.
 */
#ifndef ODONATA_ROUTING_TREE_TREE_H
#define ODONATA_ROUTING_TREE_TREE_H

#include "fabric/coordinates.h"
#include "routing/engine.h"

/** Levels of a tree. */
#define ODO_TREE_LEVELS 8u

#define ODO_TREE_NO_DIM 0xFFu

/** A cable as one of its switches sees it. */
typedef struct odo_tree_link {
	uint32_t to, slot;
	uint32_t side; /**< which of the cables between the two, from 0 */
} odo_tree_link;

typedef struct odo_tree {
	const odo_fabric *f;
	const odo_coordinates *c;
	const odo_route_options *options; /**< lent, or NULL */
	uint32_t n;                       /**< switches */
	unsigned n_levels;
	uint8_t dim[ODO_TREE_DIMS]; /**< which coordinate is level, pod, plane and index of this
				       kind, or ODO_TREE_NO_DIM: a Dragonfly+'s pods are groups */
	uint8_t *level;             /**< [n] 0 for leaves and for what has no coordinates */
	uint32_t *rank;  /**< [n] place among all switches, whatever order they are stored in */
	uint32_t *part;  /**< [n] of what is connected without wrong cables */
	uint32_t *hosts; /**< [n] */

	/** Cables that belong into the tree, of switch s from up_at[s] or down_at[s] on: to its
	 * parents and to its children, both by rank. */
	odo_tree_link *up, *down;
	uint32_t *up_at, *down_at; /**< [n + 1] */
	/** Place of each switch among those that can stand in for one another as parents, the same
	 * in every pod, and how many parents its own place is among. */
	uint32_t *column, *n_columns; /**< [n] */
	/** Place of each switch among those that have such parents in common, and their number. */
	uint32_t *row, *n_rows;          /**< [n] */
	uint32_t sides[ODO_TREE_LEVELS]; /**< most cables side by side above each level */

	/** The order by which paths go up (to lower numbers) and then down: no cycle can form. */
	uint32_t *order, *sorted; /**< [n] number of each switch; switch of each number */
	/** Cables that paths may use: those above and those below switch s begin at above[s] and
	 * below[s]. They are those of the tree, and wrong ones where parts hang on them. */
	odo_tree_link *near;
	uint32_t *above, *below; /**< [n + 1], [n] */
} odo_tree;

/** Coordinate of a switch, ODO_NONE where it is unknown, 0 where the kind has none. */
static inline uint32_t odo_tree_at(const odo_tree *tree, uint32_t s, unsigned dim)
{
	return tree->dim[dim] == ODO_TREE_NO_DIM ? 0 : odo_at(tree->c, s)[tree->dim[dim]];
}

/**
 * @param like NULL; or a tree of the same switches, with all cables of this one and others, whose
 *             ranks, columns and rows this one gets, and in whose root its order begins
 * @param out  for odo_tree_free()
 * Errors: ODO_ENOMEM; ODO_EDECLINE beyond ODO_TREE_LEVELS.
 */
int odo_tree_create(const odo_fabric *f, const odo_coordinates *c, const odo_route_options *options,
		    const odo_tree *like, odo_tree **out, odo_error *err);
void odo_tree_free(odo_tree *tree);

/** Fill `order` and `sorted`. @param root the switch to begin at, or ODO_NONE. 0 or ODO_ENOMEM. */
int odo_tree_order(odo_tree *tree, uint32_t root);

/**
 * A LID to route to, and the way up from its switch by which, turned round, all come that have no
 * shorter one.
 */
typedef struct odo_tree_goal {
	uint32_t lid, d; /**< d: the switch that delivers it */
	uint32_t rank;   /**< of d */
	uint32_t number; /**< its place in the order of all hosts; by it LIDs are dealt out */
	uint32_t key;    /**< among those of its switch */
	bool late;       /**< of no compute node: dealt out when those are */
	uint8_t round;   /**< LIDs of a round are dealt out together; ODO_TREE_OWN: nobody sends
			  * data to it */
	bool loose;      /**< the last switch of its way has too few cables further up for all:
			  * each source is to take another */
	uint8_t n_links;
	uint32_t link[ODO_TREE_LEVELS]; /**< upward cables of the way, as places in `up` */
} odo_tree_goal;

/** Round of switches' own LIDs, and of their aggregation nodes'. */
#define ODO_TREE_OWN 0xFFu

/**
 * Every LID with its way (D-mod-k): hosts one after another take one parent after another.
 * Where cables are missing, the ways of the hosts concerned go to the cables with the fewest.
 * @param shared  where there are more hosts than cables several share one; else those left over are
 *                loose, and each source leads them another way
 * @param goals   for free(), switch by switch by rank, and then in the order of numbers
 * @param n_goals how many
 */
int odo_tree_deal(const odo_tree *tree, bool shared, odo_tree_goal **goals, uint32_t *n_goals,
		  odo_error *err);

/**
 * Ports of all switches, LID by LID.
 * @param whole   NULL; or columns of the whole tree, of which all stays that still leads
 * @param columns gets [lid_count * n], for free()
 */
int odo_tree_fill(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals,
		  const uint8_t *whole, uint8_t **columns, odo_error *err);

/** From columns to LFTs. */
void odo_tree_write(const odo_fabric *f, const uint8_t *columns, odo_tables *t);

/**
 * Lead all LIDs of a Dragonfly+'s hosts but the first of each over a third group, where one can be
 * passed at a spine. @param t filled, and gets VLs
 */
int odo_tree_pass_groups(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals,
			 odo_tables *t, odo_error *err);

#endif
