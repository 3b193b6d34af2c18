/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The best split, as a game. The first player sets prices of links, which add up to 1, and wants
 * the traffic to cost much. The second player splits the traffic, and wants it to cost little. The
 * value of the game is the use of the fullest link under the best split.
 *
 * Both players use multiplicative weights. The price of a link grows exponentially with its use so
 * far. The chance of a path falls exponentially with the prices of its links so far. Each player
 * counts the last move of the other twice. Both then approach the value in about 1/error rounds,
 * not in 1/error^2 (Rakhlin and Sridharan, "Optimization, learning, and games with predictable
 * sequences", 2013). The mean of their moves, over a growing window of rounds, approaches the
 * value.
 *
 * Chances of paths multiply over links. A single pass over the states therefore sums them over all
 * paths, without an exponential function for each way. Bounds hold for any prices, except for
 * rounding: bad prices only make the bounds loose.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "routing/analyze/internal.h"
#include "routing/analyze/pass.h"

/* Strength of the players' reaction, as an exponent for each round. Larger values than 1 fail if a
 * single link decides. If a value is too large for a traffic, the means get worse, and it is
 * lowered. */
#define FIRST_STEP 0.6
#define LOWER_STEP 0.7
#define LEAST_STEP 0.3
/* Ratio by which a window's bounds must be further apart than the best so far to count as worse. */
#define WORSE 1.1
/* Number of rounds of the first window, and growth of windows. */
#define FIRST_WINDOW 4.0
#define GROWTH 1.25
/* Number of rounds with equal prices that the game starts from, so that short paths are
 * preferred. */
#define HEAD_START 10.0
/* Number of sweeps after which the search ends: a few traffics stay at 1.1 % for long. */
#define MOST_SWEEPS 20000u
/* Shares of the fullest link's use above which other links count as full, too. */
static const double full_shares[] = {1, 0.99, 0.95, 0.8};
/* Total price of all links that are not full, if a full link costs 1. It is positive so that no
 * path is free. */
#define NEARLY_NOTHING 1e-9
/* Lower limit of path chances: e to the power of minus MOST_EXPONENT. */
#define MOST_EXPONENT 500.0

typedef struct game {
	odo_commodities *commodities;
	odo_arena memory;
	const double *capacity;
	uint32_t n_slots;
	odo_pass pass;
	double *load;          /* [slots] use under the current split */
	double *paid, *before; /* [slots] prices summed over rounds; the same at the beginning of
				  the window */
	double *price;         /* [slots] prices of this round, which add up to 1 */
	double *used;          /* [slots] use summed over rounds */
	double *in_window;     /* [slots] use summed over the window's rounds */
	double *unit_price;    /* [slots] price divided by capacity, as passes need it */
	double *chance;        /* [slots] */
	double rounds, window, in_round, step;
	double unit;     /* mean price of a path in a round; 0: no packet needs a link */
	double best_gap; /* smallest gap of a window */
	odo_split *out;
} game;

static bool allocate_game(game *x)
{
	double **arrays[] = {&x->load, &x->paid,      &x->before,     &x->price,
			     &x->used, &x->in_window, &x->unit_price, &x->chance};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		*arrays[i] = odo_arena_new(&x->memory, x->n_slots, sizeof **arrays[i]);
	return !x->memory.failed;
}

static void begin_game(game *x)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < x->n_slots; i++)
		n += x->capacity[i] > 0;
	for (uint32_t i = 0; i < x->n_slots; i++) {
		x->price[i] = x->capacity[i] > 0 ? 1.0 / n : 0;
		x->paid[i] = x->before[i] = HEAD_START * x->price[i];
	}
	x->rounds = HEAD_START;
	x->window = FIRST_WINDOW;
	x->step = FIRST_STEP;
	x->best_gap = INFINITY;
}

/* Set prices in the form that passes need. @return value of the whole capacity at these prices */
static double set_unit_prices(game *x, const double *more, double more_by, const double *less)
{
	double worth = 0;
	for (uint32_t i = 0; i < x->n_slots; i++) {
		double price = x->paid[i] + more_by * more[i] - (less ? less[i] : 0);
		x->unit_price[i] = x->capacity[i] > 0 ? price / x->capacity[i] : 0;
		worth += price;
	}
	return worth;
}

/* Price all supplies, and send them if chances are given. */
static int pass_all_states(game *x, const double *chance)
{
	int status = 0;
	x->pass.rate = x->pass.cost = x->pass.dearest = x->pass.lost = 0;
	for (uint32_t i = 0; !status && i < odo_commodities_count(x->commodities); i++) {
		const odo_states *g = odo_commodities_states(x->commodities, i);
		status = g ? odo_pass_back(&x->pass, g, x->unit_price, chance) : ODO_ENOMEM;
		if (!status && chance)
			status = odo_pass_send(&x->pass, g, x->unit_price, chance, x->load);
	}
	return status;
}

static void bound_above(game *x, double worth)
{
	if (x->pass.cost > 0)
		x->out->at_most = fmin(x->out->at_most, worth / x->pass.cost);
}

/*
 * Bound the value by traffic that must cross the full links of a split in any split. If equal links
 * limit the traffic together, this gives the exact value, which prices only approach.
 * @param share a link is full from this share of the fullest link's use on
 */
static int bound_by_full(game *x, const double *use, double share)
{
	double fullest = 0, worth = 0;
	for (uint32_t i = 0; i < x->n_slots; i++)
		fullest = fmax(fullest, use[i]);
	if (fullest <= 0)
		return 0;
	for (uint32_t i = 0; i < x->n_slots; i++) {
		double price = use[i] >= fullest * share ? 1 : NEARLY_NOTHING / x->n_slots;
		x->unit_price[i] = x->capacity[i] > 0 ? price : 0;
		worth += price * x->capacity[i];
	}
	int status = pass_all_states(x, NULL);
	if (!status)
		bound_above(x, worth);
	return status;
}

