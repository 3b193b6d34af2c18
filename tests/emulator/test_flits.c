/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Virtual-channel flow control, flit by flit: what a channel can carry, and what holds of every
 * run. */
#include <math.h>
#include <stdio.h>

#include "tests/emulator/rig.h"

#define ANY_SPEED "kim:flow=flits,output-buffer=0,pipeline=0"
#define MODEL ANY_SPEED ",speedup=1"
#define MODEL8 "kim:flow=flits,packet=8,buffer-local=64,buffer-global=64,buffer-host=24,pipeline=0"

static double accepted(const char *topology, const char *model, const char *pattern,
		       const char *policy)
{
	struct rig r;
	rig_make(&r, topology, model, pattern, policy);
	odo_measures *m = rig_run(&r);
	double load = m->accepted;
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	odo_measures_free(m);
	rig_free(&r);
	return load;
}

/* Two switches of a host each: one lane at a time obtains a channel, then sends its flits, so that
 * every packet costs its flits and one cycle more; two lanes hide that from the link. */
static void a_channel_costs_each_packet_a_cycle(void **state)
{
	(void)state;
	static const struct {
		const char *model;
		double accepted;
	} cases[] = {
		{MODEL ",packet=1", 1.0 / 2},
		{MODEL ",packet=2", 2.0 / 3},
		{MODEL ",packet=8", 8.0 / 9},
		{ANY_SPEED ",packet=1,speedup=2", 1},
		/* The first credit comes 2 + 1 + 2 cycles after the first flit: the fifth waits
		   one. */
		{MODEL ",packet=8,buffer-local=4", 8.0 / 10},
		{MODEL ",packet=1,channels=2,injection-queues=2,queue-policy=random", 1},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].model); i++) {
		double found = accepted("flatfly:k=2,c=1", cases[i].model, "uniform", "dor");
		print_message("%s: %.4f (%.4f)\n", cases[i].model, found, cases[i].accepted);
		assert_true(fabs(found - cases[i].accepted) < 0.004);
	}
}

static void no_flit_is_lost(void **state)
{
	(void)state;
	static const char *const models[] = {
		MODEL,
		MODEL ",packet=8,buffer-local=4,buffer-global=12",
		"kim:flow=flits,packet=8,channels=3,injection-queues=3",
		"kim:flow=flits,packet=8,injection-queues=2,paced-hosts=1,paced-credits=1",
		"ofar:paced-hosts=1",
		"ofar:flow=flits,input-parallel=1,buffer-local=5"};
	for (size_t i = 0; TEST_ROW(i, models, models[i]); i++) {
		struct rig r;
		rig_make(&r, "dragonfly:p=2,a=4,h=2", models[i], "uniform", NULL);
		r.e.run.load = 0.2;
		r.e.run.warmup = 0;
		r.e.run.measured = 20000;
		odo_measures *m = rig_run(&r);
		assert_int_equal(m->outcome, ODO_RUN_DONE);
		assert_int_equal(m->generated,
				 m->delivered + m->in_network + m->waiting + m->dropped);
		assert_true(fabs(m->accepted - 0.2) < 0.02);
		odo_measures_free(m);
		rig_free(&r);
	}
}

static void threads_change_nothing(void **state)
{
	(void)state;
	static const char *const policies[] = {NULL, "min", "val", "ugal-l"};
	for (size_t i = 0; TEST_ROW(i, policies, policies[i]); i++) {
		struct rig r;
		rig_make(&r, "dragonfly:p=2,a=4,h=2",
			 i % 2 ? "kim:flow=flits,packet=4,channels=2"
			       : "kim:flow=flits,packet=8,paced-hosts=1,paced-credits=1",
			 "uniform", policies[i]);
		r.e.run.load = 0.9;
		r.e.run.series = 700;
		r.e.run.channels = true;
		rig_same_on(&r, 3);
		rig_free(&r);
	}
}

/* One thread has several groups in a part, four have one each: long links within a part, and none.
 * Credits that are held back must not overtake each other there. */
