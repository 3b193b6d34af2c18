/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Aggregation nodes of switches have no rank: no pattern has them send or receive. */
#include "emulator/traffic/pattern.h"
#include "tests/unit.h"

static odo_error err;

enum { HOSTS = 6 }; /* of which every third is none */

static odo_fabric *make(void)
{
	odo_builder *b;
	odo_fabric *f;
	uint32_t sw, id;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	odo_node_info info = {.type = ODO_SWITCH, .n_ports = HOSTS};
	assert_int_equal(odo_builder_add(b, &info, &sw, &err), 0);
	for (unsigned i = 0; i < HOSTS; i++) {
		odo_node_info host = {.type = ODO_CA, .n_ports = 1};
		host.name = i % 3 ? "host" : "Mellanox Technologies Aggregation Node";
		assert_int_equal(odo_builder_add(b, &host, &id, &err), 0);
		assert_int_equal(odo_builder_link(b, sw, i + 1, id, 1, (odo_link_info){0}, &err),
				 0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	return f;
}

static void no_pattern_knows_them(void **state)
{
	static const char *const patterns[] = {"uniform", "permutation", "shift:n=1"};
	odo_fabric *f = make();
	(void)state;
	assert_int_equal(f->n_senders, 4);
	for (size_t i = 0; TEST_ROW(i, patterns, patterns[i]); i++) {
		odo_traffic *traffic;
		odo_rng rng = odo_rng_make(i, 0);
		if (odo_traffic_create(patterns[i], f, NULL, 1, &traffic, &err))
			fail_msg("%s", err.text);
		for (unsigned n = 0; n < 1000; n++) {
			uint32_t src = n % HOSTS,
				 to = odo_traffic_destination(traffic, src, &rng, 0);
			assert_int_equal(to == ODO_NONE, src >= f->n_senders);
			assert_true(to == ODO_NONE || (to < f->n_senders && to != src));
		}
		odo_traffic_free(traffic);
	}
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_pattern_knows_them)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
