/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/graph/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/graph/unionfind.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

int odo_placement_make(uint32_t n, unsigned n_dims, odo_placement *p, odo_error *err)
{
	*p = (odo_placement){.n = n, .n_dims = n_dims};
	p->at = odo_new((size_t)n * n_dims, sizeof *p->at);
	if (!p->at)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	memset(p->at, 0xFF, (size_t)n * n_dims * sizeof *p->at);
	return 0;
}

void odo_placement_clear(odo_placement *p)
{
	free(p->at);
	odo_bits_clear(&p->adjacent);
	free(p->occupant);
	*p = (odo_placement){0};
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

bool odo_placement_placed(const odo_placement *p, uint32_t v)
{
	const uint32_t *at = odo_placement_at(p, v);
	for (unsigned i = 0; i < p->n_dims; i++)
		if (at[i] == ODO_NONE)
			return false;
	return true;
}

bool odo_placement_linked(const odo_placement *p, unsigned i, uint32_t a, uint32_t b)
{
	const odo_factor_row *row = odo_factor_of(p->factor[i]);
	return row->linked ? row->linked(p->size[i], a, b) : odo_bits_linked(&p->adjacent, a, b);
}

uint32_t odo_placement_next(const odo_placement *p, unsigned i, uint32_t a, uint32_t from)
{
	uint32_t size = p->size[i];
	if (!odo_factor_of(p->factor[i])->linked) /* one value in 40 or so */
		return odo_bits_next(&p->adjacent, a, from);
	while (from < size && !odo_placement_linked(p, i, a, from))
		from++;
	return from;
}

int odo_placement_between(const odo_placement *p, const uint32_t *a, const uint32_t *b)
{
	int dim = -1;
	for (unsigned i = 0; i < p->n_dims; i++) {
		if (a[i] == b[i])
			continue;
		if (dim >= 0)
			return -1;
		dim = (int)i;
	}
	return dim >= 0 && odo_placement_linked(p, (unsigned)dim, a[dim], b[dim]) ? dim : -1;
}

size_t odo_placement_position(const odo_placement *p, const uint32_t *at)
{
	size_t index = 0;
	for (unsigned i = 0; i < p->n_dims; i++)
		index = index * p->size[i] + at[i];
	return index;
}

void odo_placement_decode(const odo_placement *p, size_t index, uint32_t *at)
{
	for (unsigned i = p->n_dims; i-- > 0; index /= p->size[i])
		at[i] = (uint32_t)(index % p->size[i]);
}

odo_neighbours odo_neighbours_of(const odo_placement *p, uint32_t v)
{
	odo_neighbours n = {.placement = p, .from = odo_placement_at(p, v)};
	memcpy(n.at, n.from, p->n_dims * sizeof *n.at);
	return n;
}

bool odo_neighbours_next(odo_neighbours *n)
{
	const odo_placement *p = n->placement;
	for (; n->dim < p->n_dims; n->dim++) {
		uint32_t own = n->from[n->dim], *at = &n->at[n->dim];
		if (p->factor[n->dim] == ODO_GROUPS)
			continue;
		*at = odo_placement_next(p, n->dim, own, *at + 1);
		if (*at < p->size[n->dim])
			return true;
		*at = own;
	}
	return false;
}

/* Number the roots whose class has at least `least` vertices, in order of the smallest
 * vertex. Returns how many. */
static uint32_t number_values(const uint32_t *root, const uint32_t *count, uint32_t n,
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

int odo_placement_coordinates(const odo_links *g, const uint32_t *dim_of, odo_placement *p,
			      double *collapsed, odo_error *err)
{
	uint32_t *root = odo_new(g->n, sizeof *root), *count = odo_new(g->n, sizeof *count);
	uint32_t *value = odo_new(g->n, sizeof *value);
	int status = root && count && value ? 0 : ODO_ENOMEM;
	for (unsigned i = 0; i < p->n_dims && !status; i++) {
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
		/* Undamaged, all values have equally many vertices. What is far smaller
		 * than the largest is a splinter of one of them. */
		p->size[i] = number_values(root, count, g->n, largest / ODO_SPLINTER, value);
		for (uint32_t v = 0; v < g->n; v++)
			odo_placement_at(p, v)[i] = value[root[v]];
		collapsed[i] = share_within(g, dim_of, i, root);
	}
	free(root);
	free(count);
	free(value);
	return status ? odo_fail(err, status, "no memory for coordinates") : 0;
}

/* Links of v that fit if it were at `at`. */
static uint32_t fitting(const odo_links *g, const odo_placement *p, uint32_t v, const uint32_t *at)
{
	uint32_t n = 0;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
		if (!odo_placement_placed(p, g->to[a]))
			continue;
		int dim = odo_placement_between(p, at, odo_placement_at(p, g->to[a]));
		n += dim >= 0 && (!p->width[dim] || g->n_cables[g->edge[a]] <= p->width[dim]);
	}
	return n;
}

static void leave(odo_placement *p, uint32_t v)
{
	memset(odo_placement_at(p, v), 0xFF, p->n_dims * sizeof *p->at);
}

int odo_placement_index(const odo_links *g, odo_placement *p, size_t most, odo_error *err)
{
	p->n_positions = 1;
	for (unsigned i = 0; i < p->n_dims; i++) {
		p->n_positions *= p->size[i];
		if (p->n_positions > most)
			return odo_fail(err, ODO_EUNKNOWN,
					"%u switches are too few for the dimensions found", g->n);
	}
	free(p->occupant);
	p->occupant = odo_new(p->n_positions, sizeof *p->occupant);
	if (!p->occupant)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	memset(p->occupant, 0xFF, p->n_positions * sizeof *p->occupant);
	for (uint32_t v = 0; v < g->n; v++) {
		if (!odo_placement_placed(p, v))
			continue;
		const uint32_t *at = odo_placement_at(p, v);
		uint32_t *held = &p->occupant[odo_placement_position(p, at)];
		if (*held != ODO_NONE && fitting(g, p, *held, at) >= fitting(g, p, v, at)) {
			leave(p, v);
			continue;
		}
		if (*held != ODO_NONE)
			leave(p, *held);
		*held = v;
	}
	return 0;
}

enum { WITNESSES = 12 };

/* How boldly a place is chosen. */
typedef enum guess {
	SURE,    /* one place serves most links, more than any other */
	CORNERS, /* the first of places that serve most links, two at least */
	AROUND,  /* any place beside the only neighbour */
} guess;

typedef struct choice {
	uint32_t best[ODO_MAX_DIMS], score, second;
	uint32_t hope; /* neighbours without a place that may then have one; AROUND only */
	guess how;
} choice;

/* Position z would serve the links of w, of which `e` leads to x. */
static bool serves(const odo_links *g, const odo_placement *p, uint32_t w, const uint32_t *z,
		   uint32_t e, const uint32_t *x)
{
	int dim = odo_placement_between(p, z, x);
	if (dim < 0 || p->occupant[odo_placement_position(p, z)] != ODO_NONE ||
	    (p->width[dim] && g->n_cables[e] > p->width[dim]))
		return false;
	return fitting(g, p, w, z) > 0;
}

/* True if w, which edge e leads to from a vertex at x, could have a place beside x. */
static bool room_beside(const odo_links *g, const odo_placement *p, uint32_t w, uint32_t e,
			const uint32_t *x)
{
	uint32_t z[ODO_MAX_DIMS];
	memcpy(z, x, p->n_dims * sizeof *z);
	for (unsigned i = 0; i < p->n_dims; i++) {
		for (z[i] = odo_placement_next(p, i, x[i], 0); z[i] < p->size[i];
		     z[i] = odo_placement_next(p, i, x[i], z[i] + 1))
			if (serves(g, p, w, z, e, x))
				return true;
		z[i] = x[i];
	}
	return false;
}

/* Neighbours of v without a place, but with other neighbours that have one, which could have a
 * place if v were at x: of a few switches that damage cut off, each place must suit the others. */
static uint32_t hope_at(const odo_links *g, const odo_placement *p, uint32_t v, const uint32_t *x)
{
	uint32_t n = 0;
	for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
		if (!odo_placement_placed(p, g->to[a]))
			n += room_beside(g, p, g->to[a], g->edge[a], x);
	return n;
}

static void consider(const odo_links *g, const odo_placement *p, uint32_t v, const uint32_t *at,
		     choice *c)
{
	if (p->occupant[odo_placement_position(p, at)] != ODO_NONE)
		return;
	if (c->score && !memcmp(c->best, at, p->n_dims * sizeof *at))
		return;
	uint32_t score = fitting(g, p, v, at);
	bool hopes = c->how == AROUND && score >= c->score &&
		     odo_uses("places: what neighbours hope for");
	uint32_t hope = hopes ? hope_at(g, p, v, at) : 0;
	if (score > c->score || (score == c->score && hope > c->hope)) {
		c->second = c->score;
		c->score = score;
		c->hope = hope;
		memcpy(c->best, at, p->n_dims * sizeof *at);
	} else if (score > c->second) {
		c->second = score;
	}
}

/* Positions linked to both u's and w's: where they differ in two dimensions the two other
 * corners of their rectangle, where in one all values linked to both. */
static void consider_pair(const odo_links *g, const odo_placement *p, uint32_t v, const uint32_t *u,
			  const uint32_t *w, choice *c)
{
	unsigned differ[2], n = 0;
	uint32_t at[ODO_MAX_DIMS];
	for (unsigned i = 0; i < p->n_dims; i++) {
		if (u[i] == w[i])
			continue;
		if (n == 2)
			return;
		differ[n++] = i;
	}
	memcpy(at, u, p->n_dims * sizeof *at);
	if (n == 2) {
		at[differ[0]] = w[differ[0]];
		consider(g, p, v, at, c);
		at[differ[0]] = u[differ[0]];
		at[differ[1]] = w[differ[1]];
		consider(g, p, v, at, c);
	} else if (n == 1) {
		unsigned i = differ[0];
		for (uint32_t x = 0; x < p->size[i]; x++) {
			at[i] = x;
			if (odo_placement_linked(p, i, x, u[i]) &&
			    odo_placement_linked(p, i, x, w[i]))
				consider(g, p, v, at, c);
		}
	}
}

/* Positions linked to u's. */
static void consider_around(const odo_links *g, const odo_placement *p, uint32_t v,
			    const uint32_t *u, choice *c)
{
	uint32_t at[ODO_MAX_DIMS];
	memcpy(at, u, p->n_dims * sizeof *at);
	for (unsigned i = 0; i < p->n_dims; i++) {
		for (at[i] = 0; at[i] < p->size[i]; at[i]++)
			if (odo_placement_linked(p, i, at[i], u[i]))
				consider(g, p, v, at, c);
		at[i] = u[i];
	}
}

/* True if v found its place. */
static bool settle_one(const odo_links *g, odo_placement *p, uint32_t v, guess how)
{
	const uint32_t *near[WITNESSES];
	unsigned n = 0;
	choice c = {.how = how};
	for (uint32_t a = g->first[v]; a < g->first[v + 1] && n < WITNESSES; a++)
		if (odo_placement_placed(p, g->to[a]))
			near[n++] = odo_placement_at(p, g->to[a]);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			consider_pair(g, p, v, near[i], near[j], &c);
	bool last = how == AROUND && n == 1; /* the only link that is left */
	if (last)
		consider_around(g, p, v, near[0], &c);
	if ((c.score < 2 && !last) || !odo_majority(c.score, n) ||
	    (c.score == c.second && how == SURE))
		return false;
	memcpy(odo_placement_at(p, v), c.best, p->n_dims * sizeof *p->at);
	p->occupant[odo_placement_position(p, c.best)] = v;
	return true;
}

/* The most cables that links of each dimension usually have, as far as places are known. */
static void find_widths(const odo_links *g, odo_placement *p)
{
	uint32_t count[ODO_MAX_DIMS][256] = {{0}}, total[ODO_MAX_DIMS] = {0};
	for (uint32_t e = 0; e < g->n_edges; e++) {
		uint32_t u = g->end[e][0], v = g->end[e][1];
		if (!odo_placement_placed(p, u) || !odo_placement_placed(p, v))
			continue;
		int dim = odo_placement_between(p, odo_placement_at(p, u), odo_placement_at(p, v));
		if (dim < 0)
			continue;
		count[dim][g->n_cables[e]]++;
		total[dim]++;
	}
	for (unsigned i = 0; i < p->n_dims; i++)
		p->width[i] = odo_usual_most(count[i], 1, 255, odo_at_least_rare(total[i]));
}

/* Those without a place: open [n]. Returns how many stay so. */
static uint32_t settle_all(const odo_links *g, odo_placement *p, uint32_t *open, uint32_t n,
			   guess how)
{
	for (uint32_t before = n + 1; n < before;) {
		uint32_t left = 0;
		before = n;
		for (uint32_t i = 0; i < n; i++)
			if (!settle_one(g, p, open[i], how))
				open[left++] = open[i];
		n = left;
	}
	return n;
}

int odo_placement_settle(const odo_links *g, odo_placement *p, odo_error *err)
{
	uint32_t *open = odo_new(g->n, sizeof *open), n = 0;
	if (!open)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	for (uint32_t v = 0; v < g->n; v++)
		if (!odo_placement_placed(p, v))
			open[n++] = v;
	if (n && odo_uses("places: sure ones first"))
		n = settle_all(g, p, open, n, SURE);
	if (n) {
		if (odo_uses("places by widths"))
			find_widths(g, p);
		n = settle_all(g, p, open, n, SURE);
		if (odo_uses("places: first of equals"))
			n = settle_all(g, p, open, n, CORNERS);
		if (odo_uses("places: by one link"))
			n = settle_all(g, p, open, n, AROUND);
	}
	for (uint32_t i = 0; i < n; i++)
		leave(p, open[i]);
	free(open);
	return 0;
}
