/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Write a gnuplot script that reads the CSV and averages over seeds, and Markdown for tables. */
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "experiment/colours.h"
#include "experiment/point.h"
#include "experiment/result.h"

/* Sizes in pixels. */
#define PANEL_WIDTH 330.0
#define PANEL_HEIGHT 290.0
#define LEFT 100.0 /**< left of a panel, for its axis */
#define BELOW 75.0
#define ABOVE 68.0
#define BESIDE 115.0 /**< right of a panel, for a second axis */
#define LETTER 8.0   /**< width of a letter */

static void set_style(FILE *to)
{
	for (unsigned i = 0; i < ODO_N_COLOURS; i++)
		fprintf(to, "set linetype %u lc rgb '%s' lw 1.8 pt %u ps 0.7\n", i + 1,
			odo_colours[i], i + 4);
	fprintf(to,
		"set linetype cycle %u\nset border 3\nset tics nomirror out\n"
		"set grid lt 1 lc rgb '#dddddd' lw 0.8\n",
		ODO_N_COLOURS);
}

/** Width of the key beside the panels. */
static double key_width(const odo_experiment *x)
{
	size_t most = 0;
	for (uint32_t i = 0; i < x->n_curves; i++)
		most = strlen(x->curves[i].name) > most ? strlen(x->curves[i].name) : most;
	return 100 + LETTER * (double)most;
}

/** Draw the lines of a panel: each curve's rows with this pattern; gnuplot averages over seeds. */
static void plot_load_panel(const odo_experiment *x, uint32_t pattern, const char *what, FILE *to)
{
	for (uint32_t i = 0; i < x->n_curves; i++)
		fprintf(to,
			"%s '%s.csv' using (curve($1) == %u && pattern($1) == %u ? $4 : NaN):%u "
			"smooth unique with linespoints lt %u title '%s'",
			i ? ", \\\n    " : "plot", x->name, i, pattern, odo_point_column(x, what),
			i + 1, x->curves[i].name);
	/* Without any point gnuplot reports an error, so always draw the axis. */
	fputs(", \\\n    0 with dots notitle\n", to);
}

/** Write the least latency and the highest accepted load of each pattern into P0_min, A0_max and so
 * on, before the plots: `stats` is not allowed in multiplot. */
static void find_extremes(const odo_experiment *x, FILE *to)
{
	/* Select by the point's number: gnuplot 5.4 cuts a name off at its first comma, even in
	 * quotes. */
	fprintf(to, "pattern(n) = int(n) / %u %% %u\ncurve(n) = int(n) / %u\n",
		x->n_loads * x->n_seeds, x->n_patterns, x->n_loads * x->n_seeds * x->n_patterns);
	for (uint32_t p = 0; p < x->n_patterns; p++)
		fprintf(to,
			"stats '%s.csv' using (pattern($1) == %u && $%u > 0 ? $%u : NaN) name "
			"'P%u' "
			"nooutput\n"
			"if (!exists('P%u_min')) P%u_min = 1\n", /* if no point has a latency */
			x->name, p, odo_point_column(x, "latency"), odo_point_column(x, "latency"),
			p, p, p);
	for (uint32_t p = 0; p < x->n_patterns; p++)
		fprintf(to,
			"stats '%s.csv' using (pattern($1) == %u ? $%u : NaN) name 'A%u' nooutput\n"
			"if (!exists('A%u_max') || !(A%u_max > 0)) A%u_max = 1\n",
			x->name, p, odo_point_column(x, "accepted"), p, p, p, p);
}

/** Draw an axis from 0 in phits or cycles, and beside it one in GB/s or microseconds, with `unit`
 * of these per phit or cycle. gnuplot 5.4 would draw linked axes without tics. @param most
 * maximum, as gnuplot text */
static void set_axis(const char *axis, const char *most, double unit, const char *what, FILE *to)
{
	fprintf(to, "set %srange [0:%s]\n", axis, most);
	if (unit > 0)
		fprintf(to,
			"set %s2range [0:%s*%.9g]\nset %s2tics nomirror out\nset %s2label '%s'\n",
			axis, most, unit, axis, axis, what);
}

/** @return false, with units zeroed, if there are none */
static bool find_units(const odo_experiment *x, odo_units *units)
{
	*units = (odo_units){0};
	return odo_experiment_units(x, units);
}

