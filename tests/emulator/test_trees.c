/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Yardsticks on fat trees and Dragonfly+: which ways they know, whole and damaged, and how much
 * they carry where one fixed way for each pair, or a minimal one, does not. */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "emulator/policy/ways/climb.h"
#include "emulator/policy/ways/plus.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "tests/emulator/rig.h"

#define TREE "fattree:k=8,levels=3"
#define TWO_LEVELS "fattree:k=12,levels=2"
#define PLUS "dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9"

static double accepted(const char *fabric, const char *model, const char *traffic,
		       const char *policy)
{
	struct rig r;
	rig_make(&r, fabric, model, traffic, policy);
	r.e.run.warmup = 1000;
	r.e.run.measured = 1500;
	odo_measures *m = rig_run(&r);
	double found = m->accepted;
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	printf("%s under %s: %.3f\n", policy ? policy : "tables", traffic, found);
	odo_measures_free(m);
	rig_free(&r);
	return found;
}

/* Static tables give each pair one way. Shifts suit them, a transposition loads a few cables. */
static void adaptive_trees_carry_what_one_way_for_each_pair_does_not(void **state)
{
	(void)state;
	double fixed = accepted(TREE, "kim", "transpose", NULL);
	double random = accepted(TREE, "kim", "transpose", "fattree-random");
	double adaptive = accepted(TREE, "kim", "transpose", "fattree-adaptive");
	assert_true(fixed < 0.2);
	assert_true(random > 0.8);
	assert_true(adaptive > 0.9 && adaptive > random + 0.03);
	assert_true(accepted(TREE, "kim", "shift:n=17", "fattree-adaptive") > 0.95);
	/* Without a fast crossbar, and deciding once, a switch's inputs collide more often. */
	double wait = accepted(TWO_LEVELS, "ofar", "shift:n=5", "fattree-adaptive");
	double once = accepted(TWO_LEVELS, "ofar", "shift:n=5", "fattree-adaptive:revise=no");
	assert_true(wait > 0.93 && wait > once + 0.2);
}

/* Hops up and down between two switches over sound cables alone, by trying all. */
static unsigned ups_by_search(const odo_climb *climb, const odo_coordinates *c, uint32_t s,
			      uint32_t home, bool down)
{
	const odo_fabric *f = climb->fabric;
	uint32_t level = odo_at(c, s)[ODO_TREE_LEVEL];
	unsigned least = 99;
	if (s == home)
		return 0;
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
		uint32_t t = odo_next_switch(f, slot);
		if (t == ODO_NONE || c->port_class[slot] >= ODO_MAX_DIMS)
			continue;
		uint32_t there = odo_at(c, t)[ODO_TREE_LEVEL];
		bool up = there == level + 1;
		if ((!up && there + 1 != level) || (up && down))
			continue;
		unsigned found = ups_by_search(climb, c, t, home, !up) + up;
		least = found < least ? found : least;
	}
	return least;
}

/* Every port that is offered leads to the target by as few hops up as there can be, and none that
 * does is left out. */
static void check_ways(const odo_climb *climb, const odo_coordinates *c)
{
	const odo_fabric *f = climb->fabric;
	unsigned fewer = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t all = climb->first[2 * s + 2] - climb->first[2 * s + 1];
		for (uint32_t d = 0; d < f->n_switches; d++) {
			if (climb->number[d] == ODO_NONE || d == s)
				continue;
			odo_climb_ways ways;
			odo_climb_look(climb, s, d, &ways);
			unsigned ups = ups_by_search(climb, c, s, d, false);
			if (ups >= 99) {
				assert_int_equal(ways.n, 0);
				continue;
			}
			assert_int_equal(ways.up, ups > 0);
			unsigned n = 0;
			for (uint32_t i = climb->first[2 * s + ways.up];
			     i < climb->first[2 * s + ways.up + 1]; i++) {
				uint32_t t = odo_next_switch(f, odo_slot(f, s, climb->port[i]));
				bool leads = ups_by_search(climb, c, t, d, !ways.up) + ways.up ==
					     ups;
				assert_int_equal(leads,
						 n < ways.n && ways.port[n] == climb->port[i]);
				n += leads;
			}
			assert_int_equal(n, ways.n);
			fewer += ways.up && n < all;
		}
	}
	printf("%u switches: %u pairs with fewer ways up\n", f->n_switches, fewer);
}

static void ways_up_are_those_that_lead_to_the_target(void **state)
{
	(void)state;
	static const char *const specs[] = {"fattree:k=4,levels=3", "pgft:m=2x3x2,w=1x2x2,p=1x2x1",
					    "fattree:k=6,levels=2"};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_climb *climb;
		odo_error err;
		assert_int_equal(odo_topology_generate(specs[i], 0, &f, &c, &err), 0);
		assert_int_equal(odo_climb_create(f, c, &climb, &err), 0);
		check_ways(climb, c);
		odo_climb_free(climb);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

/* A tree less some cables, mapped. */
static void damage(const char *spec, odo_kind kind, double links, uint64_t seed, odo_fabric **f,
		   odo_coordinates **c)
{
	odo_fabric *whole;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &whole, c, &err), 0);
	odo_coordinates_free(*c);
	odo_damage lost = {.links = links, .seed = seed};
	assert_int_equal(odo_fabric_damage(whole, &lost, f, NULL, &err), 0);
	assert_int_equal(odo_map(*f, c, &err), 0);
	assert_int_equal((*c)->kind, kind);
	odo_fabric_free(whole);
}

