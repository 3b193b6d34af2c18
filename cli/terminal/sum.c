/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/terminal/sum.h"

#include <stdbool.h>
#include <string.h>

#include "cli/terminal/answer.h"

/** Ways in which the members of several answers become one. */
typedef enum sum_way { SUM_NONE, SUM_ALIKE, SUM_ADD, SUM_MOST, SUM_LEAST } sum_way;

/** Members that are summed up. Verdicts need no row: they are all yes, no or "incomplete". */
static const struct {
	const char *key;
	sum_way way;
} ways[] = {
	{"topology", SUM_ALIKE},
	{"engine", SUM_ALIKE},
	{"switches", SUM_ADD},
	{"hosts", SUM_ADD},
	{"cables", SUM_ADD},
	{"routers", SUM_ADD},
	{"aggregation_nodes", SUM_ADD},
	{"other_adapters", SUM_ADD},
	{"contradictions", SUM_ADD},
	{"pairs", SUM_ADD},
	{"cut_pairs", SUM_ADD},
	{"pairs_without_sl", SUM_ADD},
	{"pairs_without_record", SUM_ADD},
	{"lost", SUM_ADD},
	{"vls", SUM_MOST},
	{"sls", SUM_MOST},
	{"longest_path", SUM_MOST},
	{"max_load", SUM_MOST},
	{"saturation_at_most", SUM_LEAST},
	{"sustained_load", SUM_LEAST},
};

/** Columns of the table of parts even if all parts have the same value. */
static const char *const always_shown[] = {"part",     "fabric",   "first_switch", "adapters",
					   "topology", "switches", "hosts",        "contradictions",
					   "safe",     "scope"};

static sum_way sum_way_of(const char *key)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(ways[i].key, key))
			return ways[i].way;
	return SUM_NONE;
}

static bool is_incomplete(const json_t *value)
{
	return json_is_string(value) && !strcmp(json_string_value(value), "incomplete");
}

/** Return the severity of a verdict: yes, unknown, no; below 0 for any other value. */
static int severity_of(const json_t *value)
{
	if (json_is_true(value))
		return 0;
	if (json_is_null(value) || is_incomplete(value))
		return 1;
	return json_is_false(value) ? 2 : -1;
}

/** Put the worst verdict of the rows into their sum, if the member is a verdict. A part that failed
 * has none, so that the whole is not known to be good. */
static void put_verdict(json_t **sum, const json_t *rows, const char *key)
{
	json_t *worst = NULL, *row;
	size_t i;
	bool lacking = false;
	json_array_foreach(rows, i, row)
	{
		json_t *value = json_object_get(row, key);
		int severity = value ? severity_of(value) : 1;
		if (severity < 0)
			return;
		lacking |= !value && json_object_get(row, "error");
		if (value && (!worst || severity > severity_of(worst)))
			worst = value;
	}
	if (lacking && json_is_true(worst))
		cli_put_text(sum, key, "incomplete");
	else if (worst && !json_is_null(worst))
		cli_put(sum, key, json_incref(worst));
}

/** Return the value that all rows have; NULL if they differ.
 * @param failed rows of parts that failed count, too */
static json_t *alike_value(const json_t *rows, const char *key, bool failed)
{
	json_t *same = NULL, *row;
	size_t i;
	json_array_foreach(rows, i, row)
	{
		json_t *value = json_object_get(row, key);
		if (!failed && json_object_get(row, "error"))
			continue;
		if (!value || (same && !json_equal(same, value)))
			return NULL;
		same = value;
	}
	return json_incref(same);
}

static double combine_numbers(sum_way way, double a, double b)
{
	if (way == SUM_ADD)
		return a + b;
	return (way == SUM_MOST) == (a > b) ? a : b;
}

/** Put the sum of a number into the sum of rows, if no row has another value. */
static void put_sum(json_t **to, const json_t *rows, const char *key, sum_way way)
{
	double sum = 0;
	bool whole = true, first = true;
	size_t i;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		json_t *value = json_object_get(row, key);
		if (!value)
			continue;
		if (!json_is_number(value))
			return;
		double x = json_number_value(value);
		whole &= json_is_integer(value);
		sum = first ? x : combine_numbers(way, sum, x);
		first = false;
	}
	cli_put(to, key, whole ? json_integer((json_int_t)sum) : json_real(sum));
}

