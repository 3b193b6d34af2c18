/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Items by key: those of key k are item[first[k]] to item[first[k + 1] - 1], in order. */
#ifndef ODONATA_BASE_LISTS_H
#define ODONATA_BASE_LISTS_H

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct odo_lists {
	uint32_t *first, *item; /**< owned */
} odo_lists;

static inline void odo_lists_clear(odo_lists *l)
{
	free(l->first);
	free(l->item);
	*l = (odo_lists){0};
}

/** List the numbers 0 to n - 1 by `key`. Items with a key of `n_keys` or more are omitted. Errors:
 * ODO_ENOMEM. */
static inline int odo_lists_make(const uint32_t *key, uint32_t n, uint32_t n_keys, odo_lists *out)
{
	*out = (odo_lists){odo_new((size_t)n_keys + 2, sizeof *out->first),
			   odo_new(n, sizeof *out->item)};
	if (!out->first || !out->item) {
		odo_lists_clear(out);
		return ODO_ENOMEM;
	}
	/* The array is shifted by two: counts become starts, and filling moves starts to their
	 * final place. */
	for (uint32_t i = 0; i < n; i++)
		if (key[i] < n_keys)
			out->first[key[i] + 2]++;
	for (uint32_t k = 0; k < n_keys; k++)
		out->first[k + 2] += out->first[k + 1];
	for (uint32_t i = 0; i < n; i++)
		if (key[i] < n_keys)
			out->item[out->first[key[i] + 1]++] = i;
	return 0;
}

#endif
