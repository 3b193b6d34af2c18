/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/crc.h"
#include "tests/unit.h"

static uint64_t sum_of(const void *bytes, size_t n, size_t first)
{
	odo_crc crc;
	odo_crc_begin(&crc);
	odo_crc_add(&crc, bytes, first);
	odo_crc_add(&crc, (const char *)bytes + first, n - first);
	return odo_crc_sum(&crc);
}

/* The check value of CRC-64/XZ, and that of the empty text. */
static void sums_are_those_of_xz(void **state)
{
	(void)state;
	assert_true(sum_of("123456789", 9, 0) == 0x995DC9BBDF1939FAu);
	assert_true(sum_of("", 0, 0) == 0);
}

static void pieces_of_any_length_have_the_sum_of_the_whole(void **state)
{
	(void)state;
	uint8_t bytes[41];
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	for (size_t n = 0; n <= sizeof bytes; n++)
		for (size_t first = 0; first <= n; first++)
			assert_true(sum_of(bytes, n, first) == sum_of(bytes, n, 0));
}

static void every_flipped_bit_changes_the_sum(void **state)
{
	(void)state;
	uint8_t bytes[41] = {0};
	uint64_t sum = sum_of(bytes, sizeof bytes, 0);
	for (unsigned bit = 0; bit < 8 * sizeof bytes; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_true(sum_of(bytes, sizeof bytes, 0) != sum);
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_xz),
		cmocka_unit_test(pieces_of_any_length_have_the_sum_of_the_whole),
		cmocka_unit_test(every_flipped_bit_changes_the_sum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
