/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "fabric/memory.h"

/* Distances are in units of the picture; a browser scales it. */
#define STEP 18.0 /**< between switches side by side */
#define MARGIN 24.0
#define LEGEND 22.0 /**< height of a line of the legend */
#define MIN_WIDTH 420.0
#define VIEW 900.0 /**< wider pictures get larger text and thicker faults, to be seen whole */

/** How far the middle of an arc's control polygon lies aside, as a share of its length; the arc
 * itself goes half as far. */
#define BEND 0.18

/** Beyond so many cables, arcs would be a fog: each row of a dimension becomes one line, and a
 * dragonfly's groups stand in a grid without global cables. */
#define MAX_ARCS 6000

/** Width by height that pictures should have. */
#define SHAPE 1.6

/** Arcs in one path: renderers take time in the square of a path's length. */
#define ARCS_PER_PATH 40

/** More faults than this are drawn thin. */
#define MANY_FAULTS 200

/** Rows of one column of the legend, and its width. */
#define LEGEND_ROWS 5
#define LEGEND_COLUMN 330.0

typedef struct point {
	double x, y;
} point;

typedef struct drawing {
	const odo_fabric *f;
	const odo_coordinates *c;
	FILE *to;
	point *at; /**< [n_switches] */
	point size;
	/* Layout: where a step along each coordinate leads. */
	point step[ODO_MAX_DIMS];
	uint32_t fold[ODO_MAX_DIMS]; /**< values side by side; the next ones are below */
	double ring;                 /**< dragonfly: radius of the circle of groups, else 0 */
	uint32_t columns;            /**< groups in a row of a grid, 0 on a circle */
	point cell;                  /**< size of a group on it */
	double zoom;                 /**< of text and faults */
	uint32_t lost;               /**< switches without coordinates, put below the others */
} drawing;

/* Okabe and Ito's colours, safe for the colour-blind; vermilion is kept for faults. */
static const char *const colours[] = {"#0072b2", "#009e73", "#e69f00", "#cc79a7",
				      "#56b4e9", "#8c6d1f", "#6a51a3", "#666666"};
#define N_COLOURS (sizeof colours / sizeof *colours)

/** Lay dimensions first .. n_dims-1 out as a nested grid, the last along x. A Slim Fly is a grid of
 * its own, (t, x) along x and y along y, and innermost. Where that becomes a ribbon, the first
 * dimension is folded.
 * @return its size */
static point lay_grid(drawing *d, unsigned first)
{
	const odo_coordinates *c = d->c;
	point size = {STEP, STEP};
	bool across = true, slim = c->factor[first] == ODO_MMS;
	if (slim) {
		d->step[first] = size;
		size = (point){STEP * (2 * c->q + 1), STEP * (c->q + 1)};
		first++;
	}
	for (unsigned i = c->n_dims; i-- > first; across = !across) {
		bool wide = i == first && c->n_dims > 1 && size.x * c->size[i] > 3 * size.y;
		d->fold[i] = across ? c->size[i] : 1;
		if (across && wide && c->size[i] > 4)
			d->fold[i] = (uint32_t)ceil(sqrt(c->size[i] * size.y / size.x * SHAPE));
		d->step[i] = size;
		size.x = size.x * d->fold[i] + (d->fold[i] > 1 ? STEP : 0);
		uint32_t rows = (c->size[i] + d->fold[i] - 1) / d->fold[i];
		size.y = size.y * rows + (rows > 1 ? STEP : 0);
	}
	return size;
}

static bool with_rails(const drawing *d)
{
	return d->f->n_links - d->f->n_hosts > MAX_ARCS && d->c->kind != ODO_KIND_DRAGONFLY &&
	       d->c->n_dims;
}

static bool is_folded(const drawing *d, unsigned dim)
{
	return d->fold[dim] > 1 && d->fold[dim] < d->c->size[dim];
}

static point grid_place(const drawing *d, const uint32_t *at, unsigned first)
{
	point p = {0, 0};
	for (unsigned i = first; i < d->c->n_dims; i++) {
		bool slim = d->c->factor[i] == ODO_MMS;
		uint32_t x = slim ? at[i] / d->c->q : at[i] % d->fold[i];
		uint32_t y = slim ? at[i] % d->c->q : at[i] / d->fold[i];
		p.x += d->step[i].x * x;
		p.y += d->step[i].y * y;
	}
	return p;
}

