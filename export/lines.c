/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/lines.h"

#include <stdio.h>
#include <string.h>

odo_lines odo_lines_make(const char *text, size_t size, const char *origin)
{
	return (odo_lines){
		.origin = origin, .at = text, .end = text, .next = text, .text_end = text + size};
}

bool odo_lines_next(odo_lines *s)
{
	if (s->next == s->text_end)
		return false;
	size_t left = (size_t)(s->text_end - s->next);
	const char *newline = memchr(s->next, '\n', left);
	s->at = s->next;
	s->end = newline ? newline : s->text_end;
	s->next = newline ? newline + 1 : s->text_end;
	if (s->end > s->at && s->end[-1] == '\r')
		s->end--;
	s->line++;
	return true;
}

static const char *past_blanks(const odo_lines *s)
{
	const char *at = s->at;
	while (at < s->end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

bool odo_lines_at_end(odo_lines *s)
{
	s->at = past_blanks(s);
	return s->at == s->end;
}

bool odo_lines_skip(odo_lines *s, const char *literal)
{
	const char *at = past_blanks(s);
	size_t length = strlen(literal);
	if ((size_t)(s->end - at) < length || memcmp(at, literal, length) != 0)
		return false;
	s->at = at + length;
	return true;
}

bool odo_lines_past(odo_lines *s, const char *literal)
{
	size_t length = strlen(literal);
	const char *found = memmem(s->at, (size_t)(s->end - s->at), literal, length);
	if (found)
		s->at = found + length;
	return found != NULL;
}

static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 255;
}

bool odo_lines_number(odo_lines *s, unsigned base, uint64_t max, uint64_t *number)
{
	const char *at = past_blanks(s), *first = at;
	uint64_t n = 0;
	for (; at < s->end && digit(*at) < base; at++) {
		if (digit(*at) > max || n > (max - digit(*at)) / base)
			return false;
		n = n * base + digit(*at);
	}
	if (at == first)
		return false;
	s->at = at;
	*number = n;
	return true;
}

int odo_lines_expected(const odo_lines *s, const char *what, odo_error *err)
{
	char found[48];
	const char *at = past_blanks(s);
	size_t n = 0;
	for (; at < s->end && n < sizeof found - 1; at++)
		found[n++] = *at < ' ' || *at > '~' ? '?' : *at;
	found[n] = 0;
	return odo_fail(err, ODO_EINPUT, "%s:%lu: expected %s, found %s%s%s%s", s->origin, s->line,
			what, n ? "\"" : "the end of the line", found, n ? "\"" : "",
			at < s->end ? "..." : "");
}
