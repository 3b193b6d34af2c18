/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/product/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	MOST_LINKS = 4,
	MOST_SPOTS = 12,    /* a switch with more possible positions says nothing yet */
	SHORTEST_CYCLE = 5, /* one of three or four is another graph */
	LEAST_SWITCHES = 6
};

typedef struct spot {
	int32_t at[2];
} spot;

/* Where a switch may be: nowhere known if `n` is 0. */
typedef struct choice {
	uint8_t n;
	bool placed; /* the only one, and in `held` */
	spot spot[MOST_SPOTS];
} choice;

typedef struct grid {
	const odo_links *g;
	int32_t wrap[2]; /* length of the cycle; 0: a path, or not known */
	bool strict;     /* lengths are known: no position left is a contradiction */
	bool failed;
	choice *choice; /* [n] */
	uint32_t *held; /* [mask + 1] switches that are placed, by hash of the position */
	uint32_t mask;
	uint32_t *queue; /* [n] ring of switches whose choice has changed */
	uint32_t head, queued;
	bool *waits;        /* [n] in the queue */
	uint32_t corner[4]; /* of the rectangle it begins with, in order */
} grid;

static const spot steps[MOST_LINKS] = {{{1, 0}}, {{-1, 0}}, {{0, 1}}, {{0, -1}}};

static bool same(spot a, spot b)
{
	return a.at[0] == b.at[0] && a.at[1] == b.at[1];
}

static spot step(const grid *d, spot from, unsigned i)
{
	for (int k = 0; k < 2; k++) {
		int32_t size = d->wrap[k], x = from.at[k] + steps[i].at[k];
		from.at[k] = !size ? x : (x + size) % size;
	}
	return from;
}

static bool adjacent(const grid *d, spot a, spot b)
{
	for (unsigned i = 0; i < MOST_LINKS; i++)
		if (same(step(d, a, i), b))
			return true;
	return false;
}

/* Slot of a position in `held`. */
static uint32_t slot_of(const grid *d, spot p)
{
	uint32_t i = ((uint32_t)p.at[0] * 2654435761u ^ (uint32_t)p.at[1] * 2246822519u);
	for (i = (i ^ i >> 15) & d->mask; d->held[i] != ODO_NONE; i = (i + 1) & d->mask)
		if (same(d->choice[d->held[i]].spot[0], p))
			break;
	return i;
}

static uint32_t occupant(const grid *d, spot p)
{
	return d->held[slot_of(d, p)];
}

static void enqueue(grid *d, uint32_t v)
{
	if (d->waits[v])
		return;
	d->waits[v] = true;
	d->queue[(d->head + d->queued++) % d->g->n] = v;
}

/* Who has a neighbour that might have been there must look again. */
static void tell_around(grid *d, spot p)
{
	for (unsigned i = 0; i < MOST_LINKS; i++) {
		spot near = step(d, p, i);
		for (unsigned j = 0; j <= MOST_LINKS; j++) {
			uint32_t v = occupant(d, j < MOST_LINKS ? step(d, near, j) : near);
			if (v != ODO_NONE)
				enqueue(d, v);
		}
	}
}

/* False where another switch is there. */
static bool put(grid *d, uint32_t v, spot p)
{
	uint32_t slot = slot_of(d, p);
	if (d->held[slot] != ODO_NONE)
		return d->held[slot] == v;
	d->choice[v] = (choice){1, true, {p}};
	d->held[slot] = v;
	enqueue(d, v);
	tell_around(d, p);
	return true;
}

static void add(choice *c, spot p)
{
	for (unsigned i = 0; i < c->n; i++)
		if (same(c->spot[i], p))
			return;
	c->spot[c->n++] = p;
}

/* Positions next to those of v. None where they would be too many. */
static choice around(const grid *d, const choice *of)
{
	choice c = {0};
	for (unsigned i = 0; i < of->n; i++)
		for (unsigned k = 0; k < MOST_LINKS; k++) {
			spot p = step(d, of->spot[i], k);
			if (occupant(d, p) != ODO_NONE)
				continue;
			if (c.n == MOST_SPOTS)
				return (choice){0};
			add(&c, p);
		}
	return c;
}

