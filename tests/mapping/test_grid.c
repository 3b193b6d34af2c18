/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Meshes and tori of two to four dimensions, whole and damaged. */
#include "run.h"
#include "verify.h"

/* Mapping takes other ways for each damage: a sample has at least two. */
static unsigned seeds_of(unsigned all)
{
	return test_wide() ? all : 2 * test_seeds(all);
}

/* All but `most` of so many seeds are right, or as good as the truth. */
static void expect_nearly(const char *spec, double switches, double links, unsigned seeds,
			  unsigned most)
{
	unsigned other = 0;
	seeds = seeds_of(seeds);
	for (unsigned seed = 1; seed <= seeds; seed++) {
		outcome o = run(&(trial){spec, {switches, links, seed}, 0, 0});
		other += !o.right && !verify_as_good(o.fabric, o.found, o.truth);
		if (other > most)
			fail_msg("%s, seed %u: %s", spec, seed, o.why.text);
		outcome_clear(&o);
	}
}

static void expect_found(const char *spec, double switches, double links)
{
	expect_nearly(spec, switches, links, 20, 0);
}

/* Of the cables that are wrong and of those that are called wrong, all but `most` are the same. */
static void expect_wrong(const char *spec, double lost, unsigned most)
{
	cables sum = {0};
	unsigned n = test_seeds(20);
	most = n < 20 ? (most + 1) / 2 : most; /* a few seeds have most of them */
	for (unsigned seed = 1; seed <= n; seed++) {
		outcome o = run(&(trial){spec, {lost, lost, seed}, .01, 0});
		cables_count(&o, &sum);
		outcome_clear(&o);
	}
	assert_true(sum.moved > 0);
	if (sum.moved - sum.hit > most || sum.reported - sum.hit > most)
		fail_msg("%s: %u of %u wrong cables found, %u right ones accused", spec, sum.hit,
			 sum.moved, sum.reported - sum.hit);
}

static void ladders_are_meshes(void **state)
{
	static const char *const specs[] = {"mesh:k=2x9,c=1", "mesh:k=2x10,c=1", "mesh:k=2x31,c=1"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		outcome o = run(&(trial){specs[i], {0, 0, 1}, 0, 0});
		if (!o.right)
			fail_msg("%s: %s", specs[i], o.why.text);
		outcome_clear(&o);
	}
}

static void damaged_tori_are_found(void **state)
{
	(void)state;
	expect_found("torus:k=8x8,c=1", .1, .05);
	expect_found("torus:k=12x5,c=1", .1, .05);
	expect_found("torus:k=3x12,c=1", .05, .03);
	expect_found("torus:k=4x16,c=1", .05, .03);
	expect_found("torus:k=16x16,c=1", .1, .05);
}

static void damaged_meshes_are_found(void **state)
{
	(void)state;
	expect_found("mesh:k=8x8,c=1", .1, .05);
	expect_found("mesh:k=12x12,c=1", .1, .05);
	expect_nearly("mesh:k=16x16,c=1", .2, .1, 20, 2);
}

/* Three and four dimensions, where rectangles alone leave classes in pieces. */
static void more_dimensions_are_found(void **state)
{
	(void)state;
	expect_nearly("torus:k=5x5x5,c=1", .1, .05, 20, 0);
	expect_nearly("torus:k=5x6x4,c=1", .1, .05, 20, 1);
	expect_nearly("torus:k=8x8x8,c=1", .2, .1, 5, 0);
	expect_nearly("mesh:k=5x6x4,c=1", .1, .05, 20, 1);
	expect_nearly("mesh:k=8x8x8,c=1", .1, .05, 10, 0);
	expect_nearly("mesh:k=4x4x4x4,c=1", .1, .05, 10, 0);
}

static void wrong_cables_are_named(void **state)
{
	(void)state;
	expect_wrong("torus:k=16x16,c=1", 0, 0);
	expect_wrong("torus:k=16x16,c=1", .02, 4);
	expect_wrong("mesh:k=16x16,c=1", 0, 4);
	expect_wrong("mesh:k=16x16,c=1", .02, 4);
}

/* As many links a switch as a torus has, and no order. */
static void random_graphs_are_no_grids(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= seeds_of(20); seed++) {
		outcome o = run(&(trial){"random:n=60,d=4,c=1", {0, 0, seed}, 0, 0});
		assert_int_equal(o.found->kind, ODO_KIND_UNKNOWN);
		outcome_clear(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ladders_are_meshes),
		cmocka_unit_test(damaged_tori_are_found),
		cmocka_unit_test(damaged_meshes_are_found),
		cmocka_unit_test(more_dimensions_are_found),
		cmocka_unit_test(wrong_cables_are_named),
		cmocka_unit_test(random_graphs_are_no_grids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
