/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fabric/transform/transform.h"

/* A part. Sorting puts the largest first, and equal ones in the order of their first switches. */
typedef struct sized_part {
	uint64_t key; /* first, for odo_by_u64() */
	uint32_t part;
} sized_part;

int odo_fabric_rank_parts(const odo_fabric *f, uint32_t *part, odo_error *err)
{
	odo_arena memory = {0};
	sized_part *order = odo_arena_new(&memory, f->n_switches, sizeof *order);
	uint32_t *rank = odo_arena_new(&memory, f->n_switches, sizeof *rank);
	int n = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for parts of a fabric")
			      : odo_fabric_parts(f, part, err);
	for (int i = 0; i < n; i++)
		order[i] = (sized_part){(uint64_t)UINT32_MAX << 32 | (uint32_t)i, (uint32_t)i};
	for (uint32_t s = 0; s < f->n_switches && n > 0; s++)
		order[part[s]].key -= 1ull << 32;
	if (n > 0)
		qsort(order, (size_t)n, sizeof *order, odo_by_u64);
	for (int i = 0; i < n; i++)
		rank[order[i].part] = (uint32_t)i;
	for (uint32_t s = 0; s < f->n_switches && n > 0; s++)
		part[s] = rank[part[s]];
	odo_arena_free(&memory);
	return n;
}

int odo_fabric_part(const odo_fabric *in, uint32_t n, odo_fabric **out, odo_origin *origin,
		    odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *part = odo_arena_new(&memory, in->n_switches, sizeof *part);
	uint8_t *gone = odo_arena_new(&memory, in->n_nodes, 1);
	uint8_t *cut = odo_arena_new(&memory, in->n_slots, 1);
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a part of a fabric")
				   : 0;
	int n_parts = status ? status : odo_fabric_rank_parts(in, part, err);
	if (n_parts < 0)
		status = n_parts;
	else if (n >= (uint32_t)n_parts)
		status = odo_fail(err, ODO_EINPUT,
				  "expected part 1 to %d of what cables connect, found %u", n_parts,
				  n + 1);
	if (!status) {
		for (uint32_t s = 0; s < in->n_switches; s++)
			gone[s] = part[s] != n;
		status = odo_fabric_without(in, gone, cut, out, origin, err);
	}
	odo_arena_free(&memory);
	return status;
}
