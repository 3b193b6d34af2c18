/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prices of cables, from the load that they carried in a trial. Among equal ways, an expensive one
 * is taken less often (odo_layered_cost()).
 *
 * If each path took the least loaded cable, loads would be more even. But then every path would
 * depend on all earlier ones, and one failed cable would move half of them. Prices change only in
 * steps. If loads change little, as they do except near a failed cable, prices stay the same. On a
 * large graph, a price moves only half of its way, so that it does not oscillate. On a small graph
 * loads depend more on chance, and full steps gain more than a failed cable moves.
 */
#include <string.h>

#include "routing/layered/layered.h"

/* Raise a price by a fifth. A step down is a sixth, and returns to the price before. */
static uint32_t raise_price(uint32_t price)
{
	return price + price / 5;
}

static uint32_t lower_price(uint32_t price)
{
	return price - price / 6;
}

/* Move a price in whole steps towards the fair price, or half of the way. The price is fair if
 * loads follow prices. */
static uint32_t adjust_price(uint32_t price, double load, double mean, bool fully)
{
	double target = price * (fully ? load / mean : (load + mean) / (2 * mean));
	while (raise_price(price) <= target && raise_price(price) <= ODO_MOST_PRICE)
		price = raise_price(price);
	while (lower_price(price) >= target && lower_price(price) >= ODO_LEAST_PRICE)
		price = lower_price(price);
	return price;
}

void odo_layered_reprice(odo_grower *growth, bool fully)
{
	const odo_forest *forest = growth->forest;
	uint32_t n = 0, end = forest->f->first_slot[forest->n];
	double sum = 0;
	for (uint32_t i = 0; i < end; i++) {
		sum += (double)growth->load[i];
		n += forest->next[i] != ODO_NONE;
	}
	for (uint32_t i = 0; sum > 0 && i < end; i++)
		if (forest->next[i] != ODO_NONE)
			growth->price[i] = adjust_price(growth->price[i], (double)growth->load[i],
							sum / n, fully);
}

/* Count paths between hosts in tree k to d. @return links of all its paths */
static uint64_t count_tree_paths(odo_grower *growth, unsigned k, uint32_t d)
{
	const odo_forest *forest = growth->forest;
	const uint32_t *hosts = growth->hosts;
	uint32_t followers = growth->followers[(size_t)k * forest->n + d];
	uint64_t links = 0;
	odo_layered_fetch(growth, k, d);
	for (uint32_t s = 0; s < forest->n; s++) {
		if (growth->hops[s] == ODO_NONE)
			continue;
		links += growth->hops[s];
		for (uint32_t t = s; hosts[s] && followers && t != d;) {
			uint32_t slot = forest->f->first_slot[t] + growth->port[t] - 1;
			growth->load[slot] += (uint64_t)hosts[s] * followers;
			t = forest->next[slot];
		}
	}
	return links;
}

uint64_t odo_layered_most_load(const odo_grower *growth)
{
	uint64_t most = 0;
	for (uint32_t i = 0; i < growth->forest->f->first_slot[growth->forest->n]; i++)
		most = growth->load[i] > most ? growth->load[i] : most;
	return most;
}

uint64_t odo_layered_rate(odo_grower *growth)
{
	const odo_forest *forest = growth->forest;
	uint64_t links = 0;
	memset(growth->load, 0, forest->f->first_slot[forest->n] * sizeof *growth->load);
	for (unsigned k = 0; k < forest->n_trees; k++)
		for (uint32_t d = 0; d < forest->n; d++)
			links += count_tree_paths(growth, k, d);
	uint64_t most = odo_layered_most_load(growth);
	return links * (most ? most : 1);
}
