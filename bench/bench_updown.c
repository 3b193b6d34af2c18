/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Time to prove that up*\/down* paths are no better, a row of CSV for each fabric:
 *   bench_updown [SPEC SWITCHES LINKS SEED ...]
 * Shares of switches and links missing; any number of such fours, or else some of every kind. "own"
 * are the tables of the kind's own engine, of `layered` where there is none. Milliseconds of
 * processor time, the least of five: to rate the own tables; to make and rate those of `updown`;
 * and to make these until a ceiling shows that they are not better by 15 %. "at most" is what they
 * are then known to reach at most. Where the ceiling shows nothing, `updown` is made whole. The end
 * is 1 if a ceiling says what the whole tables do not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "bench/must.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/choose/floor.h"
#include "routing/choose/objective.h"
#include "routing/engine.h"

enum { REPEATS = 5 };

typedef struct timed {
	odo_tables *t; /* NULL if the engine declines */
	odo_rating rating;
	double made, rated; /* ms */
} timed;

static const odo_engine *own_engine(const odo_coordinates *c)
{
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (row->profile == ODO_PROFILE_IB && row->kinds & 1u << c->kind)
			return row;
	return odo_engine_find("layered");
}

/* Make and rate tables once. */
static timed make_once(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		       odo_ceiling *ceiling)
{
	odo_error err;
	timed x = {0};
	odo_route_options options = {.ceiling = ceiling};
	double start = bench_ms();
	if (odo_tables_create(f, row->name, &x.t, &err))
		return x;
	if (row->route(row, f, c, &options, x.t, &err)) {
		odo_tables_free(x.t);
		x.t = NULL;
	}
	x.made = bench_ms() - start;
	start = bench_ms();
	if (x.t && odo_floor_rate(x.t, &x.rating, &err))
		exit(1);
	x.rated = bench_ms() - start;
	return x;
}

/* Make and rate them repeatedly; the least times count. */
static timed make_repeatedly(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
			     const odo_rating *own, odo_ceiling *ceiling)
{
	timed best = {.made = 1e30, .rated = 1e30};
	odo_error err;
	for (int i = 0; i < REPEATS; i++) {
		double start = bench_ms();
		if (own &&
		    odo_floor_ceiling(f, odo_mean_needed(ODO_MOVES_MOST, own), ceiling, &err))
			exit(1);
		double prepared = bench_ms() - start;
		timed x = make_once(row, f, c, own ? ceiling : NULL);
		if (own)
			odo_floor_ceiling_clear(ceiling);
		odo_tables_free(best.t);
		best.t = x.t;
		best.rating = x.rating;
		x.made += prepared;
		best.made = x.made < best.made ? x.made : best.made;
		best.rated = x.rated < best.rated ? x.rated : best.rated;
	}
	return best;
}

/* Tables whose layers ran out are never installed. */
static timed route_own(const char *spec, const odo_fabric *f, const odo_coordinates *c)
{
	timed own = {.rated = 1e30};
	odo_error err;
	int status = odo_route(f, c, own_engine(c)->name, NULL, &own.t, &err);
	if (!status && own.t->from.spilt) {
		odo_tables_free(own.t);
		own.t = NULL;
	}
	if (!own.t && odo_route(f, c, "layered", NULL, &own.t, &err)) {
		fprintf(stderr, "%s: %s\n", spec, err.text);
		exit(1);
	}
	for (int i = 0; i < REPEATS; i++) {
		double start = bench_ms();
		if (odo_floor_rate(own.t, &own.rating, &err))
			exit(1);
		own.rated = bench_ms() - start < own.rated ? bench_ms() - start : own.rated;
	}
	return own;
}