/* Those of `of` that are free and next to some position of `near`. */
static choice narrowed(const grid *d, const choice *of, const choice *near)
{
	choice c = {0};
	for (unsigned i = 0; i < of->n; i++) {
		bool fits = false;
		for (unsigned k = 0; k < near->n && !fits; k++)
			fits = adjacent(d, of->spot[i], near->spot[k]);
		if (fits && occupant(d, of->spot[i]) == ODO_NONE)
			c.spot[c.n++] = of->spot[i];
	}
	return c;
}

/* What v leaves to its neighbour. Before lengths are known, a link that fits nowhere may close
 * around the grid. */
static void narrow(grid *d, uint32_t v, uint32_t to)
{
	const choice *near = &d->choice[v], *old = &d->choice[to];
	choice c;
	if (old->placed) {
		bool fits = false;
		for (unsigned k = 0; k < near->n && !fits; k++)
			fits = adjacent(d, old->spot[0], near->spot[k]);
		d->failed |= d->strict && near->n && !fits;
		return;
	}
	c = old->n ? narrowed(d, old, near) : around(d, near);
	if (!c.n) {
		d->failed |= d->strict && old->n;
		return;
	}
	if (c.n == old->n)
		return;
	d->choice[to] = c;
	enqueue(d, to);
	if (c.n == 1)
		d->failed |= !put(d, to, c.spot[0]) && d->strict;
}

static void settle(grid *d)
{
	uint64_t work = 0;
	while (d->queued && !d->failed) {
		uint32_t v = d->queue[d->head];
		d->head = (d->head + 1) % d->g->n;
		d->queued--;
		d->waits[v] = false;
		for (uint32_t a = d->g->first[v]; a < d->g->first[v + 1]; a++) {
			work += 4 + (uint64_t)d->choice[v].n * d->choice[d->g->to[a]].n;
			if (d->choice[v].n)
				narrow(d, v, d->g->to[a]);
		}
	}
	odo_charge(d->g->budget, work);
}

static uint32_t opposite(const odo_links *g, const odo_square *q, uint32_t v, uint32_t mid[2])
{
	for (int i = 0; i < 2; i++)
		mid[i] = odo_far_end(g, q->near[i], v);
	return odo_far_end(g, q->away[0], mid[0]);
}

/* Begin with the rectangle whose corners have most links. */
static int begin(grid *d, odo_walk *walk)
{
	const odo_links *g = d->g;
	uint32_t mid[2], most = 0;
	for (uint32_t v = 0; v < g->n && most < 4 * MOST_LINKS; v++) {
		uint32_t n;
		const odo_square *q = odo_walk_squares(walk, v, &n);
		for (const odo_square *end = q + n; q < end; q++) {
			uint32_t far = opposite(g, q, v, mid);
			uint32_t links = odo_degree(g, v) + odo_degree(g, far) +
					 odo_degree(g, mid[0]) + odo_degree(g, mid[1]);
			if (links <= most)
				continue;
			most = links;
			memcpy(d->corner, (uint32_t[]){v, mid[0], far, mid[1]}, sizeof d->corner);
		}
	}
	return most ? 0 : ODO_EUNKNOWN;
}

/* All anew from the first rectangle, with the lengths that are known by now. */
static void grow(grid *d)
{
	static const spot at[4] = {{{0, 0}}, {{1, 0}}, {{1, 1}}, {{0, 1}}};
	memset(d->choice, 0, d->g->n * sizeof *d->choice);
	memset(d->held, 0xFF, ((size_t)d->mask + 1) * sizeof *d->held);
	memset(d->waits, 0, d->g->n * sizeof *d->waits);
	d->head = d->queued = 0;
	for (int i = 0; i < 4; i++)
		put(d, d->corner[i], at[i]);
	settle(d);
}

/* By how far the places of v are off if the link from u leads in direction i: along one dimension,
 * or the answer is 0. */
