/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/ahead.h"

#include <stdlib.h>

/* Without memory for it, nothing comes ahead. */
static void add(odo_ahead *a, const void *at, size_t bytes)
{
	if (!bytes || odo_grow(&a->spans, &a->room, a->n + 1ul, sizeof *a->spans))
		return;
	uint32_t lines = (uint32_t)((bytes + ODO_LINE - 1) / ODO_LINE);
	a->spans[a->n++] = (odo_span){at, lines};
	a->lines += lines;
}

void odo_ahead_plan(odo_ahead *a, const odo_part *c, uint32_t cycles)
{
	const odo_world *w = c->world;
	a->n = a->next = a->lines = 0;
	add(a, c->arena, c->busy_bytes);
	for (uint32_t s = 0; c->hop && s < c->n_switches; s++)
		add(a, c->hop[s], w->e->fabric->n_switches);
	for (uint32_t x = 0; x < c->wheel; x++) {
		add(a, c->arrivals[x].at, c->arrivals[x].room * sizeof(odo_event));
		add(a, c->returns[x].at, c->returns[x].room * sizeof(odo_event));
	}
	add(a, c->hosts, c->n_hosts * sizeof *c->hosts);
	add(a, c->next, c->pool_room * sizeof *c->next);
	add(a, c->due, ODO_DUE_CYCLES * sizeof *c->due);
	add(a, c->rest, (size_t)c->n_words * 64 * sizeof *c->rest << w->lane_bits);
	add(a, c->pool, c->pool_room * sizeof *c->pool);
	a->share = a->lines / cycles + 1;
}

void odo_ahead_free(odo_ahead *a)
{
	free(a->spans);
}
