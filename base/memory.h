/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Allocation with sizes checked for overflow, and growing arrays. */
#ifndef ODONATA_BASE_MEMORY_H
#define ODONATA_BASE_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/**
 * Allocate `count` zeroed elements of `size` bytes; never NULL for a count of 0.
 * @return memory for free(), or NULL if there is none or the product overflows
 */
void *odo_new(size_t count, size_t size);

/**
 * Make room for `needed` elements in a growing array, doubling as it grows. New elements are not
 * initialised.
 * @param array address of the array pointer, moved when it grows
 * @param capacity elements that fit, updated
 * @return 0, or ODO_ENOMEM with the array unchanged
 */
int odo_grow(void *array, size_t *capacity, size_t needed, size_t size);

/**
 * Close a stream of open_memstream(), which may run out of memory at any time.
 * @param to NULL if the stream could not be opened
 * @param text text written to the stream, for free(); NULL on failure
 * @return 0, or ODO_ENOMEM
 */
int odo_text_close(FILE *to, char **text);

#endif