static void long_links_are_alike_within_parts_and_between(void **state)
{
	(void)state;
	static const struct {
		const char *topology, *model, *policy;
		double load;
	} runs[] = {
		{"dragonfly:p=4,a=8,h=4", "kim:flow=flits,latency-global=300,output-buffer=0", NULL,
		 0.1},
		{"dragonfly:p=4,a=8,h=4", "ofar:latency-global=300", NULL, 0.1},
		{"dragonfly:p=3,a=6,h=3,g=11,arrangement=circulant",
		 "daryin:packet=10,latency-local=11,latency-global=10,buffer-local=37,"
		 "buffer-global=110,buffer-host=90,speedup=2,output-buffer=50",
		 "ugal-l-cr:threshold=1", 0.9},
	};
	for (size_t i = 0; TEST_ROW(i, runs, runs[i].topology); i++) {
		struct rig r;
		rig_make(&r, runs[i].topology, runs[i].model, "uniform", runs[i].policy);
		r.e.run.load = runs[i].load;
		r.e.run.warmup = 400;
		r.e.run.measured = 1500;
		rig_same_on(&r, 4);
		rig_free(&r);
	}
}

static void latency_without_load_is_that_of_links_and_stages(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", MODEL ",packet=8,latency-local=10", "uniform", "dor");
	r.e.run.load = 0.001;
	r.e.run.measured = 100000;
	odo_measures *m = rig_run(&r);
	/* Injection 1, a cycle for a channel in each switch, the link 10, and 8 flits to receive.
	 */
	assert_int_equal(odo_histogram_percentile(&m->latency, 0), 21);
	odo_measures_free(m);
	rig_free(&r);
}

/* The most packets that a switch with two hosts takes in in 1,000 cycles. */
static uint64_t most_injected(const char *model)
{
	struct rig r;
	uint64_t most = 0;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", model, "uniform", "min");
	r.e.run.measured = 1000;
	odo_measures *m = rig_run(&r);
	for (uint32_t s = 0; s < r.fabric->n_switches; s++)
		most = m->by_switch[s] > most ? m->by_switch[s] : most;
	odo_measures_free(m);
	rig_free(&r);
	return most;
}

/* At full offer, hosts that lag behind catch up by a crossbar twice as fast, unless their cable
 * keeps them from it; an injection queue holds three packets when the measurement begins. */
static void a_paced_host_sends_no_more_than_its_cable_carries(void **state)
{
	(void)state;
	uint64_t carried = 2 * (1000 / 8 + 3);
	assert_true(most_injected(MODEL8) > carried);
	assert_true(most_injected(MODEL8 ",paced-hosts=1") <= carried);
	assert_true(most_injected("kim:packet=8,buffer-host=24,paced-hosts=1") <= carried);
}

/* Two global links of a switch share a local one: its buffer empties twice as fast as credits for
 * it may return. */
static void paced_credits_cost_load(void **state)
{
	(void)state;
	static const char *const model =
		"kim:flow=flits,packet=8,buffer-local=12,buffer-global=12,latency-global=5";
	char paced[128];
	snprintf(paced, sizeof paced, "%s,paced-credits=1", model);
	double free = accepted("dragonfly:p=2,a=4,h=2", model, "uniform", "min");
	double bound = accepted("dragonfly:p=2,a=4,h=2", paced, "uniform", "min");
	print_message("%.4f, paced %.4f\n", free, bound);
	assert_true(bound < free - 0.002 && bound > 0.8 * free);
}

/* Minimal routing of a dragonfly on one VL. */
static void one_vl_too_few_ends_with_a_report(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2",
		 "kim:flow=flits,packet=8,buffer-global=4,buffer-local=4", "advg:n=2", NULL);
	for (uint32_t i = 0; i < r.tables->n_rows; i++)
		memset(&r.tables->rows[i], 0, sizeof r.tables->rows[i]);
	r.tables->n_vls = 1;
	r.e.run.measured = 200000;
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_DEADLOCK);
	assert_non_null(strstr(m->report, "waiting for port"));
	odo_measures_free(m);
	rig_free(&r);
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"kim:channels=2", "kim:flow=flits,input-parallel=2",
					  "kim:flow=flits,channels=15,buffer-local=5000",
					  "kim:flow=flits,packet=20", "kim:flow=worms"};
	for (size_t i = 0; TEST_ROW(i, bad, bad[i]); i++) {
		odo_error err = {0};
		odo_model model;
		assert_int_equal(odo_model_parse(bad[i], NULL, &model, &err), ODO_EINPUT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_channel_costs_each_packet_a_cycle),
		cmocka_unit_test(no_flit_is_lost),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(long_links_are_alike_within_parts_and_between),
		cmocka_unit_test(latency_without_load_is_that_of_links_and_stages),
		cmocka_unit_test(a_paced_host_sends_no_more_than_its_cable_carries),
		cmocka_unit_test(paced_credits_cost_load),
		cmocka_unit_test(one_vl_too_few_ends_with_a_report),
		cmocka_unit_test(what_makes_no_sense_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
