/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged small groups give no clear clusters. A wrong start leaves splinters from which moving a
 * single switch gains nothing. So two or three groups at a time are dissolved and grown again,
 * switch by switch. Each switch takes the place with the highest gain; if no place gains anything,
 * it begins a new group. The result is kept if it is no worse. A fitting link counts 1, a missing
 * link -1, a link between switches of a group that are no neighbours -2, and a group -4.
 */
#include "mapping/dragonfly/regroup.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"

enum {
	ROOM = ODO_REGROUP_ROOM,
	ROUNDS = 30,         /* in a round each group is dissolved about once */
	MOST_STEPS = 150000, /* places of a switch that are weighed together, about 0.7 us each */
	WORK_OF_STEP = 400,  /* links visited in the same time */
	PRICE = 4,           /* of a group, so that no group remains for a switch or two */
	FEWEST = 3,          /* switches needed to begin a group */
};

typedef struct regrowth {
	const odo_links *g;
	uint32_t room, groups;
	int8_t worth[ROOM][ROOM]; /* of a link between two positions */
	uint32_t *place;          /* [n] group * ROOM + position, or ODO_NONE */
	uint32_t *held;           /* [n] places before the groups were dissolved */
	uint32_t *occupant;       /* [groups * ROOM] */
	int8_t *crowd;            /* [groups * ROOM] neighbouring positions with a switch */
	uint32_t *size;           /* [groups] switches */
	int16_t *gain;            /* [groups * ROOM] scratch, zero */
	uint32_t *loose;          /* [n] switches without a place */
	uint32_t *best;           /* [n] place with the highest gain of each, or ODO_NONE */
	int32_t *most;            /* [n] gain at that place */
	uint32_t n_loose;
	int64_t score;
	uint32_t steps;
	odo_rng rng;
} regrowth;

/* Return the gain of v at a place: twice the fitting links, less the neighbours that exist, less
 * twice the links that do not fit. */
static int32_t gain_at(const regrowth *r, uint32_t v, uint32_t place)
{
	const odo_links *g = r->g;
	int32_t gain = -r->crowd[place];
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t at = r->place[g->to[a]];
		if (at != ODO_NONE && at / ROOM == place / ROOM)
			gain += r->worth[at % ROOM][place % ROOM];
	}
	return gain;
}

static void change_crowd(regrowth *r, uint32_t place, int8_t by)
{
	int8_t *crowd = r->crowd + place / ROOM * ROOM;
	for (uint32_t i = 0; i < r->room; i++)
		if (r->worth[place % ROOM][i] > 0)
			crowd[i] = (int8_t)(crowd[i] + by);
}

static void put_switch(regrowth *r, uint32_t v, uint32_t place)
{
	r->score += gain_at(r, v, place) - (r->size[place / ROOM] ? 0 : PRICE);
	r->place[v] = place;
	r->occupant[place] = v;
	r->size[place / ROOM]++;
	change_crowd(r, place, 1);
}

static void take_switch_out(regrowth *r, uint32_t v)
{
	uint32_t place = r->place[v];
	r->place[v] = ODO_NONE;
	r->occupant[place] = ODO_NONE;
	r->size[place / ROOM]--;
	change_crowd(r, place, -1);
	r->score -= gain_at(r, v, place) - (r->size[place / ROOM] ? 0 : PRICE);
}

/* Find the free place with the highest gain of v; equal ones are chosen at random. */
static void find_best_place(regrowth *r, uint32_t v)
{
	const odo_links *g = r->g;
	uint32_t group[ODO_MAX_PORTS], n = 0, equal = 0;
	r->best[v] = ODO_NONE;
	r->most[v] = INT32_MIN;
	r->steps++;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t at = r->place[g->to[a]], i = 0;
		if (at == ODO_NONE)
			continue;
		int16_t *gain = r->gain + at / ROOM * ROOM;
		const int8_t *worth = r->worth[at % ROOM];
		for (uint32_t x = 0; x < r->room; x++)
			gain[x] = (int16_t)(gain[x] + worth[x]);
		while (i < n && group[i] != at / ROOM)
			i++;
		if (i == n)
			group[n++] = at / ROOM;
	}
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t place = group[i] * ROOM; place < group[i] * ROOM + r->room; place++) {
			int32_t gain = r->gain[place] - r->crowd[place];
			r->gain[place] = 0;
			if (r->occupant[place] != ODO_NONE || gain < r->most[v])
				continue;
			equal = gain > r->most[v] ? 1 : equal + 1;
			if (equal > 1 && odo_rng_below(&r->rng, equal))
				continue;
			r->most[v] = gain;
			r->best[v] = place;
		}
	}
}

