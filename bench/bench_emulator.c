/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Speed of the emulator: packet-hops (switch to switch) a second on one core, memory, gain of
 * threads, and growth of the cost up to a million hosts.
 *
 *   bench_emulator [speed|threads|scale|shares [ROW]]     the first three by default; `scale`
 *                                                         needs 4 GB
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/subject.h"

struct job {
	const char *what, *topology, *model, *policy; /* policy NULL: tables */
	double load;
	uint64_t cycles;
	unsigned threads, repeats;
	double floor; /* million packet-hops a second */
	bool plain;
};

/* Best seconds by the clock, and of processor time. */
struct timing {
	double wall, used;
};

static odo_run_options options_of(const struct job *j)
{
	return (odo_run_options){.seed = 1,
				 .load = j->load,
				 .measured = j->cycles,
				 .threads = j->threads,
				 .plain = j->plain};
}

static struct timing time_run(const struct subject *s, odo_measures **m)
{
	odo_error err = {0};
	double wall = bench_seconds(CLOCK_MONOTONIC),
	       used = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	bench_must(odo_emulate(&s->e, m, &err), &err);
	return (struct timing){bench_seconds(CLOCK_MONOTONIC) - wall,
			       bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - used};
}

static struct timing report_job(const struct job *j)
{
	odo_measures *m = NULL;
	struct subject s;
	struct timing best = {INFINITY, INFINITY};
	make_subject(j->topology, j->model, j->policy, NULL, options_of(j), &s);
	for (unsigned i = 0; i < j->repeats; i++) {
		if (i)
			odo_measures_free(m);
		struct timing t = time_run(&s, &m);
		best.wall = fmin(best.wall, t.wall);
		best.used = fmin(best.used, t.used);
	}
	uint32_t hosts = s.fabric->n_hosts;
	clear_subject(&s);
	double seconds = best.used, rate = (double)m->packet_hops / seconds / 1e6;
	printf("%-34s %9u hosts  %7.2f s  %7.2f M hops/s", j->what, hosts, seconds, rate);
	if (j->floor > 0)
		printf("  (floor %.1f)", j->floor);
	printf("  accepted %.3f  %6.1f MB, %4.0f bytes/host\n", m->accepted,
	       (double)m->memory / 1e6, (double)m->memory / hosts);
	fflush(stdout);
	odo_measures_free(m);
	return best;
}

#define SMALL "dragonfly:p=4,a=8,h=4"
#define LARGE "dragonfly:p=6,a=12,h=6"
#define FLATFLY "flatfly:k=8x8x8,c=8"
#define PAPER "paper-flatfly"

static void print_speeds(void)
{
	static const struct job jobs[] = {
		{"1,056, load 0.5", SMALL, "fogsim-v5", NULL, 0.5, 10000, 1, 5, 9.6, false},
		{"1,056, load 0.5, single phits", SMALL, "fogsim-v5:packet=1", NULL, 0.5, 2000, 1,
		 5, 7.5, false},
		{"5,256, load 0.5", LARGE, "fogsim-v5", NULL, 0.5, 3000, 1, 5, 10, false},
		{"5,256, load 1", LARGE, "fogsim-v5", NULL, 1, 3000, 1, 5, 6, false},
		{"5,256, load 0.5, general loop", LARGE, "fogsim-v5", NULL, 0.5, 3000, 1, 3, 0,
		 true},
		{"5,256, load 1, general loop", LARGE, "fogsim-v5", NULL, 1, 3000, 1, 3, 0, true},
		{"5,256, load 0.5, VLs side by side", LARGE, "ofar", NULL, 0.5, 3000, 1, 3, 0,
		 false},
		{"5,256, load 1, VLs side by side", LARGE, "ofar", NULL, 1, 3000, 1, 3, 0, false},
		{"5,256, load 0.5, by coordinates", LARGE, "ofar", "min", 0.5, 3000, 1, 3, 0,
		 false},
		{"5,256, load 0.5, Valiant", LARGE, "ofar", "val", 0.5, 3000, 1, 3, 0, false},
		{"5,256, load 0.5, OFAR", LARGE, "ofar", "ofar", 0.5, 1000, 1, 3, 0, false},
		{"5,256, load 0.5, Piggybacking", LARGE, "ofar", "pb", 0.5, 1000, 1, 3, 0, false},
		{"FlatFly, load 0.5, output buffers", FLATFLY, "daryin", NULL, 0.5, 1000, 1, 3, 0,
		 false},
	};
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		report_job(&jobs[i]);
}

/* Print for each row its packet-hops a second as a share of the first row's, the goal for the
 * share, and the seconds until its tables were proved. Rows run by turns, so that all see the same
 * machine; the best turn of each counts. */
