/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machine's name is found where it stands, and what is no name is taken for none. */
#include <string.h>

#include "fabric/fabric.h"
#include "fabric/machine.h"
#include "tests/unit.h"

static const struct {
	const char *description, *name, *adapter;
} cases[] = {
	{"node7 mlx5_2", "node7", "mlx5_2"},
	{"node7 HCA-1", "node7", "HCA-1"},
	{"mlx5_2 node7", "node7", "mlx5_2"},
	{"HCA-1 cn-a0", "cn-a0", "HCA-1"},
	{"cn001 mlx5_ib0", "cn001", "mlx5_ib0"},
	{"cn001 mlx5_bond_0", "cn001", "mlx5_bond_0"},
	{"cn001 ibp94s0f1", "cn001", "ibp94s0f1"},
	{"ib0 cn001", "cn001", "ib0"},
	{"opa3-node hfi1_0", "opa3-node", "hfi1_0"},
	{"cn001", "cn001", ""},
	{"  cn001   mlx5_0  ", "cn001", "mlx5_0"},
	{"cn001 rail2", "cn001", "rail2"},
	{"cn001,mlx5_0", "cn001", "mlx5_0"},
	{"mlx5_0: cn001", "cn001", "mlx5_0"},
	{"cn001 (mlx5_0)", "cn001", "mlx5_0"},
	{"[cn001] mlx5_0", "cn001", "mlx5_0"},
	{"\"cn001\" mlx5_0", "cn001", "mlx5_0"},
	{"host=cn001 mlx5_0", "cn001", "mlx5_0"},
	{"cn001 ConnectX-6 Mellanox", "cn001", "ConnectX-6 Mellanox"},
	{"node-17.cluster.example mlx5_3", "node-17.cluster.example", "mlx5_3"},
	{"10.1.2.3 mlx5_0", "10.1.2.3", "mlx5_0"},
	{"ib01", "ib01", ""},
	{"ibm-node1 mlx5_0", "ibm-node1", "mlx5_0"},
	{"hca-server1 HCA-2", "hca-server1", "HCA-2"},
	{"mt4123-rack", "mt4123-rack", ""},
	{"H3_2", "H3_2", ""},
	/* No names. */
	{"", "", ""},
	{"   ", "", ""},
	{"ib0", "", "ib0"},
	{"mlx5_0", "", "mlx5_0"},
	{"HCA-1", "", "HCA-1"},
	{"localhost mlx5_0", "", "mlx5_0"},
	{"localhost.localdomain", "", ""},
	{"localhost.localdomain mlx5_1", "", "mlx5_1"},
	{"mlx5_1 localhost4", "", "mlx5_1"},
	{"(none)", "", ""},
	{"(none) HCA-1", "", "HCA-1"},
	{"17 mlx5_0", "", "mlx5_0"},
	{"MT4119 ConnectX-5 Mellanox", "", ""},
	{"MT4129 ConnectX7   Mellanox Technologies", "", ""},
	{"MT25408 ConnectX Mellanox Technologies", "", ""},
	{"Mellanox Technologies Aggregation Node", "", ""},
	{"MT4129 ConnectX-7 VPI Adapter", "", ""},
};

static void names_are_found_where_they_stand(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].description); i++) {
		odo_machine m = odo_machine_of(cases[i].description);
		if (m.length != strlen(cases[i].name) || memcmp(m.name, cases[i].name, m.length) ||
		    m.adapter_length != strlen(cases[i].adapter) ||
		    memcmp(m.adapter, cases[i].adapter, m.adapter_length))
			fail_msg("\"%s\": machine \"%.*s\", adapter \"%.*s\"", cases[i].description,
				 (int)m.length, m.name, (int)m.adapter_length, m.adapter);
	}
}

static int compare(const char *a, const char *b)
{
	odo_machine x = odo_machine_of(a), y = odo_machine_of(b);
	return odo_machine_compare_adapters(&x, &y);
}

static void adapters_are_in_the_order_of_their_numbers(void **state)
{
	(void)state;
	assert_true(compare("n mlx5_2", "n mlx5_10") < 0);
	assert_true(compare("n mlx5_10", "mlx5_9 n") > 0);
	assert_int_equal(compare("n mlx5_2", "HCA-3 n"), 0);
	assert_int_equal(compare("n mlx5_bond_1", "mlx5_bond_1 n"), 0);
	assert_true(compare("n mlx5_0", "n ib0") != 0);
	assert_int_equal(odo_machine_of("n HCA-0").number, ODO_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_where_they_stand),
		cmocka_unit_test(adapters_are_in_the_order_of_their_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