static int32_t off_by(const grid *d, uint32_t u, uint32_t v, unsigned i, int *dim)
{
	spot p = d->choice[u].spot[0], q = d->choice[v].spot[0], next = step(d, p, i);
	if (occupant(d, next) != ODO_NONE || occupant(d, step(d, q, i ^ 1)) != ODO_NONE)
		return 0;
	int32_t off[2] = {next.at[0] - q.at[0], next.at[1] - q.at[1]};
	*dim = !off[0];
	return off[0] && off[1] ? 0 : abs(off[*dim]);
}

/* The most frequent lengths by which links between placed switches are off, of the dimensions that
 * have none yet. */
static int find_wraps(grid *d)
{
	const odo_links *g = d->g;
	size_t room = 2 * (size_t)g->n + 2;
	uint32_t *count = odo_new(2 * room, sizeof *count);
	const bool open[2] = {d->wrap[0] == 0, d->wrap[1] == 0};
	if (!count)
		return ODO_ENOMEM;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1];
		const choice *a = &d->choice[u], *b = &d->choice[v];
		if (!a->placed || !b->placed || adjacent(d, a->spot[0], b->spot[0]))
			continue;
		for (unsigned i = 0; i < MOST_LINKS; i++) {
			int dim = 0;
			int32_t off = off_by(d, u, v, i, &dim);
			if (off && (size_t)off < room)
				count[(size_t)dim * room + (size_t)off]++;
		}
	}
	for (int dim = 0; dim < 2; dim++)
		for (size_t k = SHORTEST_CYCLE, most = 0; k < room && open[dim]; k++)
			if (count[(size_t)dim * room + k] > most) {
				most = count[(size_t)dim * room + k];
				d->wrap[dim] = (int32_t)k;
			}
	free(count);
	return 0;
}

/* The switches placed lie from low to high. */
static void find_box(const grid *d, spot *low, spot *high)
{
	*low = *high = (spot){{0, 0}};
	for (uint32_t v = 0; v < d->g->n; v++)
		for (int k = 0; k < 2 && d->choice[v].placed; k++) {
			int32_t x = d->choice[v].spot[0].at[k];
			low->at[k] = x < low->at[k] ? x : low->at[k];
			high->at[k] = x > high->at[k] ? x : high->at[k];
		}
}

static bool within(spot p, spot low, spot high)
{
	return p.at[0] >= low.at[0] && p.at[0] <= high.at[0] && p.at[1] >= low.at[1] &&
	       p.at[1] <= high.at[1];
}

static void grid_free(grid *d)
{
	free(d->choice);
	free(d->held);
	free(d->queue);
	free(d->waits);
}

static int grid_make(const odo_links *g, grid *d)
{
	*d = (grid){.g = g, .mask = 15};
	while (d->mask < 4 * g->n)
		d->mask = 2 * d->mask + 1;
	d->choice = odo_new(g->n, sizeof *d->choice);
	d->held = odo_new((size_t)d->mask + 1, sizeof *d->held);
	d->queue = odo_new(g->n, sizeof *d->queue);
	d->waits = odo_new(g->n, sizeof *d->waits);
	if (!d->choice || !d->held || !d->queue || !d->waits)
		return ODO_ENOMEM;
	memset(d->held, 0xFF, ((size_t)d->mask + 1) * sizeof *d->held);
	return 0;
}

/* `to` was made for the same graph. Queues are empty between two steps, but after a contradiction.
 */
static void copy(const grid *from, grid *to)
{
	const odo_links *g = from->g;
	memcpy(to->choice, from->choice, g->n * sizeof *to->choice);
	memcpy(to->held, from->held, ((size_t)to->mask + 1) * sizeof *to->held);
	memcpy(to->wrap, from->wrap, sizeof to->wrap);
	memcpy(to->corner, from->corner, sizeof to->corner);
	memset(to->waits, 0, g->n * sizeof *to->waits);
	to->strict = from->strict;
	to->failed = false;
	to->head = to->queued = 0;
	odo_charge(g->budget, 8 * (uint64_t)g->n);
}

/* The switch with fewest positions, or ODO_NONE. */
static uint32_t fewest(const grid *d)
{
	uint32_t best = ODO_NONE;
	for (uint32_t v = 0; v < d->g->n; v++)
		if (!d->choice[v].placed && d->choice[v].n > 0 &&
		    (best == ODO_NONE || d->choice[v].n < d->choice[best].n))
			best = v;
	return best;
}

