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

bool odo_same_cable(const odo_fabric *a, uint32_t slot, const odo_fabric *b, const uint32_t *twin)
{
	uint32_t s = twin[a->owner[slot]], far = odo_next_switch(a, slot);
	uint32_t t = far == ODO_NONE ? ODO_NONE : twin[far];
	return s != ODO_NONE && t != ODO_NONE &&
	       b->peer[odo_slot(b, s, odo_port(a, slot))] ==
		       odo_slot(b, t, odo_port(a, a->peer[slot]));
}

int odo_has_grown(const odo_fabric *now, const odo_fabric *then)
{
	uint32_t *old = odo_twins(now, now->n_switches, then, then->n_switches);
	bool grown = false;
	if (!old)
		return -1;
	for (uint32_t s = 0; s < now->n_switches; s++)
		grown |= old[s] == ODO_NONE || odo_n_ports(then, old[s]) != odo_n_ports(now, s);
	for (uint32_t i = 0; !grown && i < now->first_slot[now->n_switches]; i++)
		grown = odo_next_switch(now, i) != ODO_NONE && !odo_same_cable(now, i, then, old);
	free(old);
	return grown;
}
