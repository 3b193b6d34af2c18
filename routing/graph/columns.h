/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Columns of tables that are stored by rows: the entries of all switches for one destination.
 * Columns are extracted one cache line of each row at a time, eight rows by eight columns in
 * registers.
 */
#ifndef ODONATA_ROUTING_GRAPH_COLUMNS_H
#define ODONATA_ROUTING_GRAPH_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/** Number of columns extracted at a time. */
#define ODO_COLUMNS 64u

/** Return the number of bytes from one column to the next: an odd number of cache lines, so that
 * the columns of a block do not share cache sets. */
static inline size_t odo_column_stride(uint32_t n_rows)
{
	return (((size_t)n_rows + 63) / 64 | 1) * 64;
}

/** Return how many of `n` columns are extracted together from `first` on. */
static inline uint32_t odo_column_width(uint32_t n, uint32_t first)
{
	return n - first < ODO_COLUMNS ? n - first : ODO_COLUMNS;
}

/**
 * Transpose: columns[k * stride + i] = rows[i * row_stride + k] for i < n_rows, k < width.
 * @param width at most ODO_COLUMNS
 */
void odo_columns_cut(const uint8_t *rows, size_t row_stride, uint32_t n_rows, uint32_t width,
		     uint8_t *columns, size_t stride);

#endif