/** Lay out two rows of panels, with one key to the right of them. */
static void lay_out_panels(const odo_experiment *x, bool real, FILE *to)
{
	double n = x->n_patterns, beside = real ? BESIDE : 0, apart = LEFT + beside;
	double right = n * (apart + PANEL_WIDTH) - beside, width = right + beside + key_width(x);
	double height = ABOVE + 2 * (PANEL_HEIGHT + BELOW);
	fprintf(to, "set terminal svg size %.0f,%.0f noenhanced background 'white'\n", width,
		height);
	fprintf(to,
		"set output '%s.svg'\nset multiplot layout 2,%u columnsfirst "
		"margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f title '%s'\n",
		x->name, x->n_patterns, LEFT / width, right / width, BELOW / height,
		1 - ABOVE / height, apart / width, BELOW / height, x->title);
	fprintf(to, "set key at screen %.4f,%.4f left top Left reverse\n",
		(right + beside + 10) / width, 1 - ABOVE / height);
}

static void plot_loads(const odo_experiment *x, FILE *to)
{
	double most = 0;
	odo_units units;
	char gb[40] = "", limit[40];
	bool real = find_units(x, &units);
	if (real)
		snprintf(gb, sizeof gb, ", 1 is %.4g GB/s", units.gb_per_s);
	for (uint32_t i = 0; i < x->n_loads; i++)
		most = fmax(most, x->loads[i]);
	find_extremes(x, to);
	set_style(to);
	lay_out_panels(x, real, to);
	fprintf(to, "set xlabel 'offered load, phits/(host cycle)%s'\n", gb);
	fprintf(to, "set xrange [0:%g]\nset samples 2\n", most);
	if (most > 0.5)
		fprintf(to, "set xtics 0.2\n");
	for (uint32_t p = 0; p < x->n_patterns; p++) {
		/* Beyond saturation, latency depends only on the length of the run. */
		fprintf(to, "set title '%s'\nset ylabel 'latency, cycles'\n", x->patterns[p]);
		snprintf(limit, sizeof limit, "8*P%u_min", p);
		set_axis("y", limit, units.cycle_ns / 1e3, "microseconds", to);
		plot_load_panel(x, p, "latency", to);
		fprintf(to, "unset key\nset title ''\nset ylabel 'accepted load'\n");
		snprintf(limit, sizeof limit, "1.05*A%u_max", p);
		set_axis("y", limit, units.gb_per_s, "GB/s of a host", to);
		plot_load_panel(x, p, "accepted", to);
	}
	fprintf(to, "unset multiplot\n");
}

/** Plot latency by cycle of generation: a line for each curve, at its first load and seed. */
static void plot_series(const odo_experiment *x, FILE *to)
{
	odo_units units;
	char ns[40] = "";
	if (find_units(x, &units))
		snprintf(ns, sizeof ns, " of %.4g ns", units.cycle_ns);
	fprintf(to,
		"set terminal svg size 800,500 noenhanced background 'white'\nset output "
		"'%s.svg'\n",
		x->name);
	set_style(to);
	fprintf(to, "set title '%s'\nset key outside right top\nset xlabel 'cycle%s'\n", x->title,
		ns);
	fprintf(to, "set ylabel 'latency of packets generated then, cycles%s'\n", ns);
	/* From shortly before measuring until packets may no longer arrive in time. */
	fprintf(to, "set xrange [%.0f:%.0f]\n", fmax(0, x->warmup - 0.25 * x->measured),
		x->warmup + 0.75 * x->measured);
	uint32_t n_points = odo_experiment_points(x), drawn = 0;
	for (uint32_t i = 0; i < n_points; i++) {
		odo_point point = odo_point_of(x, i);
		if (point.seed || point.load)
			continue;
		fprintf(to, "%s '%s.%u.series.csv' using 1:7 with lines lt %u title '%s%s%s'",
			drawn ? ", \\\n    " : "plot", x->name, i, drawn + 1,
			x->curves[point.curve].name, x->n_patterns > 1 ? ", " : "",
			x->n_patterns > 1 ? x->patterns[point.pattern] : "");
		drawn++;
	}
	fputc('\n', to);
}

/** A curve under a pattern, over its seeds: the mean of the seeds that have the figure, and the
 * outcome of seeds without it; NULL if all have it. */
typedef struct cell {
	double mean;
	uint32_t count;
	const char *without;
} cell;

