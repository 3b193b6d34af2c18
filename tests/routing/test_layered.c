/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How long the paths of engine `layered` are, and what it keeps of the tables before. */
#include "fixture.h"
#include "routing/analyze/analyze.h"
#include "routing/graph/distance.h"

static odo_tables *route(const odo_fabric *f, const odo_tables *before)
{
	odo_route_options options = {.before = before};
	odo_tables *t;
	odo_error err;
	if (odo_route(f, NULL, "layered", &options, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

static uint32_t named(const odo_fabric *f, uint64_t guid)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (f->node_guid[s] == guid)
			return s;
	return ODO_NONE;
}

/* True if packets from s to a LID pass cables only that are in g as well. */
static bool stands(const odo_tables *t, const odo_fabric *g, uint32_t s, uint32_t lid)
{
	const odo_fabric *f = t->fabric;
	while (f->lid_switch[lid] != s) {
		unsigned port = odo_next_port(t, s, lid);
		uint32_t there = named(g, f->node_guid[s]);
		if (there == ODO_NONE || odo_next_switch(g, odo_slot(g, there, port)) == ODO_NONE)
			return false;
		s = odo_next_switch(f, odo_slot(f, s, port));
	}
	return named(g, f->node_guid[s]) != ODO_NONE;
}

/* Pairs that stand have kept their port and SL. @return how many do not stand */
static uint32_t expect_kept(const odo_tables *before, const odo_tables *after)
{
	const odo_fabric *f = before->fabric, *g = after->fabric;
	uint32_t fallen = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t there = named(g, f->node_guid[s]);
		for (uint32_t lid = 1; there != ODO_NONE && lid < g->lid_count; lid++) {
			if (g->lid_switch[lid] == ODO_NONE)
				continue;
			if (!stands(before, g, s, lid)) {
				fallen++;
				continue;
			}
			assert_int_equal(odo_next_port(after, there, lid),
					 odo_next_port(before, s, lid));
			assert_int_equal(odo_path_sl(after, there, lid),
					 odo_path_sl(before, s, lid));
		}
	}
	return fallen;
}

static const char *const specs[] = {"random:n=64,d=6,c=2", "flatfly:k=4x4x3,c=2",
				    "torus:k=4x4x4,c=2", "random:n=12,d=4,l=4,c=9"};

static void paths_that_still_stand_are_kept(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *before = route(x.f, NULL);
		for (uint64_t seed = 0; seed < 6; seed++) {
			double links = seed < 4 ? 1.0 / (x.f->n_links - x.f->n_hosts) : 0.02;
			odo_damage damage = {
				.links = links, .switches = seed % 2 * 0.02, .seed = seed};
			odo_fabric *g;
			odo_error err;
			assert_int_equal(odo_fabric_damage(x.f, &damage, &g, NULL, &err), 0);
			odo_tables *after = route(g, before);
			assert_true(expect_kept(before, after) > 0);
			odo_tables_free(after);
			odo_fabric_free(g);
		}
		odo_tables_free(before);
		unmake(&x);
	}
}

/* Tables of a fabric that is whole again do not remember the damage. */
static void what_comes_back_is_used_again(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, NULL); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *before = route(x.f, NULL);
		odo_damage damage = {.links = 0.03, .seed = 1};
		odo_fabric *g;
		odo_error err;
		assert_int_equal(odo_fabric_damage(x.f, &damage, &g, NULL, &err), 0);
		odo_tables *hurt = route(g, before), *whole = route(x.f, hurt);
		assert_memory_equal(whole->lft, before->lft,
				    (size_t)x.f->n_switches * x.f->lid_count);
		assert_memory_not_equal(hurt->lft, before->lft,
					(size_t)x.f->n_switches * x.f->lid_count);
		odo_tables_free(whole);
		odo_tables_free(hurt);
		odo_fabric_free(g);
		odo_tables_free(before);
		unmake(&x);
	}
}

