/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adaptive engines on paper 004's reference systems: time to make the tables, and nanoseconds to
 * look up the ways of a packet between two random hosts, so that every call finds the caches
 * cold. The emulator asks once or more for each packet and hop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/must.h"
#include "base/random.h"
#include "fabric/topology/topology.h"
#include "routing/adaptive.h"
#include "routing/engine.h"

#define N_QUERIES 65536u
#define ROUNDS 8u

typedef struct query {
	uint32_t s, lid;
	uint8_t port, vl;
} query;

static void draw_queries(const odo_tables *t, query *queries)
{
	const odo_fabric *f = t->fabric;
	odo_rng rng = odo_rng_make(1, 0);
	for (uint32_t i = 0; i < N_QUERIES; i++) {
		uint32_t from = odo_rng_below(&rng, f->n_hosts);
		uint32_t to = odo_rng_below(&rng, f->n_hosts);
		uint32_t lid = f->port_lid[f->host_slot[to]];
		queries[i] = (query){odo_host_switch(f, from), lid,
				     (uint8_t)odo_port(f, f->peer[f->host_slot[from]]),
				     t->adaptive->inject(t, from, lid)};
	}
}

/* Nanoseconds a call, and the mean number of ways found. */
static double time_queries(const odo_tables *t, const query *queries, double *ways)
{
	odo_candidate way[ODO_MAX_CANDIDATES];
	uint64_t total = 0;
	double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint32_t i = 0; i < N_QUERIES; i++)
			total += odo_candidates(t, queries[i].s, queries[i].port, queries[i].vl,
						queries[i].lid, way);
	*ways = (double)total / ROUNDS / N_QUERIES;
	return (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e9 / ROUNDS / N_QUERIES;
}

/* The engine's own time: odo_route() would verify, which takes much longer. */
static void measure_engine(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
			   query *queries)
{
	odo_tables *t = NULL;
	odo_error err = {0};
	odo_route_options options = {0};
	double ways, start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (odo_tables_create(f, row->name, &t, &err) || row->route(row, f, c, &options, t, &err)) {
		printf("%-20s %s\n", row->name, err.text);
	} else {
		double made = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		draw_queries(t, queries);
		double ns = time_queries(t, queries, &ways);
		printf("%-20s %4u %9.2f %9.1f %9.1f\n", row->name, t->n_vls, made - start, ns,
		       ways);
	}
	odo_tables_free(t);
}

int main(int argc, char **argv)
{
	static const char *const specs[] = {"paper-flatfly", "paper-hypercube", "paper-dragonfly",
					    "paper-slimfly-1"};
	query *queries = calloc(N_QUERIES, sizeof *queries);
	for (unsigned i = 0; queries && i < sizeof specs / sizeof *specs; i++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_error err;
		if (argc > 1 && strcmp(argv[1], specs[i]) != 0)
			continue;
		bench_must(odo_topology_generate(specs[i], 0, &f, &c, &err), &err);
		printf("\n%s: %u switches, %u hosts\n%-20s %4s %9s %9s %9s\n", specs[i],
		       f->n_switches, f->n_hosts, "engine", "VLs", "made, s", "ns a call", "ways");
		for (const odo_engine *row = odo_engines; row->name; row++)
			if (row->route && row->profile != ODO_PROFILE_IB &&
			    row->kinds & 1u << c->kind)
				measure_engine(row, f, c, queries);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
	free(queries);
	return 0;
}
