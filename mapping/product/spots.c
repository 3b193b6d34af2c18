/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/spots.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool same_spot(odo_spot a, odo_spot b)
{
	return !memcmp(a.at, b.at, sizeof a.at);
}

/* Times that a link of a rectangle is counted in `corners`: once for each diagonal. */
enum { CORNERS = 2 };

bool odo_spots_uses(const odo_spots *s, uint32_t e)
{
	return s->support->corners[e] >= CORNERS * s->least || s->added[e];
}

odo_spot odo_spots_step(const odo_spots *s, odo_spot from, unsigned i)
{
	int32_t size = s->wrap[i / 2], x = from.at[i / 2] + (i % 2 ? -1 : 1);
	from.at[i / 2] = (int16_t)(!size ? x : (x + size) % size);
	return from;
}

bool odo_spots_adjacent(const odo_spots *s, odo_spot a, odo_spot b)
{
	int differ = 0, dim = 0;
	for (int k = 0; k < s->dims; k++)
		if (a.at[k] != b.at[k]) {
			dim = k;
			differ++;
		}
	int32_t apart = abs(a.at[dim] - b.at[dim]);
	return differ == 1 && (apart == 1 || apart == s->wrap[dim] - 1);
}

/* Slot of a position in `occupied`. */
static uint32_t slot_of_spot(const odo_spots *s, odo_spot p)
{
	static const uint32_t by[ODO_GRID_DIMS] = {2654435761u, 2246822519u, 3266489917u,
						   668265263u};
	uint32_t i = 0;
	for (int k = 0; k < s->dims; k++)
		i ^= (uint32_t)p.at[k] * by[k];
	for (i = (i ^ i >> 15) & s->mask; s->occupied[i] != ODO_NONE; i = (i + 1) & s->mask)
		if (same_spot(s->choice[s->occupied[i]].spot[0], p))
			break;
	return i;
}

uint32_t odo_spots_occupant(const odo_spots *s, odo_spot p)
{
	return s->occupied[slot_of_spot(s, p)];
}

static int16_t least_of(int16_t a, int16_t b)
{
	return a < b ? a : b;
}

static int16_t most_of(int16_t a, int16_t b)
{
	return a > b ? a : b;
}

/* Positions are 16-bit numbers and may be negative. */
enum { LONGEST = INT16_MAX - 1 };

/* Return true if no switch has this position and it makes no path longer than allowed. */
static bool is_open(const odo_spots *s, odo_spot p)
{
	for (int k = 0; k < s->dims; k++) {
		int32_t from = least_of(s->low.at[k], p.at[k]);
		int32_t length = most_of(s->high.at[k], p.at[k]) - from + 1;
		if (length > LONGEST || (s->most[k] && !s->wrap[k] && length > s->most[k]))
			return false;
	}
	return odo_spots_occupant(s, p) == ODO_NONE;
}

void odo_spots_look(odo_spots *s, uint32_t v)
{
	if (s->waits[v])
		return;
	s->waits[v] = true;
	s->queue[(s->head + s->queued++) % s->g->n] = v;
}

/* Queue every switch with a neighbour that could have had this position. */
static void look_again_around(odo_spots *s, odo_spot p)
{
	for (unsigned i = 0; i < odo_spots_links(s); i++) {
		odo_spot near = odo_spots_step(s, p, i);
		for (unsigned j = 0; j <= odo_spots_links(s); j++) {
			odo_spot at = j < odo_spots_links(s) ? odo_spots_step(s, near, j) : near;
			uint32_t v = odo_spots_occupant(s, at);
			if (v != ODO_NONE)
				odo_spots_look(s, v);
		}
	}
}

bool odo_spots_put(odo_spots *s, uint32_t v, odo_spot p)
{
	uint32_t slot = slot_of_spot(s, p);
	if (s->occupied[slot] != ODO_NONE)
		return s->occupied[slot] == v;
	if (!is_open(s, p))
		return false;
	for (int k = 0; k < s->dims; k++) {
		s->low.at[k] = least_of(s->low.at[k], p.at[k]);
		s->high.at[k] = most_of(s->high.at[k], p.at[k]);
	}
	s->choice[v] = (odo_choice){1, true, {p}};
	s->occupied[slot] = v;
	odo_spots_look(s, v);
	look_again_around(s, p);
	return true;
}

static void add_spot(odo_choice *c, odo_spot p)
{
	for (unsigned i = 0; i < c->n; i++)
		if (same_spot(c->spot[i], p))
			return;
	c->spot[c->n++] = p;
}

/* Maximum number of possible positions of a switch that is used. In two and three dimensions this
 * covers every position two steps away, and a few more in two. In four dimensions rectangles give
 * so much information that fewer suffice. */
static const uint8_t most_spots[ODO_GRID_DIMS + 1] = {0, 12, 12, ODO_MOST_SPOTS, 12};

/* List the positions next to those of v. Return an empty list if they are too many. */
static odo_choice spots_around(const odo_spots *s, const odo_choice *of)
{
	odo_choice c = {0};
	for (unsigned i = 0; i < of->n; i++)
		for (unsigned k = 0; k < odo_spots_links(s); k++) {
			odo_spot p = odo_spots_step(s, of->spot[i], k);
			if (!is_open(s, p))
				continue;
			if (c.n == most_spots[s->dims])
				return (odo_choice){0};
			add_spot(&c, p);
		}
	return c;
}

