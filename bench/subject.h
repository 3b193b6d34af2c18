/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** An emulation to be timed, with all that it needs. */
#ifndef ODONATA_BENCH_SUBJECT_H
#define ODONATA_BENCH_SUBJECT_H

#include "bench/clock.h"
#include "bench/must.h"
#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"

struct subject {
	odo_fabric *fabric;
	odo_coordinates *coordinates;
	odo_tables *tables;
	odo_traffic *traffic;
	odo_model model;
	odo_emulation e;
	double proof; /* seconds of processor time until there were tables, proof included */
};

/**
 * Prepare uniform traffic.
 * @param policy NULL: tables
 * @param engine of the tables, or NULL for the one that suits
 */
static inline void make_subject(const char *topology, const char *model, const char *policy,
				const char *engine, odo_run_options run, struct subject *s)
{
	odo_error err = {0};
	*s = (struct subject){0};
	bench_must(odo_topology_generate(topology, 0, &s->fabric, &s->coordinates, &err), &err);
	bench_must(odo_model_parse(model, NULL, &s->model, &err), &err);
	bench_must(odo_traffic_create("uniform", s->fabric, s->coordinates, 1, &s->traffic, &err),
		   &err);
	double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (!policy)
		bench_must(odo_route(s->fabric, s->coordinates, engine, &(odo_route_options){0},
				     &s->tables, &err),
			   &err);
	s->proof = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	s->e = (odo_emulation){.fabric = s->fabric,
			       .coordinates = s->coordinates,
			       .tables = s->tables,
			       .policy = policy,
			       .model = &s->model,
			       .traffic = s->traffic,
			       .run = run};
}

static inline void clear_subject(struct subject *s)
{
	odo_traffic_free(s->traffic);
	odo_tables_free(s->tables);
	odo_coordinates_free(s->coordinates);
	odo_fabric_free(s->fabric);
}

#endif
