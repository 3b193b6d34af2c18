#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A test that goes through a table prints the row in which an assertion fails (TEST_ROW in tests/unit.h), and the
# tables of tests are gone through that way.
set -euo pipefail
cd "$ODONATA_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/rows.c" <<'C'
#include "tests/unit.h"
static const char *const specs[] = {"ring", NULL, "torus"};
static const struct { const char *name; int ports; } models[] = {{"small", 1}, {"large", 9}};
static void third_row_fails(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		for (size_t k = 0; TEST_ROW(k, models, models[k].name); k++)
			assert_true(i < 2 || models[k].ports < 9);
}
static void failure_after_a_table_names_no_row(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		assert_true(i < 3);
	fail();
}
static void success_prints_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		if (i == 1)
			break;
}
int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(third_row_fails),
					   cmocka_unit_test(failure_after_a_table_names_no_row),
					   cmocka_unit_test(success_prints_nothing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
C
cc -I. "$work/rows.c" tests/row.c -lcmocka -o "$work/rows"
if "$work/rows" >"$work/out" 2>&1; then echo "a test that should fail passes"; exit 1; fi
grep ROW "$work/out" >"$work/found" || true
printf '[   ROW    ] --- %s\n' 'specs[2]: torus' 'models[1]: large' | diff - "$work/found" ||
	{ echo "other rows are printed than those that fail:"; cat "$work/out"; exit 1; }

! grep -nE 'for \(.* = 0; [a-z]+ < sizeof ([a-z_]+) / sizeof \*\1;' tests/*/test_*.c >"$work/other" ||
	{ echo "loops over tables that do not name the row: use TEST_ROW()"; cat "$work/other"; exit 1; }
