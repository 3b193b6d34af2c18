/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/bits.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

int odo_bits_make(uint32_t n, odo_bits *bits)
{
	*bits = (odo_bits){.n = n, .words = (uint32_t)odo_bit_words(n)};
	bits->words = (bits->words + ODO_BITS_BLOCK - 1) / ODO_BITS_BLOCK * ODO_BITS_BLOCK;
	bits->row = n < ODO_BITS_SEVERAL ? odo_new((size_t)n * bits->words, sizeof *bits->row)
					 : NULL;
	return bits->row ? 0 : ODO_ENOMEM;
}

int odo_bits_of_links(const odo_links *g, odo_bits *bits)
{
	if (odo_bits_make(g->n, bits))
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			odo_bits_set(bits, v, g->to[a]);
	return 0;
}

int odo_bits_copy(const odo_bits *from, odo_bits *to)
{
	if (odo_bits_make(from->n, to))
		return ODO_ENOMEM;
	memcpy(to->row, from->row, (size_t)from->n * from->words * sizeof *to->row);
	return 0;
}

void odo_bits_clear(odo_bits *bits)
{
	free(bits->row);
	*bits = (odo_bits){0};
}

/* Count the vertices within two steps of v, v included. `reach` [words] is scratch. */
static uint32_t within_two(const odo_bits *bits, uint32_t v, uint64_t *reach)
{
	const uint64_t *own = bits->row + (size_t)v * bits->words;
	memcpy(reach, own, bits->words * sizeof *reach);
	odo_set_bit(reach, v);
	for (uint32_t i = 0; i < bits->words; i++) {
		for (uint64_t left = own[i]; left; left &= left - 1) {
			uint32_t w = 64 * i + odo_lowest_bit(left);
			for (uint32_t j = 0; j < bits->words; j++)
				reach[j] |= bits->row[(size_t)w * bits->words + j];
		}
	}
	return (uint32_t)odo_count_bits(reach, bits->words);
}

int odo_bits_far_apart(const odo_bits *bits, double *share)
{
	double pairs = (double)bits->n * bits->n, apart = 0;
	uint64_t *reach = odo_new(bits->words, sizeof *reach);
	if (!reach)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < bits->n; v++)
		apart += bits->n - within_two(bits, v, reach);
	free(reach);
	*share = bits->n ? apart / pairs : 1;
	return 0;
}
