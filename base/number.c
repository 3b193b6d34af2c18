/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/number.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/** Return the value of a digit, or at least 16 if it is none. */
static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

bool odo_take_digits(const char **at, const char *end, unsigned radix, uint64_t *number)
{
	const char *look = *at;
	uint64_t n = 0;
	if (!radix) {
		bool prefix = look != end && look[0] == '0' && look + 1 != end && look[1] == 'x';
		look += prefix ? 2 : 0;
		radix = prefix ? 16 : 10;
	}
	const char *first = look;
	for (; look != end && digit(*look) < radix; look++) {
		if (n > (UINT64_MAX - digit(*look)) / radix)
			return false;
		n = n * radix + digit(*look);
	}
	if (look == first)
		return false;
	*at = look;
	*number = n;
	return true;
}

bool odo_take_real(const char **at, double min, double max, double *number)
{
	char *end;
	if (digit(**at) > 9 && **at != '.')
		return false;
	/* A program that uses the library may have a locale with a decimal comma. */
	locale_t plain = newlocale(LC_ALL_MASK, "C", NULL);
	if (!plain)
		return false;
	double n = strtod_l(*at, &end, plain);
	freelocale(plain);
	if (end == *at || !(n >= min && n <= max))
		return false;
	*at = end;
	*number = n;
	return true;
}

bool odo_take_bytes(const char **at, const char *end, uint64_t *bytes)
{
	static const char *const unit[] = {"KiB", "MiB", "GiB"};
	const char *look = *at;
	uint64_t number;
	unsigned bits = 0;
	if (!odo_take_digits(&look, end, 10, &number))
		return false;
	for (unsigned i = 0; i < 3 && !bits; i++)
		if ((!end || end - look >= 3) && !strncmp(look, unit[i], 3))
			bits = 10 * (i + 1);
	if (number > UINT64_MAX >> bits)
		return false;
	*at = look + (bits ? 3 : 0);
	*bytes = number << bits;
	return true;
}

bool odo_take_time(const char **at, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	const char *look = *at;
	double number;
	if (!odo_take_real(&look, 0, 1e12, &number))
		return false;
	for (unsigned i = 0; i < sizeof unit / sizeof *unit; i++) {
		size_t n = strlen(unit[i].name);
		if (strncmp(look, unit[i].name, n) || number * unit[i].ns > 1e12)
			continue;
		*at = look + n;
		*ns = number * unit[i].ns;
		return true;
	}
	return false;
}

bool odo_take_percent(const char **at, double *share)
{
	double percent;
	if (!odo_take_real(at, 0, 100, &percent))
		return false;
	*at += **at == '%';
	*share = percent / 100;
	return true;
}

int odo_read_number(const char *text, unsigned radix, uint64_t min, uint64_t max, uint64_t *number,
		    odo_error *err)
{
	uint64_t n;
	const char *at = text;
	if (odo_take_digits(&at, NULL, radix, &n) && !*at && n >= min && n <= max) {
		*number = n;
		return 0;
	}
	if (!min && max == UINT64_MAX)
		return odo_fail(err, ODO_EINPUT, "expected a whole number, found \"%.60s\"", text);
	return odo_fail(err, ODO_EINPUT,
			"expected a whole number from %" PRIu64 " to %" PRIu64 ", found \"%.60s\"",
			min, max, text);
}

int odo_read_number32(const char *text, uint32_t min, uint32_t max, uint32_t *number,
		      odo_error *err)
{
	uint64_t wide = min;
	int status = odo_read_number(text, 10, min, max, &wide, err);
	if (!status)
		*number = (uint32_t)wide;
	return status;
}

int odo_read_real(const char *text, double min, double max, double *number, odo_error *err)
{
	double n;
	const char *at = text;
	if (!odo_take_real(&at, min, max, &n) || *at)
		return odo_fail(err, ODO_EINPUT, "expected a number from %g to %g, found \"%.60s\"",
				min, max, text);
	*number = n;
	return 0;
}
