/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Global cables of a Dragonfly+, by pairs of groups. */
#ifndef ODONATA_MAPPING_TREE_GLOBAL_PAIRS_H
#define ODONATA_MAPPING_TREE_GLOBAL_PAIRS_H

#include "mapping/faults/faults.h"
#include "mapping/tree/tree.h"

/** A global link. */
typedef struct odo_group_link {
	uint32_t group[2]; /**< the smaller first */
	uint32_t edge;
} odo_group_link;

typedef struct odo_group_pair {
	uint32_t group[2];           /**< the smaller first */
	uint32_t n_cables, first, n; /**< its links are link[first] to link[first + n - 1] */
} odo_group_pair;

typedef struct odo_global_pairs {
	const odo_clos *t;
	const uint32_t *group; /**< [n] group of each vertex, or ODO_NONE */
	uint32_t n_groups;
	odo_group_link *link; /**< sorted by pair; owned */
	odo_group_pair *pair; /**< [n] pairs that have cables, in order; owned */
	uint32_t n;
	uint32_t usual; /**< cables that most pairs have, if few have less; 0 if no number is usual
			 */
} odo_global_pairs;

/** Count cables. `group` must outlive the pairs. Call odo_global_pairs_clear(). Errors:
 * ODO_ENOMEM. */
int odo_global_pairs_make(const odo_clos *t, const uint32_t *group, uint32_t n_groups,
			  odo_global_pairs *out);
void odo_global_pairs_clear(odo_global_pairs *pairs);

/** Return the largest number of cables between two groups. */
uint32_t odo_global_pairs_most(const odo_global_pairs *pairs);

/** Mark wrong cables of pairs that have more than usual, if the other cables of the pair suit the
 * arrangement much better. Groups that share a spine in one group share a spine in most others.
 * Errors: ODO_ENOMEM. */
int odo_global_pairs_wrong(const odo_global_pairs *pairs, uint8_t *wrong);

/** List the cables that pairs lack, if most pairs have equally many and few have less. The ends are
 * the spines with fewest global cables. Errors: ODO_ENOMEM. */
int odo_global_pairs_absent(const odo_global_pairs *pairs, const uint8_t *wrong, odo_faults *list);

#endif
