/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prices of cables, by the load that they carried in a trial: of equal ways the dear one is taken
 * less often (odo_layered_cost()). Taking the emptiest cable path by path would level loads
 * further, but then every path hangs on all before it, and one dead cable would move half of them.
 * A price only changes in steps, so that where loads change little, and that is everywhere but near
 * the cable, it stays.
 */
#include "routing/layered/layered.h"

/* A step up is a fifth, a step down a sixth, which is back to where it was. */
static uint32_t dearer(uint32_t price)
{
	return price + price / 5;
}

static uint32_t cheaper(uint32_t price)
{
	return price - price / 6;
}

/* In whole steps towards half of what would be fair if loads followed prices, lest they swing. */
static uint32_t adjust(uint32_t price, double load, double mean)
{
	double target = price * (load + mean) / (2 * mean);
	while (dearer(price) <= target && dearer(price) <= ODO_MOST_PRICE)
		price = dearer(price);
	while (cheaper(price) >= target && cheaper(price) >= ODO_LEAST_PRICE)
		price = cheaper(price);
	return price;
}

void odo_layered_reprice(odo_grower *growth)
{
	const odo_forest *forest = growth->w;
	uint32_t n = 0, end = forest->f->first_slot[forest->n];
	double sum = 0;
	for (uint32_t i = 0; i < end; i++) {
		sum += (double)growth->load[i];
		n += forest->next[i] != ODO_NONE;
	}
	for (uint32_t i = 0; sum > 0 && i < end; i++)
		if (forest->next[i] != ODO_NONE)
			growth->price[i] = adjust(growth->price[i], (double)growth->load[i],
						  sum / n);
}
