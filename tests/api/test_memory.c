/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory that runs out at whichever allocation of a call: the status says so, and there is no
 * handle. The sanitized build sees that nothing is lost. */
#include "rig.h"

/* Allocations of ours, not of the C library's (tests/CMakeLists.txt wraps them). */
static long left = -1; /* that succeed before one fails; -1: none fails */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool fails(void)
{
	return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

/* A call to try; everything it needs is in the rig. */
typedef int call(struct rig *r, odonata_error *err);

/* Let each allocation of a call fail, one at a time, until none is left to fail. The calls that are
 * tried here are those in which every failure of memory is an error of the whole. */
static void exhaust(call *try, const char *what)
{
	odonata_fabric *whole = generate("flatfly:k=3x2,c=2");
	struct rig r = rig_of(damage(whole, (odonata_damage){.cables = 0.2, .seed = 1}));
	long n = 0;
	for (int status = ODONATA_ENOMEM; status; n++) {
		odonata_error err = {0};
		left = n;
		status = try(&r, &err);
		bool failed = left < 0;
		left = -1;
		if (status && (status != ODONATA_ENOMEM || !failed || !err.text[0]))
			fail_msg("%s, allocation %ld: status %d: %s", what, n, status, err.text);
		if (!status && failed)
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

#define EXHAUSTED(what)                                                                            \
	static void what##_says_that_memory_ran_out(void **state)                                  \
	{                                                                                          \
		(void)state;                                                                       \
		exhaust(try_##what, #what);                                                        \
	}
EXHAUSTED(generate)
EXHAUSTED(damage)
EXHAUSTED(look)
EXHAUSTED(analyze)
EXHAUSTED(analyze_flows)
EXHAUSTED(bisection)
EXHAUSTED(emulate)
EXHAUSTED(export)
EXHAUSTED(write)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generate_says_that_memory_ran_out),
		cmocka_unit_test(damage_says_that_memory_ran_out),
		cmocka_unit_test(look_says_that_memory_ran_out),
		cmocka_unit_test(analyze_says_that_memory_ran_out),
		cmocka_unit_test(analyze_flows_says_that_memory_ran_out),
		cmocka_unit_test(bisection_says_that_memory_ran_out),
		cmocka_unit_test(emulate_says_that_memory_ran_out),
		cmocka_unit_test(export_says_that_memory_ran_out),
		cmocka_unit_test(write_says_that_memory_ran_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
