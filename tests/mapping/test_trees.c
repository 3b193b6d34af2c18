/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches with hosts that are linked only to switches without are leaves: such fabrics are trees,
 * and no dragonflies, whatever groups their cables would allow. */
#include <stdlib.h>
#include <string.h>

#include "fabric/transform/plan.h"
#include "base/random.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/graph/levels.h"
#include "mapping/mapping.h"
#include "tests/unit.h"

/** Groups of leaves and spines, complete between the two; several groups are a Dragonfly+. */
typedef struct tree {
	uint32_t groups, leaves, spines;
	uint32_t cables; /* of a link in a group */
	uint32_t global; /* cables of a spine to other groups */
	uint32_t hosts;  /* of a leaf */
	uint32_t extra;  /* hosts of a spine */
	uint32_t idle;   /* leaves of a group that have no hosts */
	double hosts_gone, cables_gone;
	uint64_t seed;
} tree;

typedef struct site {
	const tree *t;
	odo_builder *b;
	odo_rng rng;
	uint32_t *port; /* of each switch, the last that is taken */
} site;

static uint32_t leaf(const tree *t, uint32_t group, uint32_t i)
{
	return group * (t->leaves + t->spines) + i;
}

static uint32_t spine(const tree *t, uint32_t group, uint32_t i)
{
	return leaf(t, group, t->leaves + i);
}

static void cable(site *x, uint32_t a, uint32_t b)
{
	odo_error err;
	if (odo_rng_below(&x->rng, 1000) < 1000 * x->t->cables_gone)
		return;
	assert_int_equal(
		odo_builder_link(x->b, a, ++x->port[a], b, ++x->port[b], (odo_link_info){0}, &err),
		0);
}

static void attach(site *x, uint32_t s, uint32_t n)
{
	odo_error err;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_CA, .n_ports = 1};
		if (odo_rng_below(&x->rng, 1000) < 1000 * x->t->hosts_gone)
			continue;
		assert_int_equal(odo_builder_add(x->b, &info, &id, &err), 0);
		assert_int_equal(
			odo_builder_link(x->b, s, ++x->port[s], id, 1, (odo_link_info){0}, &err),
			0);
	}
}

static void cable_group(site *x, uint32_t group)
{
	const tree *t = x->t;
	for (uint32_t i = 0; i < t->leaves * t->spines * t->cables; i++)
		cable(x, leaf(t, group, i % t->leaves), spine(t, group, i / t->leaves % t->spines));
	for (uint32_t i = t->idle; i < t->leaves; i++)
		attach(x, leaf(t, group, i), t->hosts);
	for (uint32_t i = 0; i < t->spines; i++)
		attach(x, spine(t, group, i), t->extra);
}

/* One cable between each two groups in turn, for as long as spines have ports: as the consecutive
 * arrangement of a dragonfly. */
static void cable_groups(site *x)
{
	const tree *t = x->t;
	uint32_t rounds = t->groups > 1 ? t->spines * t->global / (t->groups - 1) : 0;
	for (uint32_t r = 0; r < rounds; r++)
		for (uint32_t a = 0; a < t->groups; a++)
			for (uint32_t b = a + 1; b < t->groups; b++) {
				uint32_t from = r * (t->groups - 1) + b - 1;
				uint32_t to = r * (t->groups - 1) + a;
				cable(x, spine(t, a, from / t->global),
				      spine(t, b, to / t->global));
			}
}

static odo_fabric *build(const tree *t)
{
	odo_error err;
	odo_fabric *f, *shuffled;
	uint32_t n = t->groups * (t->leaves + t->spines), id;
	site x = {.t = t, .rng = odo_rng_make(t->seed, 0), .port = calloc(n, sizeof *x.port)};
	assert_int_equal(odo_builder_create(&x.b, &err), 0);
	for (uint32_t s = 0; s < n; s++) {
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = ODO_MAX_PORTS};
		assert_int_equal(odo_builder_add(x.b, &info, &id, &err), 0);
	}
	for (uint32_t group = 0; group < t->groups; group++)
		cable_group(&x, group);
	cable_groups(&x);
	assert_int_equal(odo_builder_freeze(x.b, ODO_LIDS_FILL, 0, &f, &err), 0);
	assert_int_equal(odo_fabric_shuffle(f, t->seed, &shuffled, NULL, &err), 0);
	odo_fabric_free(f);
	free(x.port);
	return shuffled;
}

