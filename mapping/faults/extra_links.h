/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Which pairs of a dragonfly's groups have a link more than others by rights. Where a group's ports
 * do not divide by the other groups, it has a link more to as many others as ports are left over,
 * and a wrong cable makes a pair look like one of these. Of the pairs of a group no more than so
 * many are right: those that others run beside, and whose links suit the arrangement.
 */
#ifndef ODONATA_MAPPING_FAULTS_EXTRA_LINKS_H
#define ODONATA_MAPPING_FAULTS_EXTRA_LINKS_H

#include "mapping/faults/parallel_pairs.h"
#include "mapping/judge/finding.h"

/** How well links suit the arrangement. */
typedef struct odo_link_fit {
	int64_t *pair;    /**< [n_pairs] that link of each which does so least */
	int64_t usual;    /**< the median of all links */
	int64_t anywhere; /**< a link that runs anywhere, on average */
} odo_link_fit;

/**
 * @param beside nothing marked, before and after
 * @param narrow [n_pairs] set for pairs that have a link too many, though no more cables than
 *               h->width[0]; cleared for others
 */
int odo_extra_links_check(const odo_finding *h, odo_parallel_pairs *beside,
			  const odo_link_fit *suits, bool *narrow);

#endif
