/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The undamaged form of a damaged tree: cables that mapping reports as missing are added at free
 * ports. */
#include "routing/tree/whole.h"

#include <string.h>

static uint32_t find_free_slot(const odo_fabric *f, uint32_t s)
{
	uint32_t slot = f->first_slot[s];
	while (slot < f->first_slot[s + 1] && f->peer[slot] != ODO_NONE)
		slot++;
	return slot < f->first_slot[s + 1] ? slot : ODO_NONE;
}

/* Add a missing cable. @return false if a switch has no free port: a wrong cable occupies it */
static bool put_cable_back(odo_whole *whole, uint32_t s, uint32_t t)
{
	const odo_coordinates *c = &whole->c;
	uint32_t a = find_free_slot(&whole->f, s), b = find_free_slot(&whole->f, t);
	if (a == ODO_NONE || b == ODO_NONE)
		return false;
	uint32_t level = odo_at(c, s)[ODO_TREE_LEVEL], other = odo_at(c, t)[ODO_TREE_LEVEL];
	whole->f.peer[a] = b;
	whole->f.peer[b] = a;
	whole->f.n_links++;
	c->port_class[a] = c->port_class[b] = (uint8_t)(level < other ? level : other);
	return true;
}

static uint32_t put_all_cables_back(odo_whole *whole)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < odo_contradictions(&whole->c); i++) {
		const odo_fault *x = &whole->c.faults[i];
		bool known = x->type == ODO_FAULT_MISSING_LINK &&
			     x->node[0] < whole->f.n_switches && x->node[1] < whole->f.n_switches;
		for (uint32_t j = 0; known && j < x->count; j++)
			n += put_cable_back(whole, x->node[0], x->node[1]);
	}
	return n;
}

int odo_whole_init(odo_whole *whole, const odo_fabric *f, const odo_coordinates *c, odo_error *err)
{
	*whole = (odo_whole){.f = *f, .c = *c};
	whole->f.peer = odo_arena_new(&whole->memory, f->n_slots, sizeof *f->peer);
	whole->c.port_class = odo_arena_new(&whole->memory, f->n_slots, 1);
	if (whole->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for a tree as it was planned");
	memcpy(whole->f.peer, f->peer, f->n_slots * sizeof *f->peer);
	memcpy(whole->c.port_class, c->port_class, f->n_slots);
	whole->n_added = put_all_cables_back(whole);
	return 0;
}

void odo_whole_clear(odo_whole *whole)
{
	odo_arena_free(&whole->memory);
}
