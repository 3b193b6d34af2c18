/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * A fat tree, or the trees of a Dragonfly+ (all spines of a Dragonfly+ are on one level), in the
 * form that routing needs: the cables that go up, one order of the switches that all switches agree
 * on, and the way down to each host.
 */
#ifndef ODONATA_ROUTING_TREE_TREE_H
#define ODONATA_ROUTING_TREE_TREE_H

#include "base/arena.h"
#include "fabric/coordinates.h"
#include "routing/engine.h"

/** Levels of a tree. */
#define ODO_TREE_LEVELS 8u

#define ODO_TREE_NO_DIM 0xFFu

/** A cable as one of its switches sees it. */
typedef struct odo_tree_link {
	uint32_t to, slot;
	uint32_t side; /**< number of the cable among those between the same two switches, from 0 */
} odo_tree_link;

typedef struct odo_tree {
	const odo_fabric *f;
	const odo_coordinates *c;
	const odo_route_options *options; /**< lent, or NULL */
	uint32_t n;                       /**< switches */
	unsigned n_levels;
	uint8_t dim[ODO_TREE_DIMS]; /**< coordinate that is the level, pod, plane or index, or
				       ODO_TREE_NO_DIM. In a Dragonfly+ a pod is a group */
	uint8_t *level;             /**< [n] 0 for leaves and for switches without coordinates */
	uint32_t *rank;  /**< [n] place among all switches; independent of the order in which the
			    fabric stores them */
	uint32_t *part;  /**< [n] number of the connected part that a switch is in if wrong cables
			    are left out */
	uint32_t *hosts; /**< [n] hosts of each switch */

	/** Cables of the tree. The cables of switch s begin at up_at[s] (to its parents) and at
	 * down_at[s] (to its children), sorted by the rank of the far end. */
	odo_tree_link *up, *down;
	uint32_t *up_at, *down_at; /**< [n + 1] */
	/** `column`: place of a switch among the parents that can replace one another; it is the
	 * same in every pod. `n_columns`: number of such parents above a switch. */
	uint32_t *column, *n_columns; /**< [n] */
	/** `row`: place of a switch among the children that share such parents. `n_rows`: number of
	 * these children. */
	uint32_t *row, *n_rows;          /**< [n] */
	uint32_t sides[ODO_TREE_LEVELS]; /**< most parallel cables between two switches, above each
					    level */

	/** Paths go to lower numbers first (up), then to higher numbers (down), so that no cycle
	 * can form. */
	uint32_t *order, *sorted; /**< [n] number of each switch; switch of each number */
	/** Cables that paths may use. The cables up from switch s begin at above[s], the cables
	 * down at below[s]. They are the cables of the tree, and wrong cables if they alone connect
	 * two parts. */
	odo_tree_link *near;
	uint32_t *above, *below; /**< [n + 1], [n] */
} odo_tree;

/**
 * Return a coordinate of a switch: ODO_NONE if it is unknown, 0 if the kind of topology has no such
 * coordinate.
 */
static inline uint32_t odo_tree_at(const odo_tree *tree, uint32_t s, unsigned dim)
{
	return tree->dim[dim] == ODO_TREE_NO_DIM ? 0 : odo_at(tree->c, s)[tree->dim[dim]];
}

/** Return the pod of a switch: in a Dragonfly+, its group. */
static inline uint32_t odo_tree_pod(const odo_tree *tree, uint32_t s)
{
	return odo_tree_at(tree, s, ODO_TREE_POD);
}

/**
 * @param like NULL; or a tree of the same switches that has all cables of this one and more. The
 *             new tree takes over its ranks, columns and rows, and begins its order at the same
 *             root.
 * @param memory gets the tree, which lives as long
 * Errors: ODO_ENOMEM; ODO_EDECLINE beyond ODO_TREE_LEVELS.
 */
int odo_tree_create(const odo_fabric *f, const odo_coordinates *c, const odo_route_options *options,
		    const odo_tree *like, odo_arena *memory, odo_tree **out, odo_error *err);

/**
 * Fill `order` and `sorted`.
 * @param root first switch of the order, or ODO_NONE.
 * @return 0 or ODO_ENOMEM
 */
int odo_tree_order(odo_tree *tree, uint32_t root);

/**
 * A destination LID and the way up from its switch. Sources without a shorter path come down this
 * way, in the opposite direction.
 */
typedef struct odo_tree_goal {
	uint32_t lid, d; /**< d: the switch to which the host of this LID is attached */
	uint32_t rank;   /**< of d */
	uint32_t number; /**< place in the order of all hosts; it decides which parents the LID
			    takes */
	uint32_t key;    /**< place among the hosts of its switch */
	bool late;       /**< not a compute node: takes its parents after the compute nodes */
	uint8_t round;   /**< LIDs of one round take their parents together; ODO_TREE_OWN: LIDs that
			    no host sends data to */
	bool loose; /**< the last switch of the way has too few cables up for all LIDs: each source
		       chooses its own path */
	uint8_t n_links;
	uint32_t link[ODO_TREE_LEVELS]; /**< upward cables of the way, as indices into `up` */
} odo_tree_goal;

/** Round of the LIDs of switches and of their aggregation nodes. */
#define ODO_TREE_OWN 0xFFu

/**
 * List all LIDs, each with its way (D-mod-k): consecutive hosts take consecutive parents. If cables
 * are missing, the affected hosts take the cables that have the fewest hosts.
 * @param shared  if there are more hosts than cables: true lets several hosts share a cable; false
 *                marks the remaining hosts as loose, and each source chooses its own path to them
 * @param memory  gets the goals
 * @param goals   sorted by the rank of the switch, then by number
 * @param n_goals number of goals
 */
int odo_tree_deal(const odo_tree *tree, bool shared, odo_arena *memory, odo_tree_goal **goals,
		  uint32_t *n_goals, odo_error *err);

/**
 * Compute the ports of all switches, LID by LID.
 * @param whole   NULL; or the columns of the undamaged tree. Entries that still lead to the
 *                destination are kept.
 * @param memory  gets the columns
 * @param columns gets [lid_count * n]
 */
int odo_tree_fill(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals,
		  const uint8_t *whole, odo_arena *memory, uint8_t **columns, odo_error *err);

/** Copy columns into LFTs. */
void odo_tree_write(const odo_fabric *f, const uint8_t *columns, odo_tables *t);

/**
 * Route all LIDs of a Dragonfly+ host except its first through a third group, if a spine of that
 * group can forward between global cables.
 * @param t already filled; gets its VLs here
 */
int odo_tree_pass_groups(const odo_tree *tree, const odo_tree_goal *goals, uint32_t n_goals,
			 odo_tables *t, odo_error *err);

#endif
