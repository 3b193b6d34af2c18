/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Parallel pairs of a dragonfly's groups: their groups are near to each other at both ends. A
 * regular arrangement treats a pair of groups like the pairs beside it. A wrong cable affects a
 * single pair.
 */
#ifndef ODONATA_MAPPING_FAULTS_PARALLEL_PAIRS_H
#define ODONATA_MAPPING_FAULTS_PARALLEL_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Pairs marked by the caller, and the nearest groups of each group. */
typedef struct odo_parallel_pairs {
	uint32_t n;     /**< groups */
	uint32_t *near; /**< [n * ODO_NEAR] nearest groups of each group, or ODO_NONE */
	uint8_t *mark;  /**< [n * n] pair is marked */
} odo_parallel_pairs;

enum {
	ODO_NEAR = 6, /**< with a larger number, pairs would be beside too many others */
	/** Maximum number of pairs beside a pair. In regular arrangements two groups at a time are
	 * equally near. */
	ODO_BESIDE = 2 * ODO_NEAR
};

/**
 * Make the table with nothing marked.
 * @param together [n * n] nearness of groups: switches that are cabled to both
 * @param out for odo_parallel_pairs_clear(), also on failure
 */
int odo_parallel_pairs_make(uint32_t n, const uint32_t *together, odo_parallel_pairs *out);
void odo_parallel_pairs_clear(odo_parallel_pairs *pairs);

void odo_parallel_pairs_unmark_all(odo_parallel_pairs *pairs);
void odo_parallel_pairs_mark(odo_parallel_pairs *pairs, const uint32_t group[2], bool marked);

/** Count the marked pairs beside this one, at most ODO_BESIDE. Their groups are equally near at
 * both ends. */
uint32_t odo_parallel_pairs_count(const odo_parallel_pairs *pairs, const uint32_t group[2]);

#endif
