/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/twins.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct named {
	uint64_t guid;
	uint32_t node;
} named;

static int by_guid(const void *a, const void *b)
{
	uint64_t x = ((const named *)a)->guid, y = ((const named *)b)->guid;
	return x < y ? -1 : x > y;
}

uint32_t *odo_twins(const odo_fabric *a, uint32_t n_a, const odo_fabric *b, uint32_t n_b)
{
	uint32_t *twin = odo_new(n_a, sizeof *twin);
	named *index = odo_new(n_b, sizeof *index);
	if (!twin || !index) {
		free(twin);
		free(index);
		return NULL;
	}
	for (uint32_t v = 0; v < n_b; v++)
		index[v] = (named){b->node_guid[v], v};
	qsort(index, n_b, sizeof *index, by_guid);
	for (uint32_t v = 0; v < n_a; v++) {
		named wanted = {a->node_guid[v], 0};
		const named *found = bsearch(&wanted, index, n_b, sizeof *index, by_guid);
		twin[v] = found ? found->node : ODO_NONE;
	}
	free(index);
	return twin;
}
