/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/faults.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/strategies.h"

odo_fault *odo_faults_add(odo_faults *list, odo_fault_type type)
{
	if (odo_grow(&list->fault, &list->room, (size_t)list->n + 1, sizeof *list->fault))
		return NULL;
	odo_fault *fault = &list->fault[list->n++];
	*fault = (odo_fault){.type = type,
			     .node = {ODO_NONE, ODO_NONE},
			     .slot = {ODO_NONE, ODO_NONE},
			     .belongs = {ODO_NONE, ODO_NONE},
			     .usual = ODO_NONE,
			     .count = 1};
	return fault;
}

int odo_faults_switches(const odo_finding *h, odo_faults *list)
{
	const odo_placement *placement = &h->placement;
	for (size_t i = 0; i < placement->n_positions; i++) {
		if (placement->occupant[i] != ODO_NONE)
			continue;
		odo_fault *fault = odo_faults_add(list, ODO_FAULT_MISSING_SWITCH);
		if (!fault)
			return ODO_ENOMEM;
		odo_placement_decode(placement, i, fault->at);
	}
	return 0;
}

/* Return the cables between v and the switch at `at`, or the width of the dimension if there is no
 * switch. */
static uint32_t cables_present(const odo_finding *h, uint32_t v, const uint32_t *at, unsigned dim,
			       uint32_t *far)
{
	*far = h->placement.occupant[odo_placement_position(&h->placement, at)];
	if (*far == ODO_NONE)
		return h->width[dim];
	uint32_t arc = odo_links_arc(h->g, v, *far);
	return arc == ODO_NONE ? 0 : h->g->n_cables[h->g->edge[arc]];
}

static int add_missing_links(const odo_finding *h, uint32_t v, odo_faults *list)
{
	const odo_placement *placement = &h->placement;
	uint32_t far;
	for (odo_neighbours to = odo_neighbours_of(placement, v); odo_neighbours_next(&to);) {
		uint32_t n = cables_present(h, v, to.at, to.dim, &far);
		if (n >= h->width[to.dim])
			continue;
		odo_fault *fault = odo_faults_add(list, ODO_FAULT_MISSING_LINK);
		if (!fault)
			return ODO_ENOMEM;
		fault->node[0] = h->g->vertex[v];
		fault->node[1] = h->g->vertex[far];
		fault->count = h->width[to.dim] - n;
	}
	return 0;
}

int odo_faults_links(const odo_finding *h, odo_faults *list)
{
	int status = 0;
	for (uint32_t v = 0; v < h->g->n && !status; v++)
		if (odo_placement_placed(&h->placement, v))
			status = add_missing_links(h, v, list);
	return status;
}

int odo_faults_cables(const odo_fabric *f, const odo_coordinates *c, const odo_links *g,
		      odo_faults *list)
{
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t s = g->vertex[v];
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++) {
			if (c->port_class[i] != ODO_PORT_WRONG || f->peer[i] < i)
				continue;
			odo_fault *fault = odo_faults_add(list, ODO_FAULT_WRONG_LINK);
			if (!fault)
				return ODO_ENOMEM;
			fault->slot[0] = i;
			fault->slot[1] = f->peer[i];
			fault->node[0] = s;
			fault->node[1] = f->owner[f->peer[i]];
		}
	}
	return 0;
}

/* The ends of wrong cables, listed by switch. */
typedef struct ends {
	uint32_t *first; /* [n_switches + 1] first end of each */
	uint32_t *fault; /* 2 * fault + side */
	uint8_t *taken;  /* [n_slots] this free port already belongs to a wrong end */
} ends;