static void print_shares(const char *only)
{
	static const struct {
		struct job job;
		const char *engine;
		double goal;
	} rows[] = {
		{{"dragonfly, minimal", LARGE, "fogsim-v5", NULL, .5, 1500, 1, 0, 0, false},
		 NULL,
		 1},
		{{"dragonfly, Valiant", LARGE, "ofar", "val", .5, 600, 1, 0, 0, false}, NULL, .7},
		{{"dragonfly, UGAL", LARGE, "ofar", "ugal-l", .5, 600, 1, 0, 0, false}, NULL, .6},
		{{"dragonfly, Piggybacking", LARGE, "ofar", "pb", .5, 600, 1, 0, 0, false},
		 NULL,
		 .5},
		{{"dragonfly, OFAR", LARGE, "ofar", "ofar", .5, 600, 1, 0, 0, false}, NULL, .6},
		{{"FlatFly, DOR", FLATFLY, "daryin", NULL, .5, 600, 1, 0, 0, false}, NULL, .8},
		{{"paper-flatfly, DOR", PAPER, "daryin", NULL, .5, 600, 1, 0, 0, false}, "dor", .5},
		{{"paper-flatfly, ADOR", PAPER, "daryin", NULL, .5, 600, 1, 0, 0, false},
		 "ador",
		 .5},
		{{"paper-flatfly, Distance Based", PAPER, "daryin", NULL, .5, 600, 1, 0, 0, false},
		 "distance-based",
		 .5},
		{{"paper-flatfly, Distance Based +4", PAPER, "daryin", NULL, .5, 600, 1, 0, 0,
		  false},
		 "distance-based+4",
		 .5},
		{{"paper-flatfly, Deflection +4", PAPER, "daryin", NULL, .5, 600, 1, 0, 0, false},
		 "deflection+4",
		 .5},
	};
	enum { N = sizeof rows / sizeof *rows, TURNS = 5 };
	struct subject s[N];
	double best[N], hops[N];
	bool wanted[N];
	for (unsigned i = 0; i < N; i++) {
		best[i] = INFINITY;
		wanted[i] = !i || !only || strstr(rows[i].job.what, only);
		if (wanted[i])
			make_subject(rows[i].job.topology, rows[i].job.model, rows[i].job.policy,
				     rows[i].engine, options_of(&rows[i].job), &s[i]);
	}
	for (unsigned k = 0; k < TURNS * N; k++) {
		unsigned i = k % N;
		odo_measures *m;
		if (!wanted[i])
			continue;
		best[i] = fmin(best[i], time_run(&s[i], &m).used);
		hops[i] = (double)m->packet_hops;
		odo_measures_free(m);
	}
	for (unsigned i = 0; i < N; i++) {
		if (!wanted[i])
			continue;
		printf("%-34s %7.3f s  %6.2f M hops/s  share %.2f  (goal %.1f)  tables "
		       "%.1f s\n",
		       rows[i].job.what, best[i], hops[i] / best[i] / 1e6,
		       hops[i] / best[i] / (hops[0] / best[0]), rows[i].goal, s[i].proof);
		clear_subject(&s[i]);
	}
}

/* Two threads against one by the clock, which needs two idle cores, and by processor time, which
 * shows what two threads spend on each other: 1.00 is nothing. */
static void print_threads(void)
{
	struct job j = {
		"5,256, load 0.5, 1 thread", LARGE, "fogsim-v5", NULL, 0.5, 5000, 1, 3, 0, false};
	struct timing one = report_job(&j);
	j.what = "5,256, load 0.5, 2 threads";
	j.threads = 2;
	struct timing two = report_job(&j);
	printf("two threads: %.2f times as fast by the clock, %.2f of the processor time\n",
	       one.wall / two.wall, two.used / one.used);
}

/* Least squares of log(seconds) over log(hosts). */
static void print_growth(void)
{
	static const struct job jobs[] = {
		{"1,000 cycles", SMALL, "ofar", "min", 0.5, 1000, 1, 3, 0, false},
		{"1,000 cycles", "dragonfly:p=8,a=16,h=8", "ofar", "min", 0.5, 1000, 1, 1, 0,
		 false},
		{"1,000 cycles", "dragonfly:p=13,a=26,h=13", "ofar", "min", 0.5, 1000, 1, 1, 0,
		 false},
		{"1,000 cycles", "dragonfly:p=23,a=46,h=23", "ofar", "min", 0.5, 1000, 1, 1, 0,
		 false},
	};
	static const double hosts[] = {1056, 16512, 114582, 1120422};
	size_t n = sizeof jobs / sizeof *jobs;
	double sx = 0, sy = 0, sxx = 0, sxy = 0;
	for (size_t i = 0; i < n; i++) {
		double x = log(hosts[i]), y = log(report_job(&jobs[i]).used);
		sx += x;
		sy += y;
		sxx += x * x;
		sxy += x * y;
	}
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	double slope = ((double)n * sxy - sx * sy) / ((double)n * sxx - sx * sx);
	printf("time grows with hosts to the power of %.2f; at most %.2f GB resident\n", slope,
	       (double)use.ru_maxrss / 1e6);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "all";
	bool all = !strcmp(what, "all"), only_shares = !strcmp(what, "shares");
	if (argc > 2 + only_shares || (!all && !only_shares && strcmp(what, "speed") &&
				       strcmp(what, "threads") && strcmp(what, "scale"))) {
		fprintf(stderr, "usage: bench_emulator [speed|threads|scale|shares [ROW]]\n");
		return 2;
	}
	if (all || !strcmp(what, "speed"))
		print_speeds();
	if (all || !strcmp(what, "threads"))
		print_threads();
	if (all || !strcmp(what, "scale"))
		print_growth();
	if (only_shares)
		print_shares(argc > 2 ? argv[2] : NULL);
	return 0;
}
