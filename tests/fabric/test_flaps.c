/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A cable that comes and goes is left out until it is steady, unless it is the only way. */
#include "fabric/topology/topology.h"
#include "fabric/transform/flaps.h"
#include "fabric/transform/transform.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

enum { LIMIT = 3, WINDOW = 100, HOLD = 50 };

static odo_error err;

static odo_flaps start(void)
{
	return (odo_flaps){.limit = LIMIT, .window = WINDOW, .hold = HOLD};
}

/* The fabric less a cable, or whole; as it comes out. */
static odo_fabric *sweep(odo_flaps *flaps, const char *spec, uint32_t without, time_t now)
{
	odo_fabric *whole, *f;
	assert_int_equal(odo_topology_generate(spec, 0, &whole, NULL, &err), 0);
	uint8_t *gone = calloc(whole->n_nodes, 1), *cut = calloc(whole->n_slots, 1);
	if (without != ODO_NONE)
		cut[without] = 1;
	assert_int_equal(odo_fabric_without(whole, gone, cut, &f, NULL, &err), 0);
	assert_int_equal(odo_flaps_leave_out(flaps, now, &f, &err), 0);
	assert_int_equal(odo_fabric_check(f, &err), 0);
	free(gone);
	free(cut);
	odo_fabric_free(whole);
	return f;
}

/* Goes and comes back. @return whether the cable is used then */
static bool flap(odo_flaps *flaps, const char *spec, uint32_t slot, time_t *now)
{
	odo_fabric_free(sweep(flaps, spec, slot, ++*now));
	odo_fabric *f = sweep(flaps, spec, ODO_NONE, ++*now);
	bool used = f->peer[slot] != ODO_NONE;
	assert_int_equal(flaps->n_left_out, !used);
	odo_fabric_free(f);
	return used;
}

/* The first port of switch 0 to a switch. */
static uint32_t first_cable(const char *spec)
{
	odo_fabric *f;
	uint32_t slot = 0;
	assert_int_equal(odo_topology_generate(spec, 0, &f, NULL, &err), 0);
	while (odo_next_switch(f, slot) == ODO_NONE)
		slot++;
	odo_fabric_free(f);
	return slot;
}

static void what_flaps_is_left_out_until_it_is_steady(void **state)
{
	(void)state;
	const char *spec = "flatfly:k=3x3,c=1";
	uint32_t slot = first_cable(spec);
	odo_flaps flaps = start();
	time_t now = 1000;
	odo_fabric *whole = sweep(&flaps, spec, ODO_NONE, now), *f;
	for (unsigned i = 0; i + 1 < LIMIT; i++)
		assert_true(flap(&flaps, spec, slot, &now));
	assert_false(flap(&flaps, spec, slot, &now));
	assert_int_equal(flaps.left_out[0].guid[0], whole->node_guid[0]);
	assert_int_equal(flaps.left_out[0].port[0], odo_port(whole, slot));
	f = sweep(&flaps, spec, ODO_NONE, now + HOLD - 1);
	assert_int_equal(flaps.n_left_out, 1);
	assert_int_equal(f->n_links, whole->n_links - 1);
	assert_int_equal(f->n_hosts, whole->n_hosts);
	odo_fabric_free(f);
	f = sweep(&flaps, spec, ODO_NONE, now + HOLD);
	assert_int_equal(flaps.n_left_out, 0);
	assert_int_equal(f->n_links, whole->n_links);
	odo_fabric_free(f);
	now += HOLD; /* all is forgiven */
	assert_true(flap(&flaps, spec, slot, &now));
	odo_fabric_free(whole);
	odo_flaps_clear(&flaps);
}

static void what_goes_now_and_then_stays(void **state)
{
	(void)state;
	const char *spec = "flatfly:k=3x3,c=1";
	uint32_t slot = first_cable(spec);
	odo_flaps flaps = start(), none = {0};
	time_t now = 1000;
	odo_fabric_free(sweep(&flaps, spec, ODO_NONE, now));
	for (unsigned i = 0; i < 3 * LIMIT; i++) {
		now += WINDOW / (LIMIT - 1);
		assert_true(flap(&flaps, spec, slot, &now));
	}
	for (unsigned i = 0; i < 3 * LIMIT; i++)
		assert_true(flap(&none, spec, slot, &now));
	assert_null(none.record);
	odo_flaps_clear(&flaps);
}

/* On a ring every second cable may be left out, and then all others are the only way. */
static void the_only_way_is_never_left_out(void **state)
{
	(void)state;
	const char *spec = "torus:k=4,c=1", *lone = "mesh:k=2,c=1";
	odo_flaps flaps = start();
	time_t now = 1000;
	odo_fabric *f = sweep(&flaps, spec, ODO_NONE, now);
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		for (unsigned i = 0; odo_next_switch(f, slot) != ODO_NONE && i < LIMIT; i++)
			odo_fabric_free(sweep(&flaps, spec, i % 2 ? ODO_NONE : slot, ++now));
	odo_fabric_free(f);
	f = sweep(&flaps, spec, ODO_NONE, ++now);
	assert_int_equal(flaps.n_left_out, 1);
	assert_int_equal(odo_fabric_parts(f, NULL, &err), 1);
	odo_fabric_free(f);
	odo_flaps_clear(&flaps);
	flaps = start();
	odo_fabric_free(sweep(&flaps, lone, ODO_NONE, now));
	for (unsigned i = 0; i < 2 * LIMIT; i++)
		assert_true(flap(&flaps, lone, first_cable(lone), &now));
	odo_flaps_clear(&flaps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_flaps_is_left_out_until_it_is_steady),
		cmocka_unit_test(what_goes_now_and_then_stays),
		cmocka_unit_test(the_only_way_is_never_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
