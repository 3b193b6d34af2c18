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
	const uint32_t *group; /**< [n] of each vertex, or ODO_NONE */
	uint32_t n_groups;
	odo_group_link *link; /**< by pair; owned */
	odo_group_pair *pair; /**< [n] those that have cables, in order; owned */
	uint32_t n;
	uint32_t usual; /**< cables that most pairs have, if few have less; 0 where nothing is usual
			 */
} odo_global_pairs;

/** Count cables. `group` is lent. Errors: ODO_ENOMEM. For odo_global_pairs_clear(). */
int odo_global_pairs_make(const odo_clos *t, const uint32_t *group, uint32_t n_groups,
			  odo_global_pairs *out);
void odo_global_pairs_clear(odo_global_pairs *pairs);

/** Most cables between two groups. */
uint32_t odo_global_pairs_most(const odo_global_pairs *pairs);

/** Mark wrong cables of pairs that have more than usual, where the others of the pair suit the
 * arrangement better by far: groups that share a spine in one group share one in most others.
 * Errors: ODO_ENOMEM. */
int odo_global_pairs_wrong(const odo_global_pairs *pairs, uint8_t *wrong);

/** Cables that pairs lack, where most pairs have equally many and few have less: between the spines
 * of fewest global cables. Errors: ODO_ENOMEM. */
int odo_global_pairs_absent(const odo_global_pairs *pairs, const uint8_t *wrong, odo_faults *list);

#endif
