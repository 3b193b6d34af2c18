/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rails are found by the names of adapters, and so is an adapter on the leaf of another rail. */
#include <stdio.h>
#include <string.h>

#include "fabric/rails.h"
#include "tests/unit.h"

enum { RAILS = 4, LEAVES = 8, MACHINES = 12, ADAPTERS = MACHINES * RAILS };

/* Six machines have their adapters on each four leaves. */
typedef struct plan {
	const char *name; /* of machine and adapter, by their numbers */
	uint32_t n, leaf[MACHINES][RAILS];
} plan;

static plan make_plan(const char *name)
{
	plan p = {.name = name, .n = MACHINES};
	for (uint32_t m = 0; m < MACHINES; m++)
		for (uint32_t r = 0; r < RAILS; r++)
			p.leaf[m][r] = m / 6 * RAILS + r;
	return p;
}

static odo_fabric *build(const plan *p)
{
	odo_builder *b;
	odo_error err;
	odo_fabric *f;
	uint32_t id, used[LEAVES] = {0};
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < LEAVES; s++) {
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = 40, .name = "leaf"};
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
	}
	for (uint32_t m = 0; m < p->n; m++)
		for (uint32_t r = 0; r < RAILS; r++) {
			char name[64];
			snprintf(name, sizeof name, p->name, m, r);
			odo_node_info info = {.type = ODO_CA, .n_ports = 1, .name = name};
			uint32_t s = p->leaf[m][r];
			assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
			assert_int_equal(
				odo_builder_link(b, s, ++used[s], id, 1, (odo_link_info){0}, &err),
				0);
		}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	return f;
}

static odo_rails find(const odo_fabric *f)
{
	odo_rails rails;
	odo_error err;
	memset(&rails, 0xFF, sizeof rails); /* what stood there does not count */
	assert_int_equal(odo_rails_find(f, &rails, &err), 0);
	return rails;
}

static void expect_rails(const plan *p, uint32_t n)
{
	odo_fabric *f = build(p);
	odo_rails rails = find(f);
	assert_int_equal(rails.n, n);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		assert_false(odo_rails_is_wrong(&rails, f, h));
	odo_rails_clear(&rails);
	odo_fabric_free(f);
}

static void rails_are_found(void **state)
{
	(void)state;
	plan p = make_plan("node%u mlx5_%u");
	odo_fabric *f = build(&p);
	odo_rails rails = find(f);
	assert_int_equal(rails.n, RAILS);
	assert_int_equal(rails.n_machines, MACHINES);
	for (uint32_t h = 0; h < ADAPTERS; h++) {
		assert_int_equal(rails.of_host[h], h % RAILS);
		assert_int_equal(odo_rails_home(&rails, f, h), p.leaf[h / RAILS][h % RAILS]);
	}
	for (uint32_t s = 0; s < LEAVES; s++)
		assert_int_equal(rails.of_switch[s], s % RAILS);
	odo_rails_clear(&rails);
	odo_fabric_free(f);
}

/* A bond of two ports has a name of its own, which is no number. */
static void bonds_make_rails(void **state)
{
	(void)state;
	plan p = make_plan("node%u mlx5_bond_%u");
	expect_rails(&p, RAILS);
}

/* Four of forty adapters are on each other's leaves, and then six. */
static void nine_of_ten_make_rails(void **state)
{
	(void)state;
	plan p = make_plan("node%u mlx5_%u");
	p.n = 10;
	for (uint32_t m = 1; m < 4; m++) {
		p.leaf[m][0] = 1;
		p.leaf[m][1] = 0;
		odo_fabric *f = build(&p);
		odo_rails rails = find(f);
		assert_int_equal(rails.n, m < 3 ? RAILS : 0);
		odo_rails_clear(&rails);
		odo_fabric_free(f);
	}
}

/* Adapter n of a machine by either of the names that scripts and drivers give it. */
static const char *adapter_name(uint32_t m, uint32_t r)
{
	static char name[32];
	snprintf(name, sizeof name, m % 2 ? "mlx5_%u" : "HCA-%u", r + (m % 2 ? 0 : 1));
	return name;
}

/* Of some machines a driver has named the adapters, of others scripts have counted them; a manager
 * has two adapters where others have their third and fourth. */
static void try_manager(uint32_t place)
{
	odo_builder *b;
	odo_error err;
	odo_fabric *f;
	uint32_t id, used[LEAVES] = {0};
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0; s < LEAVES; s++)
		odo_builder_add(b,
				&(odo_node_info){.type = ODO_SWITCH, .n_ports = 40, .name = "leaf"},
				&id, &err);
	for (uint32_t i = 0; i <= MACHINES; i++) {
		uint32_t m = i == place ? MACHINES : i - (i > place);
		for (uint32_t r = 0; r < (m < MACHINES ? RAILS : 2u); r++) {
			char name[64];
			uint32_t s = (m % MACHINES) / 6 * RAILS + r + (m < MACHINES ? 0 : 2);
			snprintf(name, sizeof name, "node%u %s", i, adapter_name(m, r));
			odo_node_info info = {.type = ODO_CA, .n_ports = 1, .name = name};
			assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
			assert_int_equal(
				odo_builder_link(b, s, ++used[s], id, 1, (odo_link_info){0}, &err),
				0);
		}
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	odo_rails rails = find(f);
	assert_int_equal(rails.n, RAILS);
	assert_int_equal(rails.n_machines, MACHINES + 1);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		assert_false(odo_rails_is_wrong(&rails, f, h));
	odo_rails_clear(&rails);
	odo_fabric_free(f);
}

