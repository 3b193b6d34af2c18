/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Pairs of a dragonfly's groups that rightly have one link more than others. If a group's ports are
 * not divisible by the other groups, the remaining ports make a further link to as many of them. A
 * wrong cable makes a pair look like one of these. At most as many pairs of a group are right as
 * ports remain: those with parallel pairs beside them, whose links suit the arrangement.
 */
#ifndef ODONATA_MAPPING_FAULTS_EXTRA_LINKS_H
#define ODONATA_MAPPING_FAULTS_EXTRA_LINKS_H

#include "mapping/faults/parallel_pairs.h"
#include "mapping/judge/finding.h"

/** Scores of how well links suit the arrangement. */
typedef struct odo_link_fit {
	int64_t *pair;    /**< [n_pairs] lowest score among the links of each pair */
	int64_t usual;    /**< median score of all links */
	int64_t anywhere; /**< average score of links that run anywhere */
} odo_link_fit;

/**
 * Find pairs with a link too many.
 * @param beside nothing marked, before and after
 * @param narrow [n_pairs] true for pairs that have a link too many, though at most h->width[0]
 *   cables; false for others
 */
int odo_extra_links_check(const odo_finding *h, odo_parallel_pairs *beside,
			  const odo_link_fit *suits, bool *narrow);

#endif
