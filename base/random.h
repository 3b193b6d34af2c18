/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Counter-based random streams (Random123, Philox 4x32-10): the n-th draw of a stream
 * depends on (seed, stream, n) alone, so results are equal for any number of threads.
 */
#ifndef ODONATA_BASE_RANDOM_H
#define ODONATA_BASE_RANDOM_H

#include <stdint.h>

/* Philox needs no processor intrinsics. Their header alone takes longer to compile than most of our
 * files. */
#ifndef R123_USE_X86INTRIN_H
#define R123_USE_X86INTRIN_H 0
#endif
#ifndef R123_USE_SSE
#define R123_USE_SSE 0
#endif
#include <Random123/philox.h>

/** A random stream, small enough to keep one per host. */
typedef struct odo_rng {
	philox4x32_key_t key; /**< the seed */
	uint64_t stream;
	uint64_t block; /**< counter of the next block of four words */
	philox4x32_ctr_t words;
	unsigned left; /**< words not yet used */
} odo_rng;

static inline odo_rng odo_rng_make(uint64_t seed, uint64_t stream)
{
	odo_rng rng = {.stream = stream};
	rng.key.v[0] = (uint32_t)seed;
	rng.key.v[1] = (uint32_t)(seed >> 32);
	return rng;
}

static inline uint32_t odo_rng_next(odo_rng *rng)
{
	if (!rng->left) {
		philox4x32_ctr_t counter = {{(uint32_t)rng->block, (uint32_t)(rng->block >> 32),
					     (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32)}};
		rng->words = philox4x32(counter, rng->key);
		rng->block++;
		rng->left = 4;
	}
	return rng->words.v[--rng->left];
}

/** Return a number uniform in [0, n), n above 0, without bias (Lemire, arXiv:1805.10941). */
static inline uint32_t odo_rng_below(odo_rng *rng, uint32_t n)
{
	uint64_t product = (uint64_t)odo_rng_next(rng) * n;
	if ((uint32_t)product < n) {
		uint32_t floor = -n % n;
		while ((uint32_t)product < floor)
			product = (uint64_t)odo_rng_next(rng) * n;
	}
	return (uint32_t)(product >> 32);
}

/** Shuffle `n` numbers in place, all orders equally likely. */
static inline void odo_rng_shuffle(odo_rng *rng, uint32_t *items, uint32_t n)
{
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = odo_rng_below(rng, i), held = items[i - 1];
		items[i - 1] = items[j];
		items[j] = held;
	}
}

#endif
