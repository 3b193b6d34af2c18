/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Quality of the paths of a routing, whoever made it:
 *   bench_paths FABRIC engine NAME [VLS]
 *   bench_paths FABRIC tables FILE...
 * Prints the share of pairs of hosts on shortest paths, the mean number of hops over that of
 * shortest paths, and the forwarding index, which is the most pairs that share one cable; also
 * over what it would be if all cables carried the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/must.h"
#include "export/import.h"
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "routing/graph/distance.h"
#include "routing/engine.h"

typedef struct quality {
	uint64_t pairs, shortest, hops, least;
	uint64_t *load; /* [slots of switches] */
} quality;

/* Follows the pairs of one source; lost ones are not counted. */
static void follow_pair(const odo_tables *t, const uint8_t *dist, uint32_t from, uint32_t to,
			quality *q)
{
	const odo_fabric *f = t->fabric;
	uint32_t s = odo_host_switch(f, from), d = odo_host_switch(f, to), hops = 0;
	uint32_t lid = f->port_lid[f->host_slot[to]], n = f->n_switches;
	unsigned least = dist[(size_t)s * n + d];
	for (uint32_t at = s; at != d && hops <= n; hops++) {
		uint32_t slot = odo_slot(f, at, odo_next_port(t, at, lid));
		q->load[slot]++;
		at = odo_next_switch(f, slot);
	}
	q->pairs++;
	q->shortest += hops == least;
	q->hops += hops;
	q->least += least;
}

static void report_paths(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	quality q = {.load = calloc(f->first_slot[f->n_switches], sizeof *q.load)};
	odo_arena memory = {0};
	uint8_t *dist;
	odo_error err;
	uint64_t most = 0, n_channels = 0;
	if (!q.load || odo_distances(f, &memory, &dist, &err))
		bench_die("distances", &err);
	for (uint32_t a = 0; a < f->n_hosts; a++)
		for (uint32_t b = 0; b < f->n_hosts; b++)
			if (odo_host_switch(f, a) != odo_host_switch(f, b))
				follow_pair(t, dist, a, b, &q);
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		n_channels += odo_next_switch(f, i) != ODO_NONE;
		most = q.load[i] > most ? q.load[i] : most;
	}
	double mean = (double)q.least / (double)n_channels;
	printf("shortest %6.2f %%  hops %5.3f  index %8llu  %6.2f\n",
	       100.0 * (double)q.shortest / (double)q.pairs, (double)q.hops / (double)q.least,
	       (unsigned long long)most, (double)most / mean);
	free(q.load);
	odo_arena_free(&memory);
}

int main(int argc, char **argv)
{
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t;
	double took = 0;
	if (argc < 4) {
		fprintf(stderr, "bench_paths FABRIC engine NAME [VLS] | tables FILE...\n");
		return 2;
	}
	if (odo_fabric_read(argv[1], 0, &f, &err))
		bench_die(argv[1], &err);
	if (!strcmp(argv[2], "tables")) {
		if (odo_import_files(f, (const char *const *)argv + 3, (size_t)argc - 3, false, false, NULL, NULL,
				     &t, &err))
			bench_die(argv[3], &err);
	} else {
		odo_route_options options = {.max_vls = argc > 4 ? (unsigned)atoi(argv[4]) : 0};
		if (odo_map(f, &c, &err))
			bench_die(argv[1], &err);
		double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		if (odo_route(f, c, argv[3], &options, &t, &err))
			bench_die(argv[3], &err);
		took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		odo_coordinates_free(c);
	}
	/* LFTs do not say how many VLs there are. */
	if (!strcmp(argv[2], "tables"))
		printf("imported   ");
	else
		printf("%-8s %u VLs %.0f ms ", argv[3], t->n_vls, 1e3 * took);
	report_paths(t);
	odo_tables_free(t);
	odo_fabric_free(f);
	return 0;
}
