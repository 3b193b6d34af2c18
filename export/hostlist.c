/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/hostlist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

/* Maximum number of digits at the end of a name that count as its number; nine fit into 32 bits. */
enum { MOST_DIGITS = 9 };

int odo_names_add(odo_names *names, const char *text, size_t length, odo_error *err)
{
	char *copy = odo_new(length + 1, 1);
	if (!copy || odo_grow(&names->name, &names->room, names->n + 1, sizeof *names->name)) {
		free(copy);
		return odo_fail(err, ODO_ENOMEM, "no memory for a list of names");
	}
	memcpy(copy, text, length);
	names->name[names->n++] = copy;
	return 0;
}

void odo_names_clear(odo_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	*names = (odo_names){0};
}

/* A name, split into text and the number at its end. */
typedef struct numbered {
	size_t prefix;
	unsigned width; /* digits */
	uint64_t number;
} numbered;

static numbered split_name(const char *name)
{
	size_t n = strlen(name), digits = 0;
	while (digits < n && digits < MOST_DIGITS && name[n - 1 - digits] >= '0' &&
	       name[n - 1 - digits] <= '9')
		digits++;
	numbered x = {.prefix = n - digits, .width = (unsigned)digits};
	const char *at = name + x.prefix;
	odo_take_digits(&at, NULL, 10, &x.number);
	return x;
}

int odo_name_compare(const char *x, const char *y)
{
	numbered a = split_name(x), b = split_name(y);
	size_t least = a.prefix < b.prefix ? a.prefix : b.prefix;
	int order = memcmp(x, y, least);
	if (order || a.prefix != b.prefix)
		return order ? order : a.prefix < b.prefix ? -1 : 1;
	if (a.number != b.number)
		return a.number < b.number ? -1 : 1;
	return (a.width > b.width) - (a.width < b.width);
}

static int by_list_name(const void *x, const void *y)
{
	return odo_name_compare(*(const char *const *)x, *(const char *const *)y);
}

void odo_names_sort(odo_names *names)
{
	size_t kept = 0;
	if (names->n)
		qsort(names->name, names->n, sizeof *names->name, by_list_name);
	for (size_t i = 0; i < names->n; i++) {
		if (kept && !strcmp(names->name[kept - 1], names->name[i]))
			free(names->name[i]);
		else
			names->name[kept++] = names->name[i];
	}
	names->n = kept;
}

bool odo_names_has(const odo_names *names, const char *name)
{
	return names->n && bsearch(&name, names->name, names->n, sizeof *names->name, by_list_name);
}

/* Reading. */

typedef struct reader {
	const char *text, *end, *what;
	odo_names *to;
	odo_error *err;
	char name[256];
} reader;

static int fail_list(const reader *r)
{
	return odo_fail(r->err, ODO_EINPUT,
			"%s: expected a host list such as n[01-16],login1, found \"%.*s\"", r->what,
			(int)(r->end - r->text > 60 ? 60 : r->end - r->text), r->text);
}

static int append_text(reader *r, size_t *n, const char *from, size_t length)
{
	if (*n + length >= sizeof r->name)
		return fail_list(r);
	memcpy(r->name + *n, from, length);
	*n += length;
	return 0;
}

static int read_list_name(reader *r, size_t n, const char *at, const char *end);

/* Read a range such as "001-064". Append each number and the rest behind the bracket to the name.
 */
static int read_number_range(reader *r, size_t n, const char **at, const char *behind,
			     const char *end)
{
	uint64_t first, last;
	const char *digits = *at;
	if (!odo_take_digits(at, behind, 10, &first))
		return fail_list(r);
	int width = (int)(*at - digits), status = 0;
	last = first;
	if (**at == '-' && (++*at, !odo_take_digits(at, behind, 10, &last)))
		return fail_list(r);
	if (last < first || last - first >= ODO_NAMES_LIMIT || width > MOST_DIGITS)
		return fail_list(r);
	for (uint64_t i = first; i <= last && !status; i++) {
		char number[24];
		size_t length = (size_t)snprintf(number, sizeof number, "%0*" PRIu64, width, i);
		size_t used = n;
		status = append_text(r, &used, number, length);
		if (!status)
			status = read_list_name(r, used, behind + 1, end);
	}
	return status;
}

/* Read the rest of a name up to `end`, after the first n bytes. */
static int read_list_name(reader *r, size_t n, const char *at, const char *end)
{
	const char *bracket = memchr(at, '[', (size_t)(end - at));
	const char *plain = bracket ? bracket : end;
	int status = append_text(r, &n, at, (size_t)(plain - at));
	if (status)
		return status;
	if (!bracket) {
		if (!n || r->to->n == ODO_NAMES_LIMIT)
			return fail_list(r);
		return odo_names_add(r->to, r->name, n, r->err);
	}
	const char *behind = memchr(bracket, ']', (size_t)(end - bracket));
	if (!behind)
		return fail_list(r);
	for (at = bracket + 1;; at++) {
		status = read_number_range(r, n, &at, behind, end);
		if (status || at == behind)
			return status;
		if (*at != ',')
			return fail_list(r);
	}
}

/* Find the end of the name at `at`: a comma outside of brackets. */
static const char *end_of_name(const char *at, const char *end)
{
	for (bool inside = false; at < end && (inside || *at != ','); at++)
		inside = *at == '[' || (inside && *at != ']');
	return at;
}

int odo_hostlist_read(const char *text, size_t size, const char *what, odo_names *to,
		      odo_error *err)
{
	reader r = {.text = text, .end = text + size, .what = what, .to = to, .err = err};
	int status = 0;
	for (const char *at = text, *behind; !status; at = behind + 1) {
		behind = end_of_name(at, r.end);
		status = read_list_name(&r, 0, at, behind);
		if (behind == r.end)
			break;
	}
	return status;
}

/* Writing. */

static bool is_next_name(const char *last, const char *next)
{
	numbered a = split_name(last), b = split_name(next);
	return a.width && a.width == b.width && a.prefix == b.prefix && b.number == a.number + 1 &&
	       !memcmp(last, next, a.prefix);
}

void odo_hostlist_write(const char *const *name, size_t n, size_t most, FILE *to)
{
	size_t ranges = 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && is_next_name(name[end - 1], name[end]);)
			end++;
		if (most && ranges++ == most) {
			fprintf(to, " and %zu more", n - i);
			return;
		}
		numbered first = split_name(name[i]), last = split_name(name[end - 1]);
		if (i)
			putc(',', to);
		if (end == i + 1)
			fputs(name[i], to);
		else
			fprintf(to, "%.*s[%0*" PRIu64 "-%0*" PRIu64 "]", (int)first.prefix, name[i],
				(int)first.width, first.number, (int)last.width, last.number);
	}
}
