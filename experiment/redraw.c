/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The plot of a CSV that is there, be it an older program's or not finished. Its head has all that
 * is needed: the experiment's file, and what was run instead of what that says. */
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/point.h"
#include "base/memory.h"
#include "base/number.h"
#include "fabric/format/slurp.h"

/** What the line "as run" puts in the file's place. */
typedef struct as_run {
	uint64_t warmup, measured;
	uint32_t seeds, packets;
	double *loads;
	size_t n_loads, room;
} as_run;

static int bad_head(const char *path, unsigned line, const char *what, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, as 'odonata experiment' writes it",
			path, line, what);
}

/** `name`, then a number, at *at; moves on where both are there. */
static bool take_named(const char **at, const char *name, uint64_t *number)
{
	size_t n = strlen(name);
	const char *look = *at + n;
	if (strncmp(*at, name, n) || !odo_take_digits(&look, NULL, 10, number))
		return false;
	*at = look;
	return true;
}

/** "0.1 0.3 1", to the end of the line. */
static bool read_loads(const char *at, as_run *out)
{
	while (*at && *at != '\n') {
		double load;
		at += *at == ' ';
		if (!odo_take_real(&at, 0, 1, &load) || !(load > 0) ||
		    odo_grow(&out->loads, &out->room, out->n_loads + 1, sizeof *out->loads))
			return false;
		out->loads[out->n_loads++] = load;
	}
	return out->n_loads > 0;
}

/** "warmup 20, measured 30, seeds 1, packets 5, loads 0.1 0.3", the last three where given. */
static bool read_as_run(const char *at, as_run *out)
{
	uint64_t seeds = out->seeds, packets = out->packets;
	if (!take_named(&at, "warmup ", &out->warmup) ||
	    !take_named(&at, ", measured ", &out->measured) || !out->measured)
		return false;
	while (take_named(&at, ", seeds ", &seeds) || take_named(&at, ", packets ", &packets))
		;
	out->seeds = (uint32_t)seeds;
	out->packets = (uint32_t)packets;
	if (seeds > UINT32_MAX || packets > UINT32_MAX)
		return false;
	if (!strncmp(at, ", loads ", 8))
		return read_loads(at + 8, out);
	return *at == '\n' || !*at;
}

/** The head's lines without "# ": the file, then models, then what was run and the columns.
 * @param yaml out: for free() */
static int read_head(const char *path, const char *text, char **yaml, size_t *size, as_run *out,
		     const char **columns, odo_error *err)
{
	static const char run[] = "# as run: ";
	bool in_file = true, has_run = false;
	unsigned line = 1;
	FILE *to = open_memstream(yaml, size);
	if (!to)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	for (; !strncmp(text, "# ", 2); line++) {
		size_t n = strcspn(text, "\n");
		in_file &= strncmp(text, "# model of ", 11) && strncmp(text, run, sizeof run - 1);
		if (in_file)
			fprintf(to, "%.*s\n", (int)n - 2, text + 2);
		if (!strncmp(text, run, sizeof run - 1))
			has_run = read_as_run(text + sizeof run - 1, out);
		text += n + (text[n] == '\n');
	}
	*columns = text;
	if (odo_text_close(to, yaml))
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	return has_run ? 0 : bad_head(path, line, "\"# as run: \" and what was run before", err);
}

/** Points that there cannot be would be drawn elsewhere. */
static int check_rows(const char *path, const char *text, const odo_experiment *x, odo_error *err)
{
	uint32_t n_points = odo_experiment_points(x);
	unsigned line = 1;
	for (const char *at = text; *at; line++) {
		size_t n = strcspn(at, "\n"), word = strcspn(at, ",\n");
		uint64_t point = 0;
		const char *look = at;
		bool row = *at >= '0' && *at <= '9';
		if (row && (!odo_take_digits(&look, NULL, 10, &point) || point >= n_points))
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected a point from 0 to %u, found %.*s", path,
					line, n_points - 1, word < 20 ? (int)word : 20, at);
		at += n + (at[n] == '\n');
	}
	return 0;
}

/** Plots name the CSV, and count its columns. */
static int check_columns(const char *path, const char *columns, const odo_experiment *x,
			 odo_error *err)
{
	char name[1200];
	const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	snprintf(name, sizeof name, "%.1000s.csv", x->name);
	if (strcmp(file, name))
		return odo_fail(err, ODO_EINPUT,
				"%s: expected a file called %s, as the experiment in it is", path,
				name);
	const char *wanted = odo_point_columns(x->kind);
	if (strncmp(columns, "point,", 6) || strncmp(columns + 6, wanted, strlen(wanted)) ||
	    columns[6 + strlen(wanted)] != '\n')
		return odo_fail(err, ODO_EINPUT,
				"%s: expected the columns \"point,%.60s...\", found others", path,
				wanted);
	return 0;
}

static int draw(const char *path, const char *text, odo_experiment *x, const as_run *run,
		const char *columns, odo_error *err)
{
	const odo_experiment_options options = {.seeds = run->seeds,
						.packets = run->packets,
						.loads = run->loads,
						.n_loads = (uint32_t)run->n_loads};
	odo_experiment changed;
	char *copy = strdup(path);
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	int status = odo_experiment_change(x, &options, &changed, err);
	changed.warmup = run->warmup;
	changed.measured = run->measured;
	if (!status)
		status = check_columns(path, columns, &changed, err);
	if (!status)
		status = check_rows(path, text, &changed, err);
	if (!status)
		status = odo_experiment_plot(&changed, dirname(copy), err);
	free(copy);
	return status;
}

int odo_experiment_redraw(const char *path, odo_experiment **out, odo_error *err)
{
	char *text = NULL, *yaml = NULL;
	const char *columns = "";
	size_t size;
	as_run run = {0};
	*out = NULL;
	int status = odo_slurp(path, &text, &size, err);
	if (!status)
		status = read_head(path, text, &yaml, &size, &run, &columns, err);
	if (!status)
		status = odo_experiment_parse(path, yaml, size, out, err);
	if (!status)
		status = draw(path, text, *out, &run, columns, err);
	if (status) {
		odo_experiment_free(*out);
		*out = NULL;
	}
	free(run.loads);
	free(yaml);
	free(text);
	return status;
}
