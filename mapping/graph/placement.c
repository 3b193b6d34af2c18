/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

int odo_placement_make(uint32_t n, unsigned n_dims, odo_placement *placement, odo_error *err)
{
	*placement = (odo_placement){.n = n, .n_dims = n_dims};
	placement->at = odo_new((size_t)n * n_dims, sizeof *placement->at);
	if (!placement->at)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	memset(placement->at, 0xFF, (size_t)n * n_dims * sizeof *placement->at);
	return 0;
}

void odo_placement_clear(odo_placement *placement)
{
	free(placement->at);
	odo_bits_clear(&placement->adjacent);
	free(placement->occupant);
	*placement = (odo_placement){0};
}

int odo_placement_copy(const odo_placement *from, odo_placement *to, odo_error *err)
{
	int status = odo_placement_make(from->n, from->n_dims, to, err);
	if (status)
		return status;
	memcpy(to->factor, from->factor, sizeof to->factor);
	memcpy(to->size, from->size, sizeof to->size);
	to->q = from->q;
	memcpy(to->at, from->at, (size_t)from->n * from->n_dims * sizeof *to->at);
	if (from->adjacent.n && odo_bits_copy(&from->adjacent, &to->adjacent))
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	return 0;
}

bool odo_placement_placed(const odo_placement *placement, uint32_t v)
{
	const uint32_t *at = odo_placement_at(placement, v);
	for (unsigned i = 0; i < placement->n_dims; i++)
		if (at[i] == ODO_NONE)
			return false;
	return true;
}

/* Return true if values a and b of dimension `i` are linked. */
static bool are_linked(const odo_placement *placement, unsigned i, uint32_t a, uint32_t b)
{
	const odo_factor_row *row = odo_factor_of(placement->factor[i]);
	return row->linked ? row->linked(placement->size[i], a, b)
			   : odo_bits_linked(&placement->adjacent, a, b);
}

/* Return the first value of dimension `i` from `from` on that is linked to `a`, or the size if
 * there is none. */
static uint32_t next_linked(const odo_placement *placement, unsigned i, uint32_t a, uint32_t from)
{
	uint32_t size = placement->size[i];
	if (!odo_factor_of(placement->factor[i])->linked) /* about one value in 40 is linked */
		return odo_bits_next(&placement->adjacent, a, from);
	while (from < size && !are_linked(placement, i, a, from))
		from++;
	return from;
}

int odo_placement_between(const odo_placement *placement, const uint32_t *a, const uint32_t *b)
{
	int dim = -1;
	for (unsigned i = 0; i < placement->n_dims; i++) {
		if (a[i] == b[i])
			continue;
		if (dim >= 0)
			return -1;
		dim = (int)i;
	}
	return dim >= 0 && are_linked(placement, (unsigned)dim, a[dim], b[dim]) ? dim : -1;
}

size_t odo_placement_position(const odo_placement *placement, const uint32_t *at)
{
	size_t index = 0;
	for (unsigned i = 0; i < placement->n_dims; i++)
		index = index * placement->size[i] + at[i];
	return index;
}

void odo_placement_decode(const odo_placement *placement, size_t index, uint32_t *at)
{
	for (unsigned i = placement->n_dims; i-- > 0; index /= placement->size[i])
		at[i] = (uint32_t)(index % placement->size[i]);
}

odo_neighbours odo_neighbours_of(const odo_placement *placement, uint32_t v)
{
	odo_neighbours n = {.placement = placement, .from = odo_placement_at(placement, v)};
	memcpy(n.at, n.from, placement->n_dims * sizeof *n.at);
	return n;
}

bool odo_neighbours_next(odo_neighbours *n)
{
	const odo_placement *placement = n->placement;
	for (; n->dim < placement->n_dims; n->dim++) {
		uint32_t own = n->from[n->dim], *at = &n->at[n->dim];
		if (placement->factor[n->dim] == ODO_GROUPS)
			continue;
		*at = next_linked(placement, n->dim, own, *at + 1);
		if (*at < placement->size[n->dim])
			return true;
		*at = own;
	}
	return false;
}

/* Number the roots of classes with at least `least` vertices, in order of the smallest vertex.
 * Return how many. */
static uint32_t number_classes(const uint32_t *root, const uint32_t *count, uint32_t n,
			       uint32_t least, uint32_t *value)
{
	uint32_t n_values = 0;
	for (uint32_t v = 0; v < n; v++)
		if (root[v] == v)
			value[v] = count[v] >= least ? n_values++ : ODO_NONE;
	return n_values;
}

static double share_within(const odo_links *g, const uint32_t *dim_of, unsigned dim,
			   const uint32_t *root)
{
	uint32_t n = 0, within = 0;
	for (uint32_t e = 0; e < g->n_edges; e++) {
		if (dim_of[e] != dim)
			continue;
		n++;
		within += root[g->end[e][0]] == root[g->end[e][1]];
	}
	return n ? (double)within / n : 0;
}

