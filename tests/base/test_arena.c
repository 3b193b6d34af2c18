/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Arenas: zeroed memory that is freed together, and one flag for every allocation that fails. */
#include <stdalign.h>
#include <stdint.h>

#include "base/arena.h"
#include "tests/unit.h"

static void allocations_are_zeroed_apart_and_aligned(void **state)
{
	(void)state;
	odo_arena arena = {0};
	unsigned char *at[40];
	for (size_t i = 0; i < 40; i++) {
		at[i] = odo_arena_new(&arena, i, 3);
		assert_non_null(at[i]);
		assert_int_equal((uintptr_t)at[i] % alignof(max_align_t), 0);
		for (size_t j = 0; j < 3 * i; j++) {
			assert_int_equal(at[i][j], 0);
			at[i][j] = (unsigned char)(i + 1);
		}
	}
	for (size_t i = 0; i < 40; i++)
		for (size_t j = 0; j < 3 * i; j++)
			assert_int_equal(at[i][j], i + 1);
	assert_false(arena.failed);
	odo_arena_free(&arena);
}

static void one_flag_tells_of_every_failure(void **state)
{
	(void)state;
	odo_arena arena = {0};
	assert_non_null(odo_arena_new(&arena, 1, 1));
	assert_null(odo_arena_new(&arena, SIZE_MAX, 1));
	assert_null(odo_arena_new(&arena, SIZE_MAX / 8 + 2, 8));
	assert_non_null(odo_arena_new(&arena, 1, 1));
	assert_true(arena.failed);
	odo_arena_free(&arena);
	assert_false(arena.failed);
	assert_null(arena.newest);
	odo_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_are_zeroed_apart_and_aligned),
		cmocka_unit_test(one_flag_tells_of_every_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