static int list_wrong_ends(const odo_fabric *f, const odo_faults *list, odo_arena *memory, ends *e)
{
	e->first = odo_arena_new(memory, (size_t)f->n_switches + 2, sizeof *e->first);
	e->fault = odo_arena_new(memory, 2 * (size_t)list->n, sizeof *e->fault);
	e->taken = odo_arena_new(memory, f->n_slots, sizeof *e->taken);
	if (memory->failed)
		return ODO_ENOMEM;
	/* The array is shifted by two: counts become starts, and filling moves starts to their
	 * final place. */
	for (uint32_t i = 0; i < list->n; i++)
		for (int side = 0; side < 2; side++)
			if (list->fault[i].type == ODO_FAULT_WRONG_LINK)
				e->first[list->fault[i].node[side] + 2]++;
	for (uint32_t s = 0; s < f->n_switches; s++)
		e->first[s + 2] += e->first[s + 1];
	for (uint32_t i = 0; i < list->n; i++)
		for (int side = 0; side < 2; side++)
			if (list->fault[i].type == ODO_FAULT_WRONG_LINK)
				e->fault[e->first[list->fault[i].node[side] + 1]++] = 2 * i +
										      (uint32_t)
											      side;
	return 0;
}

/* Return an end of a wrong cable at switch `s` whose right place is unknown, or ODO_NONE. With
 * `alone`, the place of the cable's other end must be unknown too. */
static uint32_t open_end(const odo_faults *list, const ends *e, uint32_t s, bool alone)
{
	for (uint32_t i = e->first[s]; i < e->first[s + 1]; i++) {
		const odo_fault *fault = &list->fault[e->fault[i] / 2];
		uint32_t side = e->fault[i] % 2;
		if (fault->belongs[side] == ODO_NONE &&
		    (!alone || fault->belongs[!side] == ODO_NONE))
			return e->fault[i];
	}
	return ODO_NONE;
}

static uint32_t free_slot(const odo_fabric *f, const ends *e, uint32_t s)
{
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (f->peer[i] == ODO_NONE && !e->taken[i])
			return i;
	return ODO_NONE;
}

/* If both switches of a missing link have a wrong end, cables were swapped. */
static bool match_both(odo_faults *list, const ends *e, odo_fault *missing)
{
	uint32_t a = open_end(list, e, missing->node[0], false);
	uint32_t b = open_end(list, e, missing->node[1], false);
	if (a == ODO_NONE || b == ODO_NONE)
		return false;
	odo_fault *x = &list->fault[a / 2], *y = &list->fault[b / 2];
	x->belongs[a % 2] = y->slot[b % 2];
	y->belongs[b % 2] = x->slot[a % 2];
	return true;
}

/* If one of them has a wrong end and the other one a free port, an end was plugged into another
 * switch. */
static bool match_one(const odo_fabric *f, odo_faults *list, const ends *e, odo_fault *missing)
{
	for (int side = 0; side < 2; side++) {
		uint32_t a = open_end(list, e, missing->node[side], true);
		uint32_t slot = free_slot(f, e, missing->node[!side]);
		if (a == ODO_NONE || slot == ODO_NONE)
			continue;
		list->fault[a / 2].belongs[a % 2] = slot;
		e->taken[slot] = 1;
		return true;
	}
	return false;
}

int odo_faults_match(const odo_fabric *f, odo_faults *list)
{
	odo_arena memory = {0};
	ends e = {0};
	int status = list_wrong_ends(f, list, &memory, &e);
	for (int pass = 0; pass < 2 && !status; pass++) {
		for (uint32_t i = 0; i < list->n; i++) {
			odo_fault *missing = &list->fault[i];
			if (missing->type != ODO_FAULT_MISSING_LINK || missing->node[0] == ODO_NONE)
				continue;
			while (missing->count && odo_uses("where wrong ends belong") &&
			       (pass ? match_one(f, list, &e, missing)
				     : match_both(list, &e, missing)))
				missing->count--;
		}
	}
	uint32_t left = 0;
	for (uint32_t i = 0; i < list->n; i++)
		if (list->fault[i].count)
			list->fault[left++] = list->fault[i];
	list->n = left;
	odo_arena_free(&memory);
	return status;
}
