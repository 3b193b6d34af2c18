/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fixture.h"
#include "routing/analyze/analyze.h"
#include "routing/choose/floor.h"

static odo_tables *route(const fixture *x, const char *engine, unsigned *hops)
{
	odo_tables *t = NULL;
	odo_error err;
	odo_verdict verdict;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine ? engine : "automatic", err.text);
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	assert_int_equal(verdict.n_missing, 0);
	*hops = verdict.max_hops;
	odo_verdict_clear(&verdict);
	return t;
}

static const struct {
	const char *spec;
	double switches, links;
} hurt[] = {
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",0,0},
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",0,0.02},
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",0.05,0.05},
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4",0,0},
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4",0,0.02},
	{"dragonfly-plus:p=4,leaves=4,spines=4,h=4",0.03,0.05},
	{"dragonfly-plus:p=2,leaves=3,spines=2,h=2,g=5",0,0},
	{"dragonfly-plus:p=2,leaves=3,spines=2,h=2,g=5",0.05,0.05},
	{"dragonfly-plus:p=6,leaves=6,spines=6,h=6,g=3",0,0},
	{"dragonfly-plus:p=6,leaves=6,spines=6,h=6,g=3",0,0.05},
	{"dragonfly-plus:p=8,leaves=8,spines=8,h=8,g=17",0,0},
	{"dragonfly-plus:p=8,leaves=8,spines=8,h=8,g=17",0.02,0.02},
};

static void compare(void **state)
{
	(void)state;
	odo_error err;
	for (size_t i = 0; i < sizeof hurt / sizeof *hurt; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			unsigned ht, hu;
			fixture x = make(hurt[i].spec, 0);
			fixture y = damaged(&x, hurt[i].switches, hurt[i].links, seed);
			odo_tables *t = route(&y, "dragonfly-plus",&ht), *u = route(&y, "updown",&hu);
			odo_rating own, other;
			assert_int_equal(odo_floor_rate(t, &own, &err), 0);
			assert_int_equal(odo_floor_rate(u, &other, &err), 0);
			printf("%s %g %g %d: %.3f %.3f (%.3f) %u updown %.3f %.3f (%.3f)%u %s\n", hurt[i].spec, hurt[i].switches, hurt[i].links,(int)seed, own.uniform, own.shifts,
				odo_floor_mean(&own),ht, other.uniform, other.shifts, odo_floor_mean(&other),hu, odo_floor_mean(&own) < odo_floor_mean(&other) - 1e-9 ? " WORSE" : "");
			odo_tables_free(t);
			odo_tables_free(u);
			unmake(&y);
			unmake(&x);
			if(!hurt[i].links) break;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
