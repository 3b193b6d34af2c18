/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What no cable contradicts, and free ports or unequal numbers tell. */
#include <stdio.h>
#include <string.h>

#include "fabric/topology/topology.h"
#include "fabric/transform/plan.h"
#include "mapping/faults/hints.h"
#include "mapping/mapping.h"
#include "tests/unit.h"
#include "site.h"

static odo_fabric *generate(const char *spec)
{
	odo_fabric *f;
	odo_error err;
	if (odo_topology_generate(spec, 0, &f, NULL, &err))
		fail_msg("%s", err.text);
	return f;
}

/* The fabric without some switches, and without the hosts that have no other. Frees `f`. */
static odo_fabric *without(odo_fabric *f, const uint32_t *gone, uint32_t n)
{
	odo_plan plan = {0};
	odo_error err;
	odo_fabric *left;
	uint32_t kept = 0;
	assert_int_equal(odo_plan_make(f, &plan, &err), 0);
	for (uint32_t node = 0; node < f->n_nodes; node++) {
		uint32_t s = node;
		for (uint32_t h = 0; h < f->n_hosts; h++)
			if (f->owner[f->host_slot[h]] == node)
				s = odo_host_switch(f, h);
		bool stays = true;
		for (uint32_t i = 0; i < n; i++)
			stays &= s != gone[i];
		if (stays)
			plan.node[kept++] = node;
	}
	plan.n_nodes = kept;
	assert_int_equal(odo_plan_carry_out(f, &plan, &left, NULL, &err), 0);
	odo_plan_clear(&plan);
	odo_fabric_free(f);
	return left;
}

/* How many hints are strong. Frees `f`. */
static uint32_t count_strong(odo_fabric *f, odo_kind kind)
{
	odo_coordinates *c;
	odo_hint *hints;
	uint32_t n, strong = 0;
	odo_error err;
	assert_int_equal(odo_map(f, &c, &err), 0);
	assert_int_equal(c->kind, kind);
	assert_int_equal(odo_hints_find(f, c, &hints, &n, &err), 0);
	for (uint32_t i = 0; i < n; i++) {
		assert_true(hints[i].text[0] && !strchr(hints[i].text, '\n'));
		strong += hints[i].strong;
	}
	free(hints);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return strong;
}

/* The nth switch without hosts, or with some. */
static uint32_t nth(const odo_fabric *f, bool hosts, uint32_t n)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		if ((odo_hosts_of(f, s) > 0) == hosts && !n--)
			return s;
	fail_msg("there are fewer switches");
	return 0;
}

static void whole_fabrics_give_no_strong_hint(void **state)
{
	static const struct {
		const char *spec;
		odo_kind kind;
	} rows[] = {{"fattree:k=12,levels=2", ODO_KIND_FATTREE},
		    {"fattree:k=8,levels=3", ODO_KIND_FATTREE},
		    {"pgft:m=12x18,w=1x6,p=1x2", ODO_KIND_FATTREE},
		    {"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9", ODO_KIND_DRAGONFLY_PLUS},
		    {"torus:k=5x6,c=2", ODO_KIND_TORUS}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++)
		assert_int_equal(count_strong(generate(rows[i].spec), rows[i].kind), 0);
}

/* Two hosts to a cable up, and room for as many cables as hosts: half of the spines were not
 * bought. */
static void spines_that_were_not_bought_give_no_strong_hint(void **state)
{
	static const uint32_t rows[][3] = {{16, 10, 1}, {16, 5, 2}, {30, 10, 1}, {20, 10, 1}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, NULL); i++) {
		uint32_t leaves = rows[i][0], spines = rows[i][1];
		site x;
		odo_fabric *f;
		odo_error err;
		start(&x, leaves + spines);
		for (uint32_t l = 0; l < leaves; l++) {
			add_hosts(&x, l, 20);
			for (uint32_t j = 0; j < spines * rows[i][2]; j++)
				connect(&x, l, leaves + j % spines);
		}
		assert_int_equal(odo_builder_freeze(x.b, ODO_LIDS_FILL, 0, &f, &err), 0);
		assert_int_equal(count_strong(f, ODO_KIND_FATTREE), 0);
	}
}

/* Three spines, wherever they were cabled: in a row at either end, or amid the others. */
static void spines_that_are_gone_are_hinted_at(void **state)
{
	static const uint32_t rows[][3] = {{0, 1, 2}, {15, 16, 17}, {3, 9, 14}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, NULL); i++) {
		odo_fabric *f = generate("fattree:k=36,levels=2");
		uint32_t gone[3];
		for (int j = 0; j < 3; j++)
			gone[j] = nth(f, false, rows[i][j]);
		assert_true(count_strong(without(f, gone, 3), ODO_KIND_FATTREE) > 0);
	}
}