static void expect_two_levels(const tree *t, const odo_fabric *f, uint32_t wrong)
{
	odo_coordinates *c;
	odo_error err;
	uint32_t level[2] = {0};
	assert_int_equal(odo_map(f, &c, &err), 0);
	for (uint32_t s = 0; s < c->n_switches && c->kind == ODO_KIND_FATTREE; s++)
		if (odo_at(c, s)[ODO_TREE_LEVEL] < 2)
			level[odo_at(c, s)[ODO_TREE_LEVEL]]++;
	if (level[0] != t->leaves || level[1] != t->spines || (!wrong && c->n_faults))
		fail_msg("%u x %u x %u, seed %u: a %s, %u leaves, %u spines, %u faults, %s",
			 t->leaves, t->spines, t->cables, (unsigned)t->seed, odo_kind_name(c->kind),
			 level[0], level[1], c->n_faults, c->reason);
	odo_coordinates_free(c);
}

static void expect_fattree(const tree *t)
{
	odo_fabric *f = build(t);
	expect_two_levels(t, f, t->cables_gone > 0);
	odo_fabric_free(f);
}

/* As many leaves as spines. */
static tree square(uint32_t n, uint32_t cables, uint64_t seed)
{
	return (tree){.groups = 1,
		      .leaves = n,
		      .spines = n,
		      .cables = cables,
		      .hosts = n * cables,
		      .seed = seed};
}

static void trees_of_as_many_leaves_as_spines_are_trees(void **state)
{
	(void)state;
	for (uint32_t n = 3; n <= 20; n++) {
		for (uint32_t cables = 1; cables <= 3; cables++) {
			for (uint64_t seed = 1; seed <= 3; seed++) {
				tree t = square(n, cables, seed);
				expect_fattree(&t);
			}
		}
	}
}

/* Three leaves of which one has no hosts are left out: too few to say. */
static void trees_without_some_hosts_and_cables_are_trees(void **state)
{
	static const double gone[][2] = {{0.2, 0}, {0.4, 0}, {0, 0.02}, {0.1, 0.05}};
	(void)state;
	for (uint32_t n = 4; n <= 20; n++) {
		for (size_t i = 0; TEST_ROW(i, gone, NULL); i++) {
			for (uint64_t seed = 1; seed <= 4; seed++) {
				tree t = square(n, 1 + seed % 2, seed);
				t.hosts_gone = gone[i][0];
				t.cables_gone = gone[i][1];
				expect_fattree(&t);
			}
		}
	}
}

/* A leaf that is down, or stripped of its hosts. */
static void trees_with_a_leaf_that_has_no_hosts_are_trees(void **state)
{
	(void)state;
	for (uint32_t n = 4; n <= 20; n++) {
		tree t = square(n, 1, n);
		t.idle = 1;
		expect_fattree(&t);
	}
}

static void a_host_on_every_spine_makes_no_leaf(void **state)
{
	(void)state;
	for (uint32_t n = 3; n <= 20; n++) {
		tree t = square(n, 1, n);
		t.extra = 1; /* a subnet manager's, or the switch's own aggregation node */
		expect_fattree(&t);
	}
}

static void miscabled_trees_are_trees(void **state)
{
	(void)state;
	for (uint32_t n = 6; n <= 18; n += 3) {
		for (uint64_t seed = 1; seed <= 5; seed++) {
			odo_fabric *wrong;
			odo_error err;
			tree t = square(n, 1, seed);
			odo_fabric *f = build(&t);
			assert_int_equal(odo_fabric_miscable(f, 0.02, seed, &wrong, NULL, &err), 0);
			expect_two_levels(&t, wrong, 1);
			odo_fabric_free(wrong);
			odo_fabric_free(f);
		}
	}
}

/* As many groups as were built, and nothing wrong where nothing was damaged. Of a damaged one with
 * few switches too little may be left. */
