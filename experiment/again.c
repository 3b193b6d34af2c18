/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Run a point again and compare it with its line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/traffic/pattern.h"
#include "experiment/point.h"
#include "experiment/result.h"
#include "experiment/sweep/sweep.h"
#include "experiment/world.h"
#include "saturation/bound.h"

int odo_result_arrange(const char *line, const char *from, const char *to, char *out, size_t size)
{
	size_t used = 0;
	for (const char *at = to; *at && *at != '\n';) {
		char name[64];
		size_t n = strcspn(at, ",\n");
		snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), at);
		unsigned column = odo_point_column_in(from, name);
		/* The point's number is not in the line, so columns count from one less. */
		const char *field = column ? odo_point_field(line, column - 1) : "";
		const char *end = column ? odo_point_field(field, 2) : field;
		size_t length = (size_t)(end - field) - (end > field && end[-1] == ',');
		if (used + length + 2 > size)
			return ODO_EINPUT;
		if (at > to)
			out[used++] = ',';
		memcpy(out + used, field, length);
		used += length;
		at += n + (at[n] == ',');
	}
	out[used] = '\0';
	return 0;
}

/** Count the letters of a field that begins at `at`. */
static int field_length(const char *at)
{
	int n = (int)(odo_point_field(at, 2) - at);
	return n - (n && at[n - 1] == ',');
}

bool odo_column_is_aside(const char *name, size_t n)
{
	static const char ending[] = "_error", windows[] = "runs";
	size_t ends = sizeof ending - 1;
	bool error = n > ends && !strncmp(name + n - ends, ending, ends);
	return error || (n == strlen(windows) && !strncmp(name, windows, n));
}

/** Compare the fields of two lines with the same columns. A figure that differs is reported before
 * a column aside that differs. @param differs as for odo_result_again() */
static void compare_fields(const char *columns, const char *was, const char *is, char *differs,
			   size_t size)
{
	unsigned n = 1;
	*differs = '\0';
	for (const char *at = columns; *at; n++) {
		const char *a = odo_point_field(was, n), *b = odo_point_field(is, n);
		int in_a = field_length(a), in_b = field_length(b);
		size_t name = strcspn(at, ",");
		bool aside = odo_column_is_aside(at, name);
		if ((in_a != in_b || strncmp(a, b, (size_t)in_a)) && !(aside && *differs)) {
			snprintf(differs, size, "%.*s was %.*s, is %.*s", (int)name, at, in_a, a,
				 in_b, b);
			if (!aside)
				return;
		}
		at += name + (at[name] == ',');
	}
}

/** List the columns that both the file and today's lines have. @param out [size] */
static int common_columns(const odo_result *r, char *out, size_t size)
{
	size_t used = 0;
	*out = '\0';
	for (const char *at = r->columns; *at;) {
		char name[64];
		size_t n = strcspn(at, ",");
		snprintf(name, sizeof name, "%.*s", (int)(n < 63 ? n : 63), at);
		if (odo_point_column_in(odo_point_columns(&r->x), name))
			used += (size_t)snprintf(out + used, used < size ? size - used : 0, "%s%s",
						 used ? "," : "", name);
		if (used >= size)
			return ODO_EINPUT;
		at += n + (at[n] == ',');
	}
	return 0;
}

int odo_result_again(const odo_result *r, uint32_t point, char *differs, size_t size,
		     odo_error *err)
{
	char now[ODO_SWEEP_LINE], was[ODO_SWEEP_LINE], is[ODO_SWEEP_LINE], columns[1000];
	if (point >= r->n_points || !r->line[point])
		return odo_fail(err, ODO_EINPUT, "point %u: expected one that was run", point);
	int status = odo_experiment_run_point(&r->x, point, now, err);
	if (status)
		return status;
	const char *line = strchr(r->line[point], ',') + 1;
	if (common_columns(r, columns, sizeof columns) ||
	    odo_result_arrange(line, r->columns, columns, was, sizeof was) ||
	    odo_result_arrange(now, odo_point_columns(&r->x), columns, is, sizeof is))
		return odo_fail(err, ODO_EINPUT, "point %u: expected one line below %d letters",
				point, ODO_SWEEP_LINE);
	compare_fields(columns, was, is, differs, size);
	return 0;
}

/** Find the bound of a point as a search would. Errors: ODO_EDECLINE if there is none. */
static int find_bound(odo_experiment_world *w, const odo_point *point, odo_bound *out,
		      odo_error *err)
{
	const odo_experiment *x = w->experiment;
	odo_traffic *traffic = NULL;
	int status = odo_experiment_world_route(w, point->curve, err);
	if (!status && !w->curves[point->curve].tables)
		status = odo_fail(err, ODO_EDECLINE, "policies have no bound");
	if (!status)
		status = odo_traffic_create(x->patterns[point->pattern], w->fabric, w->coordinates,
					    x->first_seed + point->seed, &traffic, err);
	if (!status)
		status = odo_bound_find(w->curves[point->curve].tables, traffic, out, err);
	odo_traffic_free(traffic);
	return status;
}

int odo_result_bounds_again(const odo_result *r, uint32_t *point, char *differs, size_t size,
			    odo_error *err)
{
	odo_experiment_world world;
	int status = odo_experiment_world_make(&r->x, &world, err);
	*differs = '\0';
	for (uint32_t i = 0; !status && !*differs && i < r->n_points; i++) {
		const odo_point at = odo_point_of(&r->x, i);
		double was;
		odo_bound is;
		if (!odo_result_number(r, i, "bound", &was))
			continue;
		status = find_bound(&world, &at, &is, err);
		*point = i;
		if (status == ODO_EDECLINE || status == ODO_EUNSAFE) {
			snprintf(differs, size, "bound was %.6g, is none", was);
			status = 0;
		} else if (!status && fabs(is.load - was) > 1e-5 * was) { /* the file has six
									   * digits */
			snprintf(differs, size, "bound was %.6g, is %.6g", was, is.load);
		}
	}
	odo_experiment_world_clear(&world);
	return status;
}
