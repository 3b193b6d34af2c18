/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The first random numbers of many hosts' next packets, at once. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_DRAWS_H
#define ODONATA_EMULATOR_KERNEL_STATE_DRAWS_H

#include <stdbool.h>

#include "base/random.h"

/** Whoever reads and writes `n` of them finds room for so many more. */
#define ODO_DRAWS_SPARE 8u

/** Blocks of the streams of one seed: what odo_rng_next() hands out from each block. */
typedef struct odo_draws {
	uint64_t *block, *stream; /**< [n] of each, its number and its stream's */
	philox4x32_ctr_t *words;  /**< [n] out */
} odo_draws;

/** @param wide has the processor AVX-512? The words are the same. */
void odo_draws_all(odo_draws *draws, uint64_t seed, uint32_t n, bool wide);

/** A stream that hands out a block that has been drawn, then the next ones. */
static inline odo_rng odo_draws_rng(const odo_draws *draws, uint64_t seed, uint32_t i)
{
	odo_rng rng = odo_rng_make(seed, draws->stream[i]);
	rng.block = draws->block[i] + 1;
	rng.words = draws->words[i];
	rng.left = 4;
	return rng;
}

#endif
