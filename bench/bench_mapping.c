/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Time and memory of mapping, from 2,048 to 65,536 switches on one core. Prints the exponents of
 * time over switches and over links: 1 is linear. Each fabric is shuffled, and mapped in a
 * process of its own, so that the peak of memory is mapping's own. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/apart.h"
#include "bench/clock.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"

enum { REPEATS = 3, SIZES = 3 };

typedef struct result {
	uint32_t switches, links;
	odo_kind kind;
	double seconds; /* of processor time, the least of REPEATS */
	double bytes;   /* by which the peak rose */
} result;

/* Peak of resident memory since it was last reset, in bytes (Linux). */
static double peak_memory(bool reset)
{
	char line[128];
	double kilobytes = 0;
	FILE *f = reset ? fopen("/proc/self/clear_refs", "w") : NULL;
	if (f) {
		fputs("5", f);
		fclose(f);
	}
	f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "VmHWM: %lf kB", &kilobytes);
	if (f)
		fclose(f);
	return kilobytes * 1024;
}

static int measure_mapping(const char *spec, void *result_out)
{
	result *out = result_out;
	odo_fabric *f, *shuffled;
	odo_error err;
	if (odo_topology_generate(spec, 0, &f, NULL, &err) ||
	    odo_fabric_shuffle(f, 1, &shuffled, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	*out = (result){.switches = f->n_switches, .links = f->n_links, .seconds = INFINITY};
	double before = peak_memory(true);
	for (int i = 0; i < REPEATS; i++) {
		odo_coordinates *c;
		double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		if (odo_map(shuffled, &c, &err)) {
			fprintf(stderr, "%s\n", err.text);
			return 1;
		}
		double took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		out->seconds = took < out->seconds ? took : out->seconds;
		out->kind = c->kind;
		odo_coordinates_free(c);
	}
	out->bytes = peak_memory(false) - before;
	return 0;
}

static int print_one(const char *spec, result *r)
{
	if (bench_apart(measure_mapping, spec, r, sizeof *r))
		return 1;
	printf("%-46s %6u %8u %-16s %9.1f %8.0f\n", spec, r->switches, r->links,
	       odo_kind_name(r->kind), r->seconds * 1e3, r->bytes / r->links);
	fflush(stdout);
	return 0;
}

static int measure_family(const char *const specs[SIZES])
{
	result r[SIZES];
	for (int i = 0; i < SIZES; i++)
		if (print_one(specs[i], &r[i]))
			return 1;
	double time = log(r[SIZES - 1].seconds / r[0].seconds);
	printf("%46s exponent %.2f over switches, %.2f over links\n", "",
	       time / log((double)r[SIZES - 1].switches / r[0].switches),
	       time / log((double)r[SIZES - 1].links / r[0].links));
	return 0;
}

int main(void)
{
	static const char *const families[][SIZES] = {
		{"flatfly:k=4x8x8x8,l=2x1x1x1,c=0", "flatfly:k=4x8x16x16,l=2x1x1x1,c=0",
		 "flatfly:k=16x16x16x16,l=2x1x1x1,c=0"},
		{"hypercube:n=11,l=2,c=0", "hypercube:n=13,l=2,c=0", "hypercube:n=16,l=2,c=0"},
		{"torus:k=4x8x8x8,l=2x4x4x4,c=0", "torus:k=8x8x8x16,l=2x4x4x4,c=0",
		 "torus:k=16x16x16x16,l=2x4x4x4,c=0"},
		{"mesh:k=8x16x16,c=0", "mesh:k=16x16x32,c=0", "mesh:k=32x32x64,c=0"},
		{"dragonfly:p=0,a=16,h=8,g=128,cables=1", "dragonfly:p=0,a=24,h=12,g=289",
		 "dragonfly:p=0,a=40,h=20,g=801"},
		{"slimfly:q=32,c=0", "slimfly:q=64,c=0", "slimfly:q=101,c=0"},
		{"slimfly-flatfly:q=8,k=16,c=0", "slimfly-flatfly:q=8,k=8x8,c=0",
		 "slimfly-flatfly:q=16,k=16x8,c=0"},
		{"pgft:m=1x20x40,w=1x20x20", "pgft:m=1x40x80,w=1x40x40",
		 "pgft:m=1x114x228,w=1x114x114"},
		{"dragonfly-plus:leaves=16,spines=16,h=16,g=64",
		 "dragonfly-plus:leaves=24,spines=24,h=24,g=170",
		 "dragonfly-plus:leaves=40,spines=40,h=40,g=819"},
	};
	/* The other reference systems of paper 004, and systems of about as many switches. */
	static const char *const others[] = {"paper-torus-3d",
					     "paper-slimfly-1",
					     "dragonfly:p=0,a=4x4,h=8,g=128,cables=1",
					     "dragonfly:p=0,a=4x8,h=4,g=64",
					     "dragonfly:p=0,a=4x4x4,h=2,g=32",
					     "slimfly:q=31,c=0"};
	printf("%-46s %6s %8s %-16s %9s %8s\n", "fabric", "switch", "links", "found", "ms",
	       "byte/link");
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (measure_family(families[i]))
			return 1;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (print_one(others[i], &(result){0}))
			return 1;
	return 0;
}