/** The middle of a dragonfly's group. */
static point centre_of(const drawing *d, uint32_t group)
{
	if (d->columns)
		return (point){d->cell.x * (group % d->columns + .5),
			       d->cell.y * (group / d->columns + .5)};
	double angle = 2 * M_PI * group / d->c->size[0] - M_PI / 2;
	double reach = hypot(d->cell.x, d->cell.y) / 2;
	return (point){d->ring + reach + d->ring * cos(angle),
		       d->ring + reach + d->ring * sin(angle)};
}

/** Place of coordinates relative to the drawing's corner. */
static point place(const drawing *d, const uint32_t *at)
{
	const odo_coordinates *c = d->c;
	if (c->kind != ODO_KIND_DRAGONFLY)
		return grid_place(d, at, 0);
	point centre = centre_of(d, at[0]);
	if (c->n_dims == 2) { /* a complete graph: a circle of its own */
		double turn = 2 * M_PI * at[1] / c->size[1] - M_PI / 2;
		double radius = d->cell.x / 2 - STEP / 2;
		return (point){centre.x + radius * cos(turn), centre.y + radius * sin(turn)};
	}
	point p = grid_place(d, at, 1);
	return (point){centre.x - d->cell.x / 2 + p.x, centre.y - d->cell.y / 2 + p.y};
}

static uint32_t count_cables(const odo_fabric *f, const odo_coordinates *c, unsigned dim)
{
	uint32_t n = 0;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		n += c->port_class[slot] == dim && f->peer[slot] > slot &&
		     odo_next_switch(f, slot) != ODO_NONE;
	return n;
}

static void lay_groups(drawing *d)
{
	const odo_coordinates *c = d->c;
	d->cell = lay_grid(d, 1);
	if (c->n_dims == 2)
		d->cell.x = d->cell.y = STEP * (c->size[1] / M_PI + 1.5);
	if (count_cables(d->f, c, 0) > MAX_ARCS) {
		d->columns = (uint32_t)ceil(sqrt(c->size[0] * d->cell.y / d->cell.x * SHAPE));
		d->size.x = d->cell.x * d->columns;
		d->size.y = d->cell.y * ((c->size[0] + d->columns - 1) / d->columns);
		return;
	}
	double reach = hypot(d->cell.x, d->cell.y);
	d->ring = c->size[0] > 1 ? reach * 1.05 / (2 * sin(M_PI / c->size[0])) : 0;
	d->size.x = d->size.y = 2 * d->ring + reach;
}

static void lay_out(drawing *d)
{
	if (d->c->kind == ODO_KIND_DRAGONFLY) {
		lay_groups(d);
	} else if (d->c->n_dims) {
		d->size = lay_grid(d, 0);
	} else { /* unknown: all on one circle */
		d->ring = STEP * d->f->n_switches / (2 * M_PI) + STEP;
		d->size.x = d->size.y = 2 * d->ring;
	}
}

static void place_all(drawing *d)
{
	const odo_coordinates *c = d->c;
	uint32_t columns = (uint32_t)fmax(1, d->size.x / STEP);
	for (uint32_t s = 0; s < d->f->n_switches; s++) {
		if (!c->n_dims) {
			double angle = 2 * M_PI * s / d->f->n_switches;
			d->at[s] = (point){d->ring * (1 + cos(angle)), d->ring * (1 + sin(angle))};
		} else if (odo_at(c, s)[0] != ODO_NONE) {
			d->at[s] = place(d, odo_at(c, s));
		} else {
			d->at[s] = (point){STEP * (d->lost % columns),
					   d->size.y + STEP * (d->lost / columns + 1)};
			d->lost++;
		}
	}
	if (d->lost)
		d->size.y += STEP * (d->lost / columns + 2);
}

static void print_text(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", to);
		else if (*text == '<')
			fputs("&lt;", to);
		else if (*text >= ' ' && *text <= '~')
			fputc(*text, to);
		else
			fputc('?', to);
	}
}

/** A cable as a sub-path: straight, or bent aside so that those of one row do not hide each
 * other; those between groups bend towards the middle. */
