/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fat trees: levels, pods and planes are found whatever the shape, damage or a few wrong cables;
 * and what was built so is not accused. */
#include <stdio.h>
#include <stdlib.h>

#include "run.h"
#include "verify.h"

/* Levels 2 to 4, oversubscribed, with parallel cables, with few and many parents. */
static const char *const shapes[] = {
	"fattree:k=6,levels=2",
	"fattree:k=36,levels=2",
	"fattree:k=6,levels=3",
	"fattree:k=8,levels=3",
	"fattree:k=16,levels=3",
	"fattree:k=8,levels=4",
	"pgft:m=24x12,w=1x4,p=1x3",
	"pgft:m=4x6x3,w=1x2x2,p=1x2x1",
	"pgft:m=18x18x8,w=1x12x6,p=1x1x3",
	"pgft:m=16x8x8,w=1x4x2,p=1x2x4",
	"pgft:m=12x6x6x4,w=1x4x4x4",
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void whole_trees_are_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		for (uint64_t seed = 1; seed <= 3; seed++) {
			outcome o = run(&(trial){.spec = shapes[i], .damage = {0, 0, seed}});
			if (!o.right || o.found->n_faults)
				fail_msg("%s: %s, %u faults", shapes[i], o.why.text,
					 o.found->n_faults);
			for (unsigned dim = 0; dim < ODO_TREE_DIMS; dim++)
				assert_int_equal(o.found->size[dim], o.truth->size[dim]);
			for (unsigned level = 0; level < 3; level++)
				assert_int_equal(o.found->width[level], o.truth->width[level]);
			outcome_clear(&o);
		}
	}
}

/* Links have one cable, or other widths. */
static void trees_of_one_root_and_stars_are_trees(void **state)
{
	static const char *const bare[] = {"pgft:m=4x4x4,w=1x1x1", "pgft:m=4x2,w=1x1",
					   "pgft:m=10x20,w=1x1,p=1x4", "pgft:m=8x4x4,w=1x1x2"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, bare, bare[i]); i++) {
		outcome o = run(&(trial){.spec = bare[i]});
		if (!o.right || o.found->n_faults)
			fail_msg("%s: %s, %u faults", bare[i], o.why.text, o.found->n_faults);
		outcome_clear(&o);
	}
}

static bool same_levels(const outcome *o)
{
	if (o->found->kind != ODO_KIND_FATTREE)
		return false;
	for (uint32_t s = 0; s < o->fabric->n_switches; s++) {
		uint32_t level = odo_at(o->found, s)[ODO_TREE_LEVEL];
		if (level != ODO_NONE && level != odo_at(o->truth, s)[ODO_TREE_LEVEL])
			return false;
	}
	return true;
}

static void damaged_trees_keep_their_levels(void **state)
{
	unsigned trials = 0, right = 0;
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		for (uint64_t seed = 1; seed <= 40; seed++) {
			outcome o = run(&(trial){.spec = shapes[i], .damage = {.1, .05, seed}});
			trials++;
			right += same_levels(&o);
			outcome_clear(&o);
		}
	}
	if (100 * right < 99 * trials)
		fail_msg("%u of %u right", right, trials);
}

/* Wrong cables that were moved, those that are reported, and those that both are. */
/* Where a block has lost so many cables that it looks like two, the cables between these are still
 * right. Nor is a switch above a single leaf a spine. */
static void what_is_left_of_a_small_block_stays_one(void **state)
{
	static const char *const small[] = {"fattree:k=6,levels=4", "pgft:m=4x4x4x4,w=1x4x2x2",
					    "fattree:k=6,levels=3", "fattree:k=8,levels=3"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, small, small[i]); i++)
		for (uint64_t seed = 1; seed <= 40; seed++) {
			outcome o = run(&(trial){.spec = small[i], .damage = {0.1, 0.05, seed}});
			if (!o.right && !verify_as_good(o.fabric, o.found, o.truth))
				fail_msg("%s, seed %u: %s", small[i], (unsigned)seed, o.why.text);
			outcome_clear(&o);
		}
}

static void wrong_cables_are_named(void **state)
{
	cables sum = {0};
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		for (uint64_t seed = 1; seed <= 20; seed++) {
			outcome o = run(&(trial){shapes[i], {0, 0, seed}, .01, 0});
			if (!same_levels(&o))
				fail_msg("%s, seed %u: %s", shapes[i], (unsigned)seed, o.why.text);
			cables_count(&o, &sum);
			outcome_clear(&o);
		}
	}
	if (100 * sum.hit < 99 * sum.moved || 100 * sum.hit < 99 * sum.reported ||
	    10 * sum.belongs < 9 * sum.hit)
		fail_msg("%u moved, %u reported, %u hit, %u with where they belong", sum.moved,
			 sum.reported, sum.hit, sum.belongs);
}

