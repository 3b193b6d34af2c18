/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How fast the emulator is: packet-hops (switch to switch) a second on one core, memory, what
 * threads gain, and how cost grows to a million hosts.
 *
 *   bench_emulator [speed|threads|scale]     all three by default; `scale` needs 4 GB
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/clock.h"
#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"

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

static void must(int status, const odo_error *err)
{
	if (!status)
		return;
	fprintf(stderr, "bench_emulator: %s\n", err->text);
	exit(1);
}

static struct timing run(const struct job *j, odo_measures **m, uint32_t *hosts)
{
	struct timing best = {INFINITY, INFINITY};
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t = NULL;
	odo_model model;
	odo_traffic *traffic;
	must(odo_topology_generate(j->topology, 0, &f, &c, &err), &err);
	must(odo_model_parse(j->model, &model, &err), &err);
	must(odo_traffic_create("uniform", f, c, 1, &traffic, &err), &err);
	if (!j->policy)
		must(odo_route(f, c, NULL, &(odo_route_options){0}, &t, &err), &err);
	odo_emulation e = {.fabric = f,
			   .coordinates = c,
			   .tables = t,
			   .policy = j->policy,
			   .model = &model,
			   .traffic = traffic,
			   .run = {.seed = 1,
				   .load = j->load,
				   .measured = j->cycles,
				   .threads = j->threads,
				   .plain = j->plain}};
	for (unsigned i = 0; i < j->repeats; i++) {
		if (i)
			odo_measures_free(*m);
		double wall = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
		must(odo_emulate(&e, m, &err), &err);
		best.wall = fmin(best.wall, seconds(CLOCK_MONOTONIC) - wall);
		best.used = fmin(best.used, seconds(CLOCK_PROCESS_CPUTIME_ID) - used);
	}
	*hosts = f->n_hosts;
	odo_traffic_free(traffic);
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return best;
}

static struct timing report(const struct job *j)
{
	odo_measures *m;
	uint32_t hosts;
	struct timing best = run(j, &m, &hosts);
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

static void speed(void)
{
	static const struct job jobs[] = {
		{"1,056, load 0.5", SMALL, "fogsim-v5", NULL, 0.5, 10000, 1, 5, 9.6, false},
		{"1,056, load 0.5, single phits", SMALL, "fogsim-v5:packet=1", NULL, 0.5, 2000, 1,
		 5, 7.5, false},
		{"5,256, load 0.5", LARGE, "fogsim-v5", NULL, 0.5, 3000, 1, 5, 10, false},
		{"5,256, load 1", LARGE, "fogsim-v5", NULL, 1, 3000, 1, 5, 6, false},
		{"5,256, load 0.5, plain", LARGE, "fogsim-v5", NULL, 0.5, 3000, 1, 3, 0, true},
		{"5,256, load 1, plain", LARGE, "fogsim-v5", NULL, 1, 3000, 1, 3, 0, true},
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
		report(&jobs[i]);
}

/* Two threads against one by the clock, which needs two idle cores, and by processor time, which
 * shows what two threads spend on each other: 1.00 is nothing. */
static void threads(void)
{
	struct job j = {
		"5,256, load 0.5, 1 thread", LARGE, "fogsim-v5", NULL, 0.5, 5000, 1, 3, 0, false};
	struct timing one = report(&j);
	j.what = "5,256, load 0.5, 2 threads";
	j.threads = 2;
	struct timing two = report(&j);
	printf("two threads: %.2f times as fast by the clock, %.2f of the processor time\n",
	       one.wall / two.wall, two.used / one.used);
}

/* Least squares of log(seconds) over log(hosts). */
static void scale(void)
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
		double x = log(hosts[i]), y = log(report(&jobs[i]).used);
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
	bool all = !strcmp(what, "all");
	if (argc > 2 ||
	    (!all && strcmp(what, "speed") && strcmp(what, "threads") && strcmp(what, "scale"))) {
		fprintf(stderr, "usage: bench_emulator [speed|threads|scale]\n");
		return 2;
	}
	if (all || !strcmp(what, "speed"))
		speed();
	if (all || !strcmp(what, "threads"))
		threads();
	if (all || !strcmp(what, "scale"))
		scale();
	return 0;
}
