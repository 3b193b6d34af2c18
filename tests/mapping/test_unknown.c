/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Unknown is an answer: nothing without structure is bent into a shape. */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
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
	if (strncmp(o.found->reason, "no known topology", 17) || strchr(o.found->reason, '\n'))
		fail_msg("%s: no reason in one line: %s", spec, o.found->reason);
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
	for (size_t i = 0; TEST_ROW(i, shape, NULL); i++) {
		unsigned seeds = test_seeds(shape[i][0] < 100 || test_wide() ? 63 : 20);
		for (unsigned seed = 0; seed < seeds; seed++) {
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
	for (size_t i = 0; TEST_ROW(i, shape, NULL); i++) {
		for (unsigned seed = 0; seed < test_seeds(40); seed++) {
			snprintf(spec, sizeof spec, "bipartite:n=%u,d=%u,c=0,seed=%u", shape[i][0],
				 shape[i][1], seed);
			expect_unknown(spec, (odo_damage){0, 0, seed});
		}
	}
}

/* Leaves, each cabled to so many spines, by lot. */
static odo_fabric *random_tree(uint32_t leaves, uint32_t spines, uint32_t up, uint64_t seed)
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	odo_rng rng = odo_rng_make(seed, 0);
	uint32_t id, port[200] = {0};
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < leaves + spines; s++)
		assert_int_equal(
			odo_builder_add(b, &(odo_node_info){.n_ports = ODO_MAX_PORTS}, &id, &err),
			0);
	for (uint32_t leaf = 0; leaf < leaves; leaf++) {
		odo_node_info host = {.type = ODO_CA, .n_ports = 1};
		assert_int_equal(odo_builder_add(b, &host, &id, &err), 0);
		assert_int_equal(
			odo_builder_link(b, leaf, ++port[leaf], id, 1, (odo_link_info){0}, &err),
			0);
		for (uint32_t s = 0, left = up; s < spines; s++) {
			if (odo_rng_below(&rng, spines - s) >= left)
				continue;
			left--;
			assert_int_equal(odo_builder_link(b, leaf, ++port[leaf], leaves + s,
							  ++port[leaves + s], (odo_link_info){0},
							  &err),
					 0);
		}
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	return f;
}

/* Hosts on one side only: two levels, but who is linked to whom is by lot. */
static void random_trees_are_unknown(void **state)
{
	static const uint32_t shape[][3] = {{8, 8, 3},   {8, 8, 5},      {16, 8, 4},  {16, 16, 9},
					    {18, 9, 6},  {36, 18, 12},   {36, 36, 7}, {64, 32, 20},
					    {12, 12, 9}, {100, 100, 30}, {20, 20, 2}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, shape, NULL); i++) {
		for (uint64_t seed = 1; seed <= test_seeds(40); seed++) {
			odo_fabric *f = random_tree(shape[i][0], shape[i][1], shape[i][2], seed);
			odo_coordinates *c;
			odo_error err;
			assert_int_equal(odo_map(f, &c, &err), 0);
			if (c->kind != ODO_KIND_UNKNOWN || !strstr(c->reason, "tree"))
				fail_msg("%u leaves, %u spines, %u each, seed %u: a %s, %s",
					 shape[i][0], shape[i][1], shape[i][2], (unsigned)seed,
					 odo_kind_name(c->kind), c->reason);
			odo_coordinates_free(c);
			odo_fabric_free(f);
		}
	}
}

/* What has too many cables in wrong ports still says what it would be with fewer, and how many. */
static void what_is_nearest_is_named(void **state)
{
	static const struct {
		const char *spec, *nearest, *but;
		double wrong;
	} rows[] = {
		{"torus:k=8x8,c=1", "a torus of 8x8 switches, but ", "do not fit", .08},
		{"torus:k=8x8x8,c=1", "a torus of 8x8x8 switches, but ", "do not fit", .08},
		{"hypercube:n=6,c=1", "a hypercube of 2x2x2x2x2x2 switches, but ", "do not fit",
		 .09},
		{"slimfly:q=5,c=2", "a slimfly of 50 switches, but ", "do not fit", .06},
		{"flatfly:k=8x8,c=1", "a flatfly of 8x8 switches, but ", "do not fit", .12},
		{"dragonfly:p=4,a=8,h=4", "a dragonfly of 33 groups of up to 8, but ", "too many",
		 .12},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i += test_stride()) {
		trial t = {rows[i].spec, {0, 0, 3}, rows[i].wrong, 0};
		outcome o;
		odo_error err;
		assert_int_equal(trial_run(&t, &o, &err), 0);
		if (!strstr(o.found->reason, rows[i].nearest) ||
		    !strstr(o.found->reason, rows[i].but))
			fail_msg("%s: a %s, %s", rows[i].spec, odo_kind_name(o.found->kind),
				 o.found->reason);
		outcome_clear(&o);
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

/* A director's 40 and 20 chips, nothing plugged in, and `cut` cables away. */
static odo_coordinates *map_director(uint32_t cut, odo_fabric **f)
{
	odo_builder *b;
	odo_coordinates *c;
	odo_error err;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < 60; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = 40};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
		for (uint32_t t = 0; t < 40 && s >= 40; t++)
			if ((s * 40 + t) * 7 % 800 >= cut)
				assert_int_equal(odo_builder_link(b, s, t + 1, t, s - 39,
								  (odo_link_info){0}, &err),
						 0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, f, &err), 0);
	assert_int_equal(odo_map(*f, &c, &err), 0);
	return c;
}

static void a_tree_without_hosts_is_named(void **state)
{
	static const uint32_t cut[] = {0, 13, 30, 200};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cut, NULL); i++) {
		odo_fabric *f;
		odo_coordinates *c = map_director(cut[i], &f);
		assert_int_equal(c->kind, ODO_KIND_UNKNOWN);
		assert_int_equal(strstr(c->reason, "all of 40 switches are linked to all of 20") !=
					 NULL,
				 cut[i] < 40);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_regular_graphs_are_unknown),
		cmocka_unit_test(random_bipartite_graphs_are_unknown),
		cmocka_unit_test(random_trees_are_unknown),
		cmocka_unit_test(what_is_nearest_is_named),
		cmocka_unit_test(two_halves_are_unknown),
		cmocka_unit_test(a_tree_without_hosts_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
