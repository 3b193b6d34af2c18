/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/transform/flaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/search.h"
#include "fabric/transform/transform.h"

/* History of a cable: a ring with the times at which it last disappeared. */
typedef struct odo_flap_record {
	odo_cable_name name;
	time_t gone[ODO_MOST_FLAPS], changed;
	uint32_t n_gone;
	bool there, held;
} record;

void odo_flaps_clear(odo_flaps *flaps)
{
	free(flaps->record);
	*flaps = (odo_flaps){0};
}

static int compare_cable_names(const odo_cable_name *x, const odo_cable_name *y)
{
	for (int end = 0; end < 2; end++) {
		if (x->guid[end] != y->guid[end])
			return x->guid[end] < y->guid[end] ? -1 : 1;
		if (x->port[end] != y->port[end])
			return x->port[end] < y->port[end] ? -1 : 1;
	}
	return 0;
}

static int compare_records(const void *a, const void *b)
{
	return compare_cable_names(&((const record *)a)->name, &((const record *)b)->name);
}

static odo_cable_name cable_name(const odo_fabric *f, uint32_t slot)
{
	uint32_t end[2] = {slot, f->peer[slot]};
	if (f->node_guid[f->owner[end[0]]] > f->node_guid[f->owner[end[1]]])
		end[0] = f->peer[slot], end[1] = slot;
	return (odo_cable_name){{f->node_guid[f->owner[end[0]]], f->node_guid[f->owner[end[1]]]},
				{(uint8_t)odo_port(f, end[0]), (uint8_t)odo_port(f, end[1])}};
}

/* Return true for the lower slot of a cable between switches, so that each is counted once. */
static bool is_lower_slot(const odo_fabric *f, uint32_t slot)
{
	return odo_next_switch(f, slot) != ODO_NONE && slot < f->peer[slot];
}

/* Count how often a cable disappeared within the window. */
static uint32_t count_recent(const odo_flaps *flaps, const record *x, time_t now)
{
	uint32_t kept = x->n_gone < ODO_MOST_FLAPS ? x->n_gone : ODO_MOST_FLAPS, n = 0;
	for (uint32_t i = 0; i < kept; i++)
		n += now - x->gone[i] <= flaps->window;
	return n;
}

static void note_presence(const odo_flaps *flaps, record *x, bool there, time_t now)
{
	if (x->there && !there)
		x->gone[x->n_gone++ % ODO_MOST_FLAPS] = now;
	if (x->there != there)
		x->changed = now;
	x->there = there;
	if (x->held && now - x->changed >= flaps->hold) {
		x->held = false;
		x->n_gone = 0;
	}
	x->held |= count_recent(flaps, x, now) >= flaps->limit;
}

/* Return true if the record of a cable is no longer needed. */
static bool is_stale(const odo_flaps *flaps, const record *x, time_t now)
{
	return !x->there && !x->held && now - x->changed > flaps->window;
}

/* Merge records of present and earlier cables, by name. */
static int note_all_cables(odo_flaps *flaps, const odo_fabric *f, time_t now)
{
	record *all = odo_new((size_t)flaps->n + f->n_links, sizeof *all);
	record *fresh = odo_new(f->n_links, sizeof *fresh);
	uint32_t n = 0, n_fresh = 0, i = 0, j = 0;
	for (uint32_t s = 0; all && fresh && s < f->first_slot[f->n_switches]; s++)
		if (is_lower_slot(f, s))
			fresh[n_fresh++] = (record){
				.name = cable_name(f, s), .changed = now, .there = true};
	if (fresh)
		qsort(fresh, n_fresh, sizeof *fresh, compare_records);
	while (all && fresh && (i < flaps->n || j < n_fresh)) {
		int order = i == flaps->n  ? 1
			    : j == n_fresh ? -1
					   : compare_records(&flaps->record[i], &fresh[j]);
		record *x = &all[n++];
		*x = order <= 0 ? flaps->record[i] : fresh[j];
		note_presence(flaps, x, order >= 0, now);
		n -= is_stale(flaps, x, now);
		i += order <= 0;
		j += order >= 0;
	}
	free(fresh);
	if (all && fresh) {
		free(flaps->record);
		flaps->record = all;
		flaps->n = n;
		return 0;
	}
	free(all);
	return ODO_ENOMEM;
}