static void bound_below(game *x, double fullest)
{
	if (fullest > 0)
		x->out->not_below = fmax(x->out->not_below, 1 / fullest);
}

/* Play a round of the player who splits: chances by all prices so far, the last ones counted
 * twice. */
static int play_split(game *x)
{
	double worth = set_unit_prices(x, x->price, 1, NULL), fullest = 0;
	double steep = x->unit > 0 ? x->step / x->unit : 0;
	if (steep * x->pass.dearest > MOST_EXPONENT)
		steep = MOST_EXPONENT / x->pass.dearest;
	for (uint32_t i = 0; i < x->n_slots; i++)
		x->chance[i] = x->capacity[i] > 0 ? exp(-steep * x->unit_price[i]) : 0;
	memset(x->load, 0, x->n_slots * sizeof *x->load);
	int status = pass_all_states(x, x->chance);
	if (status)
		return status;
	bound_above(x, worth);
	x->unit = x->pass.cost > 0 ? x->pass.cost / x->pass.rate / (x->rounds + 1) : 0;
	for (uint32_t i = 0; i < x->n_slots; i++) {
		x->load[i] /= x->capacity[i] > 0 ? x->capacity[i] : 1;
		fullest = fmax(fullest, x->load[i]);
	}
	bound_below(x, fullest);
	return x->in_round || !x->unit ? 0 : bound_by_full(x, x->load, 1);
}

/* Play a round of the player who sets prices: by all use so far, in units of the value, the last
 * use counted twice. */
static void play_prices(game *x)
{
	double value = fmin(x->out->not_below, x->out->at_most), top = 0, sum = 0;
	for (uint32_t i = 0; i < x->n_slots; i++) {
		x->used[i] += x->load[i] * value;
		x->in_window[i] += x->load[i];
		top = fmax(top, x->used[i] + x->load[i] * value);
	}
	for (uint32_t i = 0; i < x->n_slots; i++) {
		double use = x->used[i] + x->load[i] * value;
		x->price[i] = x->capacity[i] > 0 ? exp(x->step * (use - top)) : 0;
		sum += x->price[i];
	}
	for (uint32_t i = 0; i < x->n_slots; i++) {
		x->price[i] /= sum;
		x->paid[i] += x->price[i];
	}
	x->rounds++;
	x->in_round++;
}

/* Compute bounds from the means of the window. If they are bad, reduce the players' reaction. */
static int end_window(game *x)
{
	double fullest = 0, worth = set_unit_prices(x, x->price, 0, x->before);
	for (uint32_t i = 0; i < x->n_slots; i++)
		fullest = fmax(fullest, x->in_window[i] / x->in_round);
	int status = pass_all_states(x, NULL);
	if (status || x->pass.cost <= 0)
		return status;
	bound_above(x, worth);
	bound_below(x, fullest);
	double gap = worth / x->pass.cost * fullest;
	for (unsigned i = 0; !status && i < sizeof full_shares / sizeof *full_shares; i++)
		status = bound_by_full(x, x->in_window, full_shares[i]);
	if (status)
		return status;
	if (gap > WORSE * x->best_gap)
		x->step = fmax(x->step * LOWER_STEP, LEAST_STEP);
	x->best_gap = fmin(x->best_gap, gap);
	memcpy(x->before, x->paid, x->n_slots * sizeof *x->paid);
	memset(x->in_window, 0, x->n_slots * sizeof *x->in_window);
	x->in_round = 0;
	x->window *= GROWTH;
	return 0;
}

static uint64_t most_arcs(const odo_split_limits *limits)
{
	return limits && limits->most_arcs ? limits->most_arcs : ODO_SPLIT_ARCS;
}

static bool is_game_over(const game *x, double host_bound, const odo_split_limits *limits)
{
	double precision = limits && limits->precision > 0 ? limits->precision
							   : ODO_SPLIT_PRECISION;
	return fmin(x->out->at_most, host_bound) <=
		       fmin(x->out->not_below, host_bound) * (1 + precision) ||
	       x->pass.cost <= 0 || x->pass.arcs >= most_arcs(limits) ||
	       x->out->sweeps >= MOST_SWEEPS;
}

int odo_split_best(odo_commodities *commodities, const double *capacity, uint32_t n_slots,
		   double host_bound, const odo_split_limits *limits, const odo_watch *watch,
		   odo_split *out)
{
	game x = {.commodities = commodities, .capacity = capacity, .n_slots = n_slots, .out = out};
	int status = allocate_game(&x) ? 0 : ODO_ENOMEM;
	out->at_most = INFINITY;
	out->not_below = 0;
	if (!status)
		begin_game(&x);
	while (!status) {
		status = play_split(&x);
		out->sweeps++;
		if (status || is_game_over(&x, host_bound, limits))
			break;
		odo_tell_at_most(watch, "looking for the best split", x.pass.arcs,
				 most_arcs(limits));
		play_prices(&x);
		if (x.in_round >= x.window) {
			status = end_window(&x);
			out->sweeps++;
			if (status || is_game_over(&x, host_bound, limits))
				break;
		}
	}
	/* In these cases no packet needs a cable between switches, or hosts are full before such a
	 * cable. */
	out->at_most = fmin(out->at_most, host_bound);
	out->not_below = x.pass.cost > 0 ? fmin(out->not_below, host_bound) : host_bound;
	odo_pass_clear(&x.pass);
	odo_arena_free(&x.memory);
	return status;
}
