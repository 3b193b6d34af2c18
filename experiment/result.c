/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read an existing CSV, finished or not, even if an older program wrote it. Its head has everything
 * needed: the experiment's file, and options of the run that differ from it. */
#include "experiment/result.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/point.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "fabric/format/format.h"
#include "fabric/format/slurp.h"

#define RUN "# as run: "
#define SEMANTICS "# semantics: "

/** Values of the line "as run", which replace those of the file. */
typedef struct as_run {
	uint64_t warmup, measured, semantics;
	uint64_t seeds, packets;
	double *loads;
	size_t n_loads, room;
} as_run;

static int bad_head(const char *path, unsigned line, const char *what, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, as 'odonata experiment' writes it",
			path, line, what);
}

/** Read `name`, then a number, at *at; move behind both if they are there. */
static bool take_named(const char **at, const char *name, uint64_t *number)
{
	size_t n = strlen(name);
	const char *look = *at + n;
	if (strncmp(*at, name, n) || !odo_take_digits(&look, NULL, 10, number))
		return false;
	*at = look;
	return true;
}

/** Read "0.1 0.3 1", up to the end of the line. */
static bool read_run_loads(const char *at, as_run *out)
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

/** Read "warmup 20, measured 30, seeds 1, packets 5, loads 0.1 0.3"; the last three are optional.
 */
static bool read_as_run(const char *at, as_run *out)
{
	if (!take_named(&at, "warmup ", &out->warmup) ||
	    !take_named(&at, ", measured ", &out->measured) || !out->measured)
		return false;
	while (take_named(&at, ", seeds ", &out->seeds) ||
	       take_named(&at, ", packets ", &out->packets))
		;
	if (out->seeds > UINT32_MAX || out->packets > UINT32_MAX)
		return false;
	if (!strncmp(at, ", loads ", 8))
		return read_run_loads(at + 8, out);
	return *at == '\n' || !*at;
}

/** Read the head's lines without "# ": the file, then models, then options of the run and columns.
 * @param yaml out: for free() */
static int read_csv_head(const char *path, const char *text, char **yaml, size_t *size, as_run *out,
			 const char **columns, odo_error *err)
{
	bool in_file = true, has_run = false;
	unsigned line = 1;
	FILE *to = open_memstream(yaml, size);
	if (!to)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	for (; !strncmp(text, "# ", 2); line++) {
		size_t n = strcspn(text, "\n");
		const char *at = text;
		in_file &= strncmp(text, "# model of ", 11) && strncmp(text, RUN, strlen(RUN)) &&
			   strncmp(text, SEMANTICS, strlen(SEMANTICS));
		if (in_file)
			fprintf(to, "%.*s\n", (int)n - 2, text + 2);
		if (!strncmp(text, RUN, strlen(RUN)))
			has_run = read_as_run(text + strlen(RUN), out);
		take_named(&at, SEMANTICS, &out->semantics);
		text += n + (text[n] == '\n');
	}
	*columns = text;
	if (odo_text_close(to, yaml))
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	return has_run ? 0 : bad_head(path, line, "\"# as run: \" and what was run before", err);
}

/** Check columns: those that identify the point must be in today's places. Among the others, the
 * drawn one must exist. */
static int check_csv_columns(const char *path, const char *columns, odo_result *out, odo_error *err)
{
	const char *wanted = odo_point_columns(&out->x);
	size_t n = (size_t)(strstr(wanted, "outcome,") - wanted) + strlen("outcome,");
	bool fine = !strncmp(columns, "point,", 6) && !strncmp(columns + 6, wanted, n);
	if (fine)
		out->columns = strndup(columns + 6, strcspn(columns, "\n") - 6);
	if (fine && !out->columns)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	if (fine && odo_point_column_in(out->columns, odo_point_main_column(out->x.kind))) {
		out->x.columns = out->columns;
		return 0;
	}
	return odo_fail(err, ODO_EINPUT,
			"%s: expected the columns \"point,%.60s...\", found others", path, wanted);
}