typedef struct walk {
	const odo_fabric *f;
	const uint8_t *cut; /* [slots] */
	uint8_t *seen;      /* [switches] */
} walk;

static uint32_t follow_uncut(void *of, uint32_t s, uint32_t slot)
{
	walk *x = of;
	uint32_t t = odo_next_switch(x->f, slot);
	(void)s;
	if (t == ODO_NONE || x->cut[slot] || x->seen[t])
		return ODO_NONE;
	x->seen[t] = 1;
	return t;
}

/* Return true if cables that are not cut connect the ends of a cable. */
static bool has_detour(walk *x, uint32_t slot, uint32_t *queue)
{
	const odo_fabric *f = x->f;
	memset(x->seen, 0, f->n_switches);
	queue[0] = f->owner[slot];
	x->seen[queue[0]] = 1;
	odo_breadth_first(f->first_slot, f->first_slot + 1, follow_uncut, x, queue, 1);
	return x->seen[f->owner[f->peer[slot]]];
}

/* Cut flapping cables, one after another. */
static void choose_flapping(odo_flaps *flaps, walk *x, uint8_t *cut, uint32_t *queue)
{
	const odo_fabric *f = x->f;
	flaps->n_left_out = 0;
	for (uint32_t s = 0; s < f->first_slot[f->n_switches]; s++) {
		record wanted = {.name = {{0}, {0}}}, *found = NULL;
		if (is_lower_slot(f, s)) {
			wanted.name = cable_name(f, s);
			found = bsearch(&wanted, flaps->record, flaps->n, sizeof wanted,
					compare_records);
		}
		if (!found || !found->held || flaps->n_left_out == ODO_MOST_LEFT_OUT)
			continue;
		cut[s] = cut[f->peer[s]] = 1;
		if (has_detour(x, s, queue))
			flaps->left_out[flaps->n_left_out++] = wanted.name;
		else
			cut[s] = cut[f->peer[s]] = 0;
	}
}

static bool any_held(const odo_flaps *flaps)
{
	uint32_t i = 0;
	while (i < flaps->n && !(flaps->record[i].held && flaps->record[i].there))
		i++;
	return i < flaps->n;
}

/* @param out NULL if no cable is removed */
static int remove_flapping(odo_flaps *flaps, const odo_fabric *f, odo_fabric **out, odo_error *err)
{
	odo_arena memory = {0};
	uint8_t *cut = odo_arena_new(&memory, f->n_slots, 1);
	uint8_t *seen = odo_arena_new(&memory, f->n_switches, 1);
	uint8_t *gone = odo_arena_new(&memory, f->n_nodes, 1);
	uint32_t *queue = odo_arena_new(&memory, f->n_switches, sizeof *queue);
	walk x = {f, cut, seen};
	int status = memory.failed ? ODO_ENOMEM : 0;
	if (!status)
		choose_flapping(flaps, &x, cut, queue);
	if (!status && flaps->n_left_out)
		status = odo_fabric_without(f, gone, cut, out, NULL, err);
	odo_arena_free(&memory);
	return status;
}

int odo_flaps_leave_out(odo_flaps *flaps, time_t now, odo_fabric **f, odo_error *err)
{
	odo_fabric *without = NULL;
	flaps->n_left_out = 0;
	if (!flaps->limit)
		return 0;
	int status = note_all_cables(flaps, *f, now);
	if (!status && any_held(flaps))
		status = remove_flapping(flaps, *f, &without, err);
	if (status) {
		flaps->n_left_out = 0;
		return odo_fail(err, ODO_ENOMEM, "no memory to tell which cables flap");
	}
	if (without) {
		odo_fabric_free(*f);
		*f = without;
	}
	return 0;
}