static bool found_groups(const tree *t)
{
	odo_fabric *f = build(t);
	odo_coordinates *c;
	odo_error err;
	bool damaged = t->cables_gone > 0;
	assert_int_equal(odo_map(f, &c, &err), 0);
	bool right = c->kind == ODO_KIND_DRAGONFLY_PLUS && c->size[0] == t->groups &&
		     (damaged || !c->n_faults);
	if (!right && (!damaged || c->kind == ODO_KIND_DRAGONFLY))
		fail_msg("%u x (%u x %u), %u global: a %s, %u groups, %u faults, %s", t->groups,
			 t->leaves, t->spines, t->global, odo_kind_name(c->kind), c->size[0],
			 c->n_faults, c->reason);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return right;
}

/* All sizes of groups that spines have ports for. */
static void expect_dragonfly_plus(uint32_t leaves, uint32_t spines, double hosts_gone,
				  double cables_gone)
{
	uint32_t trials = 0, right = 0;
	for (uint32_t global = 1; global <= 3; global++) {
		for (uint32_t groups = 2; groups <= spines * global + 1; groups++) {
			tree t = {.groups = groups,
				  .leaves = leaves,
				  .spines = spines,
				  .cables = 1,
				  .global = global,
				  .hosts = 4,
				  .hosts_gone = hosts_gone,
				  .cables_gone = cables_gone,
				  .seed = groups};
			trials++;
			right += found_groups(&t);
		}
	}
	if (leaves * spines > 4 && 10 * right < 9 * trials)
		fail_msg("groups of %u and %u: %u of %u", leaves, spines, right, trials);
}

static void dragonflies_plus_are_no_dragonflies(void **state)
{
	static const uint32_t group[][2] = {{2, 2}, {3, 3}, {4, 4}, {4, 2}, {8, 4}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, group, NULL); i++) {
		expect_dragonfly_plus(group[i][0], group[i][1], 0, 0);
		expect_dragonfly_plus(group[i][0], group[i][1], 0.1, 0);
		expect_dragonfly_plus(group[i][0], group[i][1], 0.1, 0.03);
	}
}

/* Their cables are those of a hypercube, too. The hosts tell. */
static void two_leaves_and_two_spines_are_a_tree(void **state)
{
	odo_coordinates *c;
	odo_error err;
	tree t = square(2, 1, 1);
	odo_fabric *f = build(&t);
	(void)state;
	assert_int_equal(odo_map(f, &c, &err), 0);
	assert_int_equal(c->kind, ODO_KIND_FATTREE);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* The fabric with those hosts alone that `keep` is true of, by number. */
static odo_fabric *with_hosts(const odo_fabric *f, bool (*keep)(uint32_t), uint64_t seed)
{
	odo_plan plan = {0};
	odo_fabric *fewer, *shuffled;
	odo_error err;
	assert_int_equal(odo_plan_make(f, &plan, &err), 0);
	plan.n_nodes = f->n_switches;
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++)
		if (keep(v - f->n_switches))
			plan.node[plan.n_nodes++] = v;
	assert_int_equal(odo_plan_carry_out(f, &plan, &fewer, NULL, &err), 0);
	assert_int_equal(odo_fabric_shuffle(fewer, seed, &shuffled, NULL, &err), 0);
	odo_plan_clear(&plan);
	odo_fabric_free(fewer);
	return shuffled;
}

static bool none(uint32_t host)
{
	(void)host;
	return false;
}

static bool one(uint32_t host)
{
	return host == 0;
}

static bool half(uint32_t host)
{
	odo_rng rng = odo_rng_make(host, 1);
	return odo_rng_below(&rng, 2);
}

static bool every_fourth(uint32_t host)
{
	return host % 4 == 0;
}

static bool two_in_four(uint32_t host)
{
	return host % 4 < 2;
}

/* One host a switch, so that one that is gone leaves a switch without. */
static void dragonflies_with_few_hosts_stay_dragonflies(void **state)
{
	static const char *const spec[] = {"dragonfly:p=1,a=3,h=2", "dragonfly:p=1,a=4,h=2",
					   "dragonfly:p=1,a=2x2,h=2", "dragonfly:p=1,a=4,h=2,g=5",
					   "dragonfly:p=1,a=8,h=4"};
	static bool (*const keep[])(uint32_t) = {none, one, half, every_fourth, two_in_four};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, spec, spec[i]); i++) {
		odo_fabric *f;
		odo_coordinates *truth, *c;
		odo_error err;
		assert_int_equal(odo_topology_generate(spec[i], 0, &f, &truth, &err), 0);
		for (size_t k = 0; TEST_ROW(k, keep, NULL); k++) {
			odo_fabric *fewer = with_hosts(f, keep[k], k + 1);
			assert_int_equal(odo_map(fewer, &c, &err), 0);
			if (c->kind != ODO_KIND_DRAGONFLY)
				fail_msg("%s, hosts %zu: %s, %s", spec[i], k,
					 odo_kind_name(c->kind), c->reason);
			odo_coordinates_free(c);
			odo_fabric_free(fewer);
		}
		odo_coordinates_free(truth);
		odo_fabric_free(f);
	}
}

