/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

size_t odo_spec_name(const char *spec)
{
	return strcspn(spec, ":");
}

/* Read "2x" where it stands before a word. @return what follows; NULL for a factor out of range
 * @param n of the text; out: of what follows */
static const char *take_factor(const odo_option *row, const char *text, size_t *n, odo_value *value)
{
	const char *at = text;
	uint64_t factor;
	if (!odo_take_digits(&at, text + *n, 10, &factor))
		return text;
	if (factor < row->min || factor > row->max || at == text + *n || *at != 'x')
		return NULL;
	value->number[1] = (uint32_t)factor;
	*n -= (size_t)(++at - text);
	return at;
}

static int parse_word(const char *spec, const odo_option *row, const char *text, size_t length,
		      odo_value *value, odo_error *err)
{
	bool times = row->type == ODO_OPTION_TIMES;
	const char *word = text;
	size_t n = length;
	if (times)
		word = take_factor(row, text, &n, value);
	value->n = times && word > text ? 2 : 1;
	for (uint32_t i = 0; word && row->words[i]; i++)
		if (strlen(row->words[i]) == n &&
		    !(times ? strncasecmp : strncmp)(row->words[i], word, n)) {
			value->number[0] = i;
			return 0;
		}
	char all[160] = "";
	for (uint32_t i = 0; row->words[i]; i++) {
		strncat(all, i ? ", " : "", sizeof all - strlen(all) - 1);
		strncat(all, row->words[i], sizeof all - strlen(all) - 1);
	}
	return odo_fail(err, ODO_EINPUT, "%.100s: expected %s=one of %s%s, found \"%.*s\"", spec,
			row->name, all, times ? ", perhaps with lanes, as 2xhdr" : "",
			(int)(length < 40 ? length : 40), text);
}

/* "10us", where the row takes a time. */
static bool take_time(const odo_option *row, const char *text, size_t length, odo_value *value)
{
	const char *at = text;
	double ns;
	if (row->type != ODO_OPTION_CYCLES || !odo_take_time(&at, &ns) || at != text + length ||
	    ns > UINT32_MAX)
		return false;
	*value = (odo_value){.n = 2, .number = {(uint32_t)round(ns), 1}};
	return true;
}

static int parse_numbers(const char *spec, const odo_option *row, const char *text, size_t length,
			 odo_value *value, odo_error *err)
{
	unsigned room = row->type == ODO_OPTION_LIST ? ODO_MAX_NUMBERS : 1;
	const char *at = text;
	if (take_time(row, text, length, value))
		return 0;
	for (value->n = 0; value->n < room; at++) {
		uint64_t number;
		bool taken = row->type == ODO_OPTION_BYTES
				     ? odo_take_bytes(&at, text + length, &number)
				     : odo_take_digits(&at, text + length, 10, &number);
		if (!taken)
			break;
		if (number < row->min || number > row->max)
			return odo_fail(err, ODO_EINPUT,
					"%.100s: expected %s from %u to %u, found %" PRIu64, spec,
					row->name, row->min, row->max, number);
		value->number[value->n++] = (uint32_t)number;
		if (at == text + length)
			return 0;
		if (*at != 'x')
			break;
	}
	int shown = length < 40 ? (int)length : 40;
	if (row->type == ODO_OPTION_LIST)
		return odo_fail(err, ODO_EINPUT,
				"%.100s: expected %s=up to 16 numbers such as 4x4x8, found "
				"\"%.*s\"",
				spec, row->name, shown, text);
	return odo_fail(err, ODO_EINPUT,
			"%.100s: expected %s=a number%s from %u to %u, found \"%.*s\"", spec,
			row->name,
			row->type == ODO_OPTION_BYTES    ? ", as 4096 or 4KiB,"
			: row->type == ODO_OPTION_CYCLES ? ", or a time as 10us, up to 4.29s,"
							 : "",
			row->min, row->max, shown, text);
}

static int parse_value(const char *spec, const odo_option *row, const char *text, size_t length,
		       odo_value *value, odo_error *err)
{
	bool word = row->type == ODO_OPTION_WORD || row->type == ODO_OPTION_TIMES;
	return word ? parse_word(spec, row, text, length, value, err)
		    : parse_numbers(spec, row, text, length, value, err);
}

static int unknown_option(const char *spec, const odo_option *rows, const char *at, size_t length,
			  odo_error *err)
{
	char all[200] = "";
	for (unsigned i = 0; rows[i].name; i++) {
		strncat(all, i ? ", " : "", sizeof all - strlen(all) - 1);
		strncat(all, rows[i].name, sizeof all - strlen(all) - 1);
	}
	return odo_fail(err, ODO_EINPUT, "%.100s: expected %s%s, found \"%.*s\"", spec,
			*all ? "option=value with an option of " : "no options", all,
			(int)(length < 40 ? length : 40), at);
}

bool odo_option_is(const odo_option *row, const char *text, size_t length)
{
	size_t name = strlen(row->name);
	return name < length && text[name] == '=' && !memcmp(row->name, text, name);
}

int odo_option_read(const char *where, const odo_option *row, const char *text, size_t length,
		    odo_value *value, odo_error *err)
{
	size_t name = strlen(row->name) + 1;
	return parse_value(where, row, text + name, length - name, value, err);
}

int odo_spec_parse(const char *spec, const odo_option *rows, odo_value *value, odo_error *err)
{
	bool given[ODO_MAX_OPTIONS] = {false};
	const char *at = spec + odo_spec_name(spec);
	while (*at) {
		at++; /* past the colon or comma */
		size_t length = strcspn(at, ",");
		unsigned i = 0;
		while (rows[i].name && !odo_option_is(&rows[i], at, length))
			i++;
		if (!rows[i].name)
			return unknown_option(spec, rows, at, length, err);
		if (given[i])
			return odo_fail(err, ODO_EINPUT, "%.100s: expected %s once, found twice",
					spec, rows[i].name);
		given[i] = true;
		int status = odo_option_read(spec, &rows[i], at, length, &value[i], err);
		if (status)
			return status;
		at += length;
	}
	for (unsigned i = 0; rows[i].name; i++) {
		const char *text = rows[i].fallback;
		if (given[i])
			continue;
		if (!text)
			return odo_fail(err, ODO_EINPUT, "%.100s: expected %s=..., found none",
					spec, rows[i].name);
		int status = parse_value(spec, &rows[i], text, strlen(text), &value[i], err);
		if (status)
			return status;
	}
	return 0;
}

static void write_numbers(const odo_option *row, const odo_value *value, FILE *to)
{
	bool time = row->type == ODO_OPTION_CYCLES && value->n > 1;
	for (unsigned n = 0; n < (time ? 1 : value->n); n++)
		fprintf(to, "%s%u%s", n ? "x" : "", value->number[n], time ? "ns" : "");
}

void odo_spec_write(const char *name, const odo_option *rows, const odo_value *value, FILE *to)
{
	fputs(name, to);
	for (unsigned i = 0; rows[i].name; i++) {
		fprintf(to, "%c%s=", i ? ',' : ':', rows[i].name);
		if (rows[i].type == ODO_OPTION_TIMES && value[i].n > 1)
			fprintf(to, "%ux", value[i].number[1]);
		if (rows[i].words)
			fputs(rows[i].words[value[i].number[0]], to);
		else
			write_numbers(&rows[i], &value[i], to);
	}
}
