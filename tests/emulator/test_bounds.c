/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What static tables sustain when packets are sent is never above the load at which the analyser
 * finds a channel full, and near it where no queue holds packets for several outputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emulator/saturation.h"
#include "rig.h"
#include "routing/analyze.h"

#define STEPS 64

/* The load at which a channel is full. Every pattern here has one target a host, or is uniform. */
static double bound_of(const struct rig *r, const char *pattern)
{
	odo_error err = {0};
	odo_analysis a;
	const odo_fabric *f = r->fabric;
	odo_flow *flows = calloc(f->n_hosts, sizeof *flows);
	size_t n = 0;
	int status;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		odo_rng rng = odo_rng_make(1, h);
		uint32_t to = odo_traffic_destination(r->traffic, h, &rng, 0);
		if (to != ODO_NONE)
			flows[n++] = (odo_flow){h, to, 1};
	}
	if (!strcmp(pattern, "uniform"))
		status = odo_analyze_uniform(r->tables, r->coordinates, &a, NULL, &err);
	else
		status = odo_analyze_flows(r->tables, r->coordinates, flows, n, &a, &err);
	assert_int_equal(status, 0);
	double bound = a.saturation;
	odo_analysis_clear(&a);
	free(flows);
	return bound;
}

/* Load sustained, in steps. */
static uint32_t sustained(struct rig *r)
{
	odo_error err = {0};
	const odo_saturation_search how = {.steps = STEPS};
	odo_saturation s;
	r->e.run.warmup = 2000;
	r->e.run.measured = 4000;
	assert_int_equal(odo_saturation_find(&r->e, &how, &s, &err), 0);
	assert_int_equal(s.deadlocks, 0);
	return s.sustained;
}

/* Without speedup, head-of-line blocking forbids 90 % where every input holds packets for many
 * outputs: under uniform traffic, and on a torus whose packets turn. */
static bool blocks(const char *fabric, const char *pattern)
{
	return !strcmp(pattern, "uniform") ||
	       (!strncmp(fabric, "torus", 5) && !strcmp(pattern, "transpose"));
}

static void check(const char *fabric, const char *model, const char *pattern, double share)
{
	struct rig r;
	rig_make(&r, fabric, model, pattern, NULL);
	double bound = bound_of(&r, pattern);
	uint32_t found = sustained(&r);
	print_message("%s %s %s: %u/%u of %.2f\n", fabric, model, pattern, found, STEPS,
		      bound * STEPS);
	/* A source that gets half a step less than it offers counts as served. */
	assert_true(found <= bound * STEPS + 0.5);
	assert_true(found + 0.5 >= share * bound * STEPS);
	rig_free(&r);
}

static const char *const fabrics[] = {"flatfly:k=4x4,c=2",    "torus:k=4x4,c=2",
				      "slimfly:q=5,c=2",      "random:n=32,d=5,c=2",
				      "fattree:k=4,levels=3", "dragonfly:p=2,a=4,h=2"};
#define N_FABRICS (sizeof fabrics / sizeof *fabrics)

static void no_load_above_the_analysers_bound_is_sustained(void **state)
{
	(void)state;
	static const char *const patterns[] = {"uniform", "complement", "transpose", "shift:n=5",
					       "permutation"};
	for (size_t i = 0; i < N_FABRICS; i++)
		for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
			check(fabrics[i], "ofar", patterns[k],
			      blocks(fabrics[i], patterns[k]) ? 0.6 : 0.9);
}

/* Switches that are not the bottleneck (paper 001, section 4.2): links are. */
static void with_speedup_uniform_traffic_reaches_the_bound(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_FABRICS; i++)
		check(fabrics[i], "kim", "uniform", 0.9);
	check("flatfly:k=4x4,c=2", "daryin", "uniform", 0.9);
	check("slimfly:q=5,c=2", "daryin", "uniform", 0.9);
	check("flatfly:k=4x4,c=2", "daryin:output-buffer=64", "transpose", 0.9);
}

/* One queue an input and a crossbar as fast as the links pass 0.586 for many ports, 0.618 for 8
 * (Karol, Hluchyj and Morgan 1987; hosts that do not send to themselves fare a little better). */
static void a_single_queue_blocks_as_theory_says(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *model;
		double least, most;
	} cases[] = {
		{"flatfly:k=1,c=8", "ofar:packet=1,injection-queues=1", 0.615, 0.635},
		{"flatfly:k=1,c=32", "ofar:packet=1,injection-queues=1", 0.586, 0.600},
		{"flatfly:k=1,c=32", "ofar:packet=1,injection-queues=8", 0.75, 0.95},
		{"flatfly:k=1,c=32", "kim:injection-queues=1", 0.99, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rig r;
		rig_make(&r, cases[i].fabric, cases[i].model, "uniform", NULL);
		r.e.run.load = 1;
		r.e.run.warmup = 2000;
		r.e.run.measured = 10000;
		odo_measures *m = rig_run(&r);
		print_message("%s %s: %.4f\n", cases[i].fabric, cases[i].model, m->accepted);
		assert_true(m->accepted >= cases[i].least && m->accepted <= cases[i].most + 0.005);
		odo_measures_free(m);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_load_above_the_analysers_bound_is_sustained),
		cmocka_unit_test(with_speedup_uniform_traffic_reaches_the_bound),
		cmocka_unit_test(a_single_queue_blocks_as_theory_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
