/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whole fabrics that are no textbook kind accuse nobody; what damage took is still named. */
#include "tests/unit.h"
#include "site.h"
#include "trial.h"

/* No contradiction is more than a suspect; the kind may be certain. */
static void expect_suspects_alone(site *x, const char *what)
{
	odo_fabric *f;
	odo_coordinates *c = map_site(x, &f);
	if (c->n_faults)
		fail_msg("%s: a %s with %u faults", what, odo_kind_name(c->kind), c->n_faults);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* Complete groups of these sizes, `per` cables between each two, spread over the switches. */
static void start_groups(site *x, const uint32_t *sizes, uint32_t n, uint32_t per)
{
	uint32_t first[16] = {0}, next[16] = {0};
	for (uint32_t g = 0; g < n; g++)
		first[g + 1] = first[g] + sizes[g];
	start(x, first[n]);
	for (uint32_t g = 0; g < n; g++)
		for (uint32_t s = first[g]; s < first[g + 1]; s++) {
			for (uint32_t t = first[g]; t < s; t++)
				connect(x, s, t);
			add_hosts(x, s, 2);
		}
	for (uint32_t g = 0; g < n; g++)
		for (uint32_t to = 0; to < g; to++)
			for (uint32_t i = 0; i < per; i++)
				connect(x, first[g] + next[g]++ % sizes[g],
					first[to] + next[to]++ % sizes[to]);
}

static void groups_of_unequal_size_lack_no_switch(void **state)
{
	static const struct {
		uint32_t n, per, sizes[12];
	} rows[] = {{9, 4, {16, 16, 16, 16, 16, 16, 16, 16, 4}},
		    {8, 2, {8, 8, 8, 8, 8, 8, 4, 4}},
		    {5, 4, {5, 6, 7, 8, 9}},
		    {5, 4, {8, 8, 8, 8, 6}},
		    {6, 2, {8, 8, 8, 8, 8, 2}},
		    {11, 1, {8, 8, 8, 8, 8, 8, 8, 8, 8, 2, 2}}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, NULL); i++) {
		site x;
		start_groups(&x, rows[i].sizes, rows[i].n, rows[i].per);
		expect_suspects_alone(&x, "unequal groups");
	}
}

/* A switch of a group of eight is gone, and a global cable of each of the others tells of it. */
static void a_switch_of_a_group_is_missed(void **state)
{
	static const uint32_t sizes[9] = {8, 8, 8, 8, 8, 8, 8, 8, 8};
	(void)state;
	site x;
	start_groups(&x, sizes, 9, 4);
	odo_fabric *f, *left;
	odo_error err;
	assert_int_equal(odo_builder_freeze(x.b, ODO_LIDS_FILL, 0, &f, &err), 0);
	odo_damage damage = {.switches = 0.01, .seed = 3};
	assert_int_equal(odo_fabric_damage(f, &damage, &left, NULL, &err), 0);
	odo_coordinates *c;
	assert_int_equal(odo_map(left, &c, &err), 0);
	assert_int_equal(c->kind, ODO_KIND_DRAGONFLY);
	assert_int_equal(c->n_suspects, 0);
	assert_int_equal(c->n_faults, f->n_switches - left->n_switches);
	odo_coordinates_free(c);
	odo_fabric_free(left);
	odo_fabric_free(f);
}

static void connect_flat(site *x, uint32_t first, uint32_t a, uint32_t b)
{
	for (uint32_t s = 0; s < a * b; s++) {
		add_hosts(x, first + s, 2);
		for (uint32_t t = 0; t < s; t++)
			if (s / b == t / b || s % b == t % b)
				connect(x, first + s, first + t);
	}
}

static void two_joined_flatflies_lack_no_row(void **state)
{
	(void)state;
	for (uint32_t joined = 1; joined <= 8; joined *= 2) {
		site x;
		start(&x, 36);
		connect_flat(&x, 0, 5, 4);
		connect_flat(&x, 20, 4, 4);
		for (uint32_t i = 0; i < joined; i++)
			connect(&x, 7 * i % 20, 20 + 5 * i % 16);
		expect_suspects_alone(&x, "two FlatFlies");
	}
}

