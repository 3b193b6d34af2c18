/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Pairs of a dragonfly's groups that run side by side: between groups near to each other at one
 * end, and groups near to each other at the other. What a whole arrangement does at a pair of
 * groups it does beside it too; what one wrong cable does stands alone.
 */
#ifndef ODONATA_MAPPING_FAULTS_PARALLEL_PAIRS_H
#define ODONATA_MAPPING_FAULTS_PARALLEL_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Pairs marked by the caller, and which groups are near. */
typedef struct odo_parallel_pairs {
	uint32_t n;     /**< groups */
	uint32_t *near; /**< [n * ODO_NEAR] the nearest of each; ODO_NONE where there are fewer */
	uint8_t *mark;  /**< [n * n] this pair is marked */
} odo_parallel_pairs;

enum {
	ODO_NEAR = 6, /**< with more of them, pairs are beside too many others */
	/** Most pairs beside one. Arrangements have two groups each that are equally near. */
	ODO_BESIDE = 2 * ODO_NEAR
};

/**
 * Nothing marked.
 * @param together [n * n] how near groups are: the switches that are cabled to both
 * @param out for odo_parallel_pairs_clear(), failed or not
 */
int odo_parallel_pairs_make(uint32_t n, const uint32_t *together, odo_parallel_pairs *out);
void odo_parallel_pairs_clear(odo_parallel_pairs *pairs);

void odo_parallel_pairs_unmark_all(odo_parallel_pairs *pairs);
void odo_parallel_pairs_mark(odo_parallel_pairs *pairs, const uint32_t group[2], bool marked);

/** Marked pairs beside this one, of at most ODO_BESIDE: their groups are as near at one end as at
 * the other. */
uint32_t odo_parallel_pairs_count(const odo_parallel_pairs *pairs, const uint32_t group[2]);

#endif
