/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One emulation to run in a test. */
#ifndef ODONATA_TESTS_EMULATOR_RIG_H
#define ODONATA_TESTS_EMULATOR_RIG_H

#include <string.h>

#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"
#include "tests/unit.h"

/* A fabric routed by tables, or by a policy. */
struct rig {
	odo_fabric *fabric;
	odo_coordinates *coordinates;
	odo_tables *tables;
	odo_model model;
	odo_traffic *traffic;
	odo_emulation e;
};

/* With 2^lmc LIDs a host. */
static inline void rig_make_lids(struct rig *r, const char *topology, uint8_t lmc,
				 const char *model, const char *traffic, const char *policy)
{
	odo_error err = {0};
	*r = (struct rig){0};
	assert_int_equal(odo_topology_generate(topology, lmc, &r->fabric, &r->coordinates, &err),
			 0);
	assert_int_equal(odo_model_parse(model, NULL, &r->model, &err), 0);
	assert_int_equal(
		odo_traffic_create(traffic, r->fabric, r->coordinates, 1, &r->traffic, &err), 0);
	if (!policy)
		assert_int_equal(odo_route(r->fabric, r->coordinates, NULL, &(odo_route_options){0},
					   &r->tables, &err),
				 0);
	r->e = (odo_emulation){.fabric = r->fabric,
			       .coordinates = r->coordinates,
			       .tables = r->tables,
			       .policy = policy,
			       .model = &r->model,
			       .traffic = r->traffic,
			       .run = {.seed = 1, .load = 1, .warmup = 3000, .measured = 5000}};
}

static inline void rig_make(struct rig *r, const char *topology, const char *model,
			    const char *traffic, const char *policy)
{
	rig_make_lids(r, topology, 0, model, traffic, policy);
}

static inline void rig_free(struct rig *r)
{
	odo_traffic_free(r->traffic);
	odo_tables_free(r->tables);
	odo_coordinates_free(r->coordinates);
	odo_fabric_free(r->fabric);
}

static inline odo_measures *rig_run(struct rig *r)
{
	odo_error err = {0};
	odo_measures *m = NULL;
	int status = odo_emulate(&r->e, &m, &err);
	if (status)
		print_error("%s\n", err.text);
	assert_int_equal(status, 0);
	return m;
}

static inline void same_measures(const odo_measures *a, const odo_measures *b, const odo_fabric *f)
{
	assert_memory_equal(&a->latency, &b->latency, sizeof a->latency);
	assert_memory_equal(&a->network, &b->network, sizeof a->network);
	assert_memory_equal(a->path, b->path, sizeof a->path);
	assert_memory_equal(a->channel, b->channel, f->n_slots * sizeof *a->channel);
	assert_memory_equal(a->by_switch, b->by_switch, f->n_switches * sizeof *a->by_switch);
	assert_int_equal(a->n_intervals, b->n_intervals);
	assert_memory_equal(a->intervals, b->intervals, a->n_intervals * sizeof *a->intervals);
	assert_memory_equal(a->channel_series, b->channel_series,
			    (size_t)a->n_intervals * f->n_slots * sizeof *a->channel_series);
	assert_memory_equal(&a->accepted_error, &b->accepted_error, sizeof a->accepted_error);
	assert_int_equal(a->in_network, b->in_network);
	assert_int_equal(a->generated, b->generated);
}

/* Run as it is, and otherwise: the same comes out. */
static inline void rig_same(struct rig *r, odo_run_options otherwise)
{
	odo_run_options as_it_is = r->e.run;
	odo_measures *one = rig_run(r);
	r->e.run = otherwise;
	odo_measures *other = rig_run(r);
	r->e.run = as_it_is;
	same_measures(one, other, r->fabric);
	odo_measures_free(one);
	odo_measures_free(other);
}

/* On so many threads. */
static inline void rig_same_on(struct rig *r, unsigned threads)
{
	odo_run_options otherwise = r->e.run;
	otherwise.threads = threads;
	rig_same(r, otherwise);
}

#endif