static void print_path(const drawing *d, point a, point b, bool global)
{
	if (b.x < a.x || (b.x == a.x && b.y < a.y)) { /* all arcs bend down or left */
		point held = a;
		a = b;
		b = held;
	}
	double dx = b.x - a.x, dy = b.y - a.y;
	point bend = {(a.x + b.x) / 2 - dy * BEND, (a.y + b.y) / 2 + dx * BEND};
	if (global) {
		point middle = {d->size.x / 2, d->size.y / 2};
		bend.x = (a.x + b.x) / 4 + middle.x / 2;
		bend.y = (a.y + b.y) / 4 + middle.y / 2;
	}
	fprintf(d->to, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", a.x, a.y, bend.x, bend.y, b.x, b.y);
}

static bool is_cable(const drawing *d, uint32_t slot, unsigned dim)
{
	return d->c->port_class[slot] == dim && d->f->peer[slot] != ODO_NONE &&
	       d->f->peer[slot] > slot && odo_next_switch(d->f, slot) != ODO_NONE;
}

/** Dimensions of a grid with very many cables: a line through each row of switches. */
static void draw_rails(const drawing *d, unsigned dim)
{
	const odo_coordinates *c = d->c;
	for (uint32_t s = 0; s < d->f->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[0] == ODO_NONE || at[dim] != 0)
			continue;
		uint32_t last[ODO_MAX_DIMS];
		for (unsigned i = 0; i < c->n_dims; i++)
			last[i] = at[i];
		last[dim] = c->size[dim] - 1;
		point to = place(d, last);
		fprintf(d->to, "M%.1f %.1fL%.1f %.1f", d->at[s].x, d->at[s].y, to.x, to.y);
	}
}

/** All cables of a class as arcs, a few in each path. */
static void draw_arcs(const drawing *d, unsigned class, bool global, const char *colour)
{
	unsigned n = 0;
	for (uint32_t slot = 0; slot < d->f->first_slot[d->f->n_switches]; slot++) {
		if (!is_cable(d, slot, class))
			continue;
		if (n % ARCS_PER_PATH == 0)
			fprintf(d->to, "%s<path class=\"cable\" stroke=\"%s\" d=\"",
				n ? "\"/>\n" : "", colour);
		print_path(d, d->at[d->f->owner[slot]], d->at[odo_next_switch(d->f, slot)], global);
		n++;
	}
	fputs(n ? "\"/>\n" : "", d->to);
}

static void draw_cables(const drawing *d)
{
	const odo_coordinates *c = d->c;
	for (unsigned dim = 0; dim < c->n_dims; dim++) {
		const char *colour = colours[dim % N_COLOURS];
		bool global = c->factor[dim] == ODO_GROUPS;
		if (with_rails(d) && c->factor[dim] != ODO_MMS) {
			if (is_folded(d, dim))
				continue;
			fprintf(d->to, "<path class=\"cable\" stroke=\"%s\" d=\"", colour);
			draw_rails(d, dim);
			fputs("\"/>\n", d->to);
		} else if (!global || !d->columns) {
			draw_arcs(d, dim, global, colour);
		}
	}
	if (!c->n_dims)
		draw_arcs(d, ODO_PORT_WRONG, true, "#666666");
}

static void draw_switches(const drawing *d)
{
	fputs("<g class=\"switch\">\n", d->to);
	for (uint32_t s = 0; s < d->f->n_switches; s++) {
		fprintf(d->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>", d->at[s].x,
			d->at[s].y);
		print_text(d->to, odo_name(d->f, s));
		fprintf(d->to, " 0x%016" PRIx64, d->f->node_guid[s]);
		for (unsigned i = 0; i < d->c->n_dims && odo_at(d->c, s)[i] != ODO_NONE; i++)
			fprintf(d->to, "%s%" PRIu32, i ? "," : " at ", odo_at(d->c, s)[i]);
		fputs("</title></circle>\n", d->to);
	}
	fputs("</g>\n", d->to);
}

