/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdio.h>

#include "trial.h"
#include "verify.h"
#include "tests/unit.h"

static void expect_right(const trial *t)
{
	outcome o;
	odo_error err;
	if (trial_run(t, &o, &err))
		fail_msg("%s: %s", t->spec, err.text);
	if (!o.right)
		fail_msg("%s, seed %u: %s", t->spec, (unsigned)t->damage.seed, o.why.text);
	outcome_clear(&o);
}

/* Right, or all switches have places in the true sizes that every cable fits. */
static void expect_as_good(const trial *t)
{
	outcome o;
	odo_error err;
	assert_int_equal(trial_run(t, &o, &err), 0);
	if (!o.right && !verify_as_good(o.fabric, o.found, o.truth))
		fail_msg("%s, seed %u: %s", t->spec, (unsigned)t->damage.seed, o.why.text);
	outcome_clear(&o);
}

static void whole_fabrics_are_mapped_in_any_order(void **state)
{
	static const char *const specs[] = {
		"flatfly:k=1,c=3",
		"flatfly:k=2,c=3",
		"flatfly:k=9,c=1",
		"flatfly:k=3x5,l=2x1,c=1",
		"flatfly:k=4x4x4,c=1",
		"flatfly:k=2x8x8,c=1",
		"flatfly:k=2x3x4x5,c=0",
		"hypercube:n=6,l=2,c=1",
		"hypercube:n=2,c=1",
		"torus:k=5,c=1",
		"torus:k=64,l=2,c=1",
		"torus:k=5x6,c=1",
		"torus:k=3x5x4,l=1x2x2,c=1",
		"torus:k=2x3x5x6,c=1",
		"mesh:k=4x4,c=1",
		"mesh:k=2x9,c=1", /* a ladder */
		"mesh:k=5x6,l=2x1,c=1",
		"mesh:k=2x3x4x5,c=1",
		"mesh:k=20x30,c=0",
		"slimfly:q=3,c=1",
		"slimfly:q=4,c=1",
		"slimfly:q=5,l=2,c=1",
		"slimfly:q=8,c=1",
		"slimfly:q=9,c=1",
		"slimfly:q=41,c=0", /* the first with more than 64 ports, hosts included */
		"slimfly:q=64,c=0",
		"slimfly-flatfly:q=4,k=3,c=1",
		"slimfly-flatfly:q=5,k=2x3,c=1",
		"dragonfly:p=2,a=4,h=2",
		"dragonfly:p=2,a=4,h=2,arrangement=consecutive",
		"dragonfly:p=2,a=4,h=2,arrangement=relative",
		"dragonfly:p=2,a=4,h=2,arrangement=circulant",
		"dragonfly:p=1,a=8,h=4",
		"dragonfly:p=1,a=8,h=4,g=9",
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += test_stride())
		for (uint64_t seed = 1; seed <= test_seeds(5); seed++)
			expect_right(&(trial){.spec = specs[i], .damage = {0, 0, seed}});
}

static void damaged_fabrics_are_mapped(void **state)
{
	static const trial trials[] = {
		{"flatfly:k=4x4x4,c=1", {.1, .1, 0}, 0, 0},
		{"flatfly:k=8x8,c=1", {.2, .1, 0}, 0, 0},
		{"hypercube:n=8,l=2,c=1", {.1, .1, 0}, 0, 0},
		{"dragonfly:p=1,a=8,h=4", {.1, .05, 0}, 0, 0},
		{"slimfly:q=9,c=0", {.1, .05, 0}, 0, 0},
		{"slimfly:q=11,c=0", {.15, .1, 0}, 0, 0}, /* 4w - 1 */
		{"slimfly:q=13,c=0", {.15, .1, 0}, 0, 0}, /* 4w + 1 */
		{"slimfly:q=16,c=0", {.2, .1, 0}, 0, 0},  /* 2^m */
		{"slimfly:q=25,c=0", {.2, .1, 0}, 0, 0},  /* p^2 */
		{"slimfly:q=53,c=0", {.2, .1, 0}, 0, 0},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, trials, trials[i].spec); i += test_stride()) {
		for (uint64_t seed = 1; seed <= test_seeds(5); seed++) {
			trial t = trials[i];
			t.damage.seed = seed;
			expect_right(&t);
		}
	}
}

/* Local links do not outnumber global ones, which close rectangles and triangles with them. A
 * fabric that is another one too may be called either. */