/* Tables of another engine, or of another fabric, are no help and do no harm. */
static void strangers_are_ignored(void **state)
{
	(void)state;
	fixture x = make(specs[0], 0), y = make("random:n=64,d=6,c=2,seed=9", 0);
	odo_route_options options = {0};
	odo_tables *own = route(x.f, NULL), *other = route(y.f, NULL), *updown;
	odo_error err;
	assert_int_equal(odo_route(x.f, NULL, "updown", &options, &updown, &err), 0);
	const odo_tables *const strangers[] = {other, updown};
	for (size_t i = 0; i < 2; i++) {
		odo_tables *t = route(x.f, strangers[i]);
		assert_memory_equal(t->lft, own->lft, (size_t)x.f->n_switches * x.f->lid_count);
		odo_tables_free(t);
	}
	odo_tables_free(updown);
	odo_tables_free(other);
	odo_tables_free(own);
	unmake(&x);
	unmake(&y);
}

static uint32_t hops_of(const odo_tables *t, uint32_t s, uint32_t lid)
{
	const odo_fabric *f = t->fabric;
	uint32_t hops = 0;
	for (; s != f->lid_switch[lid]; hops++)
		s = odo_next_switch(f, odo_slot(f, s, odo_next_port(t, s, lid)));
	return hops;
}

/* Share of (switch, LID) pairs that do not take a shortest path. */
static double longer(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	uint64_t n = 0, n_longer = 0;
	odo_arena memory = {0};
	uint8_t *distance;
	odo_error err;
	assert_int_equal(odo_distances(f, &memory, &distance, &err), 0);
	for (uint32_t lid = 1; lid < f->lid_count; lid++) {
		for (uint32_t s = 0; f->lid_switch[lid] != ODO_NONE && s < f->n_switches; s++, n++)
			n_longer += hops_of(t, s, lid) >
				    distance[(size_t)s * f->n_switches + f->lid_switch[lid]];
	}
	odo_arena_free(&memory);
	return (double)n_longer / (double)n;
}

static void nearly_all_paths_are_shortest(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		double longer;
	} cases[] = {
		{"flatfly:k=6x6x6,c=1", 0.002},   {"hypercube:n=7,c=1", 0.002},
		{"torus:k=6x6x6,c=1", 0.003},     {"slimfly:q=9,c=1", 0.002},
		{"dragonfly:p=1,a=6,h=3", 0.006}, {"random:n=120,d=6,c=2", 0.004},
		{"random:n=250,d=4,c=1", 0.1},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i += test_stride()) {
		fixture x = make(cases[i].spec, 0);
		odo_tables *t = route(x.f, NULL);
		double share = longer(t);
		if (share > cases[i].longer)
			fail_msg("%s: %g of the paths are longer than they need be", cases[i].spec,
				 share);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* A manager that has just started knows no tables before. On a small graph prices follow loads
 * further, and more moves. */
static void one_dead_cable_moves_little_without_the_tables_before(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		double moved;
	} cases[] = {
		{"flatfly:k=6x6x6,c=2", 0.01},
		{"torus:k=6x6x6,c=2", 0.01},
		{"random:n=250,d=8,c=2", 0.01},
		{"random:n=120,d=8,c=2", 0.04},
	};
	for (size_t i = test_stride() - 1; TEST_ROW(i, cases, cases[i].spec); i += test_stride()) {
		fixture x = make(cases[i].spec, 0);
		odo_damage one = {.links = 1.0 / (x.f->n_links - x.f->n_hosts), .seed = 1};
		odo_fabric *g;
		odo_error err;
		assert_int_equal(odo_fabric_damage(x.f, &one, &g, NULL, &err), 0);
		odo_tables *before = route(x.f, NULL), *after = route(g, NULL);
		size_t n = (size_t)x.f->n_switches * x.f->lid_count, moved = 0;
		for (size_t j = 0; j < n; j++)
			moved += before->lft[j] != after->lft[j];
		assert_in_range(moved, 1, (size_t)(cases[i].moved * (double)n));
		odo_tables_free(after);
		odo_tables_free(before);
		odo_fabric_free(g);
		unmake(&x);
	}
}