/* Return true if some link of v leads into the group. */
static bool touches_group(const regrowth *r, uint32_t v, uint32_t group)
{
	const odo_links *g = r->g;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		uint32_t at = r->place[g->to[a]];
		if (at != ODO_NONE && at / ROOM == group)
			return true;
	}
	return false;
}

/* Choose the loose switch with the highest gain. If none gains anything, choose any to begin a
 * group. */
static uint32_t choose_loose_switch(regrowth *r, bool *begin)
{
	uint32_t best = 0, equal = 0;
	for (uint32_t i = 0; i < r->n_loose; i++) {
		int32_t gain = r->most[r->loose[i]], least = r->most[r->loose[best]];
		if (i && gain < least)
			continue;
		equal = i && gain == least ? equal + 1 : 1;
		if (equal == 1 || !odo_rng_below(&r->rng, equal))
			best = i;
	}
	*begin = r->most[r->loose[best]] <= 0 && r->n_loose >= FEWEST;
	return best;
}

static uint32_t empty_group(const regrowth *r)
{
	uint32_t c = 0;
	while (c < r->groups && r->size[c])
		c++;
	return c;
}

/* Place all loose switches. If no group is left to begin, place a switch where it loses least, or
 * nowhere. */
static void grow_groups(regrowth *r)
{
	for (uint32_t i = 0; i < r->n_loose; i++)
		find_best_place(r, r->loose[i]);
	while (r->n_loose) {
		bool begin;
		uint32_t i = choose_loose_switch(r, &begin), v = r->loose[i], c = empty_group(r);
		uint32_t place = begin && c < r->groups ? c * ROOM : r->best[v];
		r->loose[i] = r->loose[--r->n_loose];
		if (place == ODO_NONE)
			continue;
		put_switch(r, v, place);
		for (uint32_t j = 0; j < r->n_loose; j++)
			if (touches_group(r, r->loose[j], place / ROOM))
				find_best_place(r, r->loose[j]);
	}
}

static void take_apart(regrowth *r, uint32_t group)
{
	for (uint32_t place = group * ROOM; place < group * ROOM + r->room; place++) {
		uint32_t v = r->occupant[place];
		if (v == ODO_NONE)
			continue;
		take_switch_out(r, v);
		r->loose[r->n_loose++] = v;
	}
}

/* Return a group that has links to the given one, or the same group if there is none. */
static uint32_t linked_group(regrowth *r, uint32_t group)
{
	uint32_t place = group * ROOM + odo_rng_below(&r->rng, r->room), v = r->occupant[place];
	if (v == ODO_NONE || !odo_degree(r->g, v))
		return group;
	uint32_t u = r->g->to[r->g->first[v] + odo_rng_below(&r->rng, odo_degree(r->g, v))];
	return r->place[u] == ODO_NONE ? group : r->place[u] / ROOM;
}

/* Undo: return all switches to their previous places. */
static void restore_places(regrowth *r)
{
	for (uint32_t v = 0; v < r->g->n; v++)
		if (r->place[v] != r->held[v] && r->place[v] != ODO_NONE)
			take_switch_out(r, v);
	for (uint32_t v = 0; v < r->g->n; v++)
		if (r->place[v] != r->held[v])
			put_switch(r, v, r->held[v]);
}

