/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

bool odo_text_equal(odo_text a, odo_text b)
{
	return a.n == b.n && !memcmp(a.at, b.at, a.n);
}

bool odo_next_line(odo_scan *s)
{
	if (s->rest == s->limit)
		return false;
	const char *end = memchr(s->rest, '\n', (size_t)(s->limit - s->rest));
	s->at = s->rest;
	s->end = end ? end : s->limit;
	s->rest = end ? end + 1 : s->limit;
	s->line++;
	while (s->end > s->at && s->end[-1] == '\r')
		s->end--;
	return true;
}

bool odo_at_end(const odo_scan *s)
{
	return s->at == s->end;
}

char odo_peek(const odo_scan *s)
{
	return s->at == s->end ? '\0' : *s->at;
}

void odo_skip_blanks(odo_scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
		s->at++;
}

bool odo_skip_to(odo_scan *s, const char *mark)
{
	size_t n = strlen(mark);
	const char *found = memmem(s->at, (size_t)(s->end - s->at), mark, n);
	if (!found)
		return false;
	s->at = found + n;
	return true;
}

bool odo_take(odo_scan *s, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n))
		return false;
	s->at += n;
	return true;
}

bool odo_take_number(odo_scan *s, unsigned radix, uint64_t *number)
{
	return odo_take_digits(&s->at, s->end, radix, number);
}

void odo_take_word(odo_scan *s, odo_text *word)
{
	word->at = s->at;
	while (s->at < s->end && *s->at != ' ' && *s->at != '\t')
		s->at++;
	word->n = (size_t)(s->at - word->at);
}

static bool take_quoted(odo_scan *s, odo_text *inner, bool last)
{
	if (odo_peek(s) != '"')
		return false;
	const char *from = s->at + 1;
	size_t n = (size_t)(s->end - from);
	const char *close = last ? memrchr(from, '"', n) : memchr(from, '"', n);
	if (!close)
		return false;
	*inner = (odo_text){from, (size_t)(close - from)};
	s->at = close + 1;
	return true;
}

bool odo_take_quoted(odo_scan *s, odo_text *inner)
{
	return take_quoted(s, inner, false);
}

bool odo_take_quoted_all(odo_scan *s, odo_text *inner)
{
	return take_quoted(s, inner, true);
}

int odo_scan_fail(const odo_scan *s, const char *format, ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return odo_fail(s->err, ODO_EINPUT, "%.80s:%u: %s", s->origin, s->line, text);
}

int(odo_scan_expected)(const odo_scan *s, const char *what)
{
	char found[41];
	size_t n = 0;
	for (; n < sizeof found - 1 && s->at + n < s->end; n++)
		found[n] = isprint((unsigned char)s->at[n]) ? s->at[n] : ' ';
	found[n] = '\0';
	if (!n)
		return odo_scan_fail(s, "expected %s, found the end of the line", what);
	return odo_scan_fail(s, "expected %s, found \"%s\"", what, found);
}

int odo_scan_add_node(const odo_scan *s, odo_builder *b, odo_node_info *info, odo_text name,
		      uint32_t *id)
{
	char *copy = strndup(name.at, name.n);
	if (!copy)
		return odo_scan_no_memory(s);
	info->name = copy;
	int status = odo_builder_add(b, info, id, s->err);
	free(copy);
	return status ? odo_scan_within(s) : 0;
}

int odo_scan_no_memory(const odo_scan *s)
{
	return odo_fail(s->err, ODO_ENOMEM, "%s: no memory at line %u", s->origin, s->line);
}

int odo_scan_within(const odo_scan *s)
{
	return odo_fail_within(s->err, "%.80s:%u", s->origin, s->line);
}