static void names_by_scripts_and_managers_accuse_nobody(void **state)
{
	(void)state;
	try_manager(0);
	try_manager(MACHINES);
}

static void what_is_not_built_so_has_none(void **state)
{
	(void)state;
	/* Every adapter is called the same, or as a machine of its own, or as no machine. */
	plan same = make_plan("node%u HCA"), own = make_plan("node%u-%u HCA-1"),
	     vendor = make_plan("MT%u ConnectX%u Mellanox Technologies");
	expect_rails(&same, 0);
	expect_rails(&own, 0);
	expect_rails(&vendor, 0);
	/* A machine with all adapters on one leaf. */
	plan top = make_plan("node%u mlx5_%u");
	for (uint32_t m = 0; m < MACHINES; m++)
		for (uint32_t r = 0; r < RAILS; r++)
			top.leaf[m][r] = m / 6 * RAILS;
	expect_rails(&top, 0);
}

/* Two adapters of each machine on each of two leaves, as on planes: either leaf serves both, and an
 * adapter on the other leaf is wrong. */
static void adapters_side_by_side_are_one_rail(void **state)
{
	(void)state;
	plan beside = make_plan("node%u mlx5_%u");
	for (uint32_t m = 0; m < MACHINES; m++)
		for (uint32_t r = 0; r < RAILS; r++)
			beside.leaf[m][r] = m / 6 * RAILS + r / 2;
	expect_rails(&beside, 2);
	beside.leaf[7][1] = RAILS + 1;
	beside.leaf[7][2] = RAILS;
	odo_fabric *f = build(&beside);
	odo_rails rails = find(f);
	assert_int_equal(rails.n, 2);
	for (uint32_t h = 0; h < ADAPTERS; h++) {
		bool wrong = h == 7 * RAILS + 1 || h == 7 * RAILS + 2;
		assert_int_equal(odo_rails_is_wrong(&rails, f, h), wrong);
		if (wrong)
			assert_int_equal(odo_rails_home(&rails, f, h), RAILS + h % RAILS / 2);
	}
	odo_rails_clear(&rails);
	odo_fabric_free(f);
}

/* Both adapters of a machine swapped: the machines beside it still tell where each belongs. */
static void a_machine_with_no_right_adapter_has_a_home(void **state)
{
	(void)state;
	plan p = make_plan("node%u mlx5_%u");
	uint32_t *leaf = p.leaf[3];
	for (uint32_t r = 0; r < RAILS; r++)
		leaf[r] = r ^ 1;
	odo_fabric *f = build(&p);
	odo_rails rails = find(f);
	for (uint32_t r = 0; r < RAILS; r++)
		assert_int_equal(odo_rails_home(&rails, f, 3 * RAILS + r), r);
	odo_rails_clear(&rails);
	odo_fabric_free(f);
}

/* Exactly these adapters are wrong, and belong where the machines beside have theirs. */
static void expect_wrong(const plan *p, const uint32_t (*wrong)[2], size_t n)
{
	odo_fabric *f = build(p);
	odo_rails rails = find(f);
	plan right = make_plan("");
	uint32_t found = 0;
	assert_int_equal(rails.n, RAILS);
	for (uint32_t h = 0; h < ADAPTERS; h++)
		found += odo_rails_is_wrong(&rails, f, h);
	assert_int_equal(found, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t m = wrong[i][0], r = wrong[i][1];
		assert_true(odo_rails_is_wrong(&rails, f, m * RAILS + r));
		assert_int_equal(odo_rails_home(&rails, f, m * RAILS + r), right.leaf[m][r]);
	}
	odo_rails_clear(&rails);
	odo_fabric_free(f);
}

static void adapters_in_the_wrong_rail_are_named(void **state)
{
	(void)state;
	plan swapped = make_plan("node%u mlx5_%u"); /* on one machine */
	swapped.leaf[2][1] = 3;
	swapped.leaf[2][3] = 1;
	expect_wrong(&swapped, (const uint32_t[][2]){{2, 1}, {2, 3}}, 2);
	plan moved = make_plan("node%u mlx5_%u"); /* one onto another leaf */
	moved.leaf[7][0] = 6;
	expect_wrong(&moved, (const uint32_t[][2]){{7, 0}}, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rails_are_found),
		cmocka_unit_test(bonds_make_rails),
		cmocka_unit_test(nine_of_ten_make_rails),
		cmocka_unit_test(names_by_scripts_and_managers_accuse_nobody),
		cmocka_unit_test(what_is_not_built_so_has_none),
		cmocka_unit_test(adapters_side_by_side_are_one_rail),
		cmocka_unit_test(a_machine_with_no_right_adapter_has_a_home),
		cmocka_unit_test(adapters_in_the_wrong_rail_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
