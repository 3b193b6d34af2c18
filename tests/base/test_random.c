/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random streams: what two of them have in common. */
#include "base/random.h"
#include "tests/unit.h"

enum { BITS = 64, WORDS = 4 };

/* Blocks that no experiment gets to are tried, too. */
static void each_bit_of_seed_stream_and_block_makes_another_block(void **state)
{
	(void)state;
	uint32_t drawn[3 * BITS + 1][WORDS];
	for (unsigned i = 0; i <= 3 * BITS; i++) {
		uint64_t number[4] = {0};
		number[i / BITS] = 1ull << i % BITS; /* the last is none of the three */
		odo_rng rng = odo_rng_make(number[0], number[1]);
		rng.block = number[2];
		for (unsigned k = 0; k < WORDS; k++)
			drawn[i][k] = odo_rng_next(&rng);
		for (unsigned before = 0; before < i; before++)
			assert_memory_not_equal(drawn[before], drawn[i], sizeof drawn[i]);
	}
}

static void draws_go_on_with_the_next_block(void **state)
{
	(void)state;
	odo_rng all = odo_rng_make(5, 7), later = odo_rng_make(5, 7);
	later.block = 1;
	for (unsigned k = 0; k < WORDS; k++)
		odo_rng_next(&all);
	for (unsigned k = 0; k < 2 * WORDS; k++)
		assert_int_equal(odo_rng_next(&all), odo_rng_next(&later));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_bit_of_seed_stream_and_block_makes_another_block),
		cmocka_unit_test(draws_go_on_with_the_next_block),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
