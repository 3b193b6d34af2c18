/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What comes from a subnet commands no terminal, be that one of UTF-8 or of ISO 8859. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/error.h"
#include "tests/unit.h"

/* Both ends of what has a meaning of its own, and the first of what follows. */
static const unsigned char bytes[] = {0x01, 0x1B, 0x1F, ' ',  '~',  0x7F, 0x80, 0x8F,
				      0x90, 0x9B, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xC3,
				      0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5};

/* Letters that turn text round or break it, and those beside them. */
static const wchar_t odd[] = {0x61B,  0x61C,  0x61D,  0x200D, 0x200E, 0x200F,
			      0x2010, 0x2027, 0x2028, 0x202A, 0x202E, 0x202F,
			      0x2065, 0x2066, 0x2069, 0x206A, 0xFE8E};

static bool turns_text(wchar_t c)
{
	return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069);
}
enum { LENGTH = 5, N = sizeof bytes };

/* As the C library reads UTF-8. */
static void expect(const char *text, char *out)
{
	strcpy(out, text);
	for (size_t n; *text; text += n, out += n) {
		mbstate_t fresh = {0};
		wchar_t c;
		n = mbrtowc(&c, text, strlen(text), &fresh);
		if (n > LENGTH || c > 0x10FFFF ||
		    (c >= 0xD800 && c < 0xE000)) { /* a byte of ISO 8859 */
			c = (unsigned char)*text;
			n = 1;
		}
		if (c < ' ' || (c >= 0x7F && c < 0xA0) || turns_text(c))
			memset(out, '?', n);
	}
}

static void every_text_of_odd_bytes_is_tamed(void **state)
{
	(void)state;
	uint32_t most = 1;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (unsigned i = 0; i < LENGTH; i++)
		most *= N;
	for (uint32_t x = 0; x < most; x++) {
		char text[LENGTH + 1] = {0}, tamed[LENGTH + 1], expected[LENGTH + 1];
		for (uint32_t i = 0, left = x; i < LENGTH; i++, left /= N)
			text[i] = (char)bytes[left % N];
		expect(text, expected);
		strcpy(tamed, text);
		int found = odo_tame(tamed);
		if (strcmp(tamed, expected) || found != (strcmp(tamed, text) != 0) ||
		    odo_tame(tamed))
			fail_msg("text %u: %s", x, expected);
	}
}

static void no_name_turns_the_text_round(void **state)
{
	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (size_t i = 0; TEST_ROW(i, odd, NULL); i++) {
		char text[16] = "a", tamed[16], expected[16];
		mbstate_t fresh = {0};
		size_t n = wcrtomb(text + 1, odd[i], &fresh);
		strcpy(text + 1 + n, "b");
		expect(text, expected);
		strcpy(tamed, text);
		assert_int_equal(odo_tame(tamed), turns_text(odd[i]));
		assert_string_equal(tamed, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_of_odd_bytes_is_tamed),
		cmocka_unit_test(no_name_turns_the_text_round),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
