/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/parallel_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "base/memory.h"

void odo_parallel_pairs_clear(odo_parallel_pairs *pairs)
{
	free(pairs->near);
	free(pairs->mark);
	*pairs = (odo_parallel_pairs){0};
}

/* Find the groups nearest to `a`, in order of nearness. */
static void find_nearest_groups(odo_parallel_pairs *pairs, const uint32_t *together, uint32_t a)
{
	uint32_t *near = pairs->near + (size_t)a * ODO_NEAR;
	const uint32_t *row = together + (size_t)a * pairs->n;
	memset(near, 0xFF, ODO_NEAR * sizeof *near);
	for (uint32_t c = 0; c < pairs->n; c++) {
		uint32_t candidate = row[c] && c != a ? c : ODO_NONE;
		for (unsigned i = 0; i < ODO_NEAR && candidate != ODO_NONE; i++) {
			if (near[i] != ODO_NONE && row[near[i]] >= row[candidate])
				continue;
			uint32_t next = near[i];
			near[i] = candidate;
			candidate = next;
		}
	}
}

int odo_parallel_pairs_make(uint32_t n, const uint32_t *together, odo_parallel_pairs *out)
{
	*out = (odo_parallel_pairs){.n = n,
				    .near = odo_new((size_t)n * ODO_NEAR, sizeof *out->near),
				    .mark = odo_new((size_t)n * n, sizeof *out->mark)};
	if (!out->near || !out->mark)
		return ODO_ENOMEM;
	for (uint32_t a = 0; a < n; a++)
		find_nearest_groups(out, together, a);
	return 0;
}

void odo_parallel_pairs_unmark_all(odo_parallel_pairs *pairs)
{
	memset(pairs->mark, 0, (size_t)pairs->n * pairs->n * sizeof *pairs->mark);
}

void odo_parallel_pairs_mark(odo_parallel_pairs *pairs, const uint32_t group[2], bool marked)
{
	pairs->mark[(size_t)group[0] * pairs->n + group[1]] = marked;
	pairs->mark[(size_t)group[1] * pairs->n + group[0]] = marked;
}

uint32_t odo_parallel_pairs_count(const odo_parallel_pairs *pairs, const uint32_t group[2])
{
	const uint32_t *x = pairs->near + (size_t)group[0] * ODO_NEAR;
	const uint32_t *y = pairs->near + (size_t)group[1] * ODO_NEAR;
	uint32_t n = 0;
	for (unsigned i = 0; i < ODO_NEAR && x[i] != ODO_NONE; i++)
		for (unsigned j = i / 2 * 2; j <= (i | 1) && y[j] != ODO_NONE; j++)
			n += pairs->mark[(size_t)x[i] * pairs->n + y[j]];
	return n;
}
