/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The runs for the switches of paper 004: adaptive tables by sets of ports, and static tables with
 * queues behind outputs. All that they measure is what the general run measures, which is taken
 * where cables may fail: here one that would do so after the end. */
#include "tests/emulator/rig.h"

static void compare(const char *topology, const char *model, const char *pattern,
		    const char *engine, double load)
{
	struct rig r;
	odo_error err = {0};
	rig_make(&r, topology, model, pattern, NULL);
	odo_tables_free(r.tables);
	if (odo_route(r.fabric, r.coordinates, engine, &(odo_route_options){0}, &r.tables, &err))
		fail_msg("%s on %s: %s", engine, topology, err.text);
	odo_failure late = {.cycle = 1000000};
	while (odo_next_switch(r.fabric, late.slot) == ODO_NONE)
		late.slot++;
	r.e.tables = r.tables;
	r.e.run = (odo_run_options){.seed = 3, .load = load, .measured = 400};
	odo_run_options general = r.e.run;
	general.failures = &late;
	general.n_failures = 1;
	rig_same(&r, general);
	rig_free(&r);
}

static void outcomes_are_those_of_the_general_run(void **state)
{
	(void)state;
	static const char *const engines[] = {
		"dor", "ador", "mixed-ador", "distance-based", "distance-based+4", "deflection+2"};
	static const char *const models[] = {"daryin", "daryin:output-buffer=8,pipeline=0",
					     "daryin:buffer-local=8,iterations=1"};
	for (unsigned i = 0; i < 6 * 3; i++)
		compare("flatfly:k=2x4x4,l=2x1x1,c=4,ports=16", models[i % 3],
			i % 2 ? "uniform" : "complement:of=switches", engines[i / 3],
			i % 4 < 2 ? 0.3 : 0.95);
	compare("dragonfly:p=2,a=4,h=2", "daryin", "uniform", "dragonfly-gsid", 0.6);
	compare("dragonfly:p=2,a=4,h=2", "daryin", "advg:n=1", "dragonfly-s", 0.3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(outcomes_are_those_of_the_general_run)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