/** Average over seeds. A burst that never ended has no cycles to add. */
static cell mean_cell_of(const odo_result *r, uint32_t curve, uint32_t pattern)
{
	odo_experiment_kind kind = r->x.kind;
	bool to_the_end = kind == ODO_EXPERIMENT_BURST || kind == ODO_EXPERIMENT_WORKLOAD;
	uint32_t first = odo_result_point(r, curve, pattern, 0);
	cell c = {0};
	for (uint32_t i = first; i < first + r->x.n_seeds; i++) {
		unsigned outcome = odo_result_outcome(r, i);
		double value;
		if ((!to_the_end || outcome == ODO_RUN_DONE) &&
		    odo_result_number(r, i, odo_point_main_column(kind), &value))
			c.mean += (value - c.mean) / ++c.count;
		else if (outcome < ODO_EXPERIMENT_OUTCOMES)
			c.without = odo_experiment_outcomes[outcome];
	}
	return c;
}

static void write_cell(cell c, double unit, FILE *to)
{
	double mean = c.mean * unit;
	if (c.count)
		fprintf(to, mean < 1000 ? " %.4g" : " %.0f", mean);
	if (c.without)
		fprintf(to, "%s %s", c.count ? "," : "", c.without);
	fprintf(to, " |");
}

/** @param unit factor for the figures */
static void write_markdown_rows(const odo_result *r, double unit, FILE *to)
{
	const odo_experiment *x = &r->x;
	fprintf(to, "\n| |");
	for (uint32_t p = 0; p < x->n_patterns; p++)
		fprintf(to, " %s |", x->patterns[p]);
	fprintf(to, "\n|---|");
	for (uint32_t p = 0; p < x->n_patterns; p++)
		fprintf(to, "---|");
	for (uint32_t i = 0; i < x->n_curves; i++) {
		fprintf(to, "\n| %s |", x->curves[i].name);
		for (uint32_t p = 0; p < x->n_patterns; p++)
			write_cell(mean_cell_of(r, i, p), unit, to);
	}
	fputc('\n', to);
}

/** Return the factor from a table's figure to GB/s or microseconds. @return 0: neither applies */
static double main_unit(const odo_experiment *x, const char **name, odo_units *units)
{
	bool loads = x->kind == ODO_EXPERIMENT_LOAD || x->kind == ODO_EXPERIMENT_SATURATION;
	*name = loads ? "GB/s of a host" : "microseconds";
	if (x->kind == ODO_EXPERIMENT_BOUND || !find_units(x, units))
		return 0;
	return loads ? units->gb_per_s : units->cycle_ns / 1e3;
}

static void write_markdown_table(const odo_result *r, FILE *to)
{
	const odo_experiment *x = &r->x;
	odo_units units = {0};
	const char *name;
	double unit = main_unit(x, &name, &units);
	fprintf(to, "# %s\n\n%s%s%sFabric %s; `%s` as in %s.csv, mean of %u seed%s.\n", x->title,
		*x->paper ? "Paper " : "", x->paper, *x->paper ? ". " : "", x->fabric,
		odo_point_main_column(x->kind), x->name, x->n_seeds, x->n_seeds > 1 ? "s" : "");
	if (unit > 0)
		fprintf(to, "Load 1 is %.4g GB/s, a cycle %.4g ns.\n", units.gb_per_s,
			units.cycle_ns);
	write_markdown_rows(r, 1, to);
	if (!(unit > 0))
		return;
	fprintf(to, "\nThe same in %s:\n", name);
	write_markdown_rows(r, unit, to);
}

/* gnuplot draws nothing at all if one histogram has no value. */
static bool has_bars(const odo_result *r, uint32_t curve)
{
	uint32_t n = 0;
	for (uint32_t p = 0; p < r->x.n_patterns; p++)
		n += mean_cell_of(r, curve, p).count;
	return n > 0;
}

