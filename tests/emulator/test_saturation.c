/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Saturation against closed forms: what the links of a pattern can carry. */
#include <stdio.h>

#include "emulator/traffic/pattern.h"
#include "experiment/saturation.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"
#include "tests/unit.h"

/** @param bound highest load that the busiest link can carry; @param slack how far below it
 * queues may saturate, in steps */
struct row {
	const char *fabric, *routing, *pattern;
	double bound;
	uint32_t slack;
};

static const struct row rows[] = {
	/* A group's p * a hosts over one link: 1/(a*p) (paper 003, V.B). */
	{"dragonfly:p=2,a=4,h=2", "min", "advg:n=1", 1.0 / 8, 2},
	{"dragonfly:p=2,a=4,h=2", NULL, "advg:n=1", 1.0 / 8, 2},
	/* Three switches' worth of hosts over one link. */
	{"dragonfly:p=3,a=2,h=1", "min", "advg:n=1", 1.0 / 6, 2},
	/* A switch's C hosts over one link (paper 004, section 3.1). */
	{"flatfly:k=4x4x4,c=4", NULL, "neighbour:dim=1", 1.0 / 4, 2},
	{"flatfly:k=4x4x4,c=4", "dor", "neighbour", 1.0 / 4, 2},
	{"dragonfly:p=2,a=4,h=2", "min", "advl", 1.0 / 2, 4},
};

static odo_saturation search_within(const struct row *row, odo_saturation_search how,
				    uint64_t warmup, uint64_t measured)
{
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *tables = NULL;
	odo_traffic *traffic = NULL;
	odo_model model;
	odo_error err = {0};
	odo_saturation found;
	const odo_route_options options = {0};
	if (odo_topology_generate(row->fabric, 0, &f, &c, &err) ||
	    (!row->routing && odo_route(f, c, NULL, &options, &tables, &err)) ||
	    odo_traffic_create(row->pattern, f, c, 1, &traffic, &err) ||
	    odo_model_parse("ofar", &model, &err))
		fail_msg("%s", err.text);
	const odo_emulation e = {.fabric = f,
				 .coordinates = c,
				 .tables = tables,
				 .policy = row->routing,
				 .model = &model,
				 .traffic = traffic,
				 .run = {.seed = 1, .warmup = warmup, .measured = measured}};
	if (odo_saturation_find(&e, &how, &found, &err))
		fail_msg("%s", err.text);
	odo_traffic_free(traffic);
	odo_tables_free(tables);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return found;
}

static odo_saturation search(const struct row *row, odo_saturation_search how)
{
	return search_within(row, how, 3000, 12000);
}

/* A packet that waits at the end of 200 cycles, four steps of a host's load, decides nothing. */
static void short_runs_sustain_nearly_as_much(void **state)
{
	(void)state;
	const struct row uniform = {"dragonfly:p=2,a=4,h=2", NULL, "uniform", 0, 0};
	const odo_saturation_search how = {.steps = 128};
	uint32_t sustained = search(&uniform, how).sustained;
	for (uint64_t cycles = 200; cycles <= 1000; cycles += 400)
		assert_in_range(search_within(&uniform, how, cycles / 2, cycles).sustained,
				sustained - 10, sustained);
}

static void saturation_is_what_links_can_carry(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		odo_saturation s = search(&rows[i],
					  (odo_saturation_search){.steps = 128, .full = true});
		printf("%s %s %s: sustained %u/128, accepted at full offer %.4f, bound %.4f\n",
		       rows[i].fabric, rows[i].routing ? rows[i].routing : "tables",
		       rows[i].pattern, s.sustained, s.accepted_at_full, rows[i].bound);
		uint32_t bound = (uint32_t)(rows[i].bound * 128 + 0.5);
		assert_in_range(s.sustained, bound - rows[i].slack, bound);
		assert_true(s.accepted_at_full <= rows[i].bound * 1.005);
		assert_true(s.accepted_at_full >= rows[i].bound * 0.9);
		assert_int_equal(s.deadlocks, 0);
	}
}

