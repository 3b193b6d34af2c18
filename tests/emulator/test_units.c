/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cycles and phits as nanoseconds and bytes. */
#include <math.h>

#include "emulator/units.h"
#include "tests/emulator/rig.h"

static void assert_near(double found, double expected)
{
	if (fabs(found - expected) > 1e-9 * expected)
		fail_msg("expected %.12g, found %.12g", expected, found);
}

/** All cables of a rig as wide and fast as this. */
static void set_cables(const struct rig *r, uint8_t width, uint8_t speed)
{
	for (uint32_t s = 0; s < r->fabric->n_slots; s++) {
		r->fabric->width[s] = width;
		r->fabric->speed[s] = speed;
	}
}

static void a_cycle_is_a_phit_on_the_fastest_cable(void **state)
{
	(void)state;
	/* 64 bytes at 100 Gbit/s are 5.12 ns; four lanes of HDR carry 200 Gbit/s, 25 GB/s. */
	static const struct {
		uint8_t width, speed;
		double cycle_ns, gb_per_s;
	} known[] = {{4, ODO_EDR, 5.12, 12.5},
		     {4, ODO_HDR, 2.56, 25},
		     {2, ODO_HDR, 5.12, 12.5},
		     {4, ODO_QDR, 16, 4},
		     {0, ODO_SPEED_UNKNOWN, 64, 1}};
	for (size_t i = 0; TEST_ROW(i, known, NULL); i++) {
		struct rig r;
		rig_make(&r, "flatfly:k=2,c=1", "infiniband", "uniform", NULL);
		odo_units units;
		set_cables(&r, known[i].width, known[i].speed);
		assert_true(odo_units_of(r.fabric, r.e.model, &units));
		assert_near(units.cycle_ns, known[i].cycle_ns);
		assert_near(units.gb_per_s, known[i].gb_per_s);
		assert_near(units.cycle_ns * units.gb_per_s, units.phit_bytes);
		rig_free(&r);
	}
}

static void the_fastest_cable_counts_not_the_first(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", "infiniband", "uniform", NULL);
	odo_units units;
	set_cables(&r, 4, ODO_EDR);
	r.fabric->speed[r.fabric->n_slots - 1] = ODO_NDR;
	assert_true(odo_units_of(r.fabric, r.e.model, &units));
	assert_int_equal(units.fastest, r.fabric->n_slots - 1);
	assert_near(units.gb_per_s, 50);
	rig_free(&r);
}

static void figures_follow_from_the_cycle(void **state)
{
	(void)state;
	const odo_units units = {.phit_bytes = 64, .cycle_ns = 5.12, .gb_per_s = 12.5};
	assert_near(odo_cycles_us(&units, 1000), 5.12);
	assert_near(odo_load_gb(&units, 0.8), 10);
	assert_near(odo_packets_per_s(&units, 10, 1000), 10 / 5.12e-6);
	assert_true(odo_packets_per_s(&units, 0, 0) == 0);
	assert_near(odo_cable_metres(&units, 5), 5.12); /* as the preset says: 5 m */
}

static void models_without_rates_have_no_units(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", "ofar", "uniform", NULL);
	odo_units units;
	assert_false(odo_units_of(r.fabric, r.e.model, &units));
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cycle_is_a_phit_on_the_fastest_cable),
		cmocka_unit_test(the_fastest_cable_counts_not_the_first),
		cmocka_unit_test(figures_follow_from_the_cycle),
		cmocka_unit_test(models_without_rates_have_no_units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