/** Find the lines of the points. Refuse points that cannot exist: they would be drawn in other
 * places. */
static int find_lines(const char *path, odo_result *out, odo_error *err)
{
	unsigned line = 1;
	out->n_points = odo_experiment_points(&out->x);
	out->line = odo_new(out->n_points, sizeof *out->line);
	if (!out->line)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u points", out->n_points);
	for (const char *at = out->text; *at; line++) {
		size_t n = strcspn(at, "\n"), word = strcspn(at, ",\n");
		uint64_t point = 0;
		const char *look = at;
		bool row = *at >= '0' && *at <= '9';
		if (row && (!odo_take_digits(&look, NULL, 10, &point) || *look != ',' ||
			    point >= out->n_points))
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected a point from 0 to %u, found %.*s", path,
					line, out->n_points - 1, word < 20 ? (int)word : 20, at);
		if (row && at[n] == '\n') { /* an unfinished line does not count */
			out->n_lines += !out->line[point];
			out->line[point] = at;
		}
		at += n + (at[n] == '\n');
	}
	return 0;
}

/** Change the experiment to what was run. Takes ownership of the loads. */
static int apply_run_options(odo_result *out, const as_run *run, odo_error *err)
{
	out->loads = run->loads;
	out->semantics = run->semantics < UINT32_MAX ? (uint32_t)run->semantics : UINT32_MAX;
	out->options = (odo_experiment_options){.seeds = (uint32_t)run->seeds,
						.packets = (uint32_t)run->packets,
						.loads = run->loads,
						.n_loads = (uint32_t)run->n_loads};
	int status = odo_experiment_change(out->stated, &out->options, &out->x, err);
	if (run->measured != out->stated->measured)
		out->options.measured = run->measured;
	out->x.warmup = run->warmup;
	out->x.measured = run->measured;
	return status;
}

int odo_result_read(const char *path, odo_result *out, odo_error *err)
{
	char *yaml = NULL;
	const char *columns = "";
	size_t size;
	as_run run = {0};
	*out = (odo_result){.path = strdup(path), .stem = strlen(path)};
	if (out->stem > 4 && !strcmp(path + out->stem - 4, ".csv"))
		out->stem -= 4;
	int status = out->path ? odo_slurp(path, &out->text, &size, err)
			       : odo_fail(err, ODO_ENOMEM, "no memory for %s", path);
	if (status) {
		free(out->path);
		*out = (odo_result){0};
		return status;
	}
	out->withdrawn = !strncmp(out->text, "# # withdrawn", 13);
	status = read_csv_head(path, out->text, &yaml, &size, &run, &columns, err);
	if (!status)
		status = odo_experiment_parse(path, yaml, size, &out->stated, err);
	if (!status)
		status = apply_run_options(out, &run, err);
	else
		free(run.loads);
	if (!status)
		status = check_csv_columns(path, columns, out, err);
	if (!status)
		status = find_lines(path, out, err);
	free(yaml);
	if (status)
		odo_result_free(out);
	return status;
}

void odo_result_free(odo_result *r)
{
	odo_experiment_free(r->stated);
	free(r->line);
	free(r->columns);
	free(r->loads);
	free(r->text);
	free(r->path);
	*r = (odo_result){0};
}

uint32_t odo_result_content(const odo_result *r)
{
	uint64_t hash = odo_hash_bytes(r->text, strlen(r->text));
	return (uint32_t)(hash ^ hash >> 32);
}

bool odo_result_number(const odo_result *r, uint32_t point, const char *column, double *out)
{
	unsigned n = odo_point_column(&r->x, column);
	if (point >= r->n_points || !r->line[point] || !n)
		return false;
	const char *at = odo_point_field(r->line[point], n);
	return odo_take_real(&at, 0, DBL_MAX, out);
}

unsigned odo_result_outcome(const odo_result *r, uint32_t point)
{
	return point < r->n_points && r->line[point] ? odo_point_outcome(&r->x, r->line[point])
						     : ODO_EXPERIMENT_OUTCOMES;
}

