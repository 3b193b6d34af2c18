/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory that runs out at whichever allocation of a call: the status says so, and there is no
 * handle. The sanitized build sees that nothing is lost. */
#include "rig.h"
#include "tests/fault.h"

/* A call to try; everything it needs is in the rig. */
typedef int call(struct rig *r, odonata_error *err);

/* Let each allocation of a call fail, one at a time, until none is left to fail.
 * @param needed each is: else a call may do without some, and `try` looks whether it found the same
 */
static void exhaust(call *try, const char *what, bool needed)
{
	odonata_fabric *whole = generate("flatfly:k=3x2,c=2");
	struct rig r = rig_of(damage(whole, (odonata_damage){.cables = 0.2, .seed = 1}));
	long n = 0;
	for (bool failed = true; failed; n++) {
		odonata_error err = {0};
		fault_set(n, false);
		int status = try(&r, &err);
		failed = fault_end();
		if (status && (status != ODONATA_ENOMEM || !failed || !err.text[0]))
			fail_msg("%s, allocation %ld: status %d: %s", what, n, status, err.text);
		if (!status && failed && needed)
			fail_msg("%s, allocation %ld failed, and nobody said so", what, n);
	}
	assert_true(n > 1);
	rig_free(&r);
	odonata_fabric_free(whole);
}

static int try_generate(struct rig *r, odonata_error *err)
{
	odonata_fabric *f = r->fabric;
	int status = odonata_fabric_generate("dragonfly:p=1,a=2,h=1", 0, &f, err);
	assert_int_equal(!status, f != NULL);
	odonata_fabric_free(f);
	return status;
}

static int try_damage(struct rig *r, odonata_error *err)
{
	odonata_fabric *f = r->fabric;
	odonata_damage d = {
		.size = sizeof d, .switches = 0.2, .cables = 0.2, .miscabled = 0.2, .shuffled = 1};
	int status = odonata_fabric_damage(r->fabric, &d, &f, err);
	assert_int_equal(!status, f != NULL);
	odonata_fabric_free(f);
	return status;
}

static int try_look(struct rig *r, odonata_error *err)
{
	odonata_fabric_view v = {.size = sizeof v};
	return odonata_fabric_get(r->fabric, &v, err);
}

/* Same kind, places and number of faults. */
static void expect_same(const odonata_coordinates *a, const odonata_coordinates *b)
{
	odonata_coordinates_view v = {.size = sizeof v}, w = {.size = sizeof w};
	odonata_error err = {0};
	expect_ok(odonata_coordinates_get(a, &v, &err), &err);
	expect_ok(odonata_coordinates_get(b, &w, &err), &err);
	assert_string_equal(v.kind, w.kind);
	assert_int_equal(v.n_dims, w.n_dims);
	assert_int_equal(v.n_faults, w.n_faults);
	assert_memory_equal(v.at, w.at, v.n_switches * v.n_dims * sizeof *v.at);
}

static int try_map(struct rig *r, odonata_error *err)
{
	odonata_coordinates *c = r->found;
	int status = odonata_map(r->fabric, &c, err);
	assert_int_equal(!status, c != NULL);
	if (!status)
		expect_same(c, r->found);
	odonata_coordinates_free(c);
	return status;
}

static int try_route(struct rig *r, odonata_error *err)
{
	odonata_tables *t = r->tables;
	int status = odonata_route(r->fabric, r->found, NULL, &t, err);
	assert_int_equal(!status, t != NULL);
	odonata_tables_free(t);
	return status;
}

static int try_verify(struct rig *r, odonata_error *err)
{
	odonata_verdict v = {.size = sizeof v};
	return odonata_verify(r->tables, 0, &v, err);
}

static int try_analyze(struct rig *r, odonata_error *err)
{
	odonata_analysis a = {.size = sizeof a};
	return odonata_analyze(r->tables, "uniform", 1, NULL, &a, err);
}

static int try_analyze_flows(struct rig *r, odonata_error *err)
{
	odonata_analysis a = {.size = sizeof a};
	return odonata_analyze(r->tables, "reverse", 1, NULL, &a, err);
}

static int try_bisection(struct rig *r, odonata_error *err)
{
	double mean;
	return odonata_bisection(r->tables, 2, 1, &mean, NULL, err);
}

static int try_emulate(struct rig *r, odonata_error *err)
{
	odonata_measures m = {.size = sizeof m};
	odonata_emulation e = {
		.size = sizeof e, .tables = r->tables, .load = 0.5, .warmup = 50, .cycles = 100};
	return odonata_emulate(&e, &m, err);
}

static int try_export(struct rig *r, odonata_error *err)
{
	return odonata_export(r->tables, "lfts", "/dev/null", err);
}

static int try_write(struct rig *r, odonata_error *err)
{
	return odonata_fabric_write(r->fabric, "ibsim", "/dev/null", err);
}

#define EXHAUSTED(what, needed)                                                                    \
	static void what##_says_that_memory_ran_out(void **state)                                  \
	{                                                                                          \
		(void)state;                                                                       \
		exhaust(try_##what, #what, needed);                                                \
	}
EXHAUSTED(generate, true)
EXHAUSTED(damage, true)
EXHAUSTED(look, true)
EXHAUSTED(map, false)
EXHAUSTED(route, true)
EXHAUSTED(verify, true)
EXHAUSTED(analyze, true)
EXHAUSTED(analyze_flows, true)
EXHAUSTED(bisection, true)
EXHAUSTED(emulate, true)
EXHAUSTED(export, true)
EXHAUSTED(write, true)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generate_says_that_memory_ran_out),
		cmocka_unit_test(damage_says_that_memory_ran_out),
		cmocka_unit_test(look_says_that_memory_ran_out),
		cmocka_unit_test(map_says_that_memory_ran_out),
		cmocka_unit_test(route_says_that_memory_ran_out),
		cmocka_unit_test(verify_says_that_memory_ran_out),
		cmocka_unit_test(analyze_says_that_memory_ran_out),
		cmocka_unit_test(analyze_flows_says_that_memory_ran_out),
		cmocka_unit_test(bisection_says_that_memory_ran_out),
		cmocka_unit_test(emulate_says_that_memory_ran_out),
		cmocka_unit_test(export_says_that_memory_ran_out),
		cmocka_unit_test(write_says_that_memory_ran_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
