/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/reproduce/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/colours.h"
#include "experiment/point.h"
#include "experiment/reproduce/verdict.h"

/* Sizes in pixels. */
#define PANEL_WIDTH 330.0
#define PANEL_HEIGHT 270.0
#define LEFT 100.0 /**< left of a panel, for its axis */
#define BELOW 65.0
#define ABOVE 40.0
#define KEY 230.0

/** Quote a text for gnuplot, so that no letter has a special meaning. */
static void write_quoted(const char *text, FILE *to)
{
	fputc('\'', to);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
	fputc('\'', to);
}

static const char *curve_colour(uint32_t curve)
{
	return odo_colours[curve % ODO_N_COLOURS];
}

/* Find the level that a claim sets for its figure: its own range; for a ratio, times our divisor.
 * False if that is unknown. */
static bool find_paper_level(const odo_claim *c, const odo_result *r, double *low, double *high)
{
	odo_claim divisor = *c;
	odo_judgement j;
	*low = c->low;
	*high = c->high;
	if (!c->over)
		return true;
	if (c->judged_by != ODO_RULE_WITHIN) /* "faster than": the paper gives no level */
		return false;
	divisor.of = c->over;
	divisor.over = NULL;
	if (odo_claim_judge(&divisor, r, &j, NULL) || j.verdict == ODO_CLAIM_UNKNOWN)
		return false;
	*low *= j.ours;
	*high *= j.ours;
	return true;
}

static void begin_plot(const char *svg, double width, double height, FILE *to)
{
	fprintf(to,
		"set terminal svg size %.0f,%.0f noenhanced background 'white' font 'sans,12'\n",
		width, height);
	fputs("set output ", to);
	write_quoted(svg, to);
	fputs("\nset border 3\nset tics nomirror out\nset grid lt 1 lc rgb '#dddddd' lw 0.8\n", to);
}

/** Write the rows of a curve under a pattern: load, latency, accepted, saturated. */
static void write_curve_data(const odo_result *r, uint32_t curve, uint32_t pattern, FILE *to)
{
	fprintf(to, "$c%u_%u << E\n", curve, pattern);
	for (uint32_t i = 0; i < odo_result_loads(r); i++) {
		uint32_t point = odo_result_point(r, curve, pattern, i);
		double latency, accepted;
		if (!odo_result_mean(r, point, "accepted", &accepted))
			continue;
		fprintf(to, "%.6g ", r->x.loads[i]);
		if (odo_result_mean(r, point, "latency", &latency))
			fprintf(to, "%.6g", latency);
		else
			fputs("NaN", to);
		fprintf(to, " %.6g %d\n", accepted, odo_result_saturated(r, point));
	}
	fputs("E\n", to);
}

/* Return true if a claim is about this figure of a pattern, and the paper's level is known. */
static bool is_level_of(const odo_claim *c, const odo_result *r, uint32_t pattern,
			const char *figure, uint32_t *curve, double *low, double *high)
{
	uint32_t of;
	return !c->detail && !strcmp(c->figure, figure) &&
	       !odo_pick_find(c->of, &r->x, curve, &of, NULL) && of == pattern &&
	       find_paper_level(c, r, low, high);
}

/* Find the most accepted load under a pattern, the paper's included. Lines beyond the axis would
 * lie in the panel above. */
static double most_accepted(const odo_figure *f, const odo_result *r, uint32_t pattern)
{
	double most = 0, accepted, low, high;
	uint32_t curve;
	for (uint32_t c = 0; c < r->x.n_curves; c++)
		for (uint32_t i = 0; i < odo_result_loads(r); i++)
			if (odo_result_mean(r, odo_result_point(r, c, pattern, i), "accepted",
					    &accepted))
				most = fmax(most, accepted);
	for (uint32_t i = 0; i < f->claims_count; i++)
		if (is_level_of(&f->claims[i], r, pattern, "accepted", &curve, &low, &high))
			most = fmax(most, high);
	return most > 0 ? most : 1;
}

/** Find the least latency under a pattern, for the axis. */
static double least_latency(const odo_result *r, uint32_t pattern)
{
	double least = INFINITY, latency;
	for (uint32_t c = 0; c < r->x.n_curves; c++)
		for (uint32_t i = 0; i < odo_result_loads(r); i++)
			if (odo_result_mean(r, odo_result_point(r, c, pattern, i), "latency",
					    &latency) &&
			    latency > 0)
				least = fmin(least, latency);
	return isinf(least) ? 1 : least;
}