/* Two hosts at opposite corners: each with its neighbours would be a group of one leaf. */
static bool at_opposite_corners(uint32_t n)
{
	return n == 0 || n == 7;
}

static void a_cube_with_two_hosts_is_a_cube(void **state)
{
	odo_fabric *f;
	odo_coordinates *truth, *c;
	odo_error err;
	(void)state;
	assert_int_equal(odo_topology_generate("hypercube:n=3,c=1", 0, &f, &truth, &err), 0);
	odo_fabric *fewer = with_hosts(f, at_opposite_corners, 1);
	assert_int_equal(odo_map(fewer, &c, &err), 0);
	assert_int_equal(c->kind, ODO_KIND_HYPERCUBE);
	odo_coordinates_free(c);
	odo_fabric_free(fewer);
	odo_coordinates_free(truth);
	odo_fabric_free(f);
}

/* Of 1,000 that lose this share of their hosts, how many have their switches on two levels. */
static unsigned divided(const char *spec, double gone)
{
	odo_fabric *f;
	odo_coordinates *truth;
	odo_links g;
	odo_levels levels;
	odo_error err;
	unsigned n = 0;
	assert_int_equal(odo_topology_generate(spec, 0, &f, &truth, &err), 0);
	assert_int_equal(odo_links_make(f, &g, NULL, &err), 0);
	uint32_t *kept = calloc(f->n_hosts, sizeof *kept);
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		odo_rng rng = odo_rng_make(seed, 0);
		odo_fabric fewer = *f;
		fewer.host_slot = kept;
		fewer.n_hosts = 0;
		for (uint32_t host = 0; host < f->n_hosts; host++)
			if (odo_rng_below(&rng, 1000) >= 1000 * gone)
				kept[fewer.n_hosts++] = f->host_slot[host];
		fewer.n_senders = fewer.n_hosts;
		assert_int_equal(odo_levels_find(&fewer, &g, &levels, &err), 0);
		n += levels.divided;
	}
	free(kept);
	odo_links_clear(&g);
	odo_coordinates_free(truth);
	odo_fabric_free(f);
	return n;
}

/* One host a switch, and groups of two: which lose most by it. */
static void dragonflies_rarely_lose_hosts_so_that_they_look_like_trees(void **state)
{
	(void)state;
	assert_in_range(divided("dragonfly:p=1,a=2,h=2", 0.5), 0, 19);
	assert_int_equal(divided("dragonfly:p=1,a=2,h=2", 0.1), 0);
	assert_int_equal(divided("dragonfly:p=1,a=2,h=4", 0.5), 0);
	assert_int_equal(divided("dragonfly:p=1,a=4,h=2", 0.7), 0);
	assert_int_equal(divided("dragonfly:p=1,a=2x2,h=2", 0.7), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_of_as_many_leaves_as_spines_are_trees),
		cmocka_unit_test(trees_without_some_hosts_and_cables_are_trees),
		cmocka_unit_test(trees_with_a_leaf_that_has_no_hosts_are_trees),
		cmocka_unit_test(a_host_on_every_spine_makes_no_leaf),
		cmocka_unit_test(miscabled_trees_are_trees),
		cmocka_unit_test(dragonflies_plus_are_no_dragonflies),
		cmocka_unit_test(two_leaves_and_two_spines_are_a_tree),
		cmocka_unit_test(dragonflies_with_few_hosts_stay_dragonflies),
		cmocka_unit_test(a_cube_with_two_hosts_is_a_cube),
		cmocka_unit_test(dragonflies_rarely_lose_hosts_so_that_they_look_like_trees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
