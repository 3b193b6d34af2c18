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

static int check_slot(const odo_fabric *f, uint32_t slot, odo_error *err)
{
	uint32_t node = f->owner[slot], peer = f->peer[slot];
	if (node >= f->n_nodes || slot < f->first_slot[node] || slot >= f->first_slot[node + 1])
		return odo_fail(err, ODO_EINPUT, "slot %u is not one of its owner's", slot);
	if (peer == ODO_NONE)
		return f->slot_host[slot] == ODO_NONE
			       ? 0
			       : odo_fail(err, ODO_EINPUT, "slot %u has a host and no cable", slot);
	if (peer >= f->n_slots || peer == slot || f->peer[peer] != slot)
		return odo_fail(err, ODO_EINPUT, "the cable at slot %u has one end", slot);
	bool host = odo_is_switch(f, node) != odo_is_switch(f, f->owner[peer]);
	if (host != (f->slot_host[slot] != ODO_NONE))
		return odo_fail(err, ODO_EINPUT, "slot %u: host and cable disagree", slot);
	return 0;
}

int odo_fabric_check(const odo_fabric *f, odo_error *err)
{
	int status = 0;
	uint32_t linked = 0;
	if (f->n_switches > f->n_nodes || f->first_slot[f->n_nodes] != f->n_slots)
		return odo_fail(err, ODO_EINPUT, "node and slot counts disagree");
	for (uint32_t v = 0; v < f->n_nodes; v++)
		if (odo_is_switch(f, v) != (f->node_type[v] == ODO_SWITCH))
			return odo_fail(err, ODO_EINPUT, "node %u: switches do not come first", v);
	for (uint32_t slot = 0; slot < f->n_slots && !status; slot++) {
		status = check_slot(f, slot, err);
		linked += f->peer[slot] != ODO_NONE;
	}
	if (!status && linked != 2 * f->n_links)
		status = odo_fail(err, ODO_EINPUT, "expected %u cables, found %u", f->n_links,
				  linked / 2);
	for (uint32_t h = 0; h < f->n_hosts && !status; h++)
		if (f->slot_host[f->host_slot[h]] != h)
			status = odo_fail(err, ODO_EINPUT, "host %u is not at its slot", h);
	for (uint32_t lid = 0; lid < f->lid_count && !status; lid++) {
		uint32_t h = f->lid_host[lid], s = f->lid_switch[lid];
		if (h != ODO_NONE && (h >= f->n_hosts || s != odo_host_switch(f, h)))
			status = odo_fail(err, ODO_EINPUT, "LID %u is not its host's", lid);
	}
	return status;
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
