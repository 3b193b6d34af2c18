/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/bits.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

int odo_bits_make(uint32_t n, odo_bits *b)
{
	*b = (odo_bits){.n = n, .words = (uint32_t)odo_bit_words(n)};
	b->words = (b->words + ODO_BITS_BLOCK - 1) / ODO_BITS_BLOCK * ODO_BITS_BLOCK;
	b->row = n < ODO_BITS_SEVERAL ? odo_new((size_t)n * b->words, sizeof *b->row) : NULL;
	return b->row ? 0 : ODO_ENOMEM;
}

int odo_bits_of_links(const odo_links *g, odo_bits *b)
{
	if (odo_bits_make(g->n, b))
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			odo_bits_set(b, v, g->to[a]);
	return 0;
}

int odo_bits_copy(const odo_bits *from, odo_bits *to)
{
	if (odo_bits_make(from->n, to))
		return ODO_ENOMEM;
	memcpy(to->row, from->row, (size_t)from->n * from->words * sizeof *to->row);
	return 0;
}

void odo_bits_clear(odo_bits *b)
{
	free(b->row);
	*b = (odo_bits){0};
}

/* Vertices within two steps of v, itself among them. `reach` [words] is scratch. */
static uint32_t within_two(const odo_bits *b, uint32_t v, uint64_t *reach)
{
	const uint64_t *own = b->row + (size_t)v * b->words;
	memcpy(reach, own, b->words * sizeof *reach);
	odo_set_bit(reach, v);
	for (uint32_t i = 0; i < b->words; i++) {
		for (uint64_t left = own[i]; left; left &= left - 1) {
			uint32_t w = 64 * i + odo_lowest_bit(left);
			for (uint32_t j = 0; j < b->words; j++)
				reach[j] |= b->row[(size_t)w * b->words + j];
		}
	}
	return (uint32_t)odo_count_bits(reach, b->words);
}

int odo_bits_far_apart(const odo_bits *b, double *share)
{
	double pairs = (double)b->n * b->n, apart = 0;
	uint64_t *reach = odo_new(b->words, sizeof *reach);
	if (!reach)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < b->n; v++)
		apart += b->n - within_two(b, v, reach);
	free(reach);
	*share = b->n ? apart / pairs : 1;
	return 0;
}
