/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A packet that MM+L has sent a local hop aside owes a global one. OFAR waits for it while its
 * minimal queue has room, as FOGSim's first version does: packets escape where they do there, and
 * take as many hops. FOGSim's figures are those of docs/results/peers/fogsim-owed.csv. */
#include <math.h>
#include <stdio.h>

#include "tests/emulator/rig.h"

#define FOGSIM "ofar:trigger=granted,wait=no,inject=yes"

static double mean_hops(const odo_measures *m)
{
	double packets = 0, hops = 0;
	for (unsigned i = 0; i < 256; i++) {
		packets += (double)m->path[i];
		hops += i * (double)m->path[i];
	}
	return hops / packets;
}

/* FOGSim's row at full offer, 5,000 + 5,000 cycles. */
struct row {
	unsigned h;
	const char *escape, *pattern;
	double accepted, latency, hops, escaped;
};

static const struct row rows[] = {
	{2, "a", "advg:n=1", 0.4540, 754.36, 3.829, 0},
	{2, "a", "advg:n=2", 0.4316, 782.50, 4.131, 0},
	{2, "tree", "advg:n=1", 0.4564, 751.35, 3.823, 0},
	{2, "tree", "advg:n=2", 0.4305, 782.60, 4.140, 0},
	{3, "a", "advg:n=1", 0.4464, 792.63, 3.900, 0.0289},
	{3, "a", "advg:n=3", 0.3878, 871.46, 4.664, 0},
	{3, "a", "uniform", 0.7810, 680.83, 3.147, 0.0144},
};

static void compare(const struct row *at)
{
	char fabric[80], policy[80];
	snprintf(fabric, sizeof fabric, "dragonfly:p=%u,a=%u,h=%u,arrangement=palmtree", at->h,
		 2 * at->h, at->h);
	snprintf(policy, sizeof policy, FOGSIM ",escape=%s", at->escape);
	struct rig r;
	rig_make(&r, fabric, "fogsim-v1", at->pattern, policy);
	r.e.run.warmup = r.e.run.measured = 5000;
	odo_measures *m = rig_run(&r);
	double hops = mean_hops(m), latency = odo_histogram_mean(&m->latency);
	double escaped = (double)m->escaped / (double)m->latency.count;
	print_message("h=%u, %s, %s: accepted %.4f (%.4f), latency %.1f (%.1f), hops %.3f (%.3f), "
		      "escaped %.4f (%.4f)\n",
		      at->h, at->escape, at->pattern, m->accepted, at->accepted, latency,
		      at->latency, hops, at->hops, escaped, at->escaped);
	assert_true(fabs(m->accepted - at->accepted) < 0.01);
	assert_true(fabs(latency - at->latency) < 0.05 * at->latency);
	assert_true(fabs(hops - at->hops) < 0.01 * at->hops);
	assert_true(at->escaped > 0 ? escaped < 1.5 * at->escaped : escaped == 0);
	odo_measures_free(m);
	rig_free(&r);
}

static void escapes_hops_and_latency_are_fogsims(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].escape); i++)
		compare(&rows[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_hops_and_latency_are_fogsims),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