/** Write the paper's values of a panel: a level, or at a single load a mark. @return marks */
static unsigned write_levels(const odo_figure *f, const odo_result *r, uint32_t pattern,
			     const char *figure, FILE *to)
{
	unsigned marks = 0;
	for (uint32_t i = 0; i < f->claims_count; i++) {
		const odo_claim *c = &f->claims[i];
		uint32_t curve;
		double low, high;
		if (!is_level_of(c, r, pattern, figure, &curve, &low, &high))
			continue;
		bool level = !strcmp(figure, "accepted") &&
			     (!c->of->load || !strcmp(c->of->load, "most"));
		for (int k = 0; level && k < (high > low ? 2 : 1); k++)
			fprintf(to,
				"set arrow from graph 0, first %.6g to graph 1, first %.6g nohead "
				"dt 2 lw 1.4 lc rgb '%s'\n",
				k ? high : low, k ? high : low, curve_colour(curve));
		if (!level)
			fprintf(to, "$m%u << E\n%s %.6g %.6g %.6g\nE\nm%u = '%s'\n", marks,
				c->of->load && strcmp(c->of->load, "most") ? c->of->load : "NaN",
				(low + high) / 2, low, high, marks, curve_colour(curve));
		marks += !level;
	}
	return marks;
}

static void plot_claims_panel(const odo_figure *f, const odo_result *r, uint32_t pattern,
			      const char *figure, FILE *to)
{
	int column = !strcmp(figure, "latency") ? 2 : 3;
	/* Two loads make no curve. */
	const char *line = odo_result_loads(r) > 2 ? "lines lw 1.6" : "points pt 7 ps 0.6";
	unsigned marks = write_levels(f, r, pattern, figure, to);
	for (uint32_t c = 0; c < r->x.n_curves; c++) {
		fprintf(to, "%s $c%u_%u using 1:%d with %s lc rgb '%s' title ",
			c ? ", \\\n    " : "plot", c, pattern, column, line, curve_colour(c));
		write_quoted(odo_figure_word(f, r->x.curves[c].name), to);
		for (int open = 0; open < 2; open++)
			fprintf(to,
				", \\\n    $c%u_%u using ($4 == %d ? $1 : NaN):%d with points pt "
				"%d ps "
				"0.6 lc rgb '%s' notitle",
				c, pattern, open, column, open ? 6 : 7, curve_colour(c));
	}
	for (unsigned i = 0; i < marks; i++)
		fprintf(to,
			", \\\n    $m%u using 1:2:3:4 with yerrorbars pt 2 ps 1.2 lw 1.6 lc rgb "
			"m%u "
			"notitle",
			i, i);
	fputs(", \\\n    NaN with points pt 6 ps 0.6 lc rgb 'black' title 'accepts less than is "
	      "offered', \\\n    NaN with lines dt 2 lc rgb 'black' title 'the paper: level', \\\n"
	      "    NaN with points pt 2 lc rgb 'black' title 'the paper: at a load'\nunset arrow\n",
	      to);
}

static void draw_loads(const odo_figure *f, const odo_result *r, const char *svg, FILE *to)
{
	double n = r->x.n_patterns, right = n * (LEFT + PANEL_WIDTH), most = 0;
	double width = right + KEY, height = ABOVE + 2 * (PANEL_HEIGHT + BELOW);
	for (uint32_t i = 0; i < r->x.n_loads; i++)
		most = fmax(most, r->x.loads[i]);
	begin_plot(svg, width, height, to);
	for (uint32_t p = 0; p < r->x.n_patterns; p++)
		for (uint32_t c = 0; c < r->x.n_curves; c++)
			write_curve_data(r, c, p, to);
	fprintf(to,
		"set multiplot layout 2,%u columnsfirst margins %.4f,%.4f,%.4f,%.4f spacing "
		"%.4f,%.4f\nset key at screen %.4f,%.4f left top Left reverse samplen 2\n"
		"set xlabel 'offered load, phits per host and cycle'\nset xrange [0:%g]\n",
		r->x.n_patterns, LEFT / width, right / width, BELOW / height, 1 - ABOVE / height,
		LEFT / width, BELOW / height, (right + 10) / width, 1 - ABOVE / height, most);
	if (most > 0.5)
		fputs("set xtics 0.2\n", to);
	for (uint32_t p = 0; p < r->x.n_patterns; p++) {
		fputs("set title ", to);
		write_quoted(odo_figure_word(f, r->x.patterns[p]), to);
		fprintf(to, "\nset ylabel 'latency, cycles'\nset yrange [0:%.6g]\n",
			8 * least_latency(r, p));
		plot_claims_panel(f, r, p, "latency", to);
		fprintf(to,
			"unset key\nset title ''\nset ylabel 'accepted load'\nset yrange "
			"[0:%.6g]\n",
			1.05 * most_accepted(f, r, p));
		plot_claims_panel(f, r, p, "accepted", to);
	}
	fputs("unset multiplot\n", to);
}

