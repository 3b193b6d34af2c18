/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mapping whose memory runs out says so: nothing is taken for unknown, or for another kind, because
 * a search had no room. */
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "tests/exhaust.h"

static int map(void *fabric, char *said, size_t room)
{
	odo_coordinates *c;
	odo_error err;
	int status = odo_map(fabric, &c, &err);
	if (status)
		return status;
	uint64_t at = 0;
	for (uint32_t i = 0; i < c->n_switches * c->n_dims; i++)
		at = at * 31 + c->at[i];
	snprintf(said, room, "%s, %u dimensions, %u faults, places %llx", odo_kind_name(c->kind),
		 c->n_dims, c->n_faults, (unsigned long long)at);
	odo_coordinates_free(c);
	return 0;
}

static int generate(void *spec, char *said, size_t room)
{
	odo_fabric *f;
	odo_coordinates *c;
	odo_error err;
	int status = odo_topology_generate(spec, 0, &f, &c, &err);
	if (status)
		return status;
	snprintf(said, room, "%u switches, %u cables", f->n_switches, f->n_links);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return 0;
}

static void try_map(const char *spec, odo_damage damage)
{
	odo_fabric *whole, *f;
	odo_coordinates *truth;
	odo_origin origin;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &whole, &truth, &err), 0);
	assert_int_equal(odo_fabric_damage(whole, &damage, &f, &origin, &err), 0);
	char given[100];
	snprintf(given, sizeof given, "%s", spec);
	fault_each(generate, given, spec, ODO_ENOMEM);
	fault_each(map, f, spec, ODO_ENOMEM);
	odo_origin_free(&origin);
	odo_fabric_free(f);
	odo_coordinates_free(truth);
	odo_fabric_free(whole);
}

static void whole_fabrics(void **state)
{
	static const char *const specs[] = {"dragonfly:p=1,a=2,h=1",
					    "flatfly:k=3x3,c=1",
					    "hypercube:n=3,c=1",
					    "torus:k=4x4,c=1",
					    "mesh:k=3x4,c=1",
					    "slimfly:q=5,c=1",
					    "slimfly-flatfly:q=4,k=2,c=1",
					    "fattree:k=4,levels=2",
					    "fattree:k=4,levels=3",
					    "dragonfly-plus:p=1,leaves=2,spines=2,h=2,g=5"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		try_map(specs[i], (odo_damage){0});
}

static void damaged_fabrics(void **state)
{
	(void)state;
	try_map("slimfly:q=5,c=1", (odo_damage){0.03, 0.03, 1});
	try_map("dragonfly:p=1,a=4,h=2", (odo_damage){0.03, 0.03, 1});
	try_map("flatfly:k=4x4,c=1", (odo_damage){0.05, 0.05, 1});
	try_map("fattree:k=6,levels=3", (odo_damage){0.05, 0.05, 1});
	try_map("dragonfly-plus:p=1,leaves=4,spines=4,h=2,g=5", (odo_damage){0.05, 0.05, 1});
}

static void no_structure(void **state)
{
	(void)state;
	try_map("random:n=8,d=3,c=1", (odo_damage){0});
}

static int read_file(void *path, char *said, size_t room)
{
	odo_fabric *f;
	odo_error err;
	int status = odo_fabric_read(path, 0, &f, &err);
	if (status)
		return status;
	snprintf(said, room, "%u switches, %u hosts", f->n_switches, f->n_hosts);
	odo_fabric_free(f);
	return 0;
}

static void files(void **state)
{
	(void)state;
	char path[] = TEST_DATA "/corpus/fabric/chassis.topo";
	fault_each(read_file, path, path, ODO_ENOMEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_fabrics),
		cmocka_unit_test(damaged_fabrics),
		cmocka_unit_test(no_structure),
		cmocka_unit_test(files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
