/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/search.h"

bool odo_is_aggregation(const char *name)
{
	return strstr(name, "Aggregation Node") != NULL;
}

uint32_t odo_lane_rate(uint8_t speed)
{
	static const uint32_t rate[] = {
		[ODO_SDR] = 2000,    [ODO_DDR] = 4000,   [ODO_QDR] = 8000,
		[ODO_FDR10] = 10000, [ODO_FDR] = 13640,  [ODO_EDR] = 25000,
		[ODO_HDR] = 50000,   [ODO_NDR] = 100000, [ODO_XDR] = 200000};
	return speed < sizeof rate / sizeof *rate ? rate[speed] : 0;
}

void odo_fabric_free(odo_fabric *f)
{
	if (!f)
		return;
	free(f->notes);
	odo_arena_free(&f->memory);
	free(f);
}

/* State of a search for connected parts. */
typedef struct parting {
	const odo_fabric *f;
	uint32_t *part; /* [n_switches] */
	uint32_t number;
} parting;

static uint32_t join_part(void *x, uint32_t s, uint32_t slot)
{
	parting *p = x;
	uint32_t t = odo_next_switch(p->f, slot);
	(void)s;
	if (t == ODO_NONE || p->part[t] != ODO_NONE)
		return ODO_NONE;
	p->part[t] = p->number;
	return t;
}

int odo_fabric_parts(const odo_fabric *f, uint32_t *numbers, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *own = odo_arena_new(&memory, numbers ? 0 : f->n_switches, sizeof *own);
	uint32_t *queue = odo_arena_new(&memory, f->n_switches, sizeof *queue);
	parting p = {.f = f, .part = numbers ? numbers : own};
	int n_parts = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory to find parts") : 0;
	for (uint32_t s = 0; s < f->n_switches && !memory.failed; s++)
		p.part[s] = ODO_NONE;
	for (uint32_t root = 0; root < f->n_switches && !memory.failed; root++) {
		if (p.part[root] != ODO_NONE)
			continue;
		p.number = (uint32_t)n_parts++;
		p.part[root] = p.number;
		queue[0] = root;
		odo_breadth_first(f->first_slot, f->first_slot + 1, join_part, &p, queue, 1);
	}
	odo_arena_free(&memory);
	return n_parts;
}
