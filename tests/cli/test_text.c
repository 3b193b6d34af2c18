/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Answers as text. */
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/output.h"
#include "tests/unit.h"

/** An object of 100 numbers, c0 to c99. */
static json_t *wide_row(void)
{
	json_t *row = json_object();
	char name[16];
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "c%d", i);
		assert_int_equal(json_object_set_new(row, name, json_integer(1000 + i)), 0);
	}
	return row;
}

static void check_columns(const char *text)
{
	char word[16];
	for (int i = 0; i < 100; i++) {
		snprintf(word, sizeof word, "c%d", i);
		assert_non_null(strstr(text, word));
		snprintf(word, sizeof word, "%d", 1000 + i);
		assert_non_null(strstr(text, word));
	}
}

static void a_table_has_all_its_columns(void **state)
{
	(void)state;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	json_t *rows = json_array();
	assert_int_equal(json_array_append_new(rows, wide_row()), 0);
	assert_int_equal(cli_print_text(rows, to, false, NULL), 0);
	fclose(to);
	check_columns(text);
	free(text);
	json_decref(rows);
}

static void a_row_has_all_its_columns(void **state)
{
	(void)state;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	json_t *row = wide_row();
	assert_int_equal(cli_print_row(row, "wide", to, false, NULL), 0);
	fclose(to);
	check_columns(text);
	free(text);
	json_decref(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_all_its_columns),
		cmocka_unit_test(a_row_has_all_its_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
