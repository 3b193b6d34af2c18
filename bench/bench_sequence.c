/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Losses one after another, each routed beside the tables of the one before, as the plugin does:
 * six of cables, then a switch, and so on. A row for each fabric, as CSV: changes after which old
 * and new paths can deadlock, pairs that they can lose though both connect them, entries over the
 * least, and the mean bound.
 *
 *   bench_sequence [SEQUENCES [LOSSES]]    each of so many random sequences [6 8]
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "bench/lose.h"
#include "bench/must.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "routing/choose/floor.h"
#include "routing/engine.h"
#include "routing/transition/transition.h"

enum { EACH_SWITCH = 6, MOST_LOSSES = 64, MOST_STEPS = 32 };

typedef struct tally {
	unsigned changes, deadlocks;
	uint64_t lossy, changed, least;
	double bounds;
} tally;

static odo_tables *route_beside(const odo_fabric *f, const odo_tables *before)
{
	odo_route_options options = {.before = before};
	odo_coordinates *c;
	odo_tables *t;
	odo_error err;
	bench_must(odo_map(f, &c, &err), &err);
	bench_must(odo_route(f, c, NULL, &options, &t, &err), &err);
	odo_coordinates_free(c);
	return t;
}

/* @return entries that change */
static uint64_t count_change(const odo_tables *before, const odo_tables *t, tally *sum)
{
	odo_transition x;
	odo_rating rating;
	odo_error err;
	bench_must(odo_transition_count(before, t, true, &x, &err), &err);
	bench_must(odo_floor_rate(t, &rating, &err), &err);
	sum->changes++;
	sum->deadlocks += x.n_cycle != 0;
	sum->lossy += x.n_looping + x.n_lost;
	sum->changed += x.n_changed;
	sum->least += x.n_least;
	sum->bounds += odo_floor_mean(&rating);
	return x.n_changed;
}

/* Changes tables to those for a fabric, in as many steps as it takes. */
static void change_tables(const odo_fabric *f, odo_tables **t, tally *sum)
{
	bool more = true;
	for (unsigned i = 0; i < MOST_STEPS && more; i++) {
		odo_tables *now = route_beside(f, *t);
		more = (count_change(*t, now, sum) || !i) && now->from.unfinished;
		odo_tables_free(*t);
		*t = now;
	}
}

/* Loses one after another, and gets all back, the last first. */
static void run_sequence(const odo_fabric *whole, double links, unsigned seed, unsigned losses,
			 tally *lost, tally *back)
{
	odo_damage damage = {.links = links, .seed = seed};
	odo_rng rng = odo_rng_make(seed, 7);
	odo_fabric *f[MOST_LOSSES + 1];
	odo_error err;
	bench_must(odo_fabric_damage(whole, &damage, &f[0], NULL, &err), &err);
	odo_tables *t = route_beside(f[0], NULL);
	for (unsigned i = 1; i <= losses; i++) {
		f[i] = bench_lose(f[i - 1], i % EACH_SWITCH == 0, &rng);
		change_tables(f[i], &t, lost);
	}
	for (unsigned i = losses; i-- > 0;)
		change_tables(f[i], &t, back);
	odo_tables_free(t);
	for (unsigned i = 0; i <= losses; i++)
		odo_fabric_free(f[i]);
}

/* If something comes back, no entry has to change. */
static void print_tally(const char *spec, double missing, const char *what, const tally *sum)
{
	printf("\"%s\",%.0f %%,%s,%u,%u,%llu,", spec, 100 * missing, what, sum->changes,
	       sum->deadlocks, (unsigned long long)sum->lossy);
	if (sum->least)
		printf("%.2f", (double)sum->changed / (double)sum->least);
	printf(",%.3f\n", sum->bounds / sum->changes);
}

int main(int argc, char **argv)
{
	static const char *const specs[] = {"dragonfly:p=2,a=4,h=2", "dragonfly:p=3,a=6,h=3,g=10",
					    "torus:k=5x5,c=1",       "torus:k=4x5x6,c=1",
					    "flatfly:k=4x4x4,c=1",   "slimfly:q=5,c=3",
					    "fattree:k=6,levels=3"};
	static const double missing[] = {0, 0.03};
	unsigned sequences = argc > 1 ? (unsigned)atoi(argv[1]) : 6;
	unsigned losses = argc > 2 ? (unsigned)atoi(argv[2]) : 8;
	if (losses > MOST_LOSSES)
		return 2;
	puts("fabric,missing at first,change,changes,can deadlock,lossy pairs,entries over "
	     "least,mean "
	     "bound");
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		for (unsigned k = 0; k < 2; k++) {
			tally lost = {0}, back = {0};
			odo_fabric *f;
			odo_error err;
			bench_must(odo_topology_generate(specs[i], 0, &f, NULL, &err), &err);
			for (unsigned seed = 1; seed <= sequences; seed++)
				run_sequence(f, missing[k], seed, losses, &lost, &back);
			odo_fabric_free(f);
			print_tally(specs[i], missing[k], "loss", &lost);
			print_tally(specs[i], missing[k], "back", &back);
		}
	return 0;
}