static void plot_bars(const odo_result *r, FILE *to)
{
	const odo_experiment *x = &r->x;
	odo_units units;
	const char *name;
	char limit[40];
	double most = 0, unit = main_unit(x, &name, &units);
	double bars = 300 + (unit > 0 ? BESIDE : 0);
	for (uint32_t p = 0; p < x->n_patterns; p++)
		bars += fmax(40.0 * x->n_curves, LETTER * (2.0 + (double)strlen(x->patterns[p])));
	double width = fmax(bars, key_width(x) + LETTER * (double)strlen(x->title));
	fprintf(to,
		"set terminal svg size %.0f,500 noenhanced background 'white'\nset output "
		"'%s.svg'\n",
		width, x->name);
	set_style(to);
	fprintf(to, "set title '%s'\nset style data histograms\nset style fill solid noborder\n",
		x->title);
	fprintf(to,
		"set ylabel '%s'\nunset grid\nset grid y lt 1 lc rgb '#dddddd'\n"
		"set xtics scale 0\nset key outside\n",
		odo_point_main_column(x->kind));
	for (uint32_t i = 0; i < x->n_patterns * x->n_curves; i++)
		most = fmax(most, mean_cell_of(r, i % x->n_curves, i / x->n_curves).mean);
	snprintf(limit, sizeof limit, "%.6g", most > 0 ? 1.05 * most : 1);
	set_axis("y", limit, unit, name, to);
	fputs("$means << E\n", to);
	for (uint32_t p = 0; p < x->n_patterns; p++) {
		fprintf(to, "\"%s\"", x->patterns[p]);
		for (uint32_t i = 0; i < x->n_curves; i++) {
			cell c = mean_cell_of(r, i, p);
			if (c.count)
				fprintf(to, " %.8g", c.mean);
			else
				fprintf(to, " NaN");
		}
		fputc('\n', to);
	}
	fprintf(to, "E\nset datafile separator whitespace\n");
	const char *next = "plot";
	for (uint32_t i = 0; i < x->n_curves; i++) {
		if (!has_bars(r, i))
			continue;
		fprintf(to, "%s $means using %u:xtic(1) title '%s'", next, i + 2,
			x->curves[i].name);
		next = ", \\\n    ";
	}
	fputc('\n', to);
}

/** A file beside the CSV. */
typedef struct plot_file {
	char path[1200];
	odo_draft draft;
} plot_file;

static int open_beside_csv(const odo_experiment *x, const char *folder, const char *ending,
			   plot_file *file, odo_error *err)
{
	snprintf(file->path, sizeof file->path, "%.1000s/%s.%s", folder, x->name, ending);
	return odo_draft_open(&file->draft, file->path, 0666, ODO_DRAFT_OUTPUT, err);
}

static int plot_table(const odo_result *r, const char *folder, FILE *script, odo_error *err)
{
	plot_file table;
	int status = open_beside_csv(&r->x, folder, "md", &table, err);
	if (status)
		return status;
	write_markdown_table(r, table.draft.to);
	plot_bars(r, script);
	return odo_draft_close(&table.draft, 0, err);
}

static int plot_result(const odo_result *r, const char *folder, odo_error *err)
{
	const odo_experiment *x = &r->x;
	plot_file file;
	int status = open_beside_csv(x, folder, "gp", &file, err);
	if (status)
		return status;
	FILE *to = file.draft.to;
	fprintf(to, "# gnuplot %s.gp, in this folder, makes %s.svg.\n", x->name, x->name);
	fprintf(to, "set datafile separator comma\nset datafile commentschars '#p'\n");
	bool series = x->kind == ODO_EXPERIMENT_LOAD && x->details & ODO_DETAIL_SERIES;
	if (series)
		plot_series(x, to);
	else if (x->kind != ODO_EXPERIMENT_LOAD || x->n_loads == 1) /* with one load there is no
								     * line to draw */
		status = plot_table(r, folder, to, err);
	else
		plot_loads(x, to);
	return odo_draft_close(&file.draft, status, err);
}

/** Check the file's name, because plots refer to the CSV by name. */
static int check_file_name(const char *path, const odo_experiment *x, odo_error *err)
{
	char name[1200];
	const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	snprintf(name, sizeof name, "%.1000s.csv", x->name);
	if (!strcmp(file, name))
		return 0;
	return odo_fail(err, ODO_EINPUT,
			"%s: expected a file called %s, as the experiment in it is", path, name);
}

int odo_experiment_redraw(const char *path, odo_experiment **out, odo_error *err)
{
	odo_result r;
	char *copy = strdup(path);
	int status = copy ? odo_result_read(path, &r, err)
			  : odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	if (!status) {
		status = check_file_name(path, &r.x, err);
		if (!status)
			status = plot_result(&r, dirname(copy), err);
		if (!status && out) {
			*out = r.stated;
			r.stated = NULL;
		}
		odo_result_free(&r);
	}
	free(copy);
	return status;
}