int odo_experiment_count(const odo_experiment *x, const char *folder, uint32_t *count,
			 odo_error *err)
{
	char path[1200];
	odo_result r;
	snprintf(path, sizeof path, "%.1000s/%s.csv", folder, x->name);
	int status = odo_result_read(path, &r, err);
	if (status)
		return status;
	memset(count, 0, ODO_EXPERIMENT_OUTCOMES * sizeof *count);
	for (uint32_t i = 0; i < r.n_points; i++)
		if (r.line[i] && odo_result_outcome(&r, i) < ODO_EXPERIMENT_OUTCOMES)
			count[odo_result_outcome(&r, i)]++;
	odo_result_free(&r);
	return 0;
}

uint32_t odo_result_mean(const odo_result *r, uint32_t point, const char *column, double *mean)
{
	uint32_t n = 0;
	*mean = 0;
	for (uint32_t i = 0; i < r->x.n_seeds; i++) {
		double value;
		if (odo_result_counts(r, i) && odo_result_number(r, point + i, column, &value))
			*mean += (value - *mean) / ++n;
	}
	return n;
}

uint32_t odo_result_loads(const odo_result *r)
{
	return r->x.kind == ODO_EXPERIMENT_LOAD ? r->x.n_loads : 1;
}

uint32_t odo_result_point(const odo_result *r, uint32_t curve, uint32_t pattern, uint32_t load)
{
	uint32_t n = odo_result_loads(r);
	return ((curve * r->x.n_patterns + pattern) * n + load) * r->x.n_seeds;
}

bool odo_result_saturated(const odo_result *r, uint32_t point)
{
	double offered, accepted;
	return odo_result_mean(r, point, "offered", &offered) &&
	       odo_result_mean(r, point, "accepted", &accepted) && accepted < offered * (63.0 / 64);
}

int odo_result_count_hosts(odo_result *r, odo_error *err)
{
	odo_fabric *fabric = NULL;
	odo_coordinates *coordinates = NULL;
	int status = odo_fabric_open(r->x.fabric, (uint8_t)r->x.lmc, &fabric, &coordinates, err);
	if (!status)
		r->n_hosts = fabric->n_hosts;
	odo_coordinates_free(coordinates);
	odo_fabric_free(fabric);
	return status;
}

static uint64_t as_work(double work)
{
	return work >= 0 && work < 1e18 ? (uint64_t)work : UINT64_MAX; /* figures may be absurd */
}

/** Estimate: five hops per packet, all hosts at full load. */
static uint64_t search_work(const odo_result *r, uint32_t point)
{
	double runs, cycles = (double)r->x.warmup + (double)r->x.measured;
	if (!r->n_hosts || !odo_result_number(r, point, "runs", &runs))
		return UINT64_MAX;
	return as_work(5 * runs * r->n_hosts * cycles);
}

uint64_t odo_result_work(const odo_result *r, uint32_t point)
{
	double delivered, hops, accepted = 0, warmup = 0, cycles;
	if (odo_result_outcome(r, point) == ODO_EXPERIMENT_OUTCOMES)
		return UINT64_MAX;
	if (r->x.kind == ODO_EXPERIMENT_SATURATION || r->x.kind == ODO_EXPERIMENT_BOUND)
		return search_work(r, point);
	if (!odo_result_number(r, point, "delivered", &delivered) ||
	    !odo_result_number(r, point, "hops", &hops) ||
	    !odo_result_number(r, point, "cycles", &cycles) || !(cycles > 0))
		return UINT64_MAX;
	odo_result_number(r, point, "warmup", &warmup);
	odo_result_number(r, point, "accepted", &accepted);
	/* The links from and to the hosts are two hops more. If few packets arrive, waiting packets
	 * cost time: about as much as two packet-hops, in the time of a packet, at each host. */
	double waiting = accepted > 0 ? delivered / accepted / 2 : 0;
	return as_work((delivered * (hops + 2) + waiting) * ((warmup + cycles) / cycles));
}
