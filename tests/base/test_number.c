/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers in text: what is one, where it ends, and what is said of what is none. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "tests/unit.h"

static void digits_end_where_no_digit_stands(void **state)
{
	(void)state;
	const struct {
		const char *text;
		unsigned radix, used; /**< 0: no number */
		uint64_t number;
	} cases[] = {
		{"42,", 10, 2, 42},
		{"007", 10, 3, 7},
		{"1fg", 16, 2, 0x1f},
		{"0x1Fg", 0, 4, 0x1f},
		{"31", 0, 2, 31},
		{"010", 0, 3, 10},
		{"0x", 0, 0, 0},
		{"0x", 10, 1, 0},
		{"18446744073709551615", 10, 20, UINT64_MAX},
		{"18446744073709551616", 10, 0, 0},
		{"10000000000000000", 16, 0, 0},
		{"", 10, 0, 0},
		{" 1", 10, 0, 0},
		{"+1", 10, 0, 0},
		{"-1", 10, 0, 0},
		{"x", 0, 0, 0},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].text); i++) {
		const char *at = cases[i].text;
		uint64_t number = 99;
		bool is = odo_take_digits(&at, NULL, cases[i].radix, &number);
		assert_int_equal(is, cases[i].used > 0);
		assert_int_equal(at - cases[i].text, cases[i].used);
		assert_true(number == (is ? cases[i].number : 99));
	}
}

static void digits_end_with_the_text(void **state)
{
	(void)state;
	static const char text[] = "0x1234";
	for (size_t n = 0; n <= 6; n++) {
		const char *at = text;
		uint64_t number = 0;
		bool is = odo_take_digits(&at, text + n, 0, &number);
		static const uint64_t expected[] = {0, 0, 0, 1, 0x12, 0x123, 0x1234};
		assert_int_equal(is, n != 0 && n != 2);
		assert_int_equal(number, expected[n]);
		assert_ptr_equal(at, text + (is ? n : 0));
	}
}

static void fractions_have_a_range(void **state)
{
	(void)state;
	static const char *const none[] = {"",    " 0.5", "-0.5", "+0.5", "nan",   "inf",
					   "1.5", "1e3",  ".",    "x",    "1e999", "0.2"};
	for (size_t i = 0; TEST_ROW(i, none, none[i]); i++) {
		const char *at = none[i];
		double number = 9;
		assert_false(odo_take_real(&at, 0.25, 1, &number));
		assert_ptr_equal(at, none[i]);
		assert_true(number == 9);
	}
	const char *text = "0.25:5e-1,.75", *at = text;
	double number;
	assert_true(odo_take_real(&at, 0.25, 1, &number) && number == 0.25 && *at++ == ':');
	assert_true(odo_take_real(&at, 0.25, 1, &number) && number == 0.5 && *at++ == ',');
	assert_true(odo_take_real(&at, 0.25, 1, &number) && number == 0.75 && !*at);
}

static void percentages_are_shares(void **state)
{
	(void)state;
	const char *at = "50%,25,101%";
	double share;
	assert_true(odo_take_percent(&at, &share) && share == 0.5 && *at++ == ',');
	assert_true(odo_take_percent(&at, &share) && share == 0.25 && *at++ == ',');
	assert_false(odo_take_percent(&at, &share));
	assert_string_equal(at, "101%");
}

static void bytes_have_units_of_1024(void **state)
{
	(void)state;
	const char *at = "7,4KiB,1MiB,2GiB,3KB,18446744073709551615,18014398509481984KiB";
	uint64_t bytes;
	assert_true(odo_take_bytes(&at, NULL, &bytes) && bytes == 7 && *at++ == ',');
	assert_true(odo_take_bytes(&at, NULL, &bytes) && bytes == 4096 && *at++ == ',');
	assert_true(odo_take_bytes(&at, NULL, &bytes) && bytes == 1048576 && *at++ == ',');
	assert_true(odo_take_bytes(&at, NULL, &bytes) && bytes == UINT64_C(2147483648));
	at++;
	assert_true(odo_take_bytes(&at, NULL, &bytes) && bytes == 3 && *at == 'K');
	at += 3;
	assert_true(odo_take_bytes(&at, NULL, &bytes) && bytes == UINT64_MAX && *at++ == ',');
	const char *too_many = at;
	assert_false(odo_take_bytes(&at, NULL, &bytes));
	assert_ptr_equal(at, too_many);
	/* What stands behind the end is none of it. */
	at = "4KiB";
	assert_true(odo_take_bytes(&at, at + 3, &bytes) && bytes == 4 && *at == 'K');
}

static void what_is_no_number_is_named(void **state)
{
	(void)state;
	static const char *const none[] = {"", "0", "17", "-1", "1 ", " 1", "1x", "0x1", "1.5"};
	uint32_t narrow = 9;
	uint64_t wide = 9;
	double real = 9;
	odo_error err;
	for (size_t i = 0; TEST_ROW(i, none, none[i]); i++) {
		assert_int_equal(odo_read_number32(none[i], 1, 16, &narrow, &err), ODO_EINPUT);
		assert_non_null(strstr(err.text, "expected a whole number from 1 to 16, found \""));
		assert_non_null(strstr(err.text, none[i]));
	}
	assert_int_equal(odo_read_number("x", 0, 0, UINT64_MAX, &wide, &err), ODO_EINPUT);
	assert_string_equal(err.text, "expected a whole number, found \"x\"");
	assert_int_equal(odo_read_real("0.5%", 0, 1, &real, &err), ODO_EINPUT);
	assert_string_equal(err.text, "expected a number from 0 to 1, found \"0.5%\"");
	assert_true(narrow == 9 && wide == 9 && real == 9);
	assert_int_equal(odo_read_number32("16", 1, 16, &narrow, &err), 0);
	assert_int_equal(odo_read_number("0x10", 0, 1, 16, &wide, &err), 0);
	assert_int_equal(odo_read_real("0.5", 0, 1, &real, &err), 0);
	assert_true(narrow == 16 && wide == 16 && real == 0.5);
}

/* The locale is made here: Debian has none with a decimal comma unless it is asked for. */
static void a_point_is_a_point_in_every_locale(void **state)
{
	(void)state;
	char folder[] = "/tmp/odonata-locale-XXXXXX", command[512];
	double real = 0;
	odo_error err;
	assert_non_null(mkdtemp(folder));
	snprintf(command, sizeof command,
		 "localedef -c -i " TEST_DATA "/comma.locale %s/comma_XX 2>%s/said", folder,
		 folder);
	(void)!system(command);
	setenv("LOCPATH", folder, 1);
	bool comma = setlocale(LC_NUMERIC, "comma_XX") && *localeconv()->decimal_point == ',';
	int status = odo_read_real("0.25", 0, 1, &real, &err);
	setlocale(LC_NUMERIC, "C");
	snprintf(command, sizeof command, "rm -r %s", folder);
	(void)!system(command);
	if (!comma)
		skip();
	assert_int_equal(status, 0);
	assert_true(real == 0.25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_end_where_no_digit_stands),
		cmocka_unit_test(digits_end_with_the_text),
		cmocka_unit_test(fractions_have_a_range),
		cmocka_unit_test(percentages_are_shares),
		cmocka_unit_test(bytes_have_units_of_1024),
		cmocka_unit_test(what_is_no_number_is_named),
		cmocka_unit_test(a_point_is_a_point_in_every_locale),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
