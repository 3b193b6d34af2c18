/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How certain a kind is, and who is accused. */
#include "tests/unit.h"
#include "site.h"
#include "trial.h"

/* Nobody is accused, and the kind is not named with certainty. */
static void expect_nobody_accused(site *x, const char *what)
{
	odo_fabric *f;
	odo_coordinates *c = map_site(x, &f);
	if (c->n_faults)
		fail_msg("%s: a %s with %u faults", what, odo_kind_name(c->kind), c->n_faults);
	if (c->kind != ODO_KIND_UNKNOWN && (c->certainty == ODO_CERTAIN || !c->reason[0]))
		fail_msg("%s: a %s for certain", what, odo_kind_name(c->kind));
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* A complete graph of `a` times a cycle of `b`: a torus, of which one dimension is complete. */
static void a_complete_graph_times_a_cycle_is_a_torus(void **state)
{
	static const uint32_t size[][2] = {{5, 7}, {9, 9}, {4, 9}, {7, 5}, {8, 11}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, size, NULL); i++) {
		uint32_t a = size[i][0], b = size[i][1];
		site x;
		start(&x, a * b);
		for (uint32_t row = 0; row < b; row++)
			for (uint32_t s = 0; s < a; s++) {
				connect(&x, row * a + s, (row + 1) % b * a + s);
				for (uint32_t t = 0; t < s; t++)
					connect(&x, row * a + s, row * a + t);
				add_hosts(&x, row * a + s, 2);
			}
		expect_kind(&x, ODO_KIND_TORUS, 0, NULL);
	}
}

static void cube_connected_cycles_accuse_nobody(void **state)
{
	(void)state;
	for (uint32_t n = 3; n <= 6; n++) {
		site x;
		start(&x, n << n);
		for (uint32_t v = 0; v < 1u << n; v++)
			for (uint32_t i = 0; i < n; i++) {
				connect(&x, v * n + i, v * n + (i + 1) % n);
				if (!(v >> i & 1))
					connect(&x, v * n + i, (v | 1u << i) * n + i);
				add_hosts(&x, v * n + i, 2);
			}
		expect_nobody_accused(&x, "cube-connected cycles");
	}
}

/* Boards of 2x2 chips; a switch for each row of chips of the boards, and for each column. */
static void hammingmeshes_accuse_nobody(void **state)
{
	(void)state;
	for (uint32_t boards = 3; boards <= 8; boards++) {
		uint32_t chips = 2 * boards;
		if (chips * chips + 2 * chips > MOST_SWITCHES)
			continue;
		site x;
		start(&x, chips * chips + 2 * chips);
		for (uint32_t r = 0; r < chips; r++)
			for (uint32_t k = 0; k < chips; k++) {
				uint32_t s = r * chips + k;
				if (!(k % 2))
					connect(&x, s, s + 1);
				if (!(r % 2))
					connect(&x, s, s + chips);
				connect(&x, s, chips * chips + r);
				connect(&x, s, chips * chips + chips + k);
				add_hosts(&x, s, 1);
			}
		expect_nobody_accused(&x, "HammingMesh");
	}
}

