/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/state/draws.h"

static void draw_one(odo_draws *draws, uint64_t seed, uint32_t i)
{
	odo_rng rng = odo_rng_make(seed, draws->stream[i]);
	rng.block = draws->block[i];
	odo_rng_next(&rng);
	draws->words[i] = rng.words;
}

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#define WIDE __attribute__((target("avx512f")))

/* A 32-bit word of eight counters or of eight keys, each in the low half of 64 bits. The upper half
 * is ignored, since the multiplication does not read it. */
struct counters {
	__m512i v[4];
};

/* Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). */
WIDE static inline struct counters philox_wide(struct counters c, uint64_t seed)
{
	const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0);
	const __m512i m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
	uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
	for (int round = 0; round < 10; round++) {
		__m512i p0 = _mm512_mul_epu32(m0, c.v[0]), p1 = _mm512_mul_epu32(m1, c.v[2]);
		__m512i key0 = _mm512_set1_epi64(k0), key1 = _mm512_set1_epi64(k1);
		__m512i high0 = _mm512_srli_epi64(p0, 32), high1 = _mm512_srli_epi64(p1, 32);
		c.v[0] = _mm512_ternarylogic_epi64(high1, c.v[1], key0, 0x96);
		c.v[2] = _mm512_ternarylogic_epi64(high0, c.v[3], key1, 0x96);
		c.v[1] = p1;
		c.v[3] = p0;
		k0 += PHILOX_W32_0;
		k1 += PHILOX_W32_1;
	}
	return c;
}

WIDE static void draw_eight(odo_draws *draws, uint64_t seed, uint32_t i)
{
	const __m512i low = _mm512_set1_epi64(UINT32_MAX);
	const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
	const __m512i last = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
	__m512i block = _mm512_loadu_si512(draws->block + i);
	__m512i stream = _mm512_loadu_si512(draws->stream + i);
	struct counters c = {
		{block, _mm512_srli_epi64(block, 32), stream, _mm512_srli_epi64(stream, 32)}};
	c = philox_wide(c, seed);
	__m512i words[2];
	for (int half = 0; half < 2; half++)
		words[half] = _mm512_or_si512(_mm512_and_si512(c.v[2 * half], low),
					      _mm512_slli_epi64(c.v[2 * half + 1], 32));
	_mm512_storeu_si512(draws->words + i, _mm512_permutex2var_epi64(words[0], first, words[1]));
	_mm512_storeu_si512(draws->words + i + 4,
			    _mm512_permutex2var_epi64(words[0], last, words[1]));
}

#else
#define draw_eight(d, seed, i) ((void)0)
#endif

void odo_draws_all(odo_draws *draws, uint64_t seed, uint32_t n, bool wide)
{
	for (uint32_t i = 0; i < n; i += wide ? 8 : 1)
		if (wide)
			draw_eight(draws, seed, i);
		else
			draw_one(draws, seed, i);
}
