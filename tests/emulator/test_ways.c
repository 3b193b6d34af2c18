/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Minimal ways arrive by local, global, local from everywhere; ladders only climb. */
#include <stdio.h>
#include <stdlib.h>

#include "emulator/policy/escape.h"
#include "emulator/policy/ways/ladder.h"
#include "emulator/policy/source_routed.h"
#include "emulator/policy/ways/ways.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "tests/unit.h"

static void walk(const odo_fabric *f, const odo_ways *ways, uint32_t from, uint32_t to)
{
	odo_ladder ladder = odo_ladder_make("lgl");
	unsigned taken = 0, hops = 0;
	for (uint32_t s = from; s != to; hops++) {
		odo_link_class class;
		uint8_t port = odo_ways_minimal(ways, s, to, from, &class);
		assert_true(port != 0);
		taken = odo_ladder_next(&ladder, class, taken) + 1;
		s = odo_next_switch(f, odo_slot(f, s, port));
	}
	assert_true(hops <= 3);
	assert_int_equal(hops, odo_ways_distance(ways, from, to, from));
}

static void minimal_ways_arrive(void **state)
{
	(void)state;
	static const char *const specs[] = {
		"dragonfly:p=2,a=4,h=2",
		"dragonfly:p=1,a=4,h=2,g=5",
		"dragonfly:p=2,a=6,h=3,arrangement=consecutive",
		"dragonfly:p=2,a=5,h=2,arrangement=relative",
	};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		odo_error err;
		odo_fabric *f;
		odo_coordinates *c;
		odo_ways *ways;
		assert_int_equal(odo_topology_generate(specs[i], 0, &f, &c, &err), 0);
		assert_int_equal(odo_ways_create(f, c, &ways, &err), 0);
		for (uint32_t from = 0; from < f->n_switches; from++)
			for (uint32_t to = 0; to < f->n_switches; to++)
				walk(f, ways, from, to);
		odo_ways_free(ways);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

/* Where the minimal way leaves a group, or NULL. */
static const odo_gateway *leaving(const odo_ways *w, uint32_t from, uint32_t to)
{
	return w->group[from] == w->group[to] ? NULL : odo_ways_gateway(w, from, w->group[to], 0);
}

static unsigned hops(const odo_source *source, uint32_t from, uint32_t to)
{
	return odo_source_hops(source, leaving(source->ways, from, to), from, to);
}

static void expect_lengths(const odo_ways *w, uint32_t from, uint32_t via, uint32_t to)
{
	odo_source real = {.ways = (odo_ways *)w}, as_if = real, local = real;
	as_if.lengths = ODO_LENGTHS_CONSECUTIVE;
	local.lengths = ODO_LENGTHS_CONSECUTIVE_LOCAL;
	unsigned leaves = w->group[from] != w->group[to], passes = w->group[via] != w->group[to];
	unsigned direct = hops(&real, from, to);
	assert_int_equal(direct, odo_ways_distance(w, from, to, 0));
	assert_int_equal(hops(&as_if, from, to), direct);
	assert_int_equal(hops(&local, from, to), direct - leaves);
	const odo_gateway *gate = leaving(w, from, via);
	if (!gate)
		return;
	/* the hop within the group on arrival is left out */
	unsigned first = (gate->node != from) + 1u, rest = hops(&real, via, to);
	assert_int_equal(odo_source_hops_via(&real, gate, from, via, to, 0),
			 first + hops(&real, gate->there, to));
	assert_int_equal(odo_source_hops_via(&as_if, gate, from, via, to, 0), first + rest);
	assert_int_equal(odo_source_hops_via(&local, gate, from, via, to, 0),
			 first - 1 + rest - passes);
}

/* Where global links are consecutive, lengths as if they were are the real ones. */
static void lengths_as_if_consecutive_are_real_where_they_are(void **state)
{
	(void)state;
	odo_error err;
	odo_fabric *f;
	odo_coordinates *c;
	odo_ways *ways;
	assert_int_equal(odo_topology_generate("dragonfly:p=1,a=4,h=2,arrangement=consecutive", 0,
					       &f, &c, &err),
			 0);
	assert_int_equal(odo_ways_create(f, c, &ways, &err), 0);
	for (uint32_t from = 0; from < f->n_switches; from++)
		for (uint32_t to = 0; to < f->n_switches; to++)
			for (uint32_t via = 0; via < f->n_switches; via++)
				expect_lengths(ways, from, via, to);
	odo_ways_free(ways);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void same_ways(const odo_ways *a, const odo_ways *b)
{
	size_t pairs = (size_t)a->n_groups * a->n_groups;
	for (size_t i = 0; i <= pairs; i++)
		assert_int_equal(a->first_gateway[i], b->first_gateway[i]);
	for (uint32_t i = 0; i < a->first_gateway[pairs]; i++)
		assert_int_equal(a->gateways[i].port, b->gateways[i].port);
	for (uint32_t i = 0; i < a->first_gateway[pairs]; i++) {
		const odo_gateway *g = &a->gateways[i];
		assert_int_equal(a->global_port[a->first_global[g->node] + g->rank], g->port);
	}
	for (size_t i = 0; i < (size_t)a->n_switches * a->a; i++)
		assert_int_equal(a->local_port[i], b->local_port[i]);
}

/* Mapping cannot know which of two cables side by side is the ring's, and calls both wrong. */
static void an_escape_beside_leaves_ways_as_they_are(void **state)
{
	(void)state;
	static const char *const kinds[] = {"ring", "rings", "tree"};
	for (unsigned i = 0; i < 6; i++) {
		bool mapped = i % 2;
		char spec[80], name[20];
		static const unsigned vls[2] = {1, 1};
		odo_error err;
		odo_fabric *plain, *beside;
		odo_coordinates *of_plain, *of_beside, *found;
		odo_ways *a, *b;
		odo_escape escape;
		snprintf(spec, sizeof spec, "dragonfly:p=1,a=10,h=5,escape=%s", kinds[i / 2]);
		snprintf(name, sizeof name, "own-%s", kinds[i / 2]);
		assert_int_equal(
			odo_topology_generate("dragonfly:p=1,a=10,h=5", 0, &plain, &of_plain, &err),
			0);
		assert_int_equal(odo_topology_generate(spec, 0, &beside, &of_beside, &err), 0);
		assert_int_equal(odo_map(beside, &found, &err), 0);
		assert_int_equal(odo_ways_create(plain, of_plain, &a, &err), 0);
		assert_int_equal(odo_escape_create(beside, mapped ? found : of_beside, name, 0, 8,
						   vls, &b, &escape, &err),
				 0);
		same_ways(a, b);
		odo_escape_clear(&escape);
		odo_ways_free(a);
		odo_ways_free(b);
		odo_coordinates_free(found);
		odo_coordinates_free(of_plain);
		odo_coordinates_free(of_beside);
		odo_fabric_free(plain);
		odo_fabric_free(beside);
	}
}

static void other_kinds_are_declined(void **state)
{
	(void)state;
	odo_error err;
	odo_fabric *f;
	odo_coordinates *c;
	odo_ways *ways;
	assert_int_equal(odo_topology_generate("flatfly:k=3x3,c=1", 0, &f, &c, &err), 0);
	assert_int_equal(odo_ways_create(f, c, &ways, &err), ODO_EDECLINE);
	assert_int_equal(odo_ways_create(f, NULL, &ways, &err), ODO_EDECLINE);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void rungs_of_a_class_have_vls_of_their_own(void **state)
{
	(void)state;
	odo_ladder l = odo_ladder_make("lgllgl");
	assert_int_equal(l.n_vls[0], 4);
	assert_int_equal(l.n_vls[1], 2);
	assert_int_equal(odo_ladder_next(&l, ODO_LINK_LOCAL, 0), 0);
	assert_int_equal(odo_ladder_next(&l, ODO_LINK_LOCAL, 1), 2);
	assert_int_equal(odo_ladder_next(&l, ODO_LINK_GLOBAL, 3), 4);
	assert_int_equal(l.vl[3], 2);
	assert_int_equal(l.next[ODO_LINK_GLOBAL][5], l.n_rungs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minimal_ways_arrive),
		cmocka_unit_test(lengths_as_if_consecutive_are_real_where_they_are),
		cmocka_unit_test(an_escape_beside_leaves_ways_as_they_are),
		cmocka_unit_test(other_kinds_are_declined),
		cmocka_unit_test(rungs_of_a_class_have_vls_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