/** Halving from 1: a run at full offer, then one for each doubling of the steps; two more at
 * most for each that ends close. */
/* Of 64: 1, 2, 4 and 8 or 16, then what is between. */
static void search_doubles_and_halves(void **state)
{
	(void)state;
	odo_saturation coarse = search(&rows[0], (odo_saturation_search){.steps = 8, .full = true});
	odo_saturation fine = search(&rows[0], (odo_saturation_search){.steps = 64});
	assert_in_range(coarse.runs, 2, 3 + 2);
	assert_true(coarse.accepted_at_full > 0.1);
	assert_true(coarse.sustained <= 1);
	assert_in_range(fine.runs, 6, 8 + 2 * 3);
	assert_in_range(fine.sustained, 7, 8);
	assert_true(fine.accepted_at_full < 0);
}

/* "Next switch" sustains half: 58 to 64 of 128, told apart within a fourth of that. */
static void relative_search_ends_within_its_share(void **state)
{
	(void)state;
	odo_saturation s = search(&rows[5], (odo_saturation_search){.steps = 128, .relative = 4});
	assert_in_range(s.sustained, 48, 64);
	assert_in_range(s.runs, 8, 12 + 2 * 2);
}

/* From 16 down to 8 or up to 32, and no further than 32: "next switch" sustains 58 to 64. */
static void search_starts_and_ends_where_told(void **state)
{
	(void)state;
	odo_saturation below = search(
		&rows[0], (odo_saturation_search){.steps = 128, .first = 32, .last = 64});
	odo_saturation above = search(
		&rows[5], (odo_saturation_search){.steps = 128, .first = 16, .last = 32});
	assert_in_range(below.sustained, 14, 16);
	assert_in_range(below.runs, 4, 6 + 2 * 2);
	assert_int_equal(above.sustained, 32);
	assert_int_equal(above.runs, 2);
	/* Nothing is in the way of two hosts of a switch. */
	const struct row free_way = {"flatfly:k=1,c=2", NULL, "shift:n=1", 1, 0};
	odo_saturation all = search(
		&free_way, (odo_saturation_search){.steps = 128, .last = 32, .full = true});
	assert_int_equal(all.sustained, 128);
	assert_int_equal(all.runs, 1);
}

/* An eighth of full load in 32 steps, and four more: full offer stays that of every host. */
static void steps_may_be_shares_of_a_lower_load(void **state)
{
	(void)state;
	const odo_saturation_search how = {
		.steps = 32, .whole = 0.125, .first = 30, .last = 36, .full = true};
	odo_saturation s = search(&rows[0], how);
	assert_in_range(s.sustained, 30, 32);
	assert_in_range(s.runs, 4, 4 + 2 * 3);
	assert_true(s.accepted_at_full > 0.11 && s.accepted_at_full < 0.1255);
}

static void searches_that_cannot_be_are_refused(void **state)
{
	(void)state;
	odo_saturation found;
	odo_error err;
	odo_emulation none = {0};
	const odo_saturation_search bad[] = {{.steps = 1},
					     {.steps = 8, .first = 9},
					     {.steps = 8, .last = 9},
					     {.steps = 8, .whole = 0.5, .last = 17},
					     {.steps = 8, .whole = 1.1},
					     {.steps = 8, .first = 5, .last = 4}};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(odo_saturation_find(&none, &bad[i], &found, &err), ODO_EINPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(searches_that_cannot_be_are_refused),
		cmocka_unit_test(search_doubles_and_halves),
		cmocka_unit_test(steps_may_be_shares_of_a_lower_load),
		cmocka_unit_test(search_starts_and_ends_where_told),
		cmocka_unit_test(relative_search_ends_within_its_share),
		cmocka_unit_test(short_runs_sustain_nearly_as_much),
		cmocka_unit_test(saturation_is_what_links_can_carry),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
