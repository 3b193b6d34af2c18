/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Comparison functions for qsort(): numbers in ascending order. */
#ifndef ODONATA_BASE_ORDER_H
#define ODONATA_BASE_ORDER_H

#include <stdint.h>

/** Compare two uint32_t. */
static inline int odo_by_u32(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/** Compare two uint64_t. */
static inline int odo_by_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

#endif
