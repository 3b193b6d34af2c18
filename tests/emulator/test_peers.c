/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Minimal routing does what FOGSim does with the same parameters: 72 hosts, 5,000 cycles of
 * warm-up, its two versions. Figures are those of its runs; docs/emulator.md names them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "emulator/emulator.h"
#include "emulator/pattern.h"
#include "fabric/topology.h"

/* One point. `latency` is 0 beyond saturation, where it depends on the length of the run. */
struct point {
	const char *model, *traffic;
	double load, accepted, latency;
};

static const struct point points[] = {
	{"fogsim-v5", "uniform", 0.1, 0.1004, 115.72},
	{"fogsim-v5", "uniform", 0.3, 0.3050, 121.59},
	{"fogsim-v5", "uniform", 0.5, 0.5042, 138.60},
	{"fogsim-v5", "uniform", 1.0, 0.6776, 0},
	{"fogsim-v5", "advg:n=1", 0.1, 0.1008, 146.66},
	{"fogsim-v5", "advg:n=1", 1.0, 0.1202, 0},
	{"fogsim-v5", "advg:n=2", 0.1, 0.1008, 145.54},
	{"fogsim-v5", "advg:n=2", 1.0, 0.1197, 0},
	{"fogsim-v5", "advl", 0.1, 0.1007, 19.97},
	{"fogsim-v5", "advl", 0.3, 0.3042, 24.73},
	{"fogsim-v5", "advl", 1.0, 0.5000, 0},
	{"fogsim-v5", "hotregion", 0.1, 0.1002, 116.26},
	{"fogsim-v5", "hotregion", 1.0, 0.5678, 0},
	{"fogsim-v1", "uniform", 1.0, 0.7256, 0},
	{"fogsim-v1", "advg:n=1", 1.0, 0.1250, 0},
	{"fogsim-v1", "advg:n=2", 1.0, 0.1249, 0},
	{"fogsim-v1", "hotregion", 1.0, 0.3040, 0},
};

static void run_point(const odo_fabric *f, const odo_coordinates *c, const struct point *at)
{
	odo_error err = {0};
	odo_model model;
	odo_traffic *traffic;
	odo_measures *m;
	assert_int_equal(odo_model_parse(at->model, &model, &err), 0);
	assert_int_equal(odo_traffic_create(at->traffic, f, c, 1, &traffic, &err), 0);
	odo_emulation e = {.fabric = f,
			   .coordinates = c,
			   .policy = "min",
			   .model = &model,
			   .traffic = traffic,
			   .run = {.seed = 1, .load = at->load, .warmup = 5000, .measured = 40000}};
	assert_int_equal(odo_emulate(&e, &m, &err), 0);
	double latency = odo_histogram_mean(&m->latency);
	printf("%s %s %.2f: accepted %.4f (%.4f) latency %.2f (%.2f)\n", at->model, at->traffic,
	       at->load, m->accepted, at->accepted, latency, at->latency);
	assert_true(fabs(m->accepted - at->accepted) < 0.01);
	if (at->latency > 0)
		assert_true(fabs(latency - at->latency) < 0.03 * at->latency);
	odo_measures_free(m);
	odo_traffic_free(traffic);
}

static void minimal_agrees_with_fogsim(void **state)
{
	(void)state;
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	assert_int_equal(odo_topology_generate("dragonfly:p=2,a=4,h=2,arrangement=palmtree", 0, &f,
					       &c, &err),
			 0);
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		run_point(f, c, &points[i]);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(minimal_agrees_with_fogsim)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
