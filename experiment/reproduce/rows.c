/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/rows.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "experiment/point.h"
#include "fabric/format/slurp.h"

/** A column, and the values that a selected row may have there. */
typedef struct condition {
	char column[40];
	uint64_t low, high;
} condition;

/** Take the next condition of "switch=0,port=13..15"; move behind it. */
static bool take_condition(const char **at, condition *out)
{
	size_t n = strcspn(*at, "=");
	if (!n || n >= sizeof out->column || (*at)[n] != '=')
		return false;
	memcpy(out->column, *at, n);
	out->column[n] = '\0';
	*at += n + 1;
	if (!odo_take_digits(at, NULL, 10, &out->low))
		return false;
	out->high = out->low;
	if (!strncmp(*at, "..", 2)) {
		*at += 2;
		if (!odo_take_digits(at, NULL, 10, &out->high) || out->high < out->low)
			return false;
	}
	return !**at || (**at == ',' && *++*at);
}

bool odo_rows_are_named(const char *rows)
{
	condition unused;
	while (take_condition(&rows, &unused))
		if (!*rows)
			return true;
	return false;
}

/** Read a figure of a line. @param head the line of columns */
static bool read_row_field(const char *head, const char *line, const char *column, double *out)
{
	unsigned n = odo_point_column_in(head, column);
	const char *at = n ? odo_point_field(line, n - 1) : NULL;
	return at && odo_take_real(&at, 0, DBL_MAX, out);
}

static bool is_selected_row(const char *head, const char *line, const char *rows)
{
	condition one;
	double value;
	while (rows && *rows && take_condition(&rows, &one))
		if (!read_row_field(head, line, one.column, &value) || value < (double)one.low ||
		    value > (double)one.high)
			return false;
	return true;
}

static int check_row_columns(const char *path, const char *head, const char *column,
			     const char *rows, odo_error *err)
{
	condition one;
	while (odo_point_column_in(head, column)) {
		if (!rows || !*rows || !take_condition(&rows, &one))
			return 0;
		column = one.column;
	}
	return odo_fail(err, ODO_EINPUT, "%s: expected a column \"%.40s\", found none", path,
			column);
}

int odo_rows_take(const odo_claim *c, const odo_pick *pick, const odo_result *r, uint32_t point,
		  double *out, bool *there, odo_error *err)
{
	char path[1300], *text, *head;
	size_t size, n = 0;
	double value;
	snprintf(path, sizeof path, "%.*s.%u.%.40s.csv", (int)r->stem, r->path, point, c->detail);
	*out = 0;
	*there = false;
	if (access(path, F_OK))
		return 0;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	for (head = text; *head == '#';) {
		head += strcspn(head, "\n");
		head += *head == '\n';
	}
	status = check_row_columns(path, head, c->figure, pick->rows, err);
	for (char *at = strchr(head, '\n'); !status && at && at[1]; at = strchr(at + 1, '\n'))
		if (is_selected_row(head, at + 1, pick->rows) &&
		    read_row_field(head, at + 1, c->figure, &value)) {
			*out += value;
			n++;
		}
	free(text);
	*there = !status && (n || c->taken == ODO_TAKE_SUM); /* without rows the sum is 0 */
	if (n && c->taken == ODO_TAKE_MEAN)
		*out /= (double)n;
	return status;
}