static void whole_tapered_dragonflies_are_explained(void **state)
{
	static const char *const specs[] = {
		"dragonfly:p=0,a=2x3,h=4,g=4,arrangement=consecutive",
		"dragonfly:p=0,a=2x3,h=4,g=13,arrangement=circulant",
		"dragonfly:p=0,a=2x3,h=4,g=9,arrangement=shuffled",
		"dragonfly:p=0,a=2x3x4,h=3,g=7,arrangement=consecutive",
		"dragonfly:p=0,a=2x3x4,h=4,g=4",
		"dragonfly:p=0,a=2x2x3,h=4,g=7,arrangement=circulant",
		"dragonfly:p=0,a=3x4,h=4,g=7,arrangement=consecutive",
		"dragonfly:p=0,a=3x3,l=2x3,w=3,h=4,g=9,arrangement=consecutive",
		"dragonfly:p=0,a=4x4,h=6,g=5,arrangement=circulant",
		"dragonfly:p=0,a=2x2x2,h=5,g=3,arrangement=relative",
		"dragonfly:p=0,a=5,h=6,g=6,arrangement=circulant",
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += test_stride()) {
		outcome o;
		odo_error err;
		assert_int_equal(trial_run(&(trial){specs[i], {0, 0, 1}, 0, 0}, &o, &err), 0);
		if (!o.right && !verify(o.fabric, o.found))
			fail_msg("%s: %s", specs[i], o.why.text);
		outcome_clear(&o);
	}
}

/* What is left of a small group does not always tell the places of all its switches: then all must
 * have one that every cable fits, in as many groups of the same sizes. */
static void damaged_tapered_dragonflies_are_mapped(void **state)
{
	static const char *const specs[] = {
		"dragonfly:p=0,a=2x3x4,h=2,g=9", "dragonfly:p=0,a=4x4,h=2,g=9",
		"dragonfly:p=0,a=4x4,h=4,g=33",  "dragonfly:p=0,a=6x6,h=3,g=17",
		"dragonfly:p=0,a=6x6,h=3,g=57",
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += test_stride())
		for (uint64_t seed = 1; seed <= test_seeds(5); seed++)
			expect_as_good(&(trial){specs[i], {.1, .05, seed}, 0, 0});
}

/* Communities here are groups of the right sizes with switches misplaced. Unless groups are taken
 * apart and grown again, 14 of these 50 have switches misplaced. */
static void groups_grown_again_are_mapped(void **state)
{
	static const char *const sizes[] = {"h=3,g=9", "h=3,g=13"};
	static const char *const arrangements[] = {"palmtree", "consecutive", "relative",
						   "circulant", "shuffled"};
	(void)state;
	for (size_t i = 0; i < 10; i += test_stride()) {
		char spec[100];
		snprintf(spec, sizeof spec, "dragonfly:p=0,a=2x3x4,%s,arrangement=%s", sizes[i / 5],
			 arrangements[i % 5]);
		for (uint64_t seed = 1; seed <= test_seeds(5); seed++)
			expect_as_good(&(trial){spec, {.1, .05, seed}, 0, 0});
	}
}

/* In groups of four a lost switch or two leave others with few links inside: cables between groups
 * say where these belong. Before switches were moved for that, 56 and 50 of 60 were right. */
static void small_damaged_dragonflies_keep_their_groups(void **state)
{
	static const struct {
		const char *spec;
		unsigned right;
	} rows[] = {{"dragonfly:p=2,a=4,h=2", 58},
		    {"dragonfly:p=2,a=4,h=2,arrangement=circulant", 57}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		unsigned right = 0;
		for (uint64_t seed = 1; seed <= 60; seed++) {
			outcome o;
			odo_error err;
			trial t = {rows[i].spec, {0.1, 0.05, seed}, 0, 0};
			assert_int_equal(trial_run(&t, &o, &err), 0);
			right += o.right;
			outcome_clear(&o);
		}
		if (right < rows[i].right)
			fail_msg("%s: %u right", rows[i].spec, right);
	}
}

