/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Time and memory of making fabrics, from about 2,000 to 65,536 switches. Prints the exponent of
 * time over cables: 1 is linear. Each is made in a process of its own, so that its peak memory
 * is its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/apart.h"
#include "bench/clock.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"

typedef struct result {
	uint32_t switches, links;
	double make, shuffle; /* seconds */
	double peak;          /* bytes */
} result;

static int measure_fabric(const char *spec, void *result_out)
{
	result *out = result_out;
	odo_fabric *f, *shuffled;
	odo_coordinates *truth;
	odo_error err;
	struct rusage usage;
	double start = bench_seconds(CLOCK_MONOTONIC);
	if (odo_topology_generate(spec, 0, &f, &truth, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	double made = bench_seconds(CLOCK_MONOTONIC);
	getrusage(RUSAGE_SELF, &usage);
	if (odo_fabric_shuffle(f, 1, &shuffled, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	*out = (result){f->n_switches, f->n_links, made - start,
			bench_seconds(CLOCK_MONOTONIC) - made, (double)usage.ru_maxrss * 1024};
	return 0;
}

int main(void)
{
	static const char *const pairs[][2] = {
		{"flatfly:k=16x16x8,c=8", "flatfly:k=16x16x16x16,c=8"},
		{"hypercube:n=11,l=2,c=8", "hypercube:n=16,l=2,c=8"},
		{"torus:k=8x16x16,c=8", "torus:k=32x32x64,c=8"},
		{"dragonfly:p=8,a=16,h=8,g=128", "dragonfly:p=8,a=64,h=16,g=1024"},
		{"slimfly-flatfly:q=8,k=16,c=8", "slimfly-flatfly:q=16,k=16x8,c=8"},
		{"random:n=2048,d=16,c=8", "random:n=65536,d=16,c=8"},
	};
	printf("%-36s %8s %8s %8s %8s %8s\n", "fabric", "switches", "make/s", "shuffle", "peak/MB",
	       "B/cable");
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		result r[2];
		for (unsigned k = 0; k < 2; k++) {
			if (bench_apart(measure_fabric, pairs[i][k], &r[k], sizeof(result)))
				return 1;
			printf("%-36s %8u %8.3f %8.3f %8.1f %8.0f\n", pairs[i][k], r[k].switches,
			       r[k].make, r[k].shuffle, r[k].peak / 1e6, r[k].peak / r[k].links);
		}
		printf("%36s exponent %.2f\n", "",
		       log(r[1].make / r[0].make) / log((double)r[1].links / r[0].links));
	}
	return 0;
}
