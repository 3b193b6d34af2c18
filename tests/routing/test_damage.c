/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Proved tables, damaged an entry at a time: the verifier and a plain walk of every packet agree
 * on what is wrong. */
#include "damage.h"

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t = NULL;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static void try_engine(const char *spec, uint8_t lmc, const char *engine, uint64_t seed,
		       unsigned trials, damage_tally *all)
{
	fixture x = make(spec, lmc);
	odo_rng rng = odo_rng_make(seed, 0);
	for (unsigned what = 0; what < N_DAMAGES; what++) {
		for (unsigned trial = 0; trial < trials; trial++) {
			odo_tables *t = route(&x, engine);
			for (unsigned n = 1 + odo_rng_below(&rng, 3); n; n--)
				damage(t, what, &rng);
			damage_compare(t, all);
			odo_tables_free(t);
		}
	}
	unmake(&x);
}

static void the_verifier_sees_what_a_walk_sees(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		uint8_t lmc;
	} cases[] = {
		{"dragonfly:p=1,a=2,h=1", "dragonfly", 0},
		{"dragonfly:p=1,a=2,h=1", "dragonfly-valiant", 1},
		{"dragonfly:p=1,a=2,h=1", "layered", 0},
		{"dragonfly-plus:p=1,leaves=2,spines=2,h=2,g=3", "dragonfly-plus-valiant", 1},
		{"flatfly:k=3x2,c=1", "dor", 0},
		{"flatfly:k=3x2,c=1", "mixed-dor", 2},
		{"torus:k=5,c=1", "torus", 0},
		{"torus:k=7,c=1", "torus", 1},
		{"mesh:k=5x4,c=1", "dor", 0},
		{"torus:k=6,c=1", "layered", 0},
		{"random:n=12,d=3,c=1", "layered", 0},
		{"torus:k=5,c=1", "updown", 0},
		{"slimfly:q=3,c=1", "slimfly", 0},
	};
	damage_tally all = {0};
	const unsigned trials = test_seeds(200);
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++)
		try_engine(cases[i].spec, cases[i].lmc, cases[i].engine, i, trials, &all);
	assert_true(all.sound > 2 * trials && all.lost > 2 * trials);
	assert_true(2 * all.deadlocked > trials && 2 * all.beyond > trials);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_verifier_sees_what_a_walk_sees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
