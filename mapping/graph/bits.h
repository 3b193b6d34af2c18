/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A graph as one row of bits per vertex: it finds common neighbours of any two vertices without a
 * table of n^2. */
#ifndef ODONATA_MAPPING_GRAPH_BITS_H
#define ODONATA_MAPPING_GRAPH_BITS_H

#include "base/bits.h"
#include "mapping/graph/links.h"

typedef struct odo_bits {
	uint32_t n, words; /**< 64-bit words in a row, a multiple of ODO_BITS_BLOCK */
	uint64_t *row;     /**< [n * words] */
} odo_bits;

/* Words that are tested together, because most have no common neighbour. */
enum { ODO_BITS_BLOCK = 8 };

/** Results if no vertex, or more than one, is the answer. */
enum { ODO_BITS_NONE = 0xFFFF, ODO_BITS_SEVERAL = 0xFFFE };

/** @param n vertices, fewer than ODO_BITS_SEVERAL. For odo_bits_clear() */
int odo_bits_make(uint32_t n, odo_bits *bits);
int odo_bits_of_links(const odo_links *g, odo_bits *bits);
/** Convert bits to a graph.
 * @param g for odo_links_clear() */
int odo_links_of_bits(const odo_bits *bits, odo_links *g, odo_error *err);
int odo_bits_copy(const odo_bits *from, odo_bits *to);
void odo_bits_clear(odo_bits *bits);

static inline void odo_bits_set(odo_bits *bits, uint32_t u, uint32_t v)
{
	odo_set_bit(bits->row + (size_t)u * bits->words, v);
}

static inline bool odo_bits_linked(const odo_bits *bits, uint32_t u, uint32_t v)
{
	return odo_has_bit(bits->row + (size_t)u * bits->words, v);
}

/** Return the first neighbour of u from vertex `from` on, or n. */
static inline uint32_t odo_bits_next(const odo_bits *bits, uint32_t u, uint32_t from)
{
	uint32_t v = odo_next_bit(bits->row + (size_t)u * bits->words, bits->words, from);
	return v < bits->n ? v : bits->n;
}

/** Return the only common neighbour of u and v, or ODO_BITS_NONE or ODO_BITS_SEVERAL. */
static inline uint32_t odo_bits_common(const odo_bits *bits, uint32_t u, uint32_t v)
{
	const uint64_t *x = bits->row + (size_t)u * bits->words,
		       *y = bits->row + (size_t)v * bits->words;
	uint32_t found = ODO_BITS_NONE;
	for (uint32_t i = 0; i < bits->words; i += ODO_BITS_BLOCK) {
		uint64_t any = 0;
		for (uint32_t j = i; j < i + ODO_BITS_BLOCK; j++)
			any |= x[j] & y[j];
		if (!any)
			continue;
		if (found != ODO_BITS_NONE || any & (any - 1))
			return ODO_BITS_SEVERAL;
		uint32_t word = i; /* one bit, or the same bit in two words */
		while (!(x[word] & y[word]))
			word++;
		for (uint32_t j = word + 1; j < i + ODO_BITS_BLOCK; j++)
			if (x[j] & y[j])
				return ODO_BITS_SEVERAL;
		found = 64 * word + odo_lowest_bit(any);
	}
	return found;
}

/** Compute the share of the ordered pairs of vertices that are neither linked nor have a common
 * neighbour.
 * @return 0 or ODO_ENOMEM */
int odo_bits_far_apart(const odo_bits *bits, double *share);

#endif
