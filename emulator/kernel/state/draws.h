/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Draw the first random numbers of many hosts' next packets together. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_DRAWS_H
#define ODONATA_EMULATOR_KERNEL_STATE_DRAWS_H

#include <stdbool.h>

#include "base/random.h"

/** Spare entries at the end of each array: the code reads and writes past `n`. */
#define ODO_DRAWS_SPARE 8u

/** Blocks of random streams of one seed, with the words that odo_rng_next() returns from them. */
typedef struct odo_draws {
	uint64_t *block, *stream; /**< [n] number of each block, and of its stream */
	philox4x32_ctr_t *words;  /**< [n] out */
} odo_draws;

/** @param wide does the processor have AVX-512? The words are the same. */
void odo_draws_all(odo_draws *draws, uint64_t seed, uint32_t n, bool wide);

/** Return a stream that continues with the words of a drawn block, then with the next blocks. */
static inline odo_rng odo_draws_rng(const odo_draws *draws, uint64_t seed, uint32_t i)
{
	odo_rng rng = odo_rng_make(seed, draws->stream[i]);
	rng.block = draws->block[i] + 1;
	rng.words = draws->words[i];
	rng.left = 4;
	return rng;
}

#endif
