/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Gain of each specialised loop of the kernel, and of each of its tables. Every row runs with all
 * of them and without one, by turns; the least processor time of each counts.
 *
 *   bench_runs [REPEATS [ROW...]]     5 repeats of all rows: about five minutes
 *
 * Prints CSV: row, name of the loop or table that is switched off (none on the first line),
 * seconds, seconds with all in the same turns, the share that it wins, and whether the outcome is
 * the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strategies.h"
#include "bench/subject.h"

enum { MOST_NAMES = 40 };

/* odo_uses() has no argument for this state. */
static struct {
	const char *asked[MOST_NAMES];
	unsigned n;
	const char *off;
} survey;

bool odo_uses(const char *name)
{
	unsigned i = 0;
	while (i < survey.n && survey.asked[i] != name && strcmp(survey.asked[i], name))
		i++;
	if (i == survey.n && i < MOST_NAMES)
		survey.asked[survey.n++] = name;
	return !survey.off || strcmp(survey.off, name);
}

#define SMALL "dragonfly:p=4,a=8,h=4"
#define LARGE "dragonfly:p=6,a=12,h=6"
#define FLATFLY "flatfly:k=8x8x8,c=8"

/* The rows of bench_emulator, shorter, and one for each run that none of them takes. */
static const struct row {
	const char *what, *topology, *model, *policy; /* policy NULL: tables */
	double load;
	uint64_t cycles;
	const char *engine; /* of tables; NULL: the one that suits */
} rows[] = {
	{"1056 hosts load 0.5", SMALL, "fogsim-v5", NULL, 0.5, 2000, NULL},
	{"1056 hosts single phits", SMALL, "fogsim-v5:packet=1", NULL, 0.5, 400, NULL},
	{"5256 hosts load 0.5", LARGE, "fogsim-v5", NULL, 0.5, 600, NULL},
	{"5256 hosts load 1", LARGE, "fogsim-v5", NULL, 1, 600, NULL},
	{"5256 hosts side by side load 0.5", LARGE, "ofar", NULL, 0.5, 600, NULL},
	{"5256 hosts side by side load 1", LARGE, "ofar", NULL, 1, 600, NULL},
	{"5256 hosts by coordinates", LARGE, "ofar", "min", 0.5, 600, NULL},
	{"5256 hosts Valiant", LARGE, "ofar", "val", 0.5, 600, NULL},
	{"5256 hosts OFAR", LARGE, "ofar", "ofar", 0.5, 300, NULL},
	{"5256 hosts Piggybacking", LARGE, "ofar", "pb", 0.5, 300, NULL},
	{"FlatFly output buffers", FLATFLY, "daryin", NULL, 0.5, 300, NULL},
	{"8 ports", "torus:k=16x16,c=4", "fogsim-v5", NULL, 0.2, 2000, NULL},
	{"64 ports", "flatfly:k=16x16,c=16", "fogsim-v5", NULL, 0.5, 400, NULL},
	{"by coordinates one packet an input", SMALL, "fogsim-v5", "min", 0.5, 2000, NULL},
	{"Piggybacking one packet an input", SMALL, "fogsim-v5", "pb", 0.5, 1000, NULL},
	{"OFAR one packet an input", SMALL, "fogsim-v5", "ofar", 0.5, 1000, NULL},
	{"8 lanes", SMALL, "fogsim-v5:vls-local=8,vls-global=8", "val", 0.5, 1000, NULL},
	{"8 lanes side by side", SMALL, "ofar:vls-local=8,vls-global=8", "val", 0.5, 1000, NULL},
	{"128 ports", "flatfly:k=24x24,c=24", "ofar", "dor", 0.5, 100, NULL},
	{"hardly any load", SMALL, "fogsim-v5", NULL, 0.00001, 20000, NULL},
	{"FlatFly ADOR", FLATFLY, "daryin", NULL, 0.5, 300, "ador"},
	{"FlatFly Distance Based +4", FLATFLY, "daryin", NULL, 0.5, 100, "distance-based+4"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Outcome of a run, in short. */
typedef struct outcome {
	uint64_t hops, delivered, phits, waiting;
} outcome;

static double run_without(const struct subject *s, const char *without, outcome *out)
{
	odo_measures *m;
	odo_error err = {0};
	survey.off = without;
	double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	bench_must(odo_emulate(&s->e, &m, &err), &err);
	double took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	*out = (outcome){m->packet_hops, m->delivered, m->delivered_phits, m->waiting};
	odo_measures_free(m);
	return took;
}

static bool same_outcome(const outcome *a, const outcome *b)
{
	return !memcmp(a, b, sizeof *a);
}

static void measure_row(const struct row *r, unsigned repeats)
{
	struct subject s;
	outcome all, without;
	make_subject(
		r->topology, r->model, r->policy, r->engine,
		(odo_run_options){.seed = 1, .load = r->load, .measured = r->cycles, .threads = 1},
		&s);
	survey.n = 0;
	double first = run_without(&s, NULL, &all);
	unsigned n = survey.n;
	printf("\"%s\",\"\",%.4f,%.4f,0,1\n", r->what, first, first);
	for (unsigned i = 0; i < n; i++) {
		double with = INFINITY, less = INFINITY;
		for (unsigned k = 0; k < repeats; k++) {
			less = fmin(less, run_without(&s, survey.asked[i], &without));
			with = fmin(with, run_without(&s, NULL, &all));
		}
		printf("\"%s\",\"%s\",%.4f,%.4f,%.3f,%d\n", r->what, survey.asked[i], less, with,
		       less / with - 1, same_outcome(&all, &without));
		fflush(stdout);
	}
	clear_subject(&s);
}

int main(int argc, char **argv)
{
	unsigned repeats = argc > 1 ? (unsigned)atoi(argv[1]) : 5;
	if (!repeats) {
		fprintf(stderr, "usage: bench_runs [REPEATS [ROW...]]\n");
		return 2;
	}
	printf("row,without,seconds,with all,wins,same\n");
	for (unsigned i = 0; i < N_ROWS; i++) {
		bool asked = argc < 3;
		for (int k = 2; k < argc; k++)
			asked |= !strcmp(argv[k], rows[i].what);
		if (asked)
			measure_row(&rows[i], repeats);
	}
	return 0;
}
