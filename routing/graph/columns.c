/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/graph/columns.h"

#include <stdbool.h>
#include <string.h>

/* Swap blocks of `shift` bits between words at distance `apart`: a step of transposing 8 x 8
 * bytes. */
static inline void swap_blocks(uint64_t word[8], unsigned apart, unsigned shift, uint64_t mask)
{
	for (unsigned i = 0; i < 8; i++) {
		if (i & apart)
			continue;
		uint64_t differ = (word[i] >> shift ^ word[i + apart]) & mask;
		word[i + apart] ^= differ;
		word[i] ^= differ << shift;
	}
}

/* Transpose eight rows by eight columns at a time, as words of little-endian machines. */
static void cut_tile(const uint8_t *row, size_t row_stride, uint8_t *to, size_t stride)
{
	for (uint32_t k = 0; k < ODO_COLUMNS; k += 8) {
		uint64_t word[8];
		for (unsigned i = 0; i < 8; i++)
			memcpy(&word[i], row + i * row_stride + k, 8);
		swap_blocks(word, 4, 32, 0x00000000FFFFFFFFull);
		swap_blocks(word, 2, 16, 0x0000FFFF0000FFFFull);
		swap_blocks(word, 1, 8, 0x00FF00FF00FF00FFull);
		for (unsigned i = 0; i < 8; i++)
			memcpy(to + (k + i) * stride, &word[i], 8);
	}
}

void odo_columns_cut(const uint8_t *rows, size_t row_stride, uint32_t n_rows, uint32_t width,
		     uint8_t *columns, size_t stride)
{
	uint32_t s = 0;
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	for (; little && width == ODO_COLUMNS && s + 8 <= n_rows; s += 8) {
		for (unsigned i = 0; i < 8 && s + 32 <= n_rows; i++)
			__builtin_prefetch(rows + (s + 24 + i) * row_stride);
		cut_tile(rows + s * row_stride, row_stride, columns + s, stride);
	}
	for (; s < n_rows; s++)
		for (uint32_t k = 0; k < width; k++)
			columns[k * stride + s] = rows[s * row_stride + k];
}
