/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cmocka, and what its header takes for granted. */
#ifndef ODONATA_TESTS_UNIT_H
#define ODONATA_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#ifdef main /* a file of its folder's program, which calls it: tests/run.c */
int main(void);
#endif

/** The condition of a loop over a table: is there a row `i`? Where an assertion fails, the row is printed
 * with its `name`, which is evaluated for rows that exist and may be NULL. Loops may be nested. */
#define TEST_ROW(i, table, name) \
	((i) < sizeof(table) / sizeof *(table) ? test_enter_row(#table, i, name) : test_no_row(#table))
bool test_enter_row(const char *table, size_t i, const char *name);
bool test_no_row(const char *table);

/* cmocka calls a test through test_run(), and test_end() then prints rows if the test did not return. */
#undef cmocka_unit_test
#define cmocka_unit_test(test) {#test, test_run, NULL, test_end, (void *)test}
void test_run(void **state);
int test_end(void **state);

/** Whether all cases are to be tried, as the slow suite asks for, and not a sample. */
static inline bool test_wide(void)
{
	return getenv("ODONATA_WIDE") != NULL;
}

/* Sanitizers look for other things than wrong answers, at several times the cost. */
#ifdef __SANITIZE_ADDRESS__
#define TEST_SAMPLE 10u
#define TEST_STRIDE 2u
#else
#define TEST_SAMPLE 5u
#define TEST_STRIDE 1u
#endif

/** How many of `all` seeds are to be tried: a fifth in a sample, a tenth under sanitizers, and at
 * least one. */
static inline unsigned test_seeds(unsigned all)
{
	return test_wide() ? all : (all + TEST_SAMPLE - 1) / TEST_SAMPLE;
}

/** From one row of a table of cases to the next that is to be tried: under sanitizers every second. */
static inline size_t test_stride(void)
{
	return test_wide() ? 1 : TEST_STRIDE;
}

#endif