static void check_all_arrives(const odo_fabric *f, const odo_coordinates *c, const char *policy,
			      double load)
{
	odo_error err = {0};
	odo_model model;
	odo_traffic *traffic;
	odo_measures *m;
	assert_int_equal(odo_model_parse("kim", NULL, &model, &err), 0);
	assert_int_equal(odo_traffic_create("uniform", f, c, 1, &traffic, &err), 0);
	odo_emulation e = {.fabric = f,
			   .coordinates = c,
			   .policy = policy,
			   .model = &model,
			   .traffic = traffic,
			   .run = {.seed = 1, .load = load, .measured = 3000}};
	int status = odo_emulate(&e, &m, &err);
	if (status)
		fail_msg("%s: %s", policy, err.text);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	assert_true(m->accepted > 0.98 * m->offered && m->accepted < 1.02 * m->offered);
	assert_int_equal(m->generated, m->delivered + m->dropped + m->in_network + m->waiting);
	odo_measures_free(m);
	odo_traffic_free(traffic);
}

static void damaged_trees_are_routed_over_what_is_left(void **state)
{
	(void)state;
	unsigned routed = 0;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_climb *climb;
		odo_error err;
		damage(TREE, ODO_KIND_FATTREE, 0.05, seed, &f, &c);
		if (!odo_climb_create(f, c, &climb, &err)) {
			if (seed == 1)
				check_ways(climb, c);
			odo_climb_free(climb);
			check_all_arrives(f, c, "fattree-adaptive", 0.4);
			check_all_arrives(f, c, "fattree-random", 0.4);
			routed++;
		}
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
	assert_true(routed >= 3);
}

