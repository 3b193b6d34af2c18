/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Sums of chances below this limit count as 0: packets then take the cheapest way. */
#define NO_CHANCE 1e-280
/* Maximum number of rounds, and the share of traffic that may still be under way at the end. */
#define MOST_ROUNDS 10000u
#define UNDER_WAY 1e-7

void odo_pass_clear(odo_pass *pass)
{
	free(pass->dist);
	free(pass->chance);
	free(pass->mass);
	free(pass->order);
	*pass = (odo_pass){0};
}

static bool has_pass_room(odo_pass *pass, uint32_t n)
{
	return !odo_grow(&pass->dist, &pass->dist_room, n, sizeof *pass->dist) &&
	       !odo_grow(&pass->chance, &pass->chance_room, n, sizeof *pass->chance) &&
	       !odo_grow(&pass->mass, &pass->mass_room, n, sizeof *pass->mass) &&
	       !odo_grow(&pass->order, &pass->order_room, n, sizeof *pass->order);
}

/* @return true if the state has become cheaper */
static inline bool find_cheapest(odo_pass *pass, const odo_states *g, const double *price,
				 uint32_t s)
{
	double best = pass->dist[s];
	for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
		double d = price[g->arc[i].slot] + pass->dist[g->arc[i].to];
		best = d < best ? d : best;
	}
	bool cheaper = best < pass->dist[s];
	pass->dist[s] = best;
	return cheaper;
}

static int by_price(const void *a, const void *b, void *of)
{
	const double *dist = of;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return dist[x] != dist[y] ? (dist[x] < dist[y] ? -1 : 1) : x < y ? -1 : x > y;
}

static void order_states(odo_pass *pass, const odo_states *g, const double *price)
{
	for (bool again = true; again;) {
		again = false;
		for (uint32_t s = 1; s < g->n; s++)
			again |= find_cheapest(pass, g, price, s);
		pass->arcs += g->n_arcs;
	}
	for (uint32_t i = 0; i < g->n; i++)
		pass->order[i] = i;
	qsort_r(pass->order + 1, g->n - 1ul, sizeof *pass->order, by_price, pass->dist);
}

static void sum_chances(odo_pass *pass, const odo_states *g, const double *chance)
{
	for (uint32_t k = 1; k < g->n; k++) {
		uint32_t s = pass->order[k];
		pass->chance[s] = 0;
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
			if (pass->dist[g->arc[i].to] < pass->dist[s])
				pass->chance[s] += chance[g->arc[i].slot] *
						   pass->chance[g->arc[i].to];
		if (g->first[s + 1] > g->first[s])
			pass->chance[s] /= g->first[s + 1] - g->first[s];
	}
}

/* Compute prices and chances together, for graphs without cycles: this loop takes most of the
 * time. */
static void price_and_sum_chances(odo_pass *pass, const odo_states *g, const double *price,
				  const double *chance)
{
	for (uint32_t s = 1; s < g->n; s++) {
		double best = INFINITY, sum = 0;
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
			odo_arc arc = g->arc[i];
			double d = price[arc.slot] + pass->dist[arc.to];
			best = d < best ? d : best;
			sum += chance[arc.slot] * pass->chance[arc.to];
		}
		pass->dist[s] = best;
		uint32_t n = g->first[s + 1] - g->first[s];
		pass->chance[s] = n ? sum / n : 0;
	}
}

static void add_costs(odo_pass *pass, const odo_states *g)
{
	for (uint32_t i = 0; i < g->n_supplies; i++) {
		double dist = pass->dist[g->supply[i].state];
		if (dist < INFINITY) {
			pass->rate += g->supply[i].rate;
			pass->cost += g->supply[i].rate * dist;
			pass->dearest = fmax(pass->dearest, dist);
		} else {
			pass->lost += g->supply[i].rate;
		}
	}
}