/* The fabric without the switches that `keep` is false of, given their true coordinates. */
static odo_fabric *without(const char *spec, bool (*keep)(const uint32_t *at))
{
	odo_plan plan = {0};
	odo_fabric *f, *fewer, *shuffled;
	odo_coordinates *c;
	odo_error err;
	uint32_t n = 0;
	assert_int_equal(odo_topology_generate(spec, 0, &f, &c, &err), 0);
	assert_int_equal(odo_plan_make(f, &plan, &err), 0);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		uint32_t s = v < f->n_switches ? v : odo_neighbour(f, f->first_slot[v]);
		if (keep(odo_at(c, s)))
			plan.node[n++] = v;
	}
	plan.n_nodes = n;
	assert_int_equal(odo_plan_carry_out(f, &plan, &fewer, NULL, &err), 0);
	assert_int_equal(odo_fabric_shuffle(fewer, 7, &shuffled, NULL, &err), 0);
	odo_plan_clear(&plan);
	odo_coordinates_free(c);
	odo_fabric_free(fewer);
	odo_fabric_free(f);
	return shuffled;
}

static bool pods_of_unequal_size(const uint32_t *at)
{
	return at[ODO_TREE_LEVEL] || at[ODO_TREE_INDEX] < 2 + at[ODO_TREE_POD] % 6;
}

static bool half_the_top(const uint32_t *at)
{
	return at[ODO_TREE_LEVEL] < 2 || at[ODO_TREE_INDEX] % 2;
}

static bool one_top_in_each_plane(const uint32_t *at)
{
	return at[ODO_TREE_LEVEL] < 2 || !at[ODO_TREE_INDEX];
}

static bool some_planes_without_top(const uint32_t *at)
{
	return at[ODO_TREE_LEVEL] < 2 || at[ODO_TREE_PLANE] < 3;
}

static void what_was_not_bought_is_not_missing(void **state)
{
	static bool (*const keep[])(const uint32_t *) = {
		pods_of_unequal_size, half_the_top, one_top_in_each_plane, some_planes_without_top};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, keep, NULL); i++) {
		odo_fabric *f = without("fattree:k=16,levels=3", keep[i]);
		odo_coordinates *c;
		odo_error err;
		assert_int_equal(odo_map(f, &c, &err), 0);
		if (c->kind != ODO_KIND_FATTREE || c->size[ODO_TREE_LEVEL] != 3 || c->n_faults)
			fail_msg("case %zu: a %s of %u levels, %u faults, %s", i,
				 odo_kind_name(c->kind), c->size[ODO_TREE_LEVEL], c->n_faults,
				 c->reason);
		assert_int_equal(c->size[ODO_TREE_POD], 16);
		if (keep[i] != some_planes_without_top) /* where a plane is not connected */
			assert_int_equal(c->size[ODO_TREE_PLANE], 8);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

static bool no_third_spine_in_pod_5(const uint32_t *at)
{
	return at[ODO_TREE_LEVEL] != 1 || at[ODO_TREE_POD] != 5 || at[ODO_TREE_PLANE] != 3;
}

static bool no_first_top_in_plane_2(const uint32_t *at)
{
	return at[ODO_TREE_LEVEL] != 2 || at[ODO_TREE_PLANE] != 2 || at[ODO_TREE_INDEX];
}

static void a_switch_that_is_missing_has_a_place(void **state)
{
	static bool (*const keep[])(const uint32_t *) = {no_third_spine_in_pod_5,
							 no_first_top_in_plane_2};
	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		odo_fabric *f = without("fattree:k=16,levels=3", keep[i]);
		odo_coordinates *c;
		odo_error err;
		assert_int_equal(odo_map(f, &c, &err), 0);
		assert_int_equal(c->n_faults, 1);
		assert_int_equal(c->faults->type, ODO_FAULT_MISSING_SWITCH);
		assert_int_equal(c->faults->at[ODO_TREE_LEVEL], i + 1);
		for (uint32_t s = 0; s < f->n_switches; s++)
			assert_memory_not_equal(odo_at(c, s), c->faults->at,
						ODO_TREE_DIMS * sizeof(uint32_t));
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

static void cables_that_are_missing_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		odo_fabric *f;
		odo_error err;
		assert_int_equal(odo_topology_generate(shapes[i], 0, &f, NULL, &err), 0);
		double share = 1.2 / (f->n_links - f->n_hosts);
		odo_fabric_free(f);
		outcome o = run(&(trial){.spec = shapes[i], .damage = {0, share, 1}});
		assert_int_equal(o.found->n_faults, 1);
		assert_int_equal(o.found->faults->type, ODO_FAULT_MISSING_LINK);
		assert_int_equal(o.found->faults->count, 1);
		outcome_clear(&o);
	}
}

