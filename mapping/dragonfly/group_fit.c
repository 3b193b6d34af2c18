/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/dragonfly/group_fit.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "base/strategies.h"
#include "mapping/graph/shares.h"

/* Temperatures in links. The start is cool to keep the known coordinates. */
static const double warm = 0.5, cold = 0.12;
/* Links visited in the time of exchanging two switches (for the budget). */
enum { WORK_OF_EXCHANGE = 24 };
enum { SWEEPS = 60, MOST_POSITIONS = 256 };

typedef struct grid {
	const odo_links *g;
	uint32_t n;        /* positions */
	uint8_t *near;     /* [n * n] 1 for neighbours */
	uint32_t *at;      /* [g->n] position of each vertex */
	uint32_t *who;     /* [n] vertex or ODO_NONE */
	uint32_t *best;    /* [g->n] positions with the most fitting links so far */
	uint32_t fit, top; /* links that fit now, and in `best` */
	odo_rng rng;
} grid;

static uint32_t links_at(const grid *k, uint32_t v, uint32_t position)
{
	const uint8_t *near = k->near + (size_t)position * k->n;
	uint32_t n = 0;
	for (uint32_t a = k->g->first[v]; a < k->g->first[v + 1]; a++)
		n += near[k->at[k->g->to[a]]];
	return n;
}

static void put_at(grid *k, uint32_t v, uint32_t position)
{
	k->who[position] = v;
	if (v != ODO_NONE)
		k->at[v] = position;
}

/* Count the fitting links of v and w; w may be ODO_NONE. A link between the two counts equally
 * often before and after an exchange. */
static uint32_t count_fitting_of(const grid *k, uint32_t v, uint32_t w)
{
	return links_at(k, v, k->at[v]) + (w == ODO_NONE ? 0 : links_at(k, w, k->at[w]));
}

/* Exchange v with the occupant of `position`, unless the result is much worse. */
static void try_exchange(grid *k, uint32_t v, uint32_t position, double temperature)
{
	uint32_t from = k->at[v], w = k->who[position];
	int before = (int)count_fitting_of(k, v, w);
	put_at(k, w, from);
	put_at(k, v, position);
	int gain = (int)count_fitting_of(k, v, w) - before;
	double chance = odo_rng_next(&k->rng) * 0x1p-32;
	if (gain < 0 && (temperature <= 0 || chance >= exp(gain / temperature))) {
		put_at(k, w, position);
		put_at(k, v, from);
		return;
	}
	k->fit = (uint32_t)((int)k->fit + gain);
	if (k->fit > k->top) {
		k->top = k->fit;
		memcpy(k->best, k->at, k->g->n * sizeof *k->at);
	}
}

static void anneal_grid(grid *k, uint32_t *budget)
{
	double temperature = warm, step = pow(cold / warm, 1.0 / SWEEPS);
	for (int sweep = 0; sweep < SWEEPS && k->top < k->g->n_edges && *budget; sweep++) {
		uint32_t trials = k->n * k->n / 2;
		*budget -= trials < *budget ? trials : *budget;
		odo_charge(k->g->budget, trials * (uint64_t)WORK_OF_EXCHANGE);
		if (!odo_may_go_on(k->g->budget))
			*budget = 0;
		for (uint32_t i = 0; i < trials; i++) {
			uint32_t v = odo_rng_below(&k->rng, k->g->n);
			try_exchange(k, v, odo_rng_below(&k->rng, k->n), temperature);
		}
		temperature *= step;
	}
}

/* Keep known positions, and give the remaining switches free ones. */
static void fill_grid(grid *k, const odo_placement *placement)
{
	uint32_t next = 0;
	memset(k->who, 0xFF, k->n * sizeof *k->who);
	memset(k->at, 0xFF, k->g->n * sizeof *k->at);
	for (uint32_t v = 0; v < k->g->n; v++) {
		if (!odo_placement_placed(placement, v))
			continue;
		uint32_t at = (uint32_t)odo_placement_position(placement,
							       odo_placement_at(placement, v));
		if (k->who[at] == ODO_NONE)
			put_at(k, v, at);
	}
	for (uint32_t v = 0; v < k->g->n; v++) {
		while (k->at[v] == ODO_NONE && k->who[next] != ODO_NONE)
			next++;
		if (k->at[v] == ODO_NONE)
			put_at(k, v, next);
	}
	for (uint32_t v = 0; v < k->g->n; v++)
		k->fit += links_at(k, v, k->at[v]);
	k->fit /= 2;
	k->top = k->fit;
	memcpy(k->best, k->at, k->g->n * sizeof *k->at);
}

static void find_near_positions(grid *k, const odo_placement *placement)
{
	uint32_t a[ODO_MAX_DIMS], b[ODO_MAX_DIMS];
	for (uint32_t x = 0; x < k->n; x++) {
		odo_placement_decode(placement, x, a);
		for (uint32_t y = 0; y < k->n; y++) {
			odo_placement_decode(placement, y, b);
			k->near[(size_t)x * k->n + y] = odo_placement_between(placement, a, b) >= 0;
		}
	}
}

static void fit_group(grid *k, uint32_t *budget, odo_placement *placement)
{
	find_near_positions(k, placement);
	fill_grid(k, placement);
	anneal_grid(k, budget);
	for (uint32_t v = 0; v < k->g->n; v++)
		odo_placement_decode(placement, k->best[v], odo_placement_at(placement, v));
}

int odo_group_fit(const odo_links *g, uint32_t *budget, odo_placement *placement, odo_error *err)
{
	odo_arena memory = {0};
	size_t n = 1;
	for (unsigned i = 0; i < placement->n_dims; i++)
		n *= placement->size[i];
	if (n > MOST_POSITIONS || n < g->n)
		return odo_fail(err, ODO_EUNKNOWN, "%u switches do not fit a group", g->n);
	grid k = {.g = g,
		  .n = (uint32_t)n,
		  .near = odo_arena_new(&memory, n * n, sizeof *k.near),
		  .at = odo_arena_new(&memory, g->n, sizeof *k.at),
		  .who = odo_arena_new(&memory, n, sizeof *k.who),
		  .best = odo_arena_new(&memory, g->n, sizeof *k.best),
		  .rng = odo_rng_make(1, g->n)};
	if (!memory.failed)
		fit_group(&k, budget, placement);
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a group") : 0;
	odo_arena_free(&memory);
	return status;
}

uint32_t odo_group_fitting(const odo_links *g, const odo_placement *placement)
{
	uint32_t n = 0;
	for (uint32_t e = 0; e < g->n_edges; e++)
		n += odo_placement_placed(placement, g->end[e][0]) &&
		     odo_placement_placed(placement, g->end[e][1]) &&
		     odo_placement_between(placement, odo_placement_at(placement, g->end[e][0]),
					   odo_placement_at(placement, g->end[e][1])) >= 0;
	return n;
}
