/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The emulator does what other simulators do with the same parameters: FOGSim's two versions on 72
 * hosts, and BookSim2 on its dragonfly, FlatFly and fat tree. Figures are those of their runs;
 * docs/results/agreement.md counts all. */
#include <math.h>
#include <stdio.h>

#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

/* One point. `latency` is 0 beyond saturation, where it depends on the length of the run. */
struct point {
	const char *model, *traffic;
	double load, accepted, latency;
	const char *policy; /* NULL: minimal */
	unsigned cycles;    /* 0: 40,000 */
};

#define FEW_VLS "ofar:trigger=granted,wait=no,inject=yes,local-vls=2,global-vls=1,bcm=2"

static const struct point points[] = {
	{"fogsim-v5", "uniform", 0.1, 0.1004, 115.72, NULL, 0},
	{"fogsim-v5", "uniform", 0.3, 0.3050, 121.59, NULL, 0},
	{"fogsim-v5", "uniform", 0.5, 0.5042, 138.60, NULL, 0},
	{"fogsim-v5", "uniform", 1.0, 0.6776, 0, NULL, 0},
	{"fogsim-v5", "advg:n=1", 0.1, 0.1008, 146.66, NULL, 0},
	{"fogsim-v5", "advg:n=1", 1.0, 0.1202, 0, NULL, 0},
	{"fogsim-v5", "advg:n=2", 0.1, 0.1008, 145.54, NULL, 0},
	{"fogsim-v5", "advg:n=2", 1.0, 0.1197, 0, NULL, 0},
	{"fogsim-v5", "advl", 0.1, 0.1007, 19.97, NULL, 0},
	{"fogsim-v5", "advl", 0.3, 0.3042, 24.73, NULL, 0},
	{"fogsim-v5", "advl", 1.0, 0.5000, 0, NULL, 0},
	{"fogsim-v5", "hotregion", 0.1, 0.1002, 116.26, NULL, 0},
	{"fogsim-v5", "hotregion", 1.0, 0.5678, 0, NULL, 0},
	{"fogsim-v1", "uniform", 1.0, 0.7256, 0, NULL, 0},
	{"fogsim-v1", "advg:n=1", 1.0, 0.1250, 0, NULL, 0},
	{"fogsim-v1", "advg:n=2", 1.0, 0.1249, 0, NULL, 0},
	{"fogsim-v1", "hotregion", 1.0, 0.3040, 0, NULL, 0},
	/* Few VLs and BCM: who waits for the bubble misroutes in the cycle's later rounds. */
	{"fogsim-v1", "advg:n=2", 1.0, 0.3906, 0, FEW_VLS, 5000},
	{"fogsim-v1", "uniform", 1.0, 0.7355, 0, FEW_VLS, 5000},
};

static void run_point(const odo_fabric *f, const odo_coordinates *c, const struct point *at,
		      double within)
{
	odo_error err = {0};
	odo_model model;
	odo_traffic *traffic;
	odo_measures *m;
	assert_int_equal(odo_model_parse(at->model, NULL, &model, &err), 0);
	assert_int_equal(odo_traffic_create(at->traffic, f, c, 1, &traffic, &err), 0);
	odo_emulation e = {.fabric = f,
			   .coordinates = c,
			   .policy = at->policy ? at->policy : "min",
			   .model = &model,
			   .traffic = traffic,
			   .run = {.seed = 1,
				   .load = at->load,
				   .warmup = at->cycles ? 3000 : 5000,
				   .measured = at->cycles ? at->cycles : 40000}};
	assert_int_equal(odo_emulate(&e, &m, &err), 0);
	double latency = odo_histogram_mean(&m->latency);
	printf("%s %s %.2f: accepted %.4f (%.4f) latency %.2f (%.2f)\n", at->model, at->traffic,
	       at->load, m->accepted, at->accepted, latency, at->latency);
	assert_true(fabs(m->accepted - at->accepted) < within);
	if (at->latency > 0)
		assert_true(fabs(latency - at->latency) < 0.03 * at->latency);
	odo_measures_free(m);
	odo_traffic_free(traffic);
}

/* BookSim2's routers: its delays, its buffers of 256 and 16 flits, 2 and 8 channels. Its runs are
 * of 3,000 cycles and about 3,500 more, in which a queue at its limit does not settle. */
#define DRAGONFLY                                                                                  \
	"kim:flow=flits,latency-local=10,latency-global=100,buffer-local=256,buffer-global=256,"   \
	"buffer-host=256,injection-queues=2,queue-policy=random,paced-hosts=1,paced-credits=1"
#define FLATFLY                                                                                    \
	"kim:flow=flits,latency-local=1,latency-host=2,pipeline=2,speedup=1,output-buffer=0,"      \
	"buffer-local=16,buffer-host=16,injection-queues=8,queue-policy=random"

