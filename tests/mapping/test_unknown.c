/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Unknown is an answer: nothing without structure is bent into a shape. */
#include <stdio.h>
#include <stdlib.h>

#include "trial.h"
#include "tests/unit.h"

static void expect_unknown(const char *spec, odo_damage damage)
{
	outcome o;
	odo_error err;
	if (trial_run(&(trial){spec, damage, 0, 0}, &o, &err))
		fail_msg("%s: %s", spec, err.text);
	if (o.found->kind != ODO_KIND_UNKNOWN)
		fail_msg("%s, seed %u: found a %s", spec, (unsigned)damage.seed,
			 odo_kind_name(o.found->kind));
	if (!*o.found->reason || strchr(o.found->reason, '\n'))
		fail_msg("%s: no reason in one line", spec);
	outcome_clear(&o);
}

/* Sizes and degrees around those of fabrics that exist, and small ones: not so small that a
 * random graph can be one of them, as cubic graphs of 8 and 10 are a cube or a prism now and
 * then. */
static void random_regular_graphs_are_unknown(void **state)
{
	static const uint32_t shape[][2] = {
		{18, 3}, {14, 5}, {16, 3}, {16, 4}, {18, 5},  {20, 5},   {27, 6},   {32, 6},
		{36, 5}, {50, 7}, {64, 9}, {72, 7}, {100, 4}, {128, 12}, {162, 13}, {264, 11}};
	char spec[64];
	(void)state;
	for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
		for (unsigned seed = 0; seed < test_seeds(63); seed++) {
			snprintf(spec, sizeof spec, "random:n=%u,d=%u,c=0,seed=%u", shape[i][0],
				 shape[i][1], seed);
			expect_unknown(spec, (odo_damage){0, 0, seed});
		}
	}
}

static void random_bipartite_graphs_are_unknown(void **state)
{
	static const uint32_t shape[][2] = {{8, 3}, {16, 4}, {32, 5}, {64, 8}, {18, 9}};
	char spec[64];
	(void)state;
	for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
		for (unsigned seed = 0; seed < test_seeds(40); seed++) {
			snprintf(spec, sizeof spec, "bipartite:n=%u,d=%u,c=0,seed=%u", shape[i][0],
				 shape[i][1], seed);
			expect_unknown(spec, (odo_damage){0, 0, seed});
		}
	}
}

static void fat_trees_are_unknown_whole_and_damaged(void **state)
{
	char spec[64];
	(void)state;
	for (unsigned k = 4; k <= 12; k += 2) {
		for (unsigned levels = 2; levels <= 3; levels++) {
			snprintf(spec, sizeof spec, "fattree:k=%u,levels=%u", k, levels);
			expect_unknown(spec, (odo_damage){0, 0, k});
			for (uint64_t seed = 1; seed <= test_seeds(10); seed++)
				expect_unknown(spec, (odo_damage){.1, .1, seed});
		}
	}
}

static void two_halves_are_unknown(void **state)
{
	odo_builder *b;
	odo_fabric *f;
	odo_coordinates *c;
	odo_error err;
	(void)state;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < 8; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = 8};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
		for (uint32_t t = s & 4; t < s; t++)
			assert_int_equal(odo_builder_link(b, s, (t & 3) + 1, t, (s & 3) + 1,
							  (odo_link_info){0}, &err),
					 0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	assert_int_equal(odo_map(f, &c, &err), 0);
	assert_int_equal(c->kind, ODO_KIND_UNKNOWN);
	assert_true(*c->reason);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_regular_graphs_are_unknown),
		cmocka_unit_test(random_bipartite_graphs_are_unknown),
		cmocka_unit_test(fat_trees_are_unknown_whole_and_damaged),
		cmocka_unit_test(two_halves_are_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