static void a_leaf_that_is_gone_is_hinted_at(void **state)
{
	static const struct {
		const char *spec;
		odo_kind kind;
		uint32_t leaf;
	} rows[] = {{"fattree:k=36,levels=2", ODO_KIND_FATTREE, 0},
		    {"fattree:k=36,levels=2", ODO_KIND_FATTREE, 20},
		    {"fattree:k=36,levels=2", ODO_KIND_FATTREE, 35},
		    {"fattree:k=8,levels=3", ODO_KIND_FATTREE, 5},
		    {"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9", ODO_KIND_DRAGONFLY_PLUS, 6}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		odo_fabric *f = generate(rows[i].spec);
		uint32_t gone = nth(f, true, rows[i].leaf);
		assert_true(count_strong(without(f, &gone, 1), rows[i].kind) > 0);
	}
}

/* Half of a group: lost as one, or built smaller. Mapping accuses nobody, and the hint tells. */
static void half_a_group_is_hinted_at(void **state)
{
	(void)state;
	odo_fabric *f = generate("dragonfly:p=2,a=8,h=4,g=9");
	uint32_t gone[4] = {0, 1, 2, 3};
	assert_true(count_strong(without(f, gone, 4), ODO_KIND_DRAGONFLY) > 0);
}

/* A gateway on two cores has few cables, and is a pod without leaves: neither lost anything. */
static void a_gateway_on_cores_gives_no_strong_hint(void **state)
{
	enum { PODS = 8, HALF = 4, SPINE = PODS * HALF, CORE = 2 * PODS * HALF };
	(void)state;
	site x;
	odo_fabric *f;
	odo_error err;
	start(&x, CORE + HALF * HALF + 1);
	for (uint32_t i = 0; i < PODS * HALF * HALF; i++) {
		uint32_t pod = i / (HALF * HALF), a = i / HALF % HALF, b = i % HALF;
		connect(&x, pod * HALF + a, SPINE + pod * HALF + b);
		connect(&x, SPINE + pod * HALF + a, CORE + a * HALF + b);
	}
	for (uint32_t s = 0; s < SPINE; s++)
		add_hosts(&x, s, 4);
	connect(&x, CORE, x.n - 1);
	connect(&x, CORE + 1, x.n - 1);
	assert_int_equal(odo_builder_freeze(x.b, ODO_LIDS_FILL, 0, &f, &err), 0);
	assert_int_equal(count_strong(f, ODO_KIND_FATTREE), 0);
}

enum { RAILS = 8, MACHINES = 16, SPINES = 4 };

/* Machines with an adapter on each of eight leaves; the last one lacks `lacking` of them. */
static odo_fabric *build_rails(unsigned lacking)
{
	odo_builder *b;
	odo_error err;
	odo_fabric *f;
	uint32_t id, used[RAILS + SPINES] = {0};
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < RAILS + SPINES; s++) {
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = 40, .name = "switch"};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (uint32_t l = 0; l < RAILS; l++)
		for (uint32_t s = RAILS; s < RAILS + SPINES; s++)
			assert_int_equal(odo_builder_link(b, l, ++used[l], s, ++used[s],
							  (odo_link_info){0}, &err),
					 0);
	for (uint32_t m = 0; m < MACHINES; m++)
		for (uint32_t r = 0; r < RAILS - (m + 1 == MACHINES ? lacking : 0); r++) {
			char name[64];
			snprintf(name, sizeof name, "node%u mlx5_%u", m, r);
			odo_node_info info = {.type = ODO_CA, .n_ports = 1, .name = name};
			assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
			assert_int_equal(
				odo_builder_link(b, r, ++used[r], id, 1, (odo_link_info){0}, &err),
				0);
		}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	return f;
}

static void a_machine_with_fewer_adapters_is_hinted_at(void **state)
{
	(void)state;
	assert_int_equal(count_strong(build_rails(0), ODO_KIND_FATTREE), 0);
	assert_int_equal(count_strong(build_rails(1), ODO_KIND_FATTREE), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_fabrics_give_no_strong_hint),
		cmocka_unit_test(spines_that_were_not_bought_give_no_strong_hint),
		cmocka_unit_test(spines_that_are_gone_are_hinted_at),
		cmocka_unit_test(a_leaf_that_is_gone_is_hinted_at),
		cmocka_unit_test(half_a_group_is_hinted_at),
		cmocka_unit_test(a_gateway_on_cores_gives_no_strong_hint),
		cmocka_unit_test(a_machine_with_fewer_adapters_is_hinted_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
