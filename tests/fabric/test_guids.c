/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of GUIDs, good and bad. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/format/guids.h"
#include "tests/unit.h"

static int read_text(const char *text, size_t size, uint64_t **guids, uint32_t *n, odo_error *err)
{
	char path[] = "/tmp/odonata-guids-XXXXXX";
	int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text, size), (ssize_t)size);
	close(file);
	int status = odo_guids_read(path, guids, n, err);
	unlink(path);
	return status;
}

static void guids_are_read_in_order(void **state)
{
	(void)state;
	static const char text[] = "# roots\n0x0002c90000000001\n\n  2c90000000002 # second\r\n"
				   "0xFFFFFFFFFFFFFFFF";
	uint64_t *guids;
	uint32_t n;
	odo_error err;
	assert_int_equal(read_text(text, sizeof text - 1, &guids, &n, &err), 0);
	assert_int_equal(n, 3);
	assert_true(guids[0] == 0x0002c90000000001 && guids[1] == 0x0002c90000000002 &&
		    guids[2] == UINT64_MAX);
	free(guids);
}

/* OpenSM takes a name behind a GUID, and one GUID twice; spines of a tree may be hundreds. */
static void what_opensm_takes_is_taken(void **state)
{
	(void)state;
	enum { MANY = 1000 };
	uint64_t *guids;
	uint32_t n;
	odo_error err;
	char *text = malloc((MANY + 1) * 64);
	size_t size = 0;
	for (unsigned i = 1; i <= MANY; i++)
		size += (size_t)sprintf(text + size, "0x%x\t\"spine %u\" 0x5 # one\n", i, i);
	size += (size_t)sprintf(text + size, "0x1\n");
	assert_int_equal(read_text(text, size, &guids, &n, &err), 0);
	assert_int_equal(n, MANY + 1);
	for (unsigned i = 0; i <= MANY; i++)
		assert_int_equal(guids[i], i % MANY + 1);
	free(guids);
	free(text);
	assert_int_equal(read_text("# none\n\n", 8, &guids, &n, &err), 0);
	assert_int_equal(n, 0);
	assert_null(guids);
}

static void what_is_no_guid_is_named(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"0x12\nroot\n", ":2: expected a GUID in hexadecimal, found"},
		{"0x0\n", ":1: expected a GUID in hexadecimal"},
		{"0x12345678901234567\n", ":1: expected a GUID in hexadecimal"},
		{"0x12,0x13\n", ":1: expected a GUID in hexadecimal, found"},
		{"0x12spine\n", ":1: expected a GUID in hexadecimal, found"},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].text); i++) {
		uint64_t *guids = NULL;
		uint32_t n;
		odo_error err = {0};
		assert_int_equal(read_text(cases[i].text, strlen(cases[i].text), &guids, &n, &err),
				 ODO_EINPUT);
		if (!strstr(err.text, cases[i].says))
			fail_msg("expected '%s', found '%s'", cases[i].says, err.text);
	}
	uint64_t *guids = NULL;
	uint32_t n;
	odo_error err = {0};
	assert_int_equal(odo_guids_read("/nowhere/roots", &guids, &n, &err), ODO_EINPUT);
	assert_int_equal(read_text("1\n\0\n", 4, &guids, &n, &err), ODO_EINPUT);
	assert_null(guids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guids_are_read_in_order),
		cmocka_unit_test(what_opensm_takes_is_taken),
		cmocka_unit_test(what_is_no_guid_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