static void draw_link_fault(const drawing *d, const odo_fault *x)
{
	bool wrong = x->type == ODO_FAULT_WRONG_LINK;
	uint32_t end[2] = {x->node[0], x->node[1]};
	if (end[0] >= d->f->n_switches || end[1] >= d->f->n_switches)
		return;
	fprintf(d->to, "<path class=\"%s\" d=\"", wrong ? "wrong" : "missing");
	print_path(d, d->at[end[0]], d->at[end[1]], false);
	fprintf(d->to, "\"><title>%s: ", wrong ? "wrong cable" : "missing cable");
	for (unsigned i = 0; i < 2; i++) {
		fputs(i ? " to " : "", d->to);
		print_text(d->to, odo_name(d->f, end[i]));
		if (wrong)
			fprintf(d->to, " port %u", odo_port(d->f, x->slot[i]));
	}
	fputs("</title></path>\n", d->to);
}

static void draw_gone(const drawing *d, const odo_fault *x)
{
	point p = place(d, x->at);
	fprintf(d->to,
		"<circle class=\"gone\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>missing "
		"switch</title></circle>\n",
		p.x, p.y);
}

/** Wrong cables on top of missing ones. */
static void draw_faults(const drawing *d)
{
	static const odo_fault_type order[] = {ODO_FAULT_MISSING_LINK, ODO_FAULT_MISSING_SWITCH,
					       ODO_FAULT_WRONG_LINK};
	for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
		for (uint32_t j = 0; j < d->c->n_faults; j++) {
			const odo_fault *x = &d->c->faults[j];
			if (x->type != order[i])
				continue;
			if (x->type == ODO_FAULT_MISSING_SWITCH)
				draw_gone(d, x);
			else
				draw_link_fault(d, x);
		}
	}
}

static const char *dimension_name(const odo_coordinates *c, unsigned dim)
{
	switch (c->factor[dim]) {
	case ODO_GROUPS:
		return "groups";
	case ODO_MMS:
		return "Slim Fly";
	case ODO_CYCLE:
		return "cycle of";
	default:
		return "complete graph of";
	}
}

/** Where row `i` of the legend is. */
static point legend_at(unsigned i)
{
	return (point){LEGEND_COLUMN * (i / LEGEND_ROWS), LEGEND * (i % LEGEND_ROWS + 1)};
}

static void draw_dimension_keys(const drawing *d)
{
	const odo_coordinates *c = d->c;
	for (unsigned i = 0; i < c->n_dims; i++) {
		point p = legend_at(i);
		bool hidden = c->factor[i] == ODO_GROUPS ? d->columns > 0
							 : with_rails(d) && is_folded(d, i);
		fprintf(d->to,
			"<path class=\"key\" stroke=\"%s\" d=\"M%.0f %.1fh24\"/><text x=\"%.0f\" "
			"y=\"%.1f\">%s %" PRIu32 ", width %" PRIu32 "%s</text>\n",
			colours[i % N_COLOURS], p.x, p.y - 4, p.x + 32, p.y, dimension_name(c, i),
			c->size[i], c->width[i], hidden ? ", cables not drawn" : "");
	}
}

static void draw_legend(const drawing *d)
{
	const odo_coordinates *c = d->c;
	uint32_t count[3] = {0};
	for (uint32_t i = 0; i < c->n_faults; i++)
		count[c->faults[i].type]++;
	fprintf(d->to,
		"<text x=\"0\" y=\"0\" class=\"head\">%s: %" PRIu32 " switches, %" PRIu32
		" hosts</text>\n",
		odo_kind_name(c->kind), d->f->n_switches, d->f->n_hosts);
	draw_dimension_keys(d);
	static const struct {
		odo_fault_type type;
		const char *class, *name;
	} keys[] = {{ODO_FAULT_WRONG_LINK, "wrong", "wrong cables"},
		    {ODO_FAULT_MISSING_LINK, "missing", "missing cables"},
		    {ODO_FAULT_MISSING_SWITCH, "gone", "missing switches"}};
	for (unsigned i = 0; i < 3; i++) {
		point p = legend_at(c->n_dims + i);
		if (keys[i].type == ODO_FAULT_MISSING_SWITCH)
			fprintf(d->to, "<circle class=\"gone\" cx=\"%.0f\" cy=\"%.1f\" r=\"4\"/>",
				p.x + 12, p.y - 4);
		else
			fprintf(d->to, "<path class=\"%s\" d=\"M%.0f %.1fh24\"/>", keys[i].class,
				p.x, p.y - 4);
		fprintf(d->to, "<text x=\"%.0f\" y=\"%.1f\">%s: %" PRIu32 "</text>\n", p.x + 32,
			p.y, keys[i].name, count[keys[i].type]);
	}
}