static const struct point dragonfly_points[] = {
	{DRAGONFLY ",pipeline=2", "uniform", 0.01, 0.0099, 113.49, NULL, 30000},
	{DRAGONFLY ",pipeline=2", "uniform", 1.0, 0.8460, 0, NULL, 4000},
	{DRAGONFLY ",pipeline=2", "advg:n=1", 1.0, 0.1250, 0, NULL, 4000},
	{DRAGONFLY ",pipeline=2,packet=8", "uniform", 1.0, 0.9656, 0, NULL, 4000},
	{DRAGONFLY ",pipeline=3,speedup=1", "uniform", 0.01, 0.0098, 116.83, NULL, 30000},
	{DRAGONFLY ",pipeline=3,speedup=1", "uniform", 1.0, 0.4237, 0, NULL, 4000},
	{DRAGONFLY ",pipeline=3,speedup=1", "advg:n=1", 1.0, 0.0625, 0, NULL, 4000},
	{DRAGONFLY ",pipeline=3,speedup=1,packet=8", "uniform", 1.0, 0.5741, 0, NULL, 4000},
	{DRAGONFLY ",pipeline=3,speedup=1,packet=8", "advg:n=1", 1.0, 0.1084, 0, NULL, 4000},
};

static const struct point flatfly_points[] = {
	{FLATFLY ",channels=8", "uniform", 0.01, 0.0099, 11.96, "dor", 30000},
	{FLATFLY ",channels=8", "uniform", 1.0, 0.6943, 0, "dor", 4000},
	{FLATFLY ",channels=8", "complement", 1.0, 0.2500, 0, "dor", 4000},
	{FLATFLY ",channels=8,packet=8", "uniform", 1.0, 0.6740, 0, "dor", 4000},
	{FLATFLY ",channels=4", "uniform", 1.0, 0.3869, 0, "flatfly-val:early=yes", 4000},
	{FLATFLY ",channels=4", "complement", 1.0, 0.3502, 0, "flatfly-val:early=yes", 4000},
	{FLATFLY ",channels=4,packet=8", "uniform", 1.0, 0.3782, 0, "flatfly-val:early=yes", 4000},
};

/* 4 channels of 16 flits; with a speedup, no more than those behind an output. */
#define FATTREE                                                                                    \
	"kim:flow=flits,latency-local=1,latency-host=2,pipeline=2,buffer-local=16,buffer-host=16," \
	"injection-queues=4,queue-policy=random,channels=4"
#define PLAIN FATTREE ",speedup=1,output-buffer=0"
#define FAST FATTREE ",output-buffer=64,paced-hosts=1,paced-credits=1"
#define TWO "fattree-adaptive:choices=2,revise=no"

static const struct point fattree_points[] = {
	{PLAIN, "uniform", 0.01, 0.0099, 19.45, "fattree-random", 10000},
	{PLAIN, "uniform", 1.0, 0.7296, 0, "fattree-random", 4000},
	{PLAIN, "complement", 0.01, 0.0099, 22.00, "fattree-random", 10000},
	{PLAIN, "complement", 1.0, 0.7078, 0, "fattree-random", 4000},
	{PLAIN ",packet=8", "uniform", 1.0, 0.7003, 0, "fattree-random", 4000},
	{PLAIN ",packet=8", "complement", 1.0, 0.6849, 0, "fattree-random", 4000},
	{PLAIN ",packet=8", "complement", 1.0, 0.6879, 0, TWO, 4000},
	{FAST, "complement", 0.01, 0.0099, 17.01, "fattree-random", 10000},
	{FAST, "uniform", 1.0, 0.9727, 0, "fattree-random", 4000},
	{FAST, "complement", 1.0, 0.9776, 0, "fattree-random", 4000},
	{FAST, "uniform", 1.0, 0.9814, 0, TWO, 4000},
	{FAST, "complement", 1.0, 0.9993, 0, TWO, 4000},
	{FAST ",packet=8", "uniform", 1.0, 0.9050, 0, TWO, 4000},
};

static void run_points(const char *topology, const struct point *at, size_t n, double within)
{
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	assert_int_equal(odo_topology_generate(topology, 0, &f, &c, &err), 0);
	for (size_t i = 0; i < n; i++)
		run_point(f, c, &at[i], within);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void agrees_with_fogsim(void **state)
{
	(void)state;
	run_points("dragonfly:p=2,a=4,h=2,arrangement=palmtree", points, COUNT(points), 0.01);
}

static void flits_agree_with_booksim(void **state)
{
	(void)state;
	run_points("dragonfly:p=2,a=4,h=2,arrangement=consecutive", dragonfly_points,
		   COUNT(dragonfly_points), 0.015);
	run_points("flatfly:k=4x4,c=4", flatfly_points, COUNT(flatfly_points), 0.03);
	run_points("pgft:m=4x4x4,w=1x4x4", fattree_points, COUNT(fattree_points), 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_fogsim),
					   cmocka_unit_test(flits_agree_with_booksim)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