/* The rest by trial: the first position that leads to no contradiction, at first within what is
 * there, so that a grid is as small as can be. */
static void guess(grid *d, grid *trial)
{
	uint32_t v;
	while (!d->failed && (v = fewest(d)) != ODO_NONE && odo_may_go_on(d->g->budget)) {
		const choice c = d->choice[v];
		spot low, high;
		bool done = false;
		find_box(d, &low, &high);
		for (unsigned i = 0; i < 2u * c.n && !done; i++) {
			spot p = c.spot[i % c.n];
			if (within(p, low, high) != (i < c.n))
				continue;
			copy(d, trial);
			trial->failed = !put(trial, v, p);
			settle(trial);
			done = !trial->failed;
		}
		if (done) {
			grid held = *d;
			*d = *trial;
			*trial = held;
		}
		d->failed |= !done;
	}
}

/* All links join neighbouring positions. */
static bool is_grid(const grid *d)
{
	for (uint32_t v = 0; v < d->g->n; v++)
		if (!d->choice[v].placed && odo_degree(d->g, v))
			return false;
	for (uint32_t e = 0; e < d->g->n_edges; e++)
		if (!adjacent(d, d->choice[d->g->end[e][0]].spot[0],
			      d->choice[d->g->end[e][1]].spot[0]))
			return false;
	return !d->failed;
}

static int fill(const grid *d, odo_placement *placement, odo_error *err)
{
	spot low, high;
	int status = odo_placement_make(d->g->n, 2, placement, err);
	if (status)
		return status;
	find_box(d, &low, &high);
	for (unsigned i = 0; i < 2; i++) {
		int32_t size = d->wrap[i] ? d->wrap[i] : high.at[i] - low.at[i] + 1;
		placement->size[i] = (uint32_t)size;
		placement->factor[i] = d->wrap[i] ? ODO_CYCLE : size == 2 ? ODO_COMPLETE : ODO_PATH;
		low.at[i] = d->wrap[i] ? 0 : low.at[i];
	}
	for (uint32_t v = 0; v < d->g->n; v++)
		for (unsigned i = 0; i < 2; i++)
			odo_placement_at(placement,
					 v)[i] = d->choice[v].placed
							 ? (uint32_t)(d->choice[v].spot[0].at[i] -
								      low.at[i])
							 : ODO_NONE;
	return odo_placement_index(d->g, placement, odo_placement_room(d->g), err);
}

static bool may_be_grid(const odo_links *g)
{
	bool fits = g->n >= LEAST_SWITCHES;
	for (uint32_t v = 0; v < g->n && fits; v++)
		fits = odo_degree(g, v) <= MOST_LINKS;
	return fits;
}

/* With the lengths found, and else as a mesh: a link that was placed wrong before may have shown a
 * length where there is none. */
static bool fits(grid *d, grid *trial)
{
	for (bool again = d->wrap[0] || d->wrap[1];; again = false) {
		d->strict = true;
		d->failed = false;
		grow(d);
		guess(d, trial);
		if (is_grid(d) || !again)
			return is_grid(d);
		memset(d->wrap, 0, sizeof d->wrap);
	}
}

int odo_grid_place(const odo_links *g, odo_walk *walk, odo_placement *placement, odo_error *err)
{
	grid d = {0}, trial = {0};
	if (!may_be_grid(g))
		return odo_fail(err, ODO_EUNKNOWN, "a switch has more links than in a grid");
	int status = grid_make(g, &d);
	if (!status)
		status = grid_make(g, &trial);
	odo_walk_restrict(walk, NULL);
	if (!status)
		status = begin(&d, walk);
	for (int i = 0; i < 2 && !status; i++) { /* one length may show the other */
		grow(&d);
		status = find_wraps(&d);
	}
	if (!status && !fits(&d, &trial))
		status = ODO_EUNKNOWN;
	if (!status)
		status = fill(&d, placement, err);
	else if (status == ODO_ENOMEM)
		odo_fail(err, status, "no memory for a grid");
	else
		odo_fail(err, status, "switches lie on no grid");
	grid_free(&d);
	grid_free(&trial);
	return status;
}