/* Cables of a random graph share the load: the fullest has little more than the mean. */
static void loads_are_levelled(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		double bound;
	} cases[] = {
		/* 0.85 before prices were found in ten trials */
		{"random:n=64,d=6,c=2", "layered", 0.95},
		/* 0.69 where shorter paths alone decided */
		{"random:n=100,d=6,c=2", "layered", 0.8},
		{"torus:k=6x6x6,c=2", "layered", 0.44}, /* 0.37 */
		/* 0.14 and 0.17 where two trees serve the hosts behind a switch */
		{"random:n=12,d=4,l=4,c=16", "layered", 0.35},
		{"random:n=12,d=4,l=4,c=16", "updown", 0.2},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = make(cases[i].spec, 0);
		odo_tables *t;
		odo_analysis a;
		odo_error err;
		assert_int_equal(odo_route(x.f, NULL, cases[i].engine, NULL, &t, &err), 0);
		assert_int_equal(odo_analyze_uniform(t, NULL, &a, NULL, &err), 0);
		double bound = a.saturation;
		print_message("%s: %g\n", cases[i].spec, bound);
		assert_true(bound > cases[i].bound);
		odo_analysis_clear(&a);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* On one small graph chance decides which trial is best, on 24 the best trials win 3 %. */
static void the_best_prices_of_small_graphs_are_taken(void **state)
{
	(void)state;
	double sum = 0;
	for (unsigned seed = 0; seed < 24; seed++) {
		char spec[64];
		odo_tables *t;
		odo_analysis a;
		odo_error err;
		snprintf(spec, sizeof spec, "random:n=%s,c=3,seed=%u",
			 seed % 2 ? "12,d=3" : "20,d=5", seed);
		fixture x = make(spec, 0);
		assert_int_equal(odo_route(x.f, NULL, "layered", NULL, &t, &err), 0);
		assert_int_equal(odo_analyze_uniform(t, NULL, &a, NULL, &err), 0);
		sum += a.saturation;
		odo_analysis_clear(&a);
		odo_tables_free(t);
		unmake(&x);
	}
	print_message("mean bound %g\n", sum / 24);
	assert_true(sum / 24 > 0.48); /* 0.468 by the last trial, 0.493 by the best */
}

/* Without cables between switches there is nothing to separate: no, one and some switches. */
static void what_has_no_cables_takes_one_vl(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		odo_builder *b;
		odo_fabric *f;
		odo_error err;
		uint32_t id;
		assert_int_equal(odo_builder_create(&b, &err), 0);
		odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 2}, ca = {ODO_CA, .n_ports = 1};
		for (unsigned i = 0; i < n; i++)
			assert_int_equal(odo_builder_add(b, &sw, &id, &err), 0);
		assert_int_equal(odo_builder_add(b, &ca, &id, &err), 0);
		if (n)
			assert_int_equal(odo_builder_link(b, 0, 1, n, 1, (odo_link_info){0}, &err),
					 0);
		assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
		odo_tables *t = route(f, NULL);
		assert_int_equal(t->n_vls, 1);
		assert_int_equal(t->n_sls, 1);
		odo_tables_free(t);
		odo_fabric_free(f);
	}
}

/* Ways to a LID, as all switches lead there. */
static bool leads_alike(const odo_tables *t, uint32_t lid, uint32_t other)
{
	bool alike = true;
	for (uint32_t s = 0; s < t->fabric->n_switches; s++)
		alike &= odo_next_port(t, s, lid) == odo_next_port(t, s, other);
	return alike;
}

static void four_lids_of_a_host_lead_four_ways(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=4x4x3,c=2", 2);
	odo_tables *t = route(x.f, NULL);
	for (uint32_t h = 0; h < x.f->n_hosts; h++) {
		uint32_t lid = x.f->port_lid[x.f->host_slot[h]];
		for (uint32_t i = 0; i < 4; i++)
			for (uint32_t j = 0; j < i; j++)
				assert_false(leads_alike(t, lid + i, lid + j));
	}
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_that_still_stand_are_kept),
		cmocka_unit_test(what_comes_back_is_used_again),
		cmocka_unit_test(strangers_are_ignored),
		cmocka_unit_test(nearly_all_paths_are_shortest),
		cmocka_unit_test(loads_are_levelled),
		cmocka_unit_test(the_best_prices_of_small_graphs_are_taken),
		cmocka_unit_test(what_has_no_cables_takes_one_vl),
		cmocka_unit_test(one_dead_cable_moves_little_without_the_tables_before),
		cmocka_unit_test(four_lids_of_a_host_lead_four_ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