static void a_service_switch_on_a_leaf_lacks_nothing(void **state)
{
	(void)state;
	for (unsigned hosts = 0; hosts <= 4; hosts += 2) {
		odo_fabric *f;
		site x;
		start_tree(&x, 16, 8, 1);
		for (uint32_t l = 0; l < 16; l++)
			for (uint32_t s = 16; s < 24; s++)
				connect(&x, l, s);
		add_hosts(&x, 24, hosts);
		odo_coordinates *c = map_site(&x, &f);
		assert_int_equal(c->kind, ODO_KIND_FATTREE);
		assert_int_equal(c->certainty, ODO_CERTAIN);
		assert_int_equal(c->n_faults, 0);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

/* Spines that lack a cable say that the leaf lost it, also where that is half of all it had. */
static void a_leaf_that_lost_half_of_its_cables_is_told(void **state)
{
	(void)state;
	odo_fabric *f;
	site x;
	uint32_t missing = 0;
	start_tree(&x, 24, 4, 0);
	for (uint32_t l = 0; l < 24; l++)
		for (uint32_t s = 24; s < 28; s++)
			if (l != 7 || s < 26)
				connect(&x, l, s);
	odo_coordinates *c = map_site(&x, &f);
	assert_int_equal(c->kind, ODO_KIND_FATTREE);
	for (uint32_t i = 0; i < c->n_faults; i++)
		missing += c->faults[i].type == ODO_FAULT_MISSING_LINK;
	assert_int_equal(missing, 2);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* Two leaves and two spines with three cables a link are no hypercube, and one cable may be lost.
 */
static void two_leaves_and_two_spines_are_a_tree(void **state)
{
	(void)state;
	for (uint32_t lost = 0; lost < 2; lost++) {
		site x;
		start_tree(&x, 2, 2, 0);
		for (uint32_t i = lost; i < 12; i++)
			connect(&x, i % 2, 2 + i / 2 % 2);
		expect_kind(&x, ODO_KIND_FATTREE, lost, NULL);
	}
}

static void chains_are_meshes_and_stars_are_named(void **state)
{
	(void)state;
	for (uint32_t n = 3; n <= 6; n++) {
		site x;
		start(&x, n);
		for (uint32_t s = 0; s < n; s++) {
			add_hosts(&x, s, 4);
			for (int i = 0; i < 2 && s + 1 < n; i++)
				connect(&x, s, s + 1);
		}
		expect_kind(&x, ODO_KIND_MESH, 0, NULL);
	}
	for (uint32_t n = 4; n <= 9; n++) {
		site x;
		start(&x, n);
		for (uint32_t s = 0; s < n; s++) {
			add_hosts(&x, s, 4);
			if (s)
				connect(&x, 0, s);
		}
		expect_kind(&x, ODO_KIND_UNKNOWN, 0, "a star");
	}
}

/* Rings of `a` that end `twist` further along the rings of `b`. */
static void a_twisted_torus_is_nearest_a_torus(void **state)
{
	static const uint32_t size[][3] = {{4, 8, 4}, {8, 8, 4}, {6, 12, 6}, {8, 16, 8}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, size, NULL); i++) {
		uint32_t a = size[i][0], b = size[i][1];
		site x;
		start(&x, a * b);
		for (uint32_t r = 0; r < a; r++)
			for (uint32_t k = 0; k < b; k++) {
				uint32_t to = r + 1 < a ? k : (k + size[i][2]) % b;
				connect(&x, r * b + k, r * b + (k + 1) % b);
				connect(&x, r * b + k, (r + 1) % a * b + to);
				add_hosts(&x, r * b + k, 2);
			}
		expect_kind(&x, ODO_KIND_UNKNOWN, 0, "nearest is a torus of 2 dimensions");
	}
}

typedef struct damaged {
	const char *spec;
	double switches, links, miscabled;
	odo_kind kind;
} damaged;

/* Kind by kind: so much damage, and the kind is still told, and what is wrong with it. */
static void damaged_kinds_stay_what_they_are(void **state)
{
	static const damaged cases[] = {
		{"dragonfly:p=2,a=16,h=8,g=20,w=2,arrangement=consecutive", .1, .05, 0,
		 ODO_KIND_DRAGONFLY},
		{"dragonfly:p=4,a=8,h=4", .1, .05, .01, ODO_KIND_DRAGONFLY},
		{"flatfly:k=8x8,c=1", .1, .05, .01, ODO_KIND_FLATFLY},
		{"torus:k=8x8x8,c=1", .1, .05, 0, ODO_KIND_TORUS},
		{"hypercube:n=8,c=1", .1, .05, .01, ODO_KIND_HYPERCUBE},
		{"fattree:k=16,levels=3", .1, .05, .01, ODO_KIND_FATTREE},
		{"slimfly:q=5,c=3", .1, .05, .01, ODO_KIND_SLIMFLY},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			const damaged *x = &cases[i];
			trial t = {.spec = x->spec,
				   .damage = {x->switches, x->links, seed},
				   .miscabled = x->miscabled};
			outcome o;
			odo_error err;
			if (trial_run(&t, &o, &err))
				fail_msg("%s: %s", x->spec, err.text);
			if (o.found->kind != x->kind || o.found->certainty == ODO_NEAREST)
				fail_msg("%s, seed %llu: found a %s, %s: %s", x->spec,
					 (unsigned long long)seed, odo_kind_name(o.found->kind),
					 odo_certainty_name(o.found->certainty), o.found->reason);
			assert_true(o.found->n_faults > 0);
			outcome_clear(&o);
		}
}

static void what_is_whole_is_certain(void **state)
{
	static const char *const specs[] = {"dragonfly:p=4,a=8,h=4", "torus:k=5x6,c=1",
					    "fattree:k=8,levels=3", "slimfly:q=5,c=3"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		trial t = {.spec = specs[i], .damage = {0, 0, 1}};
		outcome o;
		odo_error err;
		assert_int_equal(trial_run(&t, &o, &err), 0);
		assert_int_equal(o.found->certainty, ODO_CERTAIN);
		assert_int_equal(odo_contradictions(o.found), 0);
		outcome_clear(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_complete_graph_times_a_cycle_is_a_torus),
		cmocka_unit_test(cube_connected_cycles_accuse_nobody),
		cmocka_unit_test(hammingmeshes_accuse_nobody),
		cmocka_unit_test(a_service_switch_on_a_leaf_lacks_nothing),
		cmocka_unit_test(a_leaf_that_lost_half_of_its_cables_is_told),
		cmocka_unit_test(two_leaves_and_two_spines_are_a_tree),
		cmocka_unit_test(chains_are_meshes_and_stars_are_named),
		cmocka_unit_test(a_twisted_torus_is_nearest_a_torus),
		cmocka_unit_test(damaged_kinds_stay_what_they_are),
		cmocka_unit_test(what_is_whole_is_certain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