/** Write the paper's levels over the bars that they concern: from, height, width. */
static void write_bar_levels(const odo_figure *f, const odo_result *r, const char *figure, FILE *to)
{
	fputs("$paper << E\nNaN NaN NaN\n", to);
	for (uint32_t i = 0; i < f->claims_count; i++) {
		const odo_claim *c = &f->claims[i];
		uint32_t curve, pattern;
		double low, high;
		if (c->detail || strcmp(c->figure, figure) ||
		    odo_pick_find(c->of, &r->x, &curve, &pattern, NULL) ||
		    !find_paper_level(c, r, &low, &high))
			continue;
		for (int k = 0; k < (high > low ? 2 : 1); k++)
			fprintf(to, "%.6g %.6g 0.9\n",
				pattern * (r->x.n_curves + 1.0) + curve - 0.45, k ? high : low);
	}
	fputs("E\n", to);
}

static void draw_bars(const odo_figure *f, const odo_result *r, const char *svg, FILE *to)
{
	const char *figure = odo_point_main_column(r->x.kind);
	uint32_t n = r->x.n_curves, group = n + 1;
	double bars = 22.0 * group * r->x.n_patterns;
	begin_plot(svg, LEFT + KEY + fmax(bars, 350), 420, to);
	for (uint32_t c = 0; c < n; c++) {
		fprintf(to, "$c%u << E\nNaN NaN\n", c);
		for (uint32_t p = 0; p < r->x.n_patterns; p++) {
			double mean;
			uint32_t point = odo_result_point(r, c, p, odo_result_loads(r) - 1);
			if (odo_result_mean(r, point, figure, &mean))
				fprintf(to, "%u %.8g\n", p * group + c, mean);
		}
		fputs("E\n", to);
	}
	write_bar_levels(f, r, figure, to);
	fprintf(to,
		"set key outside right top Left reverse samplen 2\nset ylabel '%s%s'\nset yrange "
		"[0:*]\nunset grid\nset grid y lt 1 lc rgb '#dddddd'\nset style fill solid "
		"noborder\nset boxwidth 0.9\nset xrange [-1:%u]\nset xtics scale 0 rotate by -20 (",
		figure, strcmp(figure, "cycles") ? "" : " until all packets have arrived",
		group * r->x.n_patterns);
	for (uint32_t p = 0; p < r->x.n_patterns; p++) {
		fputs(p ? ", " : "", to);
		write_quoted(odo_figure_word(f, r->x.patterns[p]), to);
		fprintf(to, " %.6g", p * group + (n - 1) / 2.0);
	}
	fputs(")\n", to);
	for (uint32_t c = 0; c < n; c++) {
		fprintf(to, "%s $c%u using 1:2 with boxes lc rgb '%s' title ",
			c ? ", \\\n    " : "plot", c, curve_colour(c));
		write_quoted(odo_figure_word(f, r->x.curves[c].name), to);
	}
	fputs(", \\\n    $paper using 1:2:3:(0) with vectors nohead dt 2 lw 2.4 lc rgb 'black' "
	      "title "
	      "'the paper'\n",
	      to);
}

bool odo_figure_draw(const odo_figure *f, const odo_result *r, const char *svg, FILE *to)
{
	if (!r->n_lines)
		return false;
	if (r->x.kind == ODO_EXPERIMENT_LOAD && r->x.n_loads > 1)
		draw_loads(f, r, svg, to);
	else
		draw_bars(f, r, svg, to);
	return true;
}
