/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* PAR is a yardstick: it is minimal where nothing is congested, and carries what Piggybacking
 * carries, whichever threshold that has. */
#include <stdio.h>

#include "tests/emulator/rig.h"

static const char *const models[] = {"ofar", "fogsim-v5"};

static odo_measures *run(unsigned h, const char *model, const char *policy, const char *pattern,
			 double load)
{
	char fabric[60];
	snprintf(fabric, sizeof fabric, "dragonfly:p=%u,a=%u,h=%u", h, 2 * h, h);
	struct rig r;
	rig_make(&r, fabric, model, pattern, policy);
	r.e.run.load = load;
	r.e.run.warmup = 1500;
	r.e.run.measured = 3000;
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	rig_free(&r);
	return m;
}

/* Links between switches of a packet's path. */
static double mean_hops(const odo_measures *m)
{
	double packets = 0, hops = 0;
	for (unsigned i = 0; i < 256; i++) {
		packets += (double)m->path[i];
		hops += i * (double)m->path[i];
	}
	return hops / packets;
}

static void compare_light(unsigned h, const char *model, double load)
{
	odo_measures *shortest = run(h, model, "min", "uniform", load);
	odo_measures *par = run(h, model, "par", "uniform", load);
	double hops[] = {mean_hops(shortest), mean_hops(par)};
	double latency[] = {odo_histogram_mean(&shortest->latency),
			    odo_histogram_mean(&par->latency)};
	print_message("h=%u, %s, %.1f: %.3f hops, minimal %.3f; latency %.1f, %.1f\n", h, model,
		      load, hops[1], hops[0], latency[1], latency[0]);
	assert_true(hops[1] < 1.02 * hops[0]);
	assert_true(latency[1] < 1.02 * latency[0]);
	odo_measures_free(par);
	odo_measures_free(shortest);
}

/** The largest dragonfly: 19 groups of 6 switches, or 9 of 4 in a sample. */
static unsigned largest(void)
{
	return test_wide() ? 3 : 2;
}

static void it_is_minimal_under_light_uniform_load(void **state)
{
	(void)state;
	for (unsigned h = 2; h <= largest(); h++)
		for (unsigned i = 0; i < 2; i++)
			compare_light(h, models[i], 0.1);
	/* Packets of a local link's round trip, and single flits. */
	compare_light(2, "valiant", 0.1);
	compare_light(2, "kim", 0.3);
}

static double accepted(unsigned h, const char *model, const char *policy, const char *pattern)
{
	odo_measures *m = run(h, model, policy, pattern, 1);
	double found = m->accepted;
	odo_measures_free(m);
	return found;
}

/* `least`: of what Piggybacking accepts with the threshold that it has by default. */
static void compare_full(unsigned h, const char *model, const char *pattern, double least)
{
	double par = accepted(h, model, "par", pattern);
	double pb = accepted(h, model, "pb", pattern);
	double low = accepted(h, model, "pb:percent=125", pattern);
	print_message("h=%u, %s, %s: %.3f; Piggybacking %.3f, with 125 %% %.3f\n", h, model,
		      pattern, par, pb, low);
	assert_true(par > least * pb);
	assert_true(par > (least < 0.98 ? least : 0.98) * low);
}

static void it_carries_what_piggybacking_carries(void **state)
{
	(void)state;
	for (unsigned h = 2; h <= largest(); h++) {
		char farthest[20];
		snprintf(farthest, sizeof farthest, "advg:n=%u", h);
		for (unsigned i = 0; i < 2; i++) {
			compare_full(h, models[i], "uniform", 1);
			compare_full(h, models[i], "advg:n=1", 1);
			compare_full(h, models[i], farthest, 1);
		}
	}
	/* Single flits, buffers of little more than a round trip. */
	compare_full(2, "kim", "uniform", 0.97);
	compare_full(2, "kim", "advg:n=2", 1);
}

/* Traffic within a group has no other way. */
static void traffic_within_a_group_stays_minimal(void **state)
{
	(void)state;
	odo_measures *shortest = run(2, "ofar", "min", "advl", 1);
	odo_measures *par = run(2, "ofar", "par", "advl", 1);
	assert_true(mean_hops(par) == mean_hops(shortest));
	odo_measures_free(par);
	odo_measures_free(shortest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_minimal_under_light_uniform_load),
		cmocka_unit_test(it_carries_what_piggybacking_carries),
		cmocka_unit_test(traffic_within_a_group_stays_minimal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
