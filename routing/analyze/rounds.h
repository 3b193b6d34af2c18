/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Rounds of an acceptance test: in a round the paths of all pairs share no cable, so each pair must
 * reach the rate of its slowest cable. Together the rounds cross every cable in both directions.
 */
#ifndef ODONATA_ROUTING_ANALYZE_ROUNDS_H
#define ODONATA_ROUTING_ANALYZE_ROUNDS_H

#include "routing/analyze/path.h"
#include "routing/tables.h"

typedef struct odo_round_pair {
	uint32_t round;    /**< from 0 */
	uint32_t from, to; /**< hosts; packets go to the first LID of `to` */
	uint32_t slowest;  /**< slot of the slowest cable of the path, where it is first */
} odo_round_pair;

typedef struct odo_rounds {
	odo_round_pair *pair; /**< [n] by round */
	size_t n;
	uint32_t n_rounds;
	uint32_t n_channels; /**< channels that pairs cross */
	uint32_t *idle;      /**< [n_idle] slots with a cable that no path to a host's first LID
			     crosses */
	uint32_t n_idle;
} odo_rounds;

/**
 * @param times pairs over each channel, where the tables have so many; more pairs tell better which
 *              cable of a slow path is to blame
 * @param out   for odo_rounds_clear(), also after a failure
 * Errors: ODO_ENOMEM; ODO_EDECLINE for fewer than two hosts.
 */
int odo_rounds_find(const odo_tables *t, uint32_t times, uint64_t seed, odo_rounds *out,
		    odo_error *err);

/**
 * Find channels that paths to hosts' first LIDs cross, but no path of the measured pairs.
 * @param slot gets them; has room for all slots of the fabric
 */
int odo_rounds_missed(const odo_tables *t, const odo_measured *pairs, size_t n_pairs,
		      uint32_t *slot, uint32_t *n, odo_error *err);
void odo_rounds_clear(odo_rounds *rounds);

#endif
