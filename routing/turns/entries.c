/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries of trees, with the dependencies of the packets that use them. */
#include <string.h>

#include "base/memory.h"
#include "fabric/search.h"
#include "routing/turns/pathfinder.h"

void odo_pathfinder_select(odo_pathfinder *x, uint32_t tree)
{
	x->tree = tree;
	x->d = tree % x->n;
	x->port = x->ports + (size_t)tree * x->n;
	memset(x->hops, 0xFF, x->n * sizeof *x->hops);
	x->hops[x->d] = 0;
	x->near[0] = x->d;
	x->n_near = odo_count_hops(x->f->first_slot, x->forest->next, x->hops, x->near, 1);
}

static bool note_step(odo_pathfinder *x, odo_edge edge, unsigned vl, bool added)
{
	if (odo_grow(&x->journal, &x->journal_room, x->n_journal + 1ul, sizeof *x->journal)) {
		x->channels.no_memory = true;
		return false;
	}
	x->journal[x->n_journal++] = (odo_pathfinder_step){edge, (uint8_t)vl, added};
	return true;
}

bool odo_pathfinder_add_edge(odo_pathfinder *x, odo_edge edge)
{
	if (!odo_channels_add(&x->channels, edge))
		return false;
	if (note_step(x, edge, 0, true))
		return true;
	odo_channels_remove(&x->channels, edge);
	return false;
}

void odo_pathfinder_remove_edge(odo_pathfinder *x, odo_edge edge)
{
	if (note_step(x, edge, 0, false))
		odo_channels_remove(&x->channels, edge);
}

void odo_pathfinder_use(odo_pathfinder *x, uint32_t turn, unsigned vl, bool more)
{
	if (!note_step(x, (odo_edge){ODO_NONE, turn}, x->vl[turn], more))
		return;
	x->uses[turn] += more ? 1 : UINT32_MAX;
	x->vl[turn] = (uint8_t)vl;
}

static void undo_step(odo_pathfinder *x, const odo_pathfinder_step *step)
{
	if (step->edge.from == ODO_NONE) {
		x->uses[step->edge.to] += step->added ? UINT32_MAX : 1;
		x->vl[step->edge.to] = step->vl;
	} else if (step->added) {
		odo_channels_remove(&x->channels, step->edge);
	} else {
		odo_channels_add(&x->channels, step->edge); /* closed no cycle before */
	}
}

void odo_pathfinder_undo(odo_pathfinder *x, uint32_t n)
{
	while (x->n_journal > n)
		undo_step(x, &x->journal[--x->n_journal]);
}

/* A way of a switch to d, up to its third link, and the turns on it. A packet of the switch or its
 * hosts that holds the first link waits for the second. A packet that came from there on to the
 * second link waits for the third. */
typedef struct way {
	uint32_t slot, second, third; /* slots that send; ODO_NONE beyond d */
	uint32_t start;               /* turn from the hosts to the first link */
	uint32_t turn, next_turn;     /* turns to the second and to the third link */
} way;

static uint32_t turn_between(const odo_pathfinder *x, uint32_t slot, uint32_t next)
{
	return odo_pathfinder_turn(x, odo_port(x->f, x->f->peer[slot]), next);
}

static way way_by(const odo_pathfinder *x, uint32_t slot)
{
	way by = {.slot = slot, .third = ODO_NONE};
	by.start = odo_pathfinder_turn(x, 0, slot);
	by.second = odo_pathfinder_slot(x, x->forest->next[slot]);
	if (by.second == ODO_NONE)
		return by;
	by.turn = turn_between(x, slot, by.second);
	by.third = odo_pathfinder_slot(x, x->forest->next[by.second]);
	if (by.third != ODO_NONE)
		by.next_turn = turn_between(x, by.second, by.third);
	return by;
}

static odo_edge first_edge(const odo_pathfinder *x, const way *by, unsigned start_vl, unsigned vl)
{
	return (odo_edge){odo_channel_at(&x->channels, by->slot, start_vl),
			  odo_channel_at(&x->channels, by->second, vl)};
}

static odo_edge second_edge(const odo_pathfinder *x, const way *by, unsigned vl)
{
	return (odo_edge){odo_channel_at(&x->channels, by->second, vl),
			  odo_channel_at(&x->channels, by->third, x->vl[by->next_turn])};
}

static bool is_in_order(const odo_pathfinder *x, odo_edge edge)
{
	return x->channels.graph.place[edge.from] < x->channels.graph.place[edge.to];
}

static bool add_way_on(odo_pathfinder *x, const way *by, unsigned start_vl, unsigned vl)
{
	uint32_t n = x->n_journal;
	if (!odo_pathfinder_add_edge(x, first_edge(x, by, start_vl, vl)))
		return false;
	if (by->third != ODO_NONE && !odo_pathfinder_add_edge(x, second_edge(x, by, vl))) {
		odo_pathfinder_undo(x, n);
		return false;
	}
	odo_pathfinder_use(x, by->start, start_vl, true);
	odo_pathfinder_use(x, by->turn, vl, true);
	return true;
}

/* VLs that a turn may get: those from `first` to `last`. */
typedef struct choice {
	unsigned first, last;
} choice;

static choice choice_of(const odo_pathfinder *x, uint32_t turn)
{
	if (x->uses[turn])
		return (choice){x->vl[turn], x->vl[turn]};
	return (choice){0, x->n_vls - 1};
}

static bool add_by_choice(odo_pathfinder *x, const way *by, bool ordered)
{
	choice start = choice_of(x, by->start), turn = choice_of(x, by->turn);
	for (unsigned vl = turn.first; vl <= turn.last; vl++) {
		if (ordered && by->third != ODO_NONE && !is_in_order(x, second_edge(x, by, vl)))
			continue;
		for (unsigned from = start.first; from <= start.last; from++)
			if ((!ordered || is_in_order(x, first_edge(x, by, from, vl))) &&
			    add_way_on(x, by, from, vl))
				return true;
	}
	return false;
}

bool odo_pathfinder_add(odo_pathfinder *x, uint32_t slot, bool search)
{
	way by = way_by(x, slot);
	if (by.second == ODO_NONE) {
		odo_pathfinder_use(x, by.start, x->vl[by.start], true);
		return true;
	}
	return add_by_choice(x, &by, true) || (search && add_by_choice(x, &by, false));
}

void odo_pathfinder_remove(odo_pathfinder *x, uint32_t s)
{
	way by = way_by(x, odo_pathfinder_slot(x, s));
	odo_pathfinder_use(x, by.start, x->vl[by.start], false);
	if (by.second == ODO_NONE)
		return;
	odo_pathfinder_use(x, by.turn, x->vl[by.turn], false);
	odo_pathfinder_remove_edge(x, first_edge(x, &by, x->vl[by.start], x->vl[by.turn]));
	if (by.third != ODO_NONE)
		odo_pathfinder_remove_edge(x, second_edge(x, &by, x->vl[by.turn]));
}
