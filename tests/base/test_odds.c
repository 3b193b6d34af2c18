/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers of ways in bits, against Pascal's triangle. */
#include "base/odds.h"
#include "tests/unit.h"

enum { MOST = 40 };

static void choices_are_those_of_pascals_triangle(void **state)
{
	(void)state;
	double ways[MOST + 1] = {1};
	for (int n = 0; n <= MOST; n++) {
		for (int k = n; n && k > 0; k--)
			ways[k] += ways[k - 1];
		for (int k = 0; k <= n; k++)
			assert_float_equal(odo_log2_choose(n, k), log2(ways[k]), 1e-6);
		assert_float_equal(odo_log2_choose(n, n + 1), 0, 0);
		assert_float_equal(odo_log2_choose(n, -1), 0, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_are_those_of_pascals_triangle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
