/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/lines.h"

odo_scan odo_lines_make(const char *text, size_t size, const char *origin)
{
	return (odo_scan){
		.origin = origin, .at = text, .end = text, .rest = text, .limit = text + size};
}

bool odo_lines_next(odo_scan *s)
{
	while (odo_next_line(s))
		if (!odo_lines_at_end(s) && *s->at != '#')
			return true;
	return false;
}

bool odo_lines_at_end(odo_scan *s)
{
	odo_skip_blanks(s);
	return odo_at_end(s);
}

bool odo_lines_skip(odo_scan *s, const char *literal)
{
	odo_scan look = *s;
	odo_skip_blanks(&look);
	if (!odo_take(&look, literal))
		return false;
	*s = look;
	return true;
}

bool odo_lines_number(odo_scan *s, unsigned radix, uint64_t max, uint64_t *number)
{
	odo_scan look = *s;
	uint64_t n;
	odo_skip_blanks(&look);
	if (!odo_take_number(&look, radix, &n) || n > max)
		return false;
	*s = look;
	*number = n;
	return true;
}

int odo_lines_expected(const odo_scan *s, const char *what, odo_error *err)
{
	char found[48];
	odo_scan look = *s;
	odo_skip_blanks(&look);
	const char *at = look.at;
	size_t n = 0;
	for (; at < s->end && n < sizeof found - 1; at++)
		found[n++] = *at < ' ' || *at > '~' ? '?' : *at;
	found[n] = 0;
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, found %s%s%s%s", s->origin, s->line,
			what, n ? "\"" : "the end of the line", found, n ? "\"" : "",
			at < s->end ? "..." : "");
}