/* @return false if the ceiling was wrong */
static bool bench_damaged(const char *spec, const odo_damage *damage, const odo_fabric *f)
{
	odo_error err;
	odo_coordinates *c;
	odo_ceiling ceiling;
	const odo_engine *updown = odo_engine_find("updown");
	if (odo_map(f, &c, &err))
		exit(1);
	timed own = route_own(spec, f, c);
	timed whole = make_repeatedly(updown, f, c, NULL, NULL);
	timed bounded = make_repeatedly(updown, f, c, &own.rating, &ceiling);
	bool better = odo_is_worth(ODO_MOVES_MOST, &own.rating, &whole.rating);
	bool above = ceiling.at_most.uniform * (1 + 1e-6) > whole.rating.uniform &&
		     ceiling.at_most.shifts * (1 + 1e-6) > whole.rating.shifts;
	printf("\"%s\",%g,%g,%u,%u,%s,%.4f,%.4f,%.4f,%.4f,%s,%.4f,%.4f,%.2f,%.2f,%.2f\n", spec,
	       damage->switches, damage->links, f->n_switches, f->n_hosts, own.t->engine,
	       own.rating.uniform, own.rating.shifts, whole.rating.uniform, whole.rating.shifts,
	       ceiling.low ? "no"
	       : better    ? "yes"
			   : "made whole",
	       ceiling.at_most.uniform, ceiling.at_most.shifts, own.rated, whole.made + whole.rated,
	       bounded.made + (bounded.t ? bounded.rated : 0));
	fflush(stdout);
	odo_tables_free(own.t);
	odo_tables_free(whole.t);
	odo_tables_free(bounded.t);
	odo_coordinates_free(c);
	return above && !(ceiling.low && better);
}

/* Specs, and shares of switches and links missing. */
static const struct row {
	const char *spec;
	odo_damage damage;
} usual[] = {
	{"flatfly:k=6x6,c=3", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"flatfly:k=8x8x8,c=4", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"paper-flatfly", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"hypercube:n=6,c=4", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"paper-hypercube", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"torus:k=6x6,c=2", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"torus:k=8x8x8,c=2", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"paper-torus-3d", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"mesh:k=6x6,c=2", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"mesh:k=10x10x10,c=2", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"dragonfly:p=2,a=4,h=2", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"dragonfly:p=4,a=8,h=4", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"paper-dragonfly", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"slimfly:q=5,c=3", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"slimfly:q=13,c=4", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"paper-slimfly-1", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"fattree:k=24,levels=2", {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"fattree:k=16,levels=3", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"fattree:k=40,levels=3", {.switches = 0.01, .links = 0.01, .seed = 1}},
	{"random:n=64,d=6,c=2", {.switches = 0, .links = 0, .seed = 1}},
	{"random:n=512,d=12,c=4", {.switches = 0, .links = 0, .seed = 1}},
	{"random:n=2048,d=16,c=4", {.switches = 0, .links = 0, .seed = 1}},
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",
	 {.switches = 0.03, .links = 0.02, .seed = 1}},
	{"dragonfly-plus:p=8,leaves=8,spines=8,h=8,g=65",
	 {.switches = 0.01, .links = 0.01, .seed = 1}},
};

/* @return false if the ceiling was wrong */
static bool bench_row(const struct row *row)
{
	odo_fabric *whole, *f;
	odo_error err;
	bench_must(odo_topology_generate(row->spec, 0, &whole, NULL, &err), &err);
	bench_must(odo_fabric_damage(whole, &row->damage, &f, NULL, &err), &err);
	bool right = bench_damaged(row->spec, &row->damage, f);
	odo_fabric_free(f);
	odo_fabric_free(whole);
	return right;
}

int main(int argc, char **argv)
{
	bool right = true;
	if (argc % 4 != 1) {
		fprintf(stderr, "expected SPEC SWITCHES LINKS SEED, and more of these\n");
		return 2;
	}
	printf("fabric,switches lost,links lost,switches,hosts,own engine,own uniform,own shifts,"
	       "updown uniform,updown shifts,better,at most uniform,at most shifts,ms own rated,"
	       "ms updown whole,ms updown with ceiling\n");
	for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
		right &= bench_row(&usual[i]);
	for (int i = 1; i < argc; i += 4)
		right &= bench_row(&(struct row){argv[i],
						 {.switches = atof(argv[i + 1]),
						  .links = atof(argv[i + 2]),
						  .seed = strtoull(argv[i + 3], NULL, 10)}});
	return !right;
}
