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
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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
static uint64_t count_tree_paths(odo_grower *growth, unsigned k, uint32_t d, const uint32_t *hosts,
				 uint32_t followers)
{
	const odo_forest *forest = growth->forest;
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

int odo_layered_rate(odo_grower *growth, uint64_t *cost, odo_error *err)
{
	const odo_forest *forest = growth->forest;
	const odo_fabric *f = forest->f;
	size_t n_slots = f->first_slot[forest->n];
	uint32_t *hosts = odo_new(forest->n, sizeof *hosts);
	uint32_t *followers = odo_new((size_t)forest->n_trees * forest->n, sizeof *followers);
	uint64_t links = 0, most = 1;
	bool room = hosts && followers;
	for (uint32_t h = 0; room && h < f->n_senders; h++)
		hosts[odo_host_switch(f, h)]++;
	for (uint32_t lid = 0; room && lid < f->lid_count; lid++)
		if (forest->lid_tree[lid] != ODO_NONE && odo_is_sent_to(f, lid))
			followers[forest->lid_tree[lid]]++;
	memset(growth->load, 0, n_slots * sizeof *growth->load);
	for (unsigned k = 0; room && k < forest->n_trees; k++)
		for (uint32_t d = 0; d < forest->n; d++)
			links += count_tree_paths(growth, k, d, hosts,
						  followers[(size_t)k * forest->n + d]);
	for (size_t i = 0; room && i < n_slots; i++)
		most = growth->load[i] > most ? growth->load[i] : most;
	*cost = links * most;
	free(hosts);
	free(followers);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to rate layers");
}