/* Words of three letters out of four, none twice in a row; each is linked to those it leads to. */
static void a_kautz_graph_lacks_no_switch(void **state)
{
	uint32_t word[36], n = 0;
	(void)state;
	for (uint32_t w = 0; w < 64; w++)
		if (w / 16 != w / 4 % 4 && w / 4 % 4 != w % 4)
			word[n++] = w;
	assert_int_equal(n, 36);
	site x;
	start(&x, n);
	for (uint32_t a = 0; a < n; a++) {
		add_hosts(&x, a, 3);
		for (uint32_t b = 0; b < n; b++) {
			bool leads = word[a] % 16 == word[b] / 4;
			bool back = word[b] % 16 == word[a] / 4;
			if (leads && !(back && b < a))
				connect(&x, a, b);
		}
	}
	expect_suspects_alone(&x, "a Kautz graph");
}

/* Three levels: 8 pods of 4 leaves and 4 spines, 16 cores. A gateway on two of a level. */
static void a_gateway_of_a_tree_is_no_pod(void **state)
{
	enum { PODS = 8, HALF = 4, LEAF = 0, SPINE = PODS * HALF, CORE = 2 * PODS * HALF };
	static const uint32_t at[][2] = {{LEAF, LEAF + 8},   {LEAF, LEAF + 1}, {SPINE, SPINE + 9},
					 {SPINE, SPINE + 1}, {CORE, CORE + 1}, {CORE, CORE + 9}};
	(void)state;
	for (size_t row = 0; TEST_ROW(row, at, NULL); row++) {
		site x;
		start(&x, CORE + HALF * HALF + 1);
		for (uint32_t i = 0; i < PODS * HALF * HALF; i++) {
			uint32_t pod = i / (HALF * HALF), a = i / HALF % HALF, b = i % HALF;
			connect(&x, LEAF + pod * HALF + a, SPINE + pod * HALF + b);
			connect(&x, SPINE + pod * HALF + a, CORE + a * HALF + b);
		}
		for (uint32_t s = LEAF; s < SPINE; s++)
			add_hosts(&x, s, 4);
		for (int i = 0; i < 2; i++)
			connect(&x, at[row][i], x.n - 1);
		add_hosts(&x, x.n - 1, 2);
		expect_suspects_alone(&x, "a gateway");
	}
}

static void cables_added_to_a_small_fabric_accuse_nobody(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= 3; n++) {
		site x;
		start(&x, 25);
		connect_flat(&x, 0, 5, 5);
		for (uint32_t i = 0; i < n; i++)
			connect(&x, 6 * i, 6 * i + 7);
		expect_suspects_alone(&x, "added cables");
	}
}

/* Each switch has as many cables as before: that is no sign of another kind. */
static void swapped_cables_of_a_small_dragonfly_are_told(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		trial t = {.spec = "dragonfly:p=2,a=6,h=1,g=7",
			   .damage = {0, 0, seed},
			   .miscabled = .04};
		outcome o;
		odo_error err;
		assert_int_equal(trial_run(&t, &o, &err), 0);
		assert_int_equal(o.found->kind, ODO_KIND_DRAGONFLY);
		assert_int_not_equal(o.found->certainty, ODO_NEAREST);
		assert_true(o.found->n_faults > 0);
		outcome_clear(&o);
	}
}

/* Two cables a link: four of the six spines lack one, so that most have as many as each other. */
static void each_cable_that_a_leaf_lost_is_told(void **state)
{
	static const uint32_t lost[6] = {1, 0, 1, 2, 1, 1};
	(void)state;
	site x;
	start_tree(&x, 18, 6, 0);
	for (uint32_t l = 0; l < 18; l++)
		for (uint32_t s = 0; s < 6; s++)
			for (uint32_t i = l == 4 ? lost[s] : 0; i < 2; i++)
				connect(&x, l, 18 + s);
	expect_kind(&x, ODO_KIND_FATTREE, 6, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_of_unequal_size_lack_no_switch),
		cmocka_unit_test(a_switch_of_a_group_is_missed),
		cmocka_unit_test(two_joined_flatflies_lack_no_row),
		cmocka_unit_test(a_kautz_graph_lacks_no_switch),
		cmocka_unit_test(a_gateway_of_a_tree_is_no_pod),
		cmocka_unit_test(cables_added_to_a_small_fabric_accuse_nobody),
		cmocka_unit_test(swapped_cables_of_a_small_dragonfly_are_told),
		cmocka_unit_test(each_cable_that_a_leaf_lost_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
