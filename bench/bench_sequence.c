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
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/choose/floor.h"
#include "routing/engine.h"
#include "routing/transition/transition.h"

enum { EACH_SWITCH = 6 };

typedef struct tally {
	unsigned changes, deadlocks;
	uint64_t lossy, changed, least;
	double bounds;
} tally;

static void must(int status, const odo_error *err)
{
	if (!status)
		return;
	fprintf(stderr, "bench_sequence: %s\n", err->text);
	exit(1);
}

static odo_tables *route(const odo_fabric *f, const odo_tables *before)
{
	odo_route_options options = {.before = before};
	odo_coordinates *c;
	odo_tables *t;
	odo_error err;
	must(odo_map(f, &c, &err), &err);
	must(odo_route(f, c, NULL, &options, &t, &err), &err);
	odo_coordinates_free(c);
	return t;
}

static odo_fabric *lose(const odo_fabric *f, bool a_switch, odo_rng *rng)
{
	uint8_t *gone = calloc(f->n_nodes, 1), *cut = calloc(f->n_slots, 1);
	odo_fabric *out;
	odo_error err = {.text = "no memory"};
	uint32_t slot;
	must(gone && cut ? 0 : ODO_ENOMEM, &err);
	do
		slot = odo_rng_below(rng, f->first_slot[f->n_switches]);
	while (odo_next_switch(f, slot) == ODO_NONE);
	gone[f->owner[slot]] = a_switch;
	cut[slot] = !a_switch;
	must(odo_fabric_without(f, gone, cut, &out, NULL, &err), &err);
	free(gone);
	free(cut);
	return out;
}

static void count(const odo_tables *before, const odo_tables *t, tally *sum)
{
	odo_transition x;
	odo_rating rating;
	odo_error err;
	must(odo_transition_count(before, t, true, &x, &err), &err);
	must(odo_floor_rate(t, &rating, &err), &err);
	sum->changes++;
	sum->deadlocks += x.n_cycle != 0;
	sum->lossy += x.n_looping + x.n_lost;
	sum->changed += x.n_changed;
	sum->least += x.n_least;
	sum->bounds += odo_floor_mean(&rating);
}

static void run(const odo_fabric *whole, double links, unsigned seed, unsigned losses, tally *sum)
{
	odo_damage damage = {.links = links, .seed = seed};
	odo_rng rng = odo_rng_make(seed, 7);
	odo_fabric *f;
	odo_error err;
	must(odo_fabric_damage(whole, &damage, &f, NULL, &err), &err);
	odo_tables *before = route(f, NULL);
	for (unsigned i = 1; i <= losses; i++) {
		odo_fabric *less = lose(f, i % EACH_SWITCH == 0, &rng);
		odo_tables *t = route(less, before);
		count(before, t, sum);
		odo_tables_free(before);
		odo_fabric_free(f);
		before = t;
		f = less;
	}
	odo_tables_free(before);
	odo_fabric_free(f);
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
	puts("fabric,missing at first,changes,can deadlock,lossy pairs,entries over least,mean "
	     "bound");
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		for (unsigned k = 0; k < 2; k++) {
			tally sum = {0};
			odo_fabric *f;
			odo_error err;
			must(odo_topology_generate(specs[i], 0, &f, NULL, &err), &err);
			for (unsigned seed = 1; seed <= sequences; seed++)
				run(f, missing[k], seed, losses, &sum);
			odo_fabric_free(f);
			printf("\"%s\",%.0f %%,%u,%u,%llu,%.2f,%.3f\n", specs[i], 100 * missing[k],
			       sum.changes, sum.deadlocks, (unsigned long long)sum.lossy,
			       (double)sum.changed / (double)sum.least, sum.bounds / sum.changes);
		}
	return 0;
}