static double legend_height(const odo_coordinates *c)
{
	unsigned rows = c->n_dims + 3;
	return LEGEND * ((rows < LEGEND_ROWS ? rows : LEGEND_ROWS) + 1);
}

/** @param width of the whole picture */
static void draw_head(const drawing *d, double width, double height)
{
	fprintf(d->to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"sans-serif\" font-size=\"13\">\n"
		"<style>.cable{fill:none;stroke-width:%.1f;stroke-opacity:.4}"
		".key{stroke-width:3}.switch{fill:#222}.head{font-weight:bold}"
		".wrong,.missing,.gone{fill:none;stroke:#d55e00;stroke-width:2}"
		".missing,.gone{stroke:#000;stroke-width:1.4}.missing{stroke-dasharray:5 4}"
		".gone{fill:#fff}",
		width, height, fmin(d->zoom, 2) * .9);
	/* Where many are missing, thin lines; the legend is scaled as a whole. */
	fprintf(d->to,
		".faults .wrong{stroke-width:%.1f}.faults .missing{stroke-width:%.1f;"
		"stroke-dasharray:%.0f %.0f;stroke-opacity:.7}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		2 * d->zoom, d->c->n_faults > MANY_FAULTS ? d->zoom * .7 : d->zoom * 1.4,
		5 * d->zoom, 4 * d->zoom);
}

/* How low the arc between two switches hangs (print_path()). */
static double arc_bottom(point a, point b)
{
	double least = fmax(a.y, b.y), bend = (a.y + b.y) / 2 + fabs(b.x - a.x) * BEND;
	return bend <= least ? least : (a.y * b.y - bend * bend) / (a.y - 2 * bend + b.y);
}

/* What hangs below the switches, of cables and faults that are drawn as arcs. */
static double hanging(const drawing *d)
{
	const odo_fabric *f = d->f;
	double bottom = d->size.y;
	if (d->ring > 0)
		return 0;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		unsigned dim = d->c->port_class[slot];
		bool arc = dim < d->c->n_dims && is_cable(d, slot, dim) &&
			   (!with_rails(d) || d->c->factor[dim] == ODO_MMS);
		if (arc)
			bottom = fmax(bottom, arc_bottom(d->at[f->owner[slot]],
							 d->at[odo_next_switch(f, slot)]));
	}
	for (uint32_t i = 0; i < d->c->n_faults; i++) {
		const uint32_t *node = d->c->faults[i].node;
		if (node[0] < f->n_switches && node[1] < f->n_switches)
			bottom = fmax(bottom, arc_bottom(d->at[node[0]], d->at[node[1]]));
	}
	return bottom - d->size.y;
}

static void draw(drawing *d)
{
	double width = fmax(d->size.x, MIN_WIDTH) + 2 * MARGIN;
	d->zoom = fmax(1, width / VIEW);
	width = fmax(width, LEGEND_COLUMN * d->zoom * ((d->c->n_dims + 2) / LEGEND_ROWS + 1));
	double top = (legend_height(d->c) + MARGIN) * d->zoom;
	draw_head(d, width, d->size.y + hanging(d) + top + MARGIN * d->zoom);
	fprintf(d->to, "<g transform=\"translate(%.0f %.0f) scale(%.2f)\">\n", MARGIN,
		MARGIN * d->zoom, d->zoom);
	draw_legend(d);
	fprintf(d->to, "</g>\n<g transform=\"translate(%.0f %.0f)\">\n", (width - d->size.x) / 2,
		top);
	draw_cables(d);
	draw_switches(d);
	fputs("<g class=\"faults\">\n", d->to);
	draw_faults(d);
	fputs("</g>\n</g>\n</svg>\n", d->to);
}

int cli_draw(const odo_fabric *f, const odo_coordinates *c, FILE *to, odo_error *err)
{
	drawing d = {.f = f, .c = c, .to = to};
	d.at = odo_new(f->n_switches, sizeof *d.at);
	if (!d.at)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	lay_out(&d);
	place_all(&d);
	draw(&d);
	free(d.at);
	return ODO_OK;
}
