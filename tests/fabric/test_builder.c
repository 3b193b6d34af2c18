/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The builder refuses what cannot be, and freezing lays out the rest as fabric.h says. */
#include <string.h>

#include "fabric/fabric.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

static odo_builder *two_switches(uint32_t id[3])
{
	odo_builder *b;
	odo_error err;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	odo_node_info host = {.type = ODO_CA, .n_ports = 2, .name = "H"};
	odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 4, .name = "S"};
	assert_int_equal(odo_builder_add(b, &host, &id[0], &err), 0);
	assert_int_equal(odo_builder_add(b, &sw, &id[1], &err), 0);
	assert_int_equal(odo_builder_add(b, &sw, &id[2], &err), 0);
	assert_int_equal(odo_builder_link(b, id[1], 4, id[2], 1, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_link(b, id[0], 2, id[2], 2, (odo_link_info){0}, &err), 0);
	return b;
}

static void port_cabled_twice_is_refused(void **state)
{
	(void)state;
	uint32_t id[3];
	odo_error err;
	odo_builder *b = two_switches(id);
	assert_int_equal(odo_builder_link(b, id[2], 1, id[1], 4, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_link(b, id[1], 4, id[2], 3, (odo_link_info){0}, &err),
			 ODO_EINPUT);
	assert_non_null(strstr(err.text, "cabled twice"));
	assert_int_equal(odo_builder_link(b, id[1], 3, id[1], 3, (odo_link_info){0}, &err),
			 ODO_EINPUT);
	assert_int_equal(odo_builder_link(b, id[1], 5, id[2], 3, (odo_link_info){0}, &err),
			 ODO_EINPUT);
	odo_builder_free(b);
}

static void switches_come_first_and_lids_are_filled(void **state)
{
	(void)state;
	uint32_t id[3];
	odo_error err;
	odo_fabric *f;
	assert_int_equal(odo_builder_freeze(two_switches(id), ODO_LIDS_FILL, 1, &f, &err), 0);
	assert_int_equal(odo_fabric_check(f, &err), 0);
	assert_int_equal(f->n_switches, 2);
	assert_int_equal(f->n_hosts, 1);
	assert_int_equal(f->n_links, 2);
	assert_string_equal(odo_name(f, 2), "H");
	assert_int_equal(odo_host_switch(f, 0), 1);
	assert_int_equal(f->switch_lid[0], 1);
	assert_int_equal(f->switch_lid[1], 2);
	assert_int_equal(f->port_lid[f->host_slot[0]], 4);
	assert_int_equal(f->lid_count, 6);
	assert_int_equal(f->lid_host[5], 0);
	assert_int_equal(f->lid_port[5], 2);
	odo_fabric_free(f);
}

static void shared_lid_is_refused(void **state)
{
	(void)state;
	uint32_t id[3];
	odo_error err;
	odo_fabric *f;
	odo_builder *b = two_switches(id);
	odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 1, .lid = 9};
	assert_int_equal(odo_builder_add(b, &sw, &id[0], &err), 0);
	assert_int_equal(odo_builder_port(b, 0, 2, 0, 8, 1, &err), 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &f, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "LID"));
}

static void parts_are_counted(void **state)
{
	(void)state;
	uint32_t id[3], extra, part[3];
	odo_error err;
	odo_fabric *f;
	odo_builder *b = two_switches(id);
	odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 1};
	assert_int_equal(odo_builder_add(b, &sw, &extra, &err), 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	assert_int_equal(odo_fabric_parts(f, part, &err), 2);
	assert_int_equal(part[0], part[1]);
	assert_int_not_equal(part[0], part[2]);
	odo_fabric_free(f);
}

/* A few bytes of a file name a switch of many ports: there is an end to it. */
static void ports_are_limited(void **state)
{
	(void)state;
	odo_builder *b;
	odo_error err;
	odo_node_info info = {.type = ODO_SWITCH, .n_ports = ODO_MAX_PORTS, .name = "S"};
	uint32_t id, n = 0;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	while (n <= ODO_MOST_PORTS / ODO_MAX_PORTS && !odo_builder_add(b, &info, &id, &err))
		n++;
	assert_int_equal(n, ODO_MOST_PORTS / ODO_MAX_PORTS);
	assert_int_equal(err.status, ODO_EINPUT);
	assert_non_null(strstr(err.text, "16777216 ports"));
	odo_builder_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(port_cabled_twice_is_refused),
		cmocka_unit_test(switches_come_first_and_lids_are_filled),
		cmocka_unit_test(shared_lid_is_refused),
		cmocka_unit_test(parts_are_counted),
		cmocka_unit_test(ports_are_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
