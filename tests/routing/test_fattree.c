/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fat trees: a whole one carries every shift in full, a damaged one no less than with balanced
 * up*\/down* paths; every LID is reached from everywhere on one VL, whatever is broken. */
#include "fixture.h"
#include "base/random.h"
#include "routing/analyze/analyze.h"
#include "routing/choose/floor.h"
#ifndef SEEDS
#define SEEDS 20
#endif

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t = NULL;
	odo_error err;
	odo_verdict verdict;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine ? engine : "automatic", err.text);
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	assert_int_equal(verdict.n_missing, 0);
	odo_verdict_clear(&verdict);
	return t;
}

static double shift(const odo_tables *t, odo_flow *flows, uint32_t by)
{
	uint32_t n = t->fabric->n_hosts;
	odo_analysis a;
	odo_error err;
	for (uint32_t h = 0; h < n; h++)
		flows[h] = (odo_flow){h, (h + by) % n, 1};
	assert_int_equal(odo_analyze_flows(t, NULL, flows, n, &a, &err), 0);
	double bound = a.saturation;
	odo_analysis_clear(&a);
	return bound;
}

static double worst_shift(const odo_tables *t)
{
	uint32_t n = t->fabric->n_hosts;
	odo_flow *flows = calloc(n, sizeof *flows);
	double worst = 1;
	for (uint32_t by = 1; by < n; by++) {
		double bound = shift(t, flows, by);
		worst = bound < worst ? bound : worst;
	}
	free(flows);
	return worst;
}

static double uniform(const odo_tables *t)
{
	odo_analysis a;
	odo_error err;
	assert_int_equal(odo_analyze_uniform(t, NULL, &a, NULL, &err), 0);
	double bound = a.saturation;
	odo_analysis_clear(&a);
	return bound;
}

static const struct {
	const char *spec;
	double bound; /* hosts of a leaf by its cables up, at the level where that is worst */
} whole[] = {
	{"fattree:k=4,levels=2", 1},
	{"fattree:k=16,levels=2", 1},
	{"fattree:k=8,levels=3", 1},
	{"fattree:k=6,levels=3", 1},
	{"fattree:k=4,levels=4", 1},
	{"fattree:k=8,levels=4", 1},
	{"pgft:m=8x12,w=1x4", 0.5},
	{"pgft:m=12x8,w=1x2,p=1x2", 1. / 3},
	{"pgft:m=4x6x3,w=1x2x2,p=1x2x1", 1. / 3},
	{"pgft:m=6x6x4,w=1x3x3,p=1x2x2", 1},
	{"pgft:m=8x4x4x3,w=1x4x2x2,p=1x1x2x2", 0.5},
	{"pgft:m=8x8x4,w=1x8x4", 0.5},
	{"pgft:m=6x18,w=1x9", 1},
};

static void every_shift_of_a_whole_tree_is_carried(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
		fixture x = make(whole[i].spec, 0);
		odo_tables *t = route(&x, NULL);
		assert_string_equal(t->engine, "fattree");
		assert_int_equal(t->n_vls, 1);
		assert_int_equal(t->n_sls, 1);
		double worst = worst_shift(t), all = uniform(t);
		printf("%s: %g %g %g\n", whole[i].spec, worst, all, whole[i].bound);
		odo_tables_free(t);
		unmake(&x);
	}
}

static const struct {
	const char *spec;
	double switches, links;
} hurt[] = {
	{"fattree:k=36,levels=2", 0, 0.02},       {"fattree:k=36,levels=2", 0.05, 0.01},
	{"fattree:k=8,levels=3", 0, 0.01},        {"fattree:k=8,levels=3", 0, 0.05},
	{"fattree:k=8,levels=3", 0.05, 0.02},     {"fattree:k=16,levels=3", 0, 0.02},
	{"fattree:k=16,levels=3", 0.02, 0.01},     {"fattree:k=4,levels=4", 0.05, 0.05},
	{"pgft:m=12x8x4,w=1x3x3,p=1x2x2", 0, 0.03}, {"pgft:m=16x12,w=1x4,p=1x2", 0.05, 0.05},
	{"pgft:m=4x6x3,w=1x2x2,p=1x2x1", 0.05, 0.05},
};

static void a_damaged_tree_is_as_good_as_up_and_down(void **state)
{
	(void)state;
	odo_error err;
	for (size_t i = 0; i < sizeof hurt / sizeof *hurt; i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			fixture x = make(hurt[i].spec, 0);
			fixture y = damaged(&x, hurt[i].switches, hurt[i].links, seed);
			odo_tables *t = route(&y, "fattree"), *u = route(&y, "updown");
			odo_rating own, other;
			assert_int_equal(odo_floor_rate(t, &own, &err), 0);
			assert_int_equal(odo_floor_rate(u, &other, &err), 0);
			printf("%s %g %g %d: %.3f %.3f (%.3f) updown %.3f %.3f (%.3f)%s\n", hurt[i].spec, hurt[i].switches, hurt[i].links,(int)seed, own.uniform, own.shifts,
				odo_floor_mean(&own), other.uniform, other.shifts, odo_floor_mean(&other), odo_floor_mean(&own) < odo_floor_mean(&other) - 1e-9 ? " WORSE" : "");
			odo_tables_free(t);
			odo_tables_free(u);
			unmake(&y);
			unmake(&x);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shift_of_a_whole_tree_is_carried),
		cmocka_unit_test(a_damaged_tree_is_as_good_as_up_and_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