/* An operator does not always buy all switches of the last row. */
static void a_partial_last_row_is_a_row(void **state)
{
	static const struct {
		const char *spec;
		uint32_t unbought[5];
	} rows[] = {
		{"flatfly:k=8x8,c=1", {1, 4, 6, 7}},
		{"flatfly:k=6x10,c=1", {1, 5, 9}},
		{"flatfly:k=4x4x4,c=1", {1, 8, 12, 13, 15}},
		{"flatfly:k=4x8x8,l=2x1x1,c=0", {3, 48, 56, 61, 63}},
		{"flatfly:k=3x4x5,c=0", {3, 10, 15, 18}},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++)
		for (int j = 0; j < 5 && rows[i].unbought[j]; j++)
			for (uint64_t seed = 1; seed <= test_seeds(3); seed++)
				expect_right(&(trial){.spec = rows[i].spec,
						      .damage = {0, 0, seed},
						      .unbought = rows[i].unbought[j]});
}

/* A sample has one arrangement of each shape, in turn: all are tried, and all shapes. */
static bool is_tried(size_t shape, size_t arrangement, size_t arrangements)
{
	return test_wide() || arrangement == shape % arrangements;
}

/* Several cables between each two groups close rectangles with local links, and regular global
 * links close them among themselves. Where there are as many cables as a group has switches, a
 * dragonfly may be a whole FlatFly as well. */
static void whole_dragonflies_are_mapped_however_tapered(void **state)
{
	static const char *const arrangements[] = {"palmtree", "consecutive", "relative",
						   "circulant", "shuffled"};
	static const char *const shapes[] = {
		"a=4,h=2,g=5",     "a=8,h=4,g=9",     "a=8,h=4,g=17",    "a=8,h=4,g=25",
		"a=12,h=3,g=16",   "a=12,h=3,g=37",   "a=16,h=3,g=33",   "a=16,h=4,g=25",
		"a=4x4,h=2,g=9",   "a=4x4,h=2,g=17",  "a=4x4,h=3,g=17",  "a=4x4,h=3,g=33",
		"a=4x8,h=2,g=5",   "a=4x8,h=3,g=13",  "a=4x8,h=4,g=9",   "a=6x6,h=3,g=17",
		"a=2x3x4,h=2,g=9", "a=2x3x4,h=3,g=9", "a=4x4x4,h=3,g=9",
	};
	char spec[80];
	(void)state;
	for (size_t i = 0; TEST_ROW(i, shapes, shapes[i]); i += test_stride()) {
		for (size_t j = 0; TEST_ROW(j, arrangements, arrangements[j]); j++) {
			if (!is_tried(i, j, sizeof arrangements / sizeof *arrangements))
				continue;
			outcome o;
			odo_error err;
			snprintf(spec, sizeof spec, "dragonfly:p=0,%s,arrangement=%s", shapes[i],
				 arrangements[j]);
			trial t = {spec, {0, 0, 1}, 0, 0};
			assert_int_equal(trial_run(&t, &o, &err), 0);
			if (!o.right || o.found->n_faults)
				fail_msg("%s: %s, %u faults", spec, o.why.text, o.found->n_faults);
			outcome_clear(&o);
		}
	}
}

/* Groups of two close no triangles, so most of these dragonflies are unknown. None of their cables
 * is accused. */
static void dragonflies_with_groups_of_two_accuse_no_cable(void **state)
{
	static const char *const specs[] = {
		"a=2,h=2,g=5",
		"a=2,h=4,g=9",
		"a=2,h=8,g=17",
		"a=2,h=8,g=17,arrangement=circulant",
		"a=2,h=6,g=13,arrangement=relative",
		"a=2,h=6,g=13,arrangement=shuffled",
		"a=2,h=16,g=33,arrangement=consecutive",
		"a=2,h=30,g=61",
		"a=2,h=8,g=9,arrangement=shuffled",
		"a=2,h=10,g=17,arrangement=shuffled",
		"a=2,h=4,g=9,l=2,w=2,arrangement=shuffled",
	};
	char spec[80];
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		outcome o;
		odo_error err;
		snprintf(spec, sizeof spec, "dragonfly:p=0,%s", specs[i]);
		assert_int_equal(trial_run(&(trial){spec, {0, 0, 3}, 0, 0}, &o, &err), 0);
		if (o.found->n_faults)
			fail_msg("%s: %s, %u faults", spec, odo_kind_name(o.found->kind),
				 o.found->n_faults);
		outcome_clear(&o);
	}
}

/* Where the corner between its ends is missing, a wrong cable looks like a link of any dimension. A
 * FlatFly must not be taken for the dragonfly that its rows would make. */
