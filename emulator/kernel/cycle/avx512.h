/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The allocator's most frequent work, sixteen numbers at a time, for processors that have AVX-512
 * with VBMI2. cycle_avx512.c compiles the whole cycle a second time for them. The lists are the
 * same as those of the plain code, in the same order. Included by step.h alone.
 *
 * Only steps without a loop or a branch are faster this way: bits into a list, and one list into
 * two. Finding the way of sixteen heads at once, five dependent look-ups, was no faster.
 */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_AVX512_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_AVX512_H

#ifdef ODO_WIDE

#include <immintrin.h>

/** List the numbers of all set bits of a word, counted from `first`. The list has room for
 * ODO_LIST_SPARE more. */
ALWAYS_INLINE uint32_t *list_wide(uint32_t *list, uint64_t word, uint32_t first)
{
	static const uint8_t numbers[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
					    13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
					    26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
					    39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
					    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
	__m512i bits = _mm512_maskz_compress_epi8(word, _mm512_loadu_si512(numbers));
	__m512i from = _mm512_set1_epi32((int)first);
	uint32_t *end = list + __builtin_popcountll(word);
	do {
		__m512i some = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bits));
		_mm512_storeu_si512(list, _mm512_add_epi32(from, some));
		bits = _mm512_shuffle_i64x2(bits, bits, 0x39);
		list += 16;
	} while (__builtin_expect(list < end, 0));
	return end;
}

/** Read the bits of sixteen places from a set. */
ALWAYS_INLINE __m512i gather_bits(__mmask16 these, const uint64_t *set, __m512i word, __m512i bit)
{
	__m512i found = _mm512_mask_i32gather_epi32(bit, these, word, set, 4);
	return _mm512_srlv_epi32(found, _mm512_and_si512(bit, _mm512_set1_epi32(31)));
}

/** Return the only ready lane of each of sixteen inputs: single_lane(). */
ALWAYS_INLINE __m512i single_lanes(mode k, __mmask16 these, const odo_round *r, __m512i inputs)
{
	const __m512i one = _mm512_set1_epi32(1);
	__m512i at = _mm512_slli_epi32(inputs, k.lane_bits);
	/* Digits are words of 64 bits; a gather reads 32. */
	__m512i half = _mm512_and_si512(_mm512_srli_epi32(inputs, 5), one);
	__m512i word = _mm512_slli_epi32(_mm512_srli_epi32(inputs, 6), k.lane_bits + 1);
	word = _mm512_or_si512(word, half);
	for (unsigned i = 0; i < k.lane_bits; i++) {
		__m512i of = _mm512_add_epi32(word, _mm512_set1_epi32(2 * (int)i));
		__m512i digit = gather_bits(these, r->digits, of, inputs);
		digit = _mm512_and_si512(digit, one);
		at = _mm512_or_si512(at, _mm512_slli_epi32(digit, i));
	}
	return at;
}

/** Return which of sixteen heads could go: can_go(), for packets of one size. */
ALWAYS_INLINE __mmask16 can_go_wide(mode k, __mmask16 these, __m512i at)
{
	/* A lane has 16 bytes. A credit has two bytes; reading four is safe, since memory follows
	 * the last. */
	__m512i to = _mm512_mask_i32gather_epi32(at, these, _mm512_add_epi32(at, at), &k.lanes->to,
						 8);
	__m512i out = _mm512_srli_epi32(to, k.lane_bits);
	__m512i open = gather_bits(these, k.free_out, _mm512_srli_epi32(out, 5), out);
	__m512i room = _mm512_mask_i32gather_epi32(at, these, to, k.credits, 2);
	these = _mm512_mask_test_epi32_mask(these, open, _mm512_set1_epi32(1));
	return _mm512_mask_test_epi32_mask(these, room, _mm512_set1_epi32(UINT16_MAX));
}

ALWAYS_INLINE odo_spot *keep_wide(odo_spot *list, __mmask16 these, __m512i at)
{
	_mm512_storeu_si512(list, _mm512_maskz_compress_epi32(these, at));
	return list + __builtin_popcount(these);
}

/** sort_single(), sixteen inputs at a time. */
ALWAYS_INLINE void sort_wide(mode k, const odo_round *r, struct ready *t)
{
	for (uint32_t i = 0; i < r->n_single; i += 16) {
		uint32_t left = r->n_single - i;
		__mmask16 these = (__mmask16)(left < 16 ? (1u << left) - 1 : UINT16_MAX);
		__m512i inputs = _mm512_maskz_loadu_epi32(these, r->single + i);
		__m512i at = single_lanes(k, these, r, inputs);
		__mmask16 can = can_go_wide(k, these, at);
		t->can = keep_wide(t->can, can, at);
		t->cannot = keep_wide(t->cannot, these & (__mmask16)~can, at);
	}
}

#endif
#endif