/* The same places in whatever order switches and cables come. */
static void numbers_do_not_depend_on_the_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		odo_fabric *sorted;
		odo_coordinates *c;
		odo_error err;
		outcome o = run(&(trial){shapes[i], {.03, .02, 1}, .01, 0});
		assert_int_equal(odo_fabric_sort(o.fabric, &sorted, &err), 0);
		assert_int_equal(odo_map(sorted, &c, &err), 0);
		for (uint32_t s = 0; s < o.fabric->n_switches; s++) {
			uint32_t t = 0;
			while (sorted->node_guid[t] != o.fabric->node_guid[s])
				t++;
			assert_memory_equal(odo_at(c, t), odo_at(o.found, s),
					    ODO_TREE_DIMS * sizeof(uint32_t));
		}
		odo_coordinates_free(c);
		odo_fabric_free(sorted);
		outcome_clear(&o);
	}
}

/* A fabric that is built by hand. */
typedef struct site {
	odo_builder *b;
	uint32_t port[200]; /* of each switch, the last that is taken */
	uint32_t n;
} site;

static uint32_t add(site *x)
{
	odo_error err;
	uint32_t id;
	odo_node_info info = {.type = ODO_SWITCH, .n_ports = ODO_MAX_PORTS};
	assert_int_equal(odo_builder_add(x->b, &info, &id, &err), 0);
	x->n++;
	return id;
}

static void cable(site *x, uint32_t a, uint32_t b)
{
	odo_error err;
	assert_int_equal(
		odo_builder_link(x->b, a, ++x->port[a], b, ++x->port[b], (odo_link_info){0}, &err),
		0);
}

static void host(site *x, uint32_t s, uint32_t n)
{
	odo_error err;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_CA, .n_ports = 1};
		assert_int_equal(odo_builder_add(x->b, &info, &id, &err), 0);
		assert_int_equal(
			odo_builder_link(x->b, s, ++x->port[s], id, 1, (odo_link_info){0}, &err),
			0);
	}
}

/* Leaves 0 to 17 with `hosts` hosts each, spines 18 to 26. */
static void two_levels(site *x, uint32_t hosts)
{
	for (uint32_t i = 0; i < 28; i++)
		add(x);
	for (uint32_t leaf = 0; leaf < 18; leaf++)
		for (uint32_t spine = 18; spine < 27; spine++)
			cable(x, leaf, spine);
	for (uint32_t leaf = 0; leaf < 18; leaf++)
		host(x, leaf, hosts);
}

static void hosts_on_spines(site *x)
{
	two_levels(x, 18);
	cable(x, 27, 18);
	cable(x, 27, 19);
	host(x, 18, 1);
	host(x, 19, 18);
	host(x, 20, 18);
}

static void a_leaf_without_hosts(site *x)
{
	two_levels(x, 18);
	for (uint32_t spine = 18; spine < 27; spine++)
		cable(x, 27, spine);
}

static void a_router_on_some_spines(site *x)
{
	two_levels(x, 18);
	for (uint32_t spine = 18; spine < 22; spine++)
		cable(x, 27, spine);
	host(x, 27, 3);
}

static void leaves_with_few_hosts(site *x)
{
	two_levels(x, 2);
	for (uint32_t leaf = 0; leaf < 18; leaf += 3)
		host(x, leaf, 16);
	cable(x, 27, 18);
}

/* The last six have half of the spines. */
static void leaves_with_fewer_spines(site *x)
{
	for (uint32_t i = 0; i < 28; i++)
		add(x);
	for (uint32_t leaf = 0; leaf < 19; leaf++) {
		host(x, leaf, 8);
		for (uint32_t spine = 19; spine < (leaf < 13 ? 28 : 24); spine++)
			cable(x, leaf, spine);
	}
}

