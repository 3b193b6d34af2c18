/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables that `odonata install --keep` keeps are put back whole, or not at all. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/crc.h"
#include "cli/cells.h"
#include "tests/unit.h"

enum { N_CELLS = 3 };

static const odo_cell cells[N_CELLS] = {
	{.guid = 0x0D0A000000200001, .block = 1, .was = {1, 2, 255}},
	{.guid = 0x0D0A000000200001, .kind = ODO_CELL_SL2VL, .in = 1, .out = 2, .was = {0x10}},
	{.guid = 0x0D0A000000100001, .kind = ODO_CELL_SL2VL, .out = 1, .was = {0x32}},
};

static bool is_taken(const char *text, size_t size, size_t *n, bool *checked)
{
	char path[32];
	odo_cell *read;
	odo_error err = {0};
	int file = memfd_create("kept", 0);
	assert_int_equal(write(file, text, size), (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	FILE *from = fopen(path, "r");
	int status = cli_cells_read(from, "kept", &read, n, checked, &err);
	fclose(from);
	assert_true(!status || (status == ODO_EINPUT && *err.text));
	free(read);
	close(file);
	return !status;
}

static char *make_text(size_t *size)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, size);
	assert_non_null(to);
	cli_cells_write(cells, N_CELLS, to);
	assert_int_equal(fclose(to), 0);
	return text;
}

static void what_is_kept_is_taken(void **state)
{
	size_t size, n;
	bool checked = false;
	(void)state;
	char *text = make_text(&size);
	assert_true(is_taken(text, size, &n, &checked) && checked);
	assert_int_equal(n, N_CELLS);
	free(text);
}

static void every_flipped_bit_is_refused(void **state)
{
	size_t size, n;
	bool checked;
	(void)state;
	char *text = make_text(&size);
	for (size_t bit = 0; bit < 8 * size; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		if (is_taken(text, size, &n, &checked))
			fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
	free(text);
}

static void a_torn_file_is_refused(void **state)
{
	size_t size, n;
	bool checked;
	(void)state;
	char *text = make_text(&size);
	for (size_t end = 0; end < size; end++)
		if (is_taken(text, end, &n, &checked))
			fail_msg("%zu of %zu bytes", end, size);
	free(text);
}

/* Such files have no checksum, and whoever reads them is told. */
static void files_of_older_versions_are_taken_unchecked(void **state)
{
	size_t size, n;
	bool checked = true;
	(void)state;
	char *text = make_text(&size);
	text[sizeof "odonata-tables"] = '1';
	*strstr(text, "end ") = '\0';
	assert_true(is_taken(text, strlen(text), &n, &checked) && !checked);
	assert_int_equal(n, N_CELLS);
	free(text);
}

/* As `install --keep` of the version before wrote it. */
static void the_version_before_is_taken_and_a_newer_one_refused(void **state)
{
	size_t size, n;
	bool checked = false;
	odo_crc crc;
	odo_cell *read;
	odo_error err = {0};
	(void)state;
	char *text = make_text(&size), last[32];
	char *end = strstr(text, "end ");
	text[sizeof "odonata-tables"] = '2';
	odo_crc_begin(&crc);
	odo_crc_add(&crc, text, (size_t)(end - text));
	snprintf(last, sizeof last, "end %016llx\n", (unsigned long long)odo_crc_sum(&crc));
	strcpy(end, last);
	assert_true(is_taken(text, strlen(text), &n, &checked) && checked);
	assert_int_equal(n, N_CELLS);
	text[100] ^= 1;
	assert_false(is_taken(text, strlen(text), &n, &checked));
	text[sizeof "odonata-tables"] = '4';
	FILE *from = fmemopen(text, strlen(text), "r");
	assert_int_equal(cli_cells_read(from, "kept", &read, &n, &checked, &err), ODO_EINPUT);
	assert_string_equal(err.text, "kept:1: expected \"odonata-tables 1\", 2 or 3, which this "
				      "version of Odonata knows, found \"odonata-tables 4\"");
	fclose(from);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_taken),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(a_torn_file_is_refused),
		cmocka_unit_test(files_of_older_versions_are_taken_unchecked),
		cmocka_unit_test(the_version_before_is_taken_and_a_newer_one_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
