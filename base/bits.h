/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Sets of small numbers, 64 to a word: number i is a member if bit i % 64 of word i / 64 is
 * set. */
#ifndef ODONATA_BASE_BITS_H
#define ODONATA_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Return the words of a set of numbers below `n`. */
static inline size_t odo_bit_words(size_t n)
{
	return (n + 63) / 64;
}

static inline void odo_set_bit(uint64_t *set, uint32_t bit)
{
	set[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void odo_clear_bit(uint64_t *set, uint32_t bit)
{
	set[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static inline bool odo_has_bit(const uint64_t *set, uint32_t bit)
{
	return set[bit / 64] >> bit % 64 & 1;
}

/** Return the lowest bit that is set.
 * @param word not 0 */
static inline uint32_t odo_lowest_bit(uint64_t word)
{
	return (uint32_t)__builtin_ctzll(word);
}

/** Return the lowest member from `from` on, or 64 * words if there is none. */
static inline uint32_t odo_next_bit(const uint64_t *set, uint32_t words, uint32_t from)
{
	uint32_t i = from / 64;
	if (i >= words)
		return 64 * words;
	uint64_t left = set[i] & UINT64_MAX << from % 64;
	while (!left && ++i < words)
		left = set[i];
	return left ? 64 * i + odo_lowest_bit(left) : 64 * words;
}

/** Return the number of members. */
static inline size_t odo_count_bits(const uint64_t *set, size_t words)
{
	size_t n = 0;
	for (size_t i = 0; i < words; i++)
		n += (size_t)__builtin_popcountll(set[i]);
	return n;
}

#endif