int odo_placement_coordinates(const odo_links *g, const uint32_t *dim_of, odo_placement *placement,
			      double *collapsed, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *root = odo_arena_new(&memory, g->n, sizeof *root),
		 *count = odo_arena_new(&memory, g->n, sizeof *count);
	uint32_t *value = odo_arena_new(&memory, g->n, sizeof *value);
	int status = memory.failed ? ODO_ENOMEM : 0;
	for (unsigned i = 0; i < placement->n_dims && !status; i++) {
		uint32_t largest = 0;
		odo_uf_reset(root, g->n);
		for (uint32_t e = 0; e < g->n_edges; e++)
			if (dim_of[e] != i && dim_of[e] != ODO_NONE)
				odo_uf_unite(root, g->end[e][0], g->end[e][1]);
		odo_uf_flatten(root, g->n);
		memset(count, 0, g->n * sizeof *count);
		for (uint32_t v = 0; v < g->n; v++)
			if (++count[root[v]] > largest)
				largest = count[root[v]];
		/* In an undamaged product all values have equally many vertices. A much smaller
		 * value is a splinter of another one. */
		placement->size[i] = number_classes(root, count, g->n, largest / ODO_SPLINTER,
						    value);
		for (uint32_t v = 0; v < g->n; v++)
			odo_placement_at(placement, v)[i] = value[root[v]];
		collapsed[i] = share_within(g, dim_of, i, root);
	}
	odo_arena_free(&memory);
	return status ? odo_fail(err, status, "no memory for coordinates") : 0;
}

/* Count the links of v that would fit at position `at`. */
static uint32_t count_fitting_links(const odo_links *g, const odo_placement *placement, uint32_t v,
				    const uint32_t *at)
{
	uint32_t n = 0;
	odo_charge(g->budget, odo_degree(g, v));
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		if (!odo_placement_placed(placement, g->to[a]))
			continue;
		int dim = odo_placement_between(placement, at,
						odo_placement_at(placement, g->to[a]));
		n += dim >= 0 &&
		     (!placement->width[dim] || g->n_cables[g->edge[a]] <= placement->width[dim]);
	}
	return n;
}

static void clear_place(odo_placement *placement, uint32_t v)
{
	memset(odo_placement_at(placement, v), 0xFF, placement->n_dims * sizeof *placement->at);
}

int odo_placement_index(const odo_links *g, odo_placement *placement, size_t most, odo_error *err)
{
	placement->n_positions = 1;
	for (unsigned i = 0; i < placement->n_dims; i++) {
		placement->n_positions *= placement->size[i];
		if (placement->n_positions > most)
			return odo_fail(err, ODO_EUNKNOWN,
					"%u switches are too few for the dimensions found", g->n);
	}
	free(placement->occupant);
	placement->occupant = odo_new(placement->n_positions, sizeof *placement->occupant);
	if (!placement->occupant)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	memset(placement->occupant, 0xFF, placement->n_positions * sizeof *placement->occupant);
	for (uint32_t v = 0; v < g->n; v++) {
		if (!odo_placement_placed(placement, v))
			continue;
		const uint32_t *at = odo_placement_at(placement, v);
		uint32_t *held = &placement->occupant[odo_placement_position(placement, at)];
		if (*held != ODO_NONE && count_fitting_links(g, placement, *held, at) >=
						 count_fitting_links(g, placement, v, at)) {
			clear_place(placement, v);
			continue;
		}
		if (*held != ODO_NONE)
			clear_place(placement, *held);
		*held = v;
	}
	return 0;
}

enum { WITNESSES = 12 };

/* Evidence that a position needs. */
typedef enum guess {
	SURE, /* a single position fits most links */
	/* The first of the positions that fit most links, or any position beside the only
	 * neighbour. */
	AROUND,
} guess;

typedef struct choice {
	uint32_t best[ODO_MAX_DIMS], score, second;
} choice;

static void consider_place(const odo_links *g, const odo_placement *placement, uint32_t v,
			   const uint32_t *at, choice *c)
{
	if (placement->occupant[odo_placement_position(placement, at)] != ODO_NONE)
		return;
	if (c->score && !memcmp(c->best, at, placement->n_dims * sizeof *at))
		return;
	uint32_t score = count_fitting_links(g, placement, v, at);
	if (score > c->score) {
		c->second = c->score;
		c->score = score;
		memcpy(c->best, at, placement->n_dims * sizeof *at);
	} else if (score > c->second) {
		c->second = score;
	}
}

/* Consider the positions linked to both u's and w's. If these differ in two dimensions, they are
 * the two other corners of the rectangle. If they differ in one, they are the values linked to
 * both. */
