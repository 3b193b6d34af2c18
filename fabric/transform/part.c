/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/transform/transform.h"

/* Return the number of the part at place `n` in order of size, the largest first. Parts are
 * numbered by their first switches. */
static uint32_t find_part(const uint32_t *size, uint32_t n_parts, uint32_t n)
{
	for (uint32_t i = 0; i < n_parts; i++) {
		uint32_t before = 0;
		for (uint32_t j = 0; j < n_parts; j++)
			before += size[j] > size[i] || (j < i && size[j] == size[i]);
		if (before == n)
			return i;
	}
	return ODO_NONE;
}

int odo_fabric_part(const odo_fabric *in, uint32_t n, odo_fabric **out, odo_origin *origin,
		    odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *part = odo_arena_new(&memory, in->n_switches, sizeof *part);
	uint32_t *size = odo_arena_new(&memory, in->n_switches, sizeof *size);
	uint8_t *gone = odo_arena_new(&memory, in->n_nodes, 1);
	uint8_t *cut = odo_arena_new(&memory, in->n_slots, 1);
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a part of a fabric")
				   : 0;
	int n_parts = status ? status : odo_fabric_parts(in, part, err);
	if (n_parts < 0)
		status = n_parts;
	else if (n >= (uint32_t)n_parts)
		status = odo_fail(err, ODO_EINPUT,
				  "expected part 1 to %d of what cables connect, found %u", n_parts,
				  n + 1);
	if (!status) {
		for (uint32_t s = 0; s < in->n_switches; s++)
			size[part[s]]++;
		uint32_t wanted = find_part(size, (uint32_t)n_parts, n);
		for (uint32_t s = 0; s < in->n_switches; s++)
			gone[s] = part[s] != wanted;
		status = odo_fabric_without(in, gone, cut, out, origin, err);
	}
	odo_arena_free(&memory);
	return status;
}
