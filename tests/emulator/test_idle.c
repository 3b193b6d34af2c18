/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cycles in which nothing moves are passed over, and nobody can tell. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "emulator/traffic/rank_placement.h"
#include "emulator/traffic/workload.h"
#include "tests/emulator/rig.h"

#define N_RANKS 12u

/* Rounds of a ring in which every rank computes, all for another time, between two messages. */
static char *write_trace(uint32_t compute)
{
	char *path = NULL;
	assert_true(asprintf(&path, "rest.%d.trace", (int)getpid()) > 0);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	fprintf(to, "trace 1\nranks %u\n", N_RANKS);
	for (uint32_t r = 0; r < N_RANKS; r++) {
		fprintf(to, "rank %u\n", r);
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t cycles = r == i ? compute : (r * 37 + i * 101) % 5000;
			fprintf(to, i ? "compute %u after %u %u\n" : "compute %u\n", cycles,
				3 * i - 1, 3 * i);
			fprintf(to, "send %u %u after %u\n", (r + 5) % N_RANKS, 40 + 300 * i,
				3 * i + 1);
			fprintf(to, "recv %u %u\n", (r + N_RANKS - 5) % N_RANKS, 40 + 300 * i);
		}
	}
	assert_int_equal(fclose(to), 0);
	return path;
}

static odo_measures *replay(struct rig *r, const char *trace, const odo_run_options *run)
{
	odo_error err = {0};
	odo_workload work;
	char spec[64];
	uint32_t *host = calloc(N_RANKS, sizeof *host);
	for (uint32_t i = 0; i < N_RANKS; i++)
		host[i] = i * (r->fabric->n_hosts / N_RANKS);
	const odo_workload_setup setup = {.n_hosts = r->fabric->n_hosts,
					  .host = host,
					  .n_ranks = N_RANKS,
					  .packet = r->model.packet,
					  .seed = 1};
	snprintf(spec, sizeof spec, "trace:%s", trace);
	if (odo_workload_create(spec, &setup, &work, &err))
		fail_msg("%s", err.text);
	r->e.traffic = NULL;
	r->e.workload = &work;
	r->e.run = *run;
	odo_measures *m = rig_run(r);
	odo_workload_free(&work);
	free(host);
	return m;
}

static void same(const odo_measures *a, const odo_measures *b, const odo_fabric *f)
{
	same_measures(a, b, f);
	assert_int_equal(a->outcome, b->outcome);
	assert_int_equal(a->cycles, b->cycles);
	assert_int_equal(a->packet_hops, b->packet_hops);
}

static void replay_same(struct rig *r, const char *trace, const odo_run_options *run,
			const odo_measures *expected)
{
	odo_measures *m = replay(r, trace, run);
	same(expected, m, r->fabric);
	odo_measures_free(m);
}

static const struct {
	const char *topology, *model, *policy;
} kinds[] = {
	{"dragonfly:p=2,a=4,h=2", "ofar", NULL},
	{"dragonfly:p=2,a=4,h=2", "ofar", "pb"},
	{"dragonfly:p=2,a=4,h=2", "ofar:latency-global=3000", "pb"},
	{"dragonfly:p=2,a=4,h=2", "valiant", "val"},
	{"dragonfly:p=2,a=4,h=2", "kim", "ugal-l"},
	{"dragonfly:p=2,a=4,h=2", "kim:flow=flits,channels=2", "min"},
	{"flatfly:k=4x4,c=1", "infiniband:paced-hosts=1", NULL},
	{"dragonfly:p=2,a=4,h=2", "ofar", "ofar"},
	{"flatfly:k=4x4,c=1", "infiniband", NULL},
	{"flatfly:k=4x4,c=1", "daryin", NULL},
};

static void rest_changes_nothing(void **state)
{
	(void)state;
	char *trace = write_trace(30000);
	for (size_t i = 0; TEST_ROW(i, kinds, kinds[i].topology); i++) {
		for (unsigned series = 0; series < 2; series++) {
			struct rig r;
			rig_make(&r, kinds[i].topology, kinds[i].model, "uniform", kinds[i].policy);
			odo_run_options run = {.seed = 1,
					       .measured = 200000,
					       .series = series ? 700 : 0,
					       .channels = series,
					       .plain = true};
			odo_measures *every = replay(&r, trace, &run);
			assert_int_equal(every->outcome, ODO_RUN_DONE);
			assert_true(every->cycles > 30000);
			run.plain = false;
			for (run.threads = 1; run.threads <= 3; run.threads += 2)
				replay_same(&r, trace, &run, every);
			odo_measures_free(every);
			rig_free(&r);
		}
	}
	unlink(trace);
	free(trace);
}

/* What happens besides: cables fail, time is up. */
static void rest_is_cut_short(void **state)
{
	(void)state;
	char *trace = write_trace(30000);
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", "ofar");
	odo_failure failures[] = {{9000, 0}, {20000, 0}, {25000, 0}};
	for (uint32_t slot = 0, n = 0; n < 3; slot++) /* some cables between switches */
		if (odo_next_switch(r.fabric, slot) != ODO_NONE && slot % 7 == 3)
			failures[n++].slot = slot;
	odo_run_options run = {.seed = 1, .measured = 29000, .plain = true};
	run.failures = failures;
	run.n_failures = 3;
	odo_measures *every = replay(&r, trace, &run);
	assert_int_equal(every->outcome, ODO_RUN_TIMEOUT);
	assert_int_equal(every->cycles, 29000);
	run.plain = false;
	replay_same(&r, trace, &run, every);
	odo_measures_free(every);
	rig_free(&r);
	unlink(trace);
	free(trace);
}

/* A load so low that the network is mostly empty. */
static void sparse_traffic_is_the_same(void **state)
{
	(void)state;
	static const char *const policies[] = {NULL, "pb", "ofar"};
	for (size_t i = 0; i < 3; i++) {
		struct rig r;
		rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", policies[i]);
		r.e.run = (odo_run_options){.seed = 1,
					    .load = 2e-5,
					    .warmup = 999,
					    .series = 5000,
					    .channels = true,
					    .measured = 90000};
		odo_run_options every = r.e.run;
		every.plain = true;
		rig_same(&r, every);
		rig_same_on(&r, 2);
		rig_free(&r);
	}
}

/* Run one by one, these would take hours. */
static void long_rests_take_no_time(void **state)
{
	(void)state;
	char *trace = write_trace(600000000);
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", "pb");
	const odo_run_options run = {.seed = 1, .measured = 2000000000, .threads = 2};
	odo_measures *m = replay(&r, trace, &run);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	assert_in_range(m->cycles, 600000000, 1900000000);
	odo_measures_free(m);
	rig_free(&r);
	unlink(trace);
	free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_changes_nothing),
		cmocka_unit_test(rest_is_cut_short),
		cmocka_unit_test(sparse_traffic_is_the_same),
		cmocka_unit_test(long_rests_take_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
