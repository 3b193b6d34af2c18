/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/search.h"

typedef struct hop_count {
	const uint32_t *to;
	uint32_t *hops;
} hop_count;

static uint32_t count_hop(void *x, uint32_t vertex, uint32_t arc)
{
	hop_count *c = x;
	uint32_t far = c->to[arc];
	if (far == ODO_NONE || c->hops[far] != ODO_NONE)
		return ODO_NONE;
	c->hops[far] = c->hops[vertex] + 1;
	return far;
}

uint32_t odo_count_hops(const uint32_t *first, const uint32_t *to, uint32_t *hops, uint32_t *queue,
			uint32_t n)
{
	hop_count c = {to, hops};
	return odo_breadth_first(first, first + 1, count_hop, &c, queue, n);
}