/* The last way up and down between two leaves is cut: both are named. */
static void a_pair_without_a_way_up_and_down_is_named(void **state)
{
	(void)state;
	odo_fabric *f;
	odo_coordinates *c;
	odo_climb *climb;
	odo_error err;
	assert_int_equal(odo_topology_generate("fattree:k=4,levels=2", 0, &f, &c, &err), 0);
	for (uint32_t slot = f->first_slot[0]; slot < f->first_slot[1]; slot++)
		if (c->port_class[slot] < ODO_MAX_DIMS)
			c->port_class[slot] = ODO_PORT_WRONG;
	assert_int_equal(odo_climb_create(f, c, &climb, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, "way up and down from \"S0\""));
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* Two cables lead from each group to the next: 2 for 16 hosts, without the random group. */
static void detours_carry_what_minimal_ways_do_not(void **state)
{
	(void)state;
	double minimal = accepted(PLUS, "daryin", "advg:n=1", "dragonfly-plus-min");
	double valiant = accepted(PLUS, "daryin", "advg:n=1", "dragonfly-plus-val");
	double by_leaf = accepted(PLUS, "daryin", "advg:n=1", "dragonfly-plus-val:via=leaf");
	double ugal = accepted(PLUS, "daryin", "advg:n=1", "dragonfly-plus-ugal");
	double par = accepted(PLUS, "daryin", "advg:n=1", "dragonfly-plus-par");
	assert_true(minimal > 0.12 && minimal < 0.126);
	/* Of nine groups drawn one is the own and one the target's: 2/9 take one global hop, the
	 * others two, so that cables full to the last are 9/16 at most. */
	assert_true(valiant > 0.5 && valiant < 9.0 / 16);
	assert_true(by_leaf > 0.4 && by_leaf < valiant);
	/* A source does not see its spine's global queues: the spine does. */
	assert_true(ugal > 0.2 && ugal < 0.3);
	assert_true(par > 0.43);
	assert_true(accepted(PLUS, "daryin", "uniform", "dragonfly-plus-par") > 0.83);
	assert_true(accepted(PLUS, "daryin", "uniform", "dragonfly-plus-val") < 0.6);
}

/* Hops: up, over and down; a random group makes three more. Spines lead on without a leaf. */
static void paths_are_as_long_as_they_should_be(void **state)
{
	(void)state;
	static const struct {
		const char *policy;
		unsigned longest;
		double least, most; /* mean hops */
	} expected[] = {
		{"dragonfly-plus-min", 3, 2.7, 3},          {"dragonfly-plus-val", 6, 4, 5.6},
		{"dragonfly-plus-val:via=leaf", 6, 5.2, 6}, {"dragonfly-plus-ugal", 6, 2.7, 3.3},
		{"dragonfly-plus-par", 6, 2.7, 3.3},
	};
	for (unsigned i = 0; TEST_ROW(i, expected, expected[i].policy); i++) {
		struct rig r;
		rig_make(&r, PLUS, "kim", "uniform", expected[i].policy);
		r.e.run.load = 0.1;
		r.e.run.measured = 3000;
		odo_measures *m = rig_run(&r);
		double n = 0, sum = 0;
		for (unsigned hops = 0; hops < 256; hops++) {
			n += (double)m->path[hops];
			sum += hops * (double)m->path[hops];
			assert_true(hops <= expected[i].longest || !m->path[hops]);
		}
		printf("%s: %.3f hops\n", expected[i].policy, sum / n);
		assert_in_range(1000 * sum / n, 1000 * expected[i].least, 1000 * expected[i].most);
		odo_measures_free(m);
		rig_free(&r);
	}
}

/* Cables between leaves and spines, and between spines, are lost: what has no minimal way left goes
 * by way of a leaf. Where the policies declined before, all packets arrive. */
static void damaged_groups_are_routed_over_what_is_left(void **state)
{
	(void)state;
	static const char *const policies[] = {"dragonfly-plus-min", "dragonfly-plus-val",
					       "dragonfly-plus-val:via=leaf", "dragonfly-plus-ugal",
					       "dragonfly-plus-par"};
	unsigned detours = 0;
	for (uint64_t seed = 1; seed <= 2; seed++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_plus_ways *ways;
		odo_error err;
		damage("dragonfly-plus:p=2,leaves=3,spines=3,h=2,g=7", ODO_KIND_DRAGONFLY_PLUS,
		       0.05, seed, &f, &c);
		assert_int_equal(odo_plus_ways_create(f, c, &ways, &err), 0);
		assert_non_null(ways->exact_first);
		for (uint32_t i = 0; i < ways->n_leaves; i++)
			for (uint32_t j = 0; j < ways->n_leaves; j++)
				detours += i != j &&
					   !odo_plus_leads(ways, ways->leaves[i], ways->leaves[j]);
		odo_plus_ways_free(ways);
		for (unsigned i = 0; TEST_ROW(i, policies, policies[i]); i++)
			check_all_arrives(f, c, policies[i], 0.2);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
	print_message("%u pairs of leaves without a minimal way\n", detours);
	assert_true(detours > 20);
}

/* A leaf that has lost all its cables up cannot be reached: it is named. */
static void a_leaf_that_is_cut_off_is_named(void **state)
{
	(void)state;
	odo_fabric *f;
	odo_coordinates *c;
	odo_plus_ways *ways;
	odo_error err;
	assert_int_equal(
		odo_topology_generate("dragonfly-plus:p=1,leaves=2,spines=2,h=2", 0, &f, &c, &err),
		0);
	assert_int_equal(odo_plus_ways_create(f, c, &ways, &err), 0);
	assert_null(ways->exact_first);
	uint32_t leaf = ways->leaves[0];
	odo_plus_ways_free(ways);
	for (uint32_t slot = f->first_slot[leaf]; slot < f->first_slot[leaf + 1]; slot++)
		if (c->port_class[slot] < 2)
			c->port_class[slot] = c->port_class[f->peer[slot]] = ODO_PORT_WRONG;
	assert_int_equal(odo_plus_ways_create(f, c, &ways, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, odo_name(f, leaf)));
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	static const char *const jobs[][3] = {
		{"fattree:k=6,levels=3", "fattree-adaptive", "ofar"},
		{"fattree:k=6,levels=3", "fattree-random", "kim"},
		{"fattree:k=6,levels=3", "fattree-random",
		 "ofar:packet=1,speedup=3,output-buffer=4,iterations=3"},
		{"fattree:k=6,levels=3", "fattree-adaptive:choices=2,revise=no", "kim:flow=flits"},
		{"dragonfly-plus:p=2,leaves=3,spines=3,h=2", "dragonfly-plus-val", "ofar"},
		{"dragonfly-plus:p=2,leaves=3,spines=3,h=2", "dragonfly-plus-par", "daryin"},
	};
	for (unsigned i = 0; TEST_ROW(i, jobs, jobs[i][0]); i++) {
		struct rig r;
		rig_make(&r, jobs[i][0], jobs[i][2], "uniform", jobs[i][1]);
		r.e.run.load = 0.9;
		r.e.run.warmup = 500;
		r.e.run.measured = 1000;
		rig_same_on(&r, 2);
		rig_same_on(&r, 3);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adaptive_trees_carry_what_one_way_for_each_pair_does_not),
		cmocka_unit_test(ways_up_are_those_that_lead_to_the_target),
		cmocka_unit_test(damaged_trees_are_routed_over_what_is_left),
		cmocka_unit_test(a_pair_without_a_way_up_and_down_is_named),
		cmocka_unit_test(detours_carry_what_minimal_ways_do_not),
		cmocka_unit_test(paths_are_as_long_as_they_should_be),
		cmocka_unit_test(damaged_groups_are_routed_over_what_is_left),
		cmocka_unit_test(a_leaf_that_is_cut_off_is_named),
		cmocka_unit_test(threads_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