static void damaged_and_miscabled_fabrics_keep_their_kind(void **state)
{
	static const trial trials[] = {
		{"flatfly:k=8x8,c=1", {.1, .1, 0}, .01, 0},
		{"flatfly:k=8x8,c=1", {.15, .05, 0}, .02, 0},
		{"flatfly:k=6x6,c=1", {.1, .05, 0}, .01, 0},
		{"flatfly:k=12x12,c=0", {.1, .05, 0}, .02, 0},
		{"flatfly:k=4x8,c=0", {.1, .05, 0}, .01, 0},
		{"hypercube:n=8,c=0", {.1, .05, 0}, .01, 0},
		{"flatfly:k=16,c=0", {.1, .1, 0}, .02, 0},
		{"flatfly:k=4x4x4,c=0", {0, 0, 0}, .01, 0}, /* 4 groups of 4x4, and whole */
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, trials, trials[i].spec); i += test_stride()) {
		unsigned kept = 0, seeds = test_seeds(40);
		for (uint64_t seed = 1; seed <= seeds; seed++) {
			trial t = trials[i];
			outcome o;
			odo_error err;
			t.damage.seed = seed;
			assert_int_equal(trial_run(&t, &o, &err), 0);
			kept += o.found->kind == o.truth->kind;
			if (o.found->kind == ODO_KIND_DRAGONFLY)
				fail_msg("%s, seed %u: a dragonfly", t.spec, (unsigned)seed);
			outcome_clear(&o);
		}
		if (10 * kept < 9 * seeds)
			fail_msg("%s: %u of %u", trials[i].spec, kept, seeds);
	}
}

static void no_structure_is_unknown_with_a_reason(void **state)
{
	static const char *const specs[] = {"random:n=64,d=6,c=1", "bipartite:n=32,d=5,c=1"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		outcome o;
		odo_error err;
		assert_int_equal(trial_run(&(trial){.spec = specs[i]}, &o, &err), 0);
		assert_int_equal(o.found->kind, ODO_KIND_UNKNOWN);
		assert_true(*o.found->reason);
		outcome_clear(&o);
	}
}

/* In two dimensions a link is in two rectangles only, and a little damage parts much. */
static void two_dimensions_are_mapped(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		double switches, links;
	} cases[] = {{"torus:k=6x6,c=2", 0, .014}, /* one cable */
		     {"torus:k=8x8,c=1", .05, .03},
		     {"torus:k=6x10,c=1", .02, .01},
		     {"torus:k=12x12,c=1", .02, .01},
		     {"mesh:k=8x8,c=1", 0, .009}};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++)
		for (uint64_t seed = 1; seed <= (test_wide() ? 50 : 5); seed++)
			expect_as_good(
				&(trial){.spec = cases[i].spec,
					 .damage = {cases[i].switches, cases[i].links, seed}});
}

/* Of a torus that lost much, switches hang on by one link or two: in chains, and where another that
 * could be elsewhere took the only corner (seeds 12 and 19). */
static void what_damage_cut_off_has_a_place(void **state)
{
	(void)state;
	for (uint64_t seed = 12; seed < 20; seed += test_wide() ? 1 : 7) {
		trial t = {"paper-torus-3d", {.15, .075, seed}, 0, 0};
		outcome o;
		odo_error err;
		assert_int_equal(trial_run(&t, &o, &err), 0);
		if (!o.right && !verify_as_good(o.fabric, o.found, o.truth))
			fail_msg("seed %u: %s", (unsigned)seed, o.why.text);
		outcome_clear(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_fabrics_are_mapped_in_any_order),
		cmocka_unit_test(damaged_fabrics_are_mapped),
		cmocka_unit_test(whole_tapered_dragonflies_are_explained),
		cmocka_unit_test(damaged_tapered_dragonflies_are_mapped),
		cmocka_unit_test(groups_grown_again_are_mapped),
		cmocka_unit_test(small_damaged_dragonflies_keep_their_groups),
		cmocka_unit_test(two_dimensions_are_mapped),
		cmocka_unit_test(what_damage_cut_off_has_a_place),
		cmocka_unit_test(a_partial_last_row_is_a_row),
		cmocka_unit_test(whole_dragonflies_are_mapped_however_tapered),
		cmocka_unit_test(dragonflies_with_groups_of_two_accuse_no_cable),
		cmocka_unit_test(damaged_and_miscabled_fabrics_keep_their_kind),
		cmocka_unit_test(no_structure_is_unknown_with_a_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
