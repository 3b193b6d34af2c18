/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What adaptive tables sustain when packets are sent is never above what the best split over the
 * ways allowed could carry. */
#include <stdlib.h>

#include "saturation/bound.h"
#include "saturation/saturation.h"
#include "tests/emulator/rig.h"

#define STEPS 64

static const struct {
	const char *fabric, *engine, *pattern;
	double share; /* of the bound, that is sustained at least */
} cases[] = {
	{"flatfly:k=4x4,c=4", "ador", "complement", 0.9},
	{"flatfly:k=4x4,c=4", "distance-based+1", "transpose", 0.75},
	{"dragonfly:p=2,a=4,h=2", "ofar-ar", "advg:n=1", 0.9},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-gid", "complement", 0.55},
	{"hypercube:n=4,c=2", "negative-first", "complement", 0.8},
	{"fattree:k=4,levels=3", "fattree-ar", "complement", 0.9},
};

static void no_load_above_the_best_splits_is_sustained(void **state)
{
	(void)state;
	const odo_saturation_search how = {.steps = STEPS};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].fabric); i += test_wide() ? 1 : 2) {
		struct rig r;
		odo_error err = {0};
		odo_flow *flows;
		odo_split split;
		odo_analysis even;
		odo_saturation s;
		size_t n;
		rig_make(&r, cases[i].fabric, "daryin", cases[i].pattern, "min");
		assert_int_equal(
			odo_route(r.fabric, r.coordinates, cases[i].engine, NULL, &r.tables, &err),
			0);
		r.e.policy = NULL;
		r.e.tables = r.tables;
		r.e.run.warmup = 1000;
		r.e.run.measured = 2000;
		assert_int_equal(odo_traffic_flows(r.traffic, &flows, &n, &err), 0);
		assert_int_equal(odo_split_find(r.tables, r.coordinates, flows, n, NULL, &split,
						&even, &err),
				 0);
		assert_int_equal(odo_saturation_find(&r.e, &how, &s, &err), 0);
		print_message("%s %s %s: %u/%u of %.2f\n", cases[i].fabric, cases[i].engine,
			      cases[i].pattern, s.sustained, STEPS, split.at_most * STEPS);
		/* Half a step less than is offered, and 1/32 of that, counts as served. */
		assert_true(s.sustained <= split.at_most * STEPS + 0.5 + s.sustained / 32.);
		assert_true(s.sustained + 0.5 >= cases[i].share * split.at_most * STEPS);
		odo_analysis_clear(&even);
		free(flows);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_load_above_the_best_splits_is_sustained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
