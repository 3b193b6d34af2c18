/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Saturation of static routing where it can be told with pencil and paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emulator/pattern.h"
#include "emulator/saturation.h"
#include "fabric/topology.h"
#include "routing/engine.h"

/** A fabric, routed, and an emulation of it. */
struct system {
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t;
	odo_traffic *traffic;
	odo_model model;
	odo_emulation e;
};

static struct system make(const char *spec, const char *pattern)
{
	struct system s = {0};
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &s.f, &s.c, &err), 0);
	assert_int_equal(odo_route(s.f, s.c, NULL, &(odo_route_options){0}, &s.t, &err), 0);
	assert_int_equal(odo_traffic_create(pattern, s.f, s.c, 1, &s.traffic, &err), 0);
	assert_int_equal(odo_model_parse("ofar", &s.model, &err), 0);
	s.e = (odo_emulation){.fabric = s.f,
			      .coordinates = s.c,
			      .tables = s.t,
			      .traffic = s.traffic,
			      .run = {.seed = 1, .warmup = 4000, .measured = 20000}};
	return s;
}

static void clear(struct system *s)
{
	odo_traffic_free(s->traffic);
	odo_tables_free(s->t);
	odo_coordinates_free(s->c);
	odo_fabric_free(s->f);
}

static void check(const char *spec, const char *pattern, double expected)
{
	struct system s = make(spec, pattern);
	s.e.model = &s.model;
	odo_saturation found;
	odo_error err;
	assert_int_equal(odo_saturation_search(&s.e, ODO_SATURATION_STEPS, &found, &err), 0);
	/* At the very capacity queues of random arrivals grow without end: some steps below. */
	double sustained = (double)found.sustained / found.steps;
	assert_true(sustained > expected - 3.5 / found.steps);
	assert_true(sustained <= expected);
	assert_true(found.accepted_at_full > expected * 0.95);
	assert_true(found.accepted_at_full < expected * 1.01);
	clear(&s);
}

/* A group sends all it has over the one cable to the next: 1 / (a * p). */
static void a_dragonfly_saturates_under_advg_at_one_cable_a_group(void **state)
{
	(void)state;
	check("dragonfly:p=2,a=4,h=2", "advg:n=1", 1.0 / 8);
	check("dragonfly:p=1,a=4,h=2", "advg:n=1", 1.0 / 4);
}

/* The hosts of a switch send all they have over the one cable to a neighbour: 1 / C. */
static void a_flatfly_saturates_at_one_cable_a_switch(void **state)
{
	(void)state;
	check("flatfly:k=4x4x4,c=4", "neighbour", 1.0 / 4);
}

static void what_is_offered_is_the_load_beyond_saturation_too(void **state)
{
	(void)state;
	struct system s = make("dragonfly:p=2,a=4,h=2", "advg:n=1");
	s.e.model = &s.model;
	for (s.e.run.load = 0.1; s.e.run.load <= 1; s.e.run.load += 0.3) {
		odo_measures *m;
		odo_error err;
		assert_int_equal(odo_emulate(&s.e, &m, &err), 0);
		assert_true(m->offered > s.e.run.load * 0.97);
		assert_true(m->offered < s.e.run.load * 1.03);
		odo_measures_free(m);
	}
	clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dragonfly_saturates_under_advg_at_one_cable_a_group),
		cmocka_unit_test(a_flatfly_saturates_at_one_cable_a_switch),
		cmocka_unit_test(what_is_offered_is_the_load_beyond_saturation_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