static bool is_next_to(const odo_spots *s, odo_spot p, const odo_choice *near)
{
	for (unsigned k = 0; k < near->n; k++)
		if (odo_spots_adjacent(s, p, near->spot[k]))
			return true;
	return false;
}

/* Keep the positions of `of` that are free and next to some position of `near`. */
static odo_choice narrowed_choice(const odo_spots *s, const odo_choice *of, const odo_choice *near)
{
	odo_choice c = {0};
	for (unsigned i = 0; i < of->n; i++)
		if (is_next_to(s, of->spot[i], near) && is_open(s, of->spot[i]))
			c.spot[c.n++] = of->spot[i];
	return c;
}

static void note_contradiction(odo_spots *s, uint32_t v)
{
	if (!s->strict)
		return;
	s->failed = true;
	s->culprit = v;
}

/* Narrow the choice of the neighbour `to` by that of v. Before lengths are known, a link that fits
 * nowhere may close around the grid. */
static void narrow_choice(odo_spots *s, uint32_t v, uint32_t to)
{
	const odo_choice *near = &s->choice[v], *old = &s->choice[to];
	if (old->placed) {
		if (near->n && !is_next_to(s, old->spot[0], near))
			note_contradiction(s, to);
		return;
	}
	bool first = !old->n;
	odo_choice c = first ? spots_around(s, near) : narrowed_choice(s, old, near);
	if (!c.n) {
		if (!first || near->placed)
			note_contradiction(s, to);
		return;
	}
	if (c.n == old->n)
		return;
	s->choice[to] = c;
	odo_spots_look(s, to);
	if (c.n == 1 && !odo_spots_put(s, to, c.spot[0]))
		note_contradiction(s, to);
}

void odo_spots_settle(odo_spots *s)
{
	uint64_t work = 0;
	while (s->queued && !s->failed) {
		uint32_t v = s->queue[s->head];
		s->head = (s->head + 1) % s->g->n;
		s->queued--;
		s->waits[v] = false;
		for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++) {
			work += 4 + (uint64_t)s->choice[v].n * s->choice[s->g->to[a]].n;
			if (s->choice[v].n && odo_spots_uses(s, s->g->edge[a]))
				narrow_choice(s, v, s->g->to[a]);
		}
	}
	odo_charge(s->g->budget, work);
}

static void put_corners(odo_spots *s)
{
	const uint32_t *corner = s->corner;
	odo_spots_put(s, *corner++, (odo_spot){0});
	for (int k = 0; k < s->dims; k++) {
		odo_spot p = {0};
		p.at[k] = 1;
		odo_spots_put(s, *corner++, p);
	}
	for (int k = 0; k < s->dims; k++)
		for (int j = 0; j < k; j++) {
			odo_spot p = {0};
			p.at[j] = p.at[k] = 1;
			odo_spots_put(s, *corner++, p);
		}
}

void odo_spots_grow(odo_spots *s)
{
	memset(s->choice, 0, s->g->n * sizeof *s->choice);
	memset(s->occupied, 0xFF, ((size_t)s->mask + 1) * sizeof *s->occupied);
	memset(s->waits, 0, s->g->n * sizeof *s->waits);
	s->head = s->queued = 0;
	s->low = s->high = (odo_spot){0};
	s->failed = false;
	s->culprit = ODO_NONE;
	put_corners(s);
	odo_spots_settle(s);
}

void odo_spots_make(const odo_links *g, const odo_support *support, int dims, odo_arena *memory,
		    odo_spots *s)
{
	*s = (odo_spots){.g = g, .support = support, .dims = dims, .mask = 15};
	while (s->mask < 4 * g->n)
		s->mask = 2 * s->mask + 1;
	s->choice = odo_arena_new(memory, g->n, sizeof *s->choice);
	s->occupied = odo_arena_new(memory, (size_t)s->mask + 1, sizeof *s->occupied);
	s->queue = odo_arena_new(memory, g->n, sizeof *s->queue);
	s->waits = odo_arena_new(memory, g->n, sizeof *s->waits);
	if (s->occupied)
		memset(s->occupied, 0xFF, ((size_t)s->mask + 1) * sizeof *s->occupied);
}

void odo_spots_copy(const odo_spots *from, odo_spots *to)
{
	odo_spots kept = *to;
	const odo_links *g = from->g;
	*to = *from;
	to->choice = kept.choice;
	to->occupied = kept.occupied;
	to->queue = kept.queue;
	to->waits = kept.waits;
	for (uint32_t v = 0; v < g->n; v++) /* most of each list of spots is unused */
		memcpy(&to->choice[v], &from->choice[v],
		       offsetof(odo_choice, spot) + from->choice[v].n * sizeof(odo_spot));
	memcpy(to->occupied, from->occupied, ((size_t)to->mask + 1) * sizeof *to->occupied);
	memset(to->waits, 0, g->n * sizeof *to->waits);
	to->failed = false;
	to->head = to->queued = 0;
	odo_charge(g->budget, 8 * (uint64_t)g->n);
}