static void regrow_groups(regrowth *r)
{
	for (uint32_t i = 0; i < ROUNDS * r->groups && r->steps < MOST_STEPS; i++) {
		uint32_t c = odo_rng_below(&r->rng, r->groups), more = 1 + i % 3;
		int64_t score = r->score;
		if (!r->size[c])
			continue;
		memcpy(r->held, r->place, r->g->n * sizeof *r->held);
		r->n_loose = 0;
		for (uint32_t v = 0; v < r->g->n; v++)
			if (r->place[v] == ODO_NONE)
				r->loose[r->n_loose++] = v;
		uint32_t other[3];
		for (uint32_t k = 0; k < more; k++)
			other[k] = linked_group(r, c);
		take_apart(r, c);
		for (uint32_t k = 0; k < more; k++)
			take_apart(r, other[k]);
		grow_groups(r);
		if (r->score < score)
			restore_places(r);
	}
}

static void regrowth_make(const odo_links *g, const odo_placement *placement, odo_arena *memory,
			  regrowth *r)
{
	*r = (regrowth){.g = g, .groups = placement->size[0] + 2, .rng = odo_rng_make(1, g->n)};
	r->room = (uint32_t)(placement->n_positions / placement->size[0]);
	size_t places = (size_t)r->groups * ROOM;
	r->place = odo_arena_new(memory, g->n, sizeof *r->place);
	r->held = odo_arena_new(memory, g->n, sizeof *r->held);
	r->occupant = odo_arena_new(memory, places, sizeof *r->occupant);
	r->crowd = odo_arena_new(memory, places, sizeof *r->crowd);
	r->size = odo_arena_new(memory, r->groups, sizeof *r->size);
	r->gain = odo_arena_new(memory, places, sizeof *r->gain);
	r->loose = odo_arena_new(memory, g->n, sizeof *r->loose);
	r->best = odo_arena_new(memory, g->n, sizeof *r->best);
	r->most = odo_arena_new(memory, g->n, sizeof *r->most);
	if (memory->failed)
		return;
	memset(r->place, 0xFF, g->n * sizeof *r->place);
	memset(r->occupant, 0xFF, places * sizeof *r->occupant);
}

static void start_regrowth(regrowth *r, const odo_placement *placement)
{
	for (uint32_t i = 0; i < r->room; i++)
		for (uint32_t j = 0; j < r->room; j++) {
			uint32_t a[ODO_MAX_DIMS], b[ODO_MAX_DIMS];
			unsigned differ = 0;
			odo_placement_decode(placement, i, a);
			odo_placement_decode(placement, j, b);
			for (unsigned d = 1; d < placement->n_dims; d++)
				differ += a[d] != b[d];
			r->worth[i][j] = differ == 1 ? 2 : -2;
		}
	for (size_t i = 0; i < placement->n_positions; i++)
		if (placement->occupant[i] != ODO_NONE)
			put_switch(r, placement->occupant[i],
				   (uint32_t)(i / r->room * ROOM + i % r->room));
}

static void place_regrown(const regrowth *r, odo_placement *placement)
{
	uint32_t groups = 0;
	free(placement->occupant);
	placement->occupant = NULL;
	for (uint32_t c = 0; c < r->groups; c++) {
		for (uint32_t i = 0; i < r->room; i++) {
			uint32_t v = r->occupant[c * ROOM + i];
			if (v == ODO_NONE)
				continue;
			odo_placement_decode(
				placement, i,
				odo_placement_at(placement, v)); /* in the first group */
			odo_placement_at(placement, v)[0] = groups;
		}
		groups += r->size[c] > 0;
	}
	for (uint32_t v = 0; v < placement->n; v++)
		if (r->place[v] == ODO_NONE)
			memset(odo_placement_at(placement, v), 0xFF,
			       placement->n_dims * sizeof *placement->at);
	placement->size[0] = groups;
}

int odo_regroup(const odo_links *g, odo_placement *placement, odo_error *err)
{
	odo_arena memory = {0};
	regrowth r;
	regrowth_make(g, placement, &memory, &r);
	if (!memory.failed) {
		start_regrowth(&r, placement);
		regrow_groups(&r);
		odo_charge(g->budget, r.steps * (uint64_t)WORK_OF_STEP);
		place_regrown(&r, placement);
	}
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory to grow groups") : 0;
	odo_arena_free(&memory);
	return status;
}