int odo_pass_back(odo_pass *pass, const odo_states *g, const double *price, const double *chance)
{
	if (!has_pass_room(pass, g->n))
		return ODO_ENOMEM;
	for (uint32_t s = 1; s < g->n; s++)
		pass->dist[s] = INFINITY;
	pass->dist[0] = 0;
	pass->chance[0] = 1;
	if (g->cyclic) {
		order_states(pass, g, price);
		if (chance)
			sum_chances(pass, g, chance);
	} else if (chance) {
		price_and_sum_chances(pass, g, price, chance);
	} else {
		for (uint32_t s = 1; s < g->n; s++)
			find_cheapest(pass, g, price, s);
	}
	pass->arcs += g->n_arcs;
	add_costs(pass, g);
	return 0;
}

/* Send everything over the cheapest way, if chances are too small to be compared. */
static void send_cheapest(odo_pass *pass, const odo_states *g, const double *price, uint32_t s,
			  double *load)
{
	for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
		odo_arc arc = g->arc[i];
		if (price[arc.slot] + pass->dist[arc.to] > pass->dist[s] ||
		    (g->cyclic && pass->dist[arc.to] >= pass->dist[s]))
			continue;
		pass->mass[arc.to] += pass->mass[s];
		load[arc.slot] += pass->mass[s];
		return;
	}
}

static void send_by_chance(odo_pass *pass, const odo_states *g, const double *price,
			   const double *chance, uint32_t s, double *load)
{
	if (pass->chance[s] < NO_CHANCE) {
		send_cheapest(pass, g, price, s, load);
		return;
	}
	double unit = pass->mass[s] / pass->chance[s] / (g->first[s + 1] - g->first[s]);
	for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
		odo_arc arc = g->arc[i];
		if (g->cyclic && pass->dist[arc.to] >= pass->dist[s])
			continue;
		double part = unit * chance[arc.slot] * pass->chance[arc.to];
		pass->mass[arc.to] += part;
		load[arc.slot] += part;
	}
}

static void set_supplies(odo_pass *pass, const odo_states *g)
{
	memset(pass->mass, 0, g->n * sizeof *pass->mass);
	for (uint32_t i = 0; i < g->n_supplies; i++)
		pass->mass[g->supply[i].state] = g->supply[i].rate;
}

int odo_pass_send(odo_pass *pass, const odo_states *g, const double *price, const double *chance,
		  double *load)
{
	if (!has_pass_room(pass, g->n))
		return ODO_ENOMEM;
	set_supplies(pass, g);
	for (uint32_t k = g->n; k-- > 1;) {
		uint32_t s = g->cyclic ? pass->order[k] : k;
		if (pass->mass[s] > 0 && pass->dist[s] < INFINITY)
			send_by_chance(pass, g, price, chance, s, load);
	}
	pass->arcs += g->n_arcs;
	return 0;
}

/* @return traffic that has been sent, but not over a last link */
static double send_round(odo_pass *pass, const odo_states *g, double *load)
{
	double under_way = 0;
	for (uint32_t s = g->n; s-- > 1;) {
		uint32_t n = g->first[s + 1] - g->first[s];
		if (pass->mass[s] <= 0)
			continue;
		pass->lost += n ? 0 : pass->mass[s];
		double part = n ? pass->mass[s] / n : 0;
		pass->mass[s] = 0;
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
			pass->mass[g->arc[i].to] += part;
			load[g->arc[i].slot] += part;
		}
	}
	for (uint32_t s = 1; s < g->n; s++)
		under_way += pass->mass[s];
	pass->arcs += g->n_arcs;
	return under_way;
}

int odo_pass_send_evenly(odo_pass *pass, const odo_states *g, double *load)
{
	double supplied = 0, under_way = 0;
	if (!has_pass_room(pass, g->n))
		return ODO_ENOMEM;
	set_supplies(pass, g);
	for (uint32_t i = 0; i < g->n_supplies; i++)
		supplied += g->supply[i].rate;
	for (unsigned round = 0; round < (g->cyclic ? MOST_ROUNDS : 1); round++) {
		under_way = send_round(pass, g, load);
		if (under_way <= UNDER_WAY * supplied)
			break;
	}
	pass->lost += under_way > UNDER_WAY * supplied ? under_way : 0;
	return 0;
}