/** List the keys of all rows, in the order in which they first appear. */
static json_t *list_keys(const json_t *rows)
{
	json_t *keys = json_object(), *row, *value;
	size_t i;
	const char *key;
	json_array_foreach(rows, i, row)
	{
		json_object_foreach(row, key, value)
		{
			cli_put(&keys, key, json_null());
		}
	}
	return keys;
}

json_t *cli_sum_rows(json_t *rows)
{
	json_t *sum = json_object(), *keys = list_keys(rows), *ignored;
	const char *key;
	json_object_foreach(keys, key, ignored)
	{
		sum_way way = sum_way_of(key);
		json_t *alike = way == SUM_ALIKE ? alike_value(rows, key, true) : NULL;
		if (alike)
			cli_put(&sum, key, alike);
		else if (way == SUM_NONE)
			put_verdict(&sum, rows, key);
		else if (way != SUM_ALIKE)
			put_sum(&sum, rows, key, way);
	}
	if (!keys)
		cli_put(&sum, "parts", NULL);
	json_decref(keys);
	cli_put_text(&sum, "treated", "each part by itself; no cable connects it with the others");
	cli_put(&sum, "parts", json_incref(rows));
	return sum;
}

/* The form for text. */

static bool is_list(const json_t *value)
{
	return json_is_object(value) ||
	       (json_is_array(value) && json_is_object(json_array_get(value, 0)));
}

/** Return true if a member of some row is a list with rows of its own, or an object. */
static bool is_list_anywhere(const json_t *rows, const char *key)
{
	size_t i;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		if (is_list(json_object_get(row, key)))
			return true;
	}
	return false;
}

static bool is_always_shown(const char *key)
{
	for (size_t i = 0; i < sizeof always_shown / sizeof *always_shown; i++)
		if (!strcmp(always_shown[i], key))
			return true;
	return false;
}

static bool differs(const json_t *rows, const char *key)
{
	json_t *value = alike_value(rows, key, false);
	json_decref(value);
	return !value;
}

/** Append rows, or an object as a row, with the number of the part before. */
static void append_rows(json_t **all, const json_t *part, json_t *value)
{
	size_t i;
	json_t *row;
	if (json_is_object(value)) {
		json_t *one = json_pack("{sO}", "part", part);
		cli_put_all(&one, json_incref(value));
		cli_append(all, one);
	}
	json_array_foreach(value, i, row)
	{
		append_rows(all, part, row);
	}
}

static json_t *gather_lists(const json_t *rows, const char *key)
{
	json_t *all = json_array(), *row;
	size_t i;
	json_array_foreach(rows, i, row)
	{
		append_rows(&all, json_object_get(row, "part"), json_object_get(row, key));
	}
	return all;
}

/** Return the table of parts: members of the rows that are no lists, and differ. */
static json_t *list_part_rows(const json_t *rows, const json_t *keys)
{
	json_t *table = json_array(), *row, *ignored;
	size_t i;
	const char *key;
	json_array_foreach(rows, i, row)
	{
		json_t *line = json_object();
		json_object_foreach((json_t *)keys, key, ignored)
		{
			json_t *value = json_object_get(row, key);
			if (value && !is_list_anywhere(rows, key) &&
			    (is_always_shown(key) || differs(rows, key)))
				cli_put(&line, key, json_incref(value));
		}
		cli_append(&table, line);
	}
	return table;
}

json_t *cli_sum_text(json_t *answer)
{
	json_t *rows = json_object_get(answer, "parts"), *ignored, *value;
	const char *key;
	if (!json_is_array(rows) || !json_object_get(json_array_get(rows, 0), "part"))
		return json_incref(answer);
	json_t *keys = list_keys(rows), *text = json_object();
	json_object_foreach(answer, key, value)
	{
		if (value != rows)
			cli_put(&text, key, json_incref(value));
	}
	json_object_foreach(keys, key, ignored)
	{
		if (!json_object_get(text, key) && !is_always_shown(key) && !differs(rows, key) &&
		    !is_list_anywhere(rows, key))
			cli_put(&text, key, alike_value(rows, key, false));
	}
	cli_put(&text, "parts", keys ? list_part_rows(rows, keys) : NULL);
	json_object_foreach(keys, key, ignored)
	{
		if (is_list_anywhere(rows, key) && !json_object_get(text, key))
			cli_put(&text, key, gather_lists(rows, key));
	}
	json_decref(keys);
	return text;
}
