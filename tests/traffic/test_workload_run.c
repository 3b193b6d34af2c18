/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Workloads and bursts through the emulator: they end, when their last packet is in, at a time
 * that the links allow, and at the same one for any number of threads. */
#include <stdio.h>
#include <stdlib.h>

#include "emulator/traffic/pattern.h"
#include "emulator/traffic/rank_placement.h"
#include "emulator/traffic/workload.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

struct world {
	odo_fabric *f;
	odo_coordinates *c;
	odo_order *order;
	odo_model model;
	uint32_t host[72];
	odo_workload_setup setup;
};

static void make(struct world *w, const char *placement)
{
	odo_error err = {0};
	*w = (struct world){0};
	if (odo_topology_generate("dragonfly:p=2,a=4,h=2", 0, &w->f, &w->c, &err) ||
	    odo_model_parse("ofar", NULL, &w->model, &err) ||
	    odo_order_create(w->f, w->c, &w->order, &err) ||
	    odo_place(w->order, placement, 1, 72, w->host, &err))
		fail_msg("%s", err.text);
	w->setup = (odo_workload_setup){.n_hosts = 72,
					.host = w->host,
					.n_ranks = 72,
					.packet = w->model.packet,
					.seed = 1};
}

static void done(struct world *w)
{
	odo_order_free(w->order);
	odo_coordinates_free(w->c);
	odo_fabric_free(w->f);
}

static odo_measures *run(const struct world *w, const odo_workload *work, uint64_t most,
			 unsigned threads)
{
	odo_error err = {0};
	odo_measures *m;
	const odo_emulation e = {.fabric = w->f,
				 .coordinates = w->c,
				 .policy = "min",
				 .model = &w->model,
				 .workload = work,
				 .run = {.seed = 1, .measured = most, .threads = threads}};
	if (odo_emulate(&e, &m, &err))
		fail_msg("%s", err.text);
	return m;
}

static odo_measures *run_spec(const struct world *w, const char *spec, uint64_t most,
			      unsigned threads)
{
	odo_workload work;
	odo_error err = {0};
	if (odo_workload_create(spec, &w->setup, &work, &err))
		fail_msg("%s", err.text);
	odo_measures *m = run(w, &work, most, threads);
	odo_workload_free(&work);
	return m;
}

static void workloads_end_when_all_is_received(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		uint64_t packets, phits_a_host, dependent_hops;
	} rows[] = {
		{"alltoall:bytes=64", 72 * 71 * 2, 71 * 16, 71},
		{"alltoall:bytes=64,order=own", 72 * 71 * 2, 71 * 16, 1},
		{"ring:bytes=2304", 72 * 142, 142 * 8, 142},
		{"halo:size=8x9,bytes=320,rounds=5", 72 * 5 * 4 * 10, 5 * 4 * 80, 5},
		{"halo:size=8x9,bytes=9,rounds=5", 72 * 5 * 4, 5 * 4 * 3, 5},
	};
	static const char *const placements[] = {"linear", "random", "group"};
	for (size_t k = 0; k < 3; k++) {
		struct world w;
		make(&w, placements[k]);
		for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
			odo_measures *m = run_spec(&w, rows[i].spec, 1000000, 1);
			assert_int_equal(m->outcome, ODO_RUN_DONE);
			assert_int_equal(m->delivered, rows[i].packets);
			assert_int_equal(m->generated_phits, m->delivered_phits);
			assert_true(m->offered == m->accepted); /* packets cut short, too */
			assert_int_equal(m->in_network, 0);
			/* A host takes a phit a cycle; a step waits for one packet at least. */
			assert_true(m->cycles > rows[i].phits_a_host);
			assert_true(m->cycles > rows[i].dependent_hops * 8);
			assert_true(m->cycles < 100000);
			odo_measures_free(m);
		}
		done(&w);
	}
}

static void time_that_is_too_short_is_told(void **state)
{
	(void)state;
	struct world w;
	make(&w, "linear");
	odo_measures *m = run_spec(&w, "alltoall:bytes=64", 300, 1);
	assert_int_equal(m->outcome, ODO_RUN_TIMEOUT);
	assert_int_equal(m->cycles, 300);
	odo_measures_free(m);
	done(&w);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	struct world w;
	make(&w, "random");
	odo_measures *one = run_spec(&w, "doubling:bytes=500", 1000000, 1);
	odo_measures *three = run_spec(&w, "doubling:bytes=500", 1000000, 3);
	assert_int_equal(one->outcome, ODO_RUN_DONE);
	assert_int_equal(one->cycles, three->cycles);
	assert_memory_equal(&one->latency, &three->latency, sizeof one->latency);
	odo_measures_free(one);
	odo_measures_free(three);
	done(&w);
}

/** All of a group's packets over its one link to the next group: 8 hosts of 8 phits each. */
static void burst_takes_what_its_busiest_link_takes(void **state)
{
	(void)state;
	struct world w;
	odo_traffic *traffic;
	odo_workload work;
	odo_error err;
	make(&w, "linear");
	assert_int_equal(odo_traffic_create("advg:n=1", w.f, w.c, 1, &traffic, &err), 0);
	assert_int_equal(odo_workload_burst(traffic, 100, &w.setup, &work, &err), 0);
	odo_measures *m = run(&w, &work, 1000000, 1);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	assert_int_equal(m->delivered, 72 * 100);
	assert_in_range(m->cycles, 8 * 8 * 100, 8 * 8 * 100 * 11 / 10);
	odo_measures_free(m);
	odo_workload_free(&work);
	odo_traffic_free(traffic);
	done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_that_is_too_short_is_told),
		cmocka_unit_test(workloads_end_when_all_is_received),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(burst_takes_what_its_busiest_link_takes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