/* 18 edge switches, each cabled to 9 of 18 chips, and 9 chips above those. */
static void a_director(site *x)
{
	for (uint32_t i = 0; i < 45; i++)
		add(x);
	for (uint32_t edge = 0; edge < 18; edge++) {
		host(x, edge, 9);
		for (uint32_t i = 0; i < 9; i++) {
			cable(x, edge, 18 + (9 * edge + i) % 18);
			cable(x, 18 + edge, 36 + i);
		}
	}
}

/* Three levels, and a switch with hosts that is cabled to the top of all planes. */
static void storage_on_the_top(site *x)
{
	for (uint32_t i = 0; i < 109; i++)
		add(x);
	for (uint32_t pod = 0; pod < 6; pod++)
		for (uint32_t i = 0; i < 6; i++) {
			host(x, 6 * pod + i, 6);
			for (uint32_t plane = 0; plane < 6; plane++) {
				cable(x, 6 * pod + i, 36 + 6 * pod + plane);
				cable(x, 36 + 6 * pod + plane, 72 + 6 * plane + i);
			}
		}
	host(x, 108, 6);
	for (uint32_t i = 0; i < 36; i += 3)
		cable(x, 108, 72 + i);
}

/* Four pods of eight leaves and spines, and a leaf that hangs on half of the spines of two. */
static void a_leaf_of_two_pods(site *x)
{
	for (uint32_t i = 0; i < 96; i++)
		add(x);
	for (uint32_t leaf = 0; leaf < 32; leaf++) {
		host(x, leaf, 8);
		for (uint32_t plane = 0; plane < 8; plane++) {
			uint32_t pod = leaf ? leaf / 8 : plane / 4;
			cable(x, leaf, 32 + 8 * pod + plane);
		}
	}
	for (uint32_t spine = 0; spine < 32; spine++)
		for (uint32_t i = 0; i < 4; i++)
			cable(x, 32 + spine, 64 + 4 * (spine % 8) + i);
}

static void what_sites_add_is_no_fault(void **state)
{
	static const struct {
		void (*build)(site *);
		uint32_t level[3]; /* switches on each */
	} cases[] = {{hosts_on_spines, {19, 9, 0}},          {a_leaf_without_hosts, {19, 9, 0}},
		     {a_router_on_some_spines, {19, 9, 0}},  {leaves_with_few_hosts, {19, 9, 0}},
		     {leaves_with_fewer_spines, {19, 9, 0}}, {a_director, {18, 18, 9}},
		     {storage_on_the_top, {36, 37, 36}},     {a_leaf_of_two_pods, {32, 32, 32}}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		site x = {0};
		odo_fabric *f, *shuffled;
		odo_coordinates *c;
		odo_error err;
		uint32_t level[3] = {0};
		assert_int_equal(odo_builder_create(&x.b, &err), 0);
		cases[i].build(&x);
		assert_int_equal(odo_builder_freeze(x.b, ODO_LIDS_FILL, 0, &f, &err), 0);
		assert_int_equal(odo_fabric_shuffle(f, 3, &shuffled, NULL, &err), 0);
		assert_int_equal(odo_map(shuffled, &c, &err), 0);
		for (uint32_t s = 0; s < x.n && c->kind == ODO_KIND_FATTREE; s++)
			if (odo_at(c, s)[ODO_TREE_LEVEL] < 3)
				level[odo_at(c, s)[ODO_TREE_LEVEL]]++;
		if (memcmp(level, cases[i].level, sizeof level) || c->n_faults)
			fail_msg("case %zu: a %s, %u, %u and %u switches, %u faults, %s", i,
				 odo_kind_name(c->kind), level[0], level[1], level[2], c->n_faults,
				 c->reason);
		odo_coordinates_free(c);
		odo_fabric_free(shuffled);
		odo_fabric_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_trees_are_found),
		cmocka_unit_test(trees_of_one_root_and_stars_are_trees),
		cmocka_unit_test(damaged_trees_keep_their_levels),
		cmocka_unit_test(what_is_left_of_a_small_block_stays_one),
		cmocka_unit_test(wrong_cables_are_named),
		cmocka_unit_test(what_was_not_bought_is_not_missing),
		cmocka_unit_test(what_sites_add_is_no_fault),
		cmocka_unit_test(a_switch_that_is_missing_has_a_place),
		cmocka_unit_test(cables_that_are_missing_are_named),
		cmocka_unit_test(numbers_do_not_depend_on_the_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