static void consider_pair(const odo_links *g, const odo_placement *placement, uint32_t v,
			  const uint32_t *u, const uint32_t *w, choice *c)
{
	unsigned differ[2], n = 0;
	uint32_t at[ODO_MAX_DIMS];
	odo_charge(g->budget, 1);
	for (unsigned i = 0; i < placement->n_dims; i++) {
		if (u[i] == w[i])
			continue;
		if (n == 2)
			return;
		differ[n++] = i;
	}
	memcpy(at, u, placement->n_dims * sizeof *at);
	if (n == 2) {
		at[differ[0]] = w[differ[0]];
		consider_place(g, placement, v, at, c);
		at[differ[0]] = u[differ[0]];
		at[differ[1]] = w[differ[1]];
		consider_place(g, placement, v, at, c);
	} else if (n == 1) {
		unsigned i = differ[0];
		for (uint32_t x = 0; x < placement->size[i]; x++) {
			at[i] = x;
			if (are_linked(placement, i, x, u[i]) && are_linked(placement, i, x, w[i]))
				consider_place(g, placement, v, at, c);
		}
	}
}

/* Consider the positions linked to u's. */
static void consider_around(const odo_links *g, const odo_placement *placement, uint32_t v,
			    const uint32_t *u, choice *c)
{
	uint32_t at[ODO_MAX_DIMS];
	memcpy(at, u, placement->n_dims * sizeof *at);
	for (unsigned i = 0; i < placement->n_dims; i++) {
		for (at[i] = 0; at[i] < placement->size[i]; at[i]++)
			if (are_linked(placement, i, at[i], u[i]))
				consider_place(g, placement, v, at, c);
		at[i] = u[i];
	}
}

/* Place v. Return true on success. */
static bool settle_one(const odo_links *g, odo_placement *placement, uint32_t v, guess how)
{
	const uint32_t *near[WITNESSES];
	unsigned n = 0;
	choice c = {0};
	for (uint32_t a = g->first[v]; a < g->first[v + 1] && n < WITNESSES; a++)
		if (odo_placement_placed(placement, g->to[a]))
			near[n++] = odo_placement_at(placement, g->to[a]);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			consider_pair(g, placement, v, near[i], near[j], &c);
	bool last = how == AROUND && n == 1; /* the only remaining link */
	if (last)
		consider_around(g, placement, v, near[0], &c);
	if ((c.score < 2 && !last) || !odo_majority(c.score, n) ||
	    (c.score == c.second && how == SURE))
		return false;
	memcpy(odo_placement_at(placement, v), c.best, placement->n_dims * sizeof *placement->at);
	placement->occupant[odo_placement_position(placement, c.best)] = v;
	return true;
}

/* Find the highest usual number of cables for the links of each dimension, among placed
 * vertices. */
static void find_placed_widths(const odo_links *g, odo_placement *placement)
{
	uint32_t count[ODO_MAX_DIMS][256] = {{0}}, total[ODO_MAX_DIMS] = {0};
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1];
		if (!odo_placement_placed(placement, u) || !odo_placement_placed(placement, v))
			continue;
		int dim = odo_placement_between(placement, odo_placement_at(placement, u),
						odo_placement_at(placement, v));
		if (dim < 0)
			continue;
		count[dim][g->n_cables[e]]++;
		total[dim]++;
	}
	for (unsigned i = 0; i < placement->n_dims; i++)
		placement->width[i] = odo_usual_most(count[i], 1, 255, odo_at_least_rare(total[i]));
}

/* Place the vertices open [n]. Return how many remain open. */
static uint32_t settle_open_vertices(const odo_links *g, odo_placement *placement, uint32_t *open,
				     uint32_t n, guess how)
{
	for (uint32_t before = n + 1; n < before;) {
		uint32_t left = 0;
		before = n;
		for (uint32_t i = 0; i < n; i++)
			if (!odo_may_go_on(g->budget) || !settle_one(g, placement, open[i], how))
				open[left++] = open[i];
		n = left;
	}
	return n;
}

int odo_placement_settle(const odo_links *g, odo_placement *placement, odo_error *err)
{
	uint32_t *open = odo_new(g->n, sizeof *open), n = 0;
	if (!open)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	for (uint32_t v = 0; v < g->n; v++)
		if (!odo_placement_placed(placement, v))
			open[n++] = v;
	if (n && odo_uses("places: sure ones first"))
		n = settle_open_vertices(g, placement, open, n, SURE);
	if (n) {
		if (odo_uses("places by widths"))
			find_placed_widths(g, placement);
		n = settle_open_vertices(g, placement, open, n, SURE);
		if (odo_uses("places: by one link"))
			n = settle_open_vertices(g, placement, open, n, AROUND);
	}
	for (uint32_t i = 0; i < n; i++)
		clear_place(placement, open[i]);
	free(open);
	return 0;
}
