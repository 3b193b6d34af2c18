/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/drawing/drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/drawing/labels.h"
#include "cli/drawing/layout.h"
#include "fabric/format/formats.h"

/* Distances are in units of the picture; a browser scales it. */
#define MARGIN 24.0
#define LEGEND 22.0 /**< height of a line of the legend */
#define MIN_WIDTH 520.0
#define MOST_SCALE 1.8 /**< largest scale of small fabrics, which are enlarged to MIN_WIDTH */
/** Wider pictures get larger text and thicker faults, which remain visible when scaled down. */
#define VIEW 900.0

/** Distance of the middle of an arc's control polygon from the straight line, as a share of its
 * length. The arc itself bends half as far. */
#define BEND 0.18

/** Arcs in one path: the time of renderers grows with the square of a path's length. */
#define ARCS_PER_PATH 40

/** Above this number of faults they are drawn thin. */
#define MANY_FAULTS 200

/** Most rows of one column of the legend, and its width. */
#define LEGEND_ROWS 5
#define LEGEND_COLUMN 330.0

typedef struct drawing {
	cli_layout l;
	FILE *to;
	double zoom; /**< scale of text and faults */
	bool names;  /**< print the names of switches */
} drawing;

/* Okabe and Ito's colours, suitable for the colour-blind. Vermilion is reserved for faults. */
static const char *const colours[] = {"#0072b2", "#009e73", "#e69f00", "#cc79a7",
				      "#56b4e9", "#8c6d1f", "#6a51a3", "#666666"};
#define N_COLOURS (sizeof colours / sizeof *colours)

static bool has_too_many_arcs(const drawing *d)
{
	return d->l.f->n_links - d->l.f->n_hosts > CLI_MAX_ARCS;
}

static bool with_rails(const drawing *d)
{
	return has_too_many_arcs(d) && !odo_grouped(d->l.c) && !cli_is_tree(d->l.c) &&
	       d->l.c->n_dims;
}

/** Return true if groups are drawn in a grid and have so many cables inside that these would fill
 * them. */
static bool with_full_groups(const drawing *d)
{
	const odo_coordinates *c = d->l.c;
	return d->l.columns && c->n_dims == 2 &&
	       (double)c->size[1] * c->n_switches / 2 > CLI_MAX_ARCS;
}

/** Return true if cables of this class are not drawn because there are too many. */
static bool is_hidden(const drawing *d, unsigned class)
{
	if (class == 1 && with_full_groups(d))
		return true;
	return cli_is_tree(d->l.c) ? has_too_many_arcs(d)
				   : d->l.c->factor[class] == ODO_GROUPS && d->l.columns;
}

static bool is_folded(const drawing *d, unsigned dim)
{
	return d->l.fold[dim] > 1 && d->l.fold[dim] < d->l.c->size[dim];
}

/** Print a cable as a sub-path. It is straight, or bent so that cables of one row do not hide each
 * other. Cables between groups bend towards the middle. */
static void print_path(const drawing *d, cli_point a, cli_point b, bool global)
{
	if (b.x < a.x || (b.x == a.x && b.y < a.y)) { /* all arcs bend down or left */
		cli_point first = a;
		a = b;
		b = first;
	}
	double dx = b.x - a.x, dy = b.y - a.y;
	double aside = cli_is_tree(d->l.c) ? 0 : BEND; /* cables of a tree lead up and down */
	cli_point bend = {(a.x + b.x) / 2 - dy * aside, (a.y + b.y) / 2 + dx * aside};
	if (global) {
		bend.x = (a.x + b.x) / 4 + d->l.middle.x / 2;
		bend.y = (a.y + b.y) / 4 + d->l.middle.y / 2;
	}
	fprintf(d->to, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", a.x, a.y, bend.x, bend.y, b.x, b.y);
}

static bool is_drawn_cable(const drawing *d, uint32_t slot, unsigned dim)
{
	return d->l.c->port_class[slot] == dim && d->l.f->peer[slot] != ODO_NONE &&
	       d->l.f->peer[slot] > slot && odo_next_switch(d->l.f, slot) != ODO_NONE;
}

/** Draw a line through each row of switches, for dimensions of a grid with very many cables. */
static void draw_rails(const drawing *d, unsigned dim)
{
	const odo_coordinates *c = d->l.c;
	for (uint32_t s = 0; s < d->l.f->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[0] == ODO_NONE || at[dim] != 0)
			continue;
		uint32_t last[ODO_MAX_DIMS];
		for (unsigned i = 0; i < c->n_dims; i++)
			last[i] = at[i];
		last[dim] = c->size[dim] - 1;
		cli_point to = cli_place(&d->l, last);
		fprintf(d->to, "M%.1f %.1fL%.1f %.1f", d->l.at[s].x, d->l.at[s].y, to.x, to.y);
	}
}

/** Draw all cables of a class as arcs, a few in each path. */
static void draw_arcs(const drawing *d, unsigned class, bool global, const char *colour)
{
	unsigned n = 0;
	for (uint32_t slot = 0; slot < d->l.f->first_slot[d->l.f->n_switches]; slot++) {
		if (!is_drawn_cable(d, slot, class))
			continue;
		if (n % ARCS_PER_PATH == 0)
			fprintf(d->to, "%s<path class=\"cable\" stroke=\"%s\" d=\"",
				n ? "\"/>\n" : "", colour);
		print_path(d, d->l.at[d->l.f->owner[slot]], d->l.at[odo_next_switch(d->l.f, slot)],
			   global);
		n++;
	}
	fputs(n ? "\"/>\n" : "", d->to);
}

static void draw_cables(const drawing *d)
{
	const odo_coordinates *c = d->l.c;
	for (unsigned dim = 0; dim < c->n_dims; dim++) {
		const char *colour = colours[dim % N_COLOURS];
		bool global = c->factor[dim] == ODO_GROUPS;
		if (with_rails(d) && c->factor[dim] != ODO_MMS) {
			if (is_folded(d, dim))
				continue;
			fprintf(d->to, "<path class=\"cable\" stroke=\"%s\" d=\"", colour);
			draw_rails(d, dim);
			fputs("\"/>\n", d->to);
		} else if (!is_hidden(d, dim)) {
			draw_arcs(d, dim, global, colour);
		}
	}
	if (!c->n_dims)
		draw_arcs(d, ODO_PORT_WRONG, true, "#666666");
}

static void draw_switches(const drawing *d)
{
	fputs("<g class=\"switch\">\n", d->to);
	for (uint32_t s = 0; s < d->l.f->n_switches; s++) {
		fprintf(d->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>", d->l.at[s].x,
			d->l.at[s].y);
		cli_draw_text(d->to, odo_name(d->l.f, s));
		fprintf(d->to, " 0x%016" PRIx64, d->l.f->node_guid[s]);
		for (unsigned i = 0; i < d->l.c->n_dims && odo_at(d->l.c, s)[i] != ODO_NONE; i++)
			fprintf(d->to, "%s%" PRIu32, i ? "," : " at ", odo_at(d->l.c, s)[i]);
		fputs("</title></circle>\n", d->to);
	}
	fputs("</g>\n", d->to);
}

static const struct fault_key {
	odo_fault_type type;
	const char *class, *name, *one;
} fault_keys[] = {{ODO_FAULT_WRONG_LINK, "wrong", "wrong cables", "wrong cable"},
		  {ODO_FAULT_SLOW_LINK, "slow", "slow cables", "slow cable"},
		  {ODO_FAULT_MISSING_LINK, "missing", "missing cables", "missing cable"},
		  {ODO_FAULT_MISSING_SWITCH, "gone", "missing switches", "missing switch"}};
#define N_FAULT_KEYS (sizeof fault_keys / sizeof *fault_keys)

static const struct fault_key *fault_key_of(const odo_fault *x)
{
	const struct fault_key *key = fault_keys;
	while (key->type != x->type)
		key++;
	return key;
}

static bool is_line(const drawing *d, const odo_fault *x)
{
	uint32_t n = d->l.f->n_switches;
	return x->node[0] < n && x->node[1] < n && x->node[0] != x->node[1];
}

/** Draw a line between two switches. For a cable to a host, or to the same switch, draw a ring
 * around the switch. */
static void draw_fault_place(const drawing *d, const odo_fault *x, const char *class)
{
	uint32_t a = x->node[0], b = x->node[1];
	cli_point at = d->l.at[a < d->l.f->n_switches ? a : b];
	if (is_line(d, x)) {
		fprintf(d->to, "<path class=\"%s\" d=\"", class);
		print_path(d, d->l.at[a], d->l.at[b], false);
		fputs("\">", d->to);
	} else {
		fprintf(d->to, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\">", class, at.x,
			at.y);
	}
}

static void draw_link_fault(const drawing *d, const odo_fault *x)
{
	const struct fault_key *key = fault_key_of(x);
	const odo_fabric *f = d->l.f;
	draw_fault_place(d, x, key->class);
	fprintf(d->to, "<title>%s: ", key->one);
	for (unsigned i = 0; i < 2; i++) {
		fputs(i ? " to " : "", d->to);
		cli_draw_text(d->to, odo_name(f, x->node[i]));
		if (x->slot[i] != ODO_NONE)
			fprintf(d->to, " port %u", odo_port(f, x->slot[i]));
	}
	if (x->usual != ODO_NONE)
		fprintf(d->to, ", %ux%s, usual is %ux%s", f->width[x->slot[0]],
			odo_speed_name((odo_speed)f->speed[x->slot[0]]), f->width[x->usual],
			odo_speed_name((odo_speed)f->speed[x->usual]));
	fprintf(d->to, "</title></%s>\n", is_line(d, x) ? "path" : "circle");
}

static void draw_gone(const drawing *d, const odo_fault *x)
{
	cli_point p = cli_place(&d->l, x->at);
	fprintf(d->to,
		"<circle class=\"gone\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>missing "
		"switch</title></circle>\n",
		p.x, p.y);
}

/** Draw faults: slow and wrong cables on top of missing ones. */
static void draw_faults(const drawing *d)
{
	static const odo_fault_type order[] = {ODO_FAULT_MISSING_LINK, ODO_FAULT_MISSING_SWITCH,
					       ODO_FAULT_SLOW_LINK, ODO_FAULT_WRONG_LINK};
	for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
		for (uint32_t j = 0; j < d->l.c->n_faults; j++) {
			const odo_fault *x = &d->l.c->faults[j];
			if (x->type != order[i])
				continue;
			if (x->type == ODO_FAULT_MISSING_SWITCH)
				draw_gone(d, x);
			else
				draw_link_fault(d, x);
		}
	}
}

static uint32_t count_drawn_faults(const odo_coordinates *c, odo_fault_type type)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_faults; i++)
		n += c->faults[i].type == type;
	return n;
}

/** Return the number of classes of cables: in a tree one for each pair of adjacent levels, in a
 * Dragonfly+ global and local cables. */
static unsigned count_classes(const odo_coordinates *c)
{
	return cli_is_tree(c)                                       ? c->size[ODO_TREE_LEVEL] - 1
	       : odo_grouped(c) && odo_kind_of(c->kind)->dimensions ? 2
								    : c->n_dims;
}

/** Count the entries of the legend: classes of cables, and types of faults that occur. */
static unsigned count_keys(const odo_coordinates *c)
{
	unsigned n = count_classes(c);
	for (unsigned i = 0; i < N_FAULT_KEYS; i++)
		n += count_drawn_faults(c, fault_keys[i].type) > 0;
	return n;
}

static unsigned legend_columns(const odo_coordinates *c)
{
	return 1 + (count_keys(c) ? count_keys(c) - 1 : 0) / LEGEND_ROWS;
}

/** Return the rows of each column of the legend. */
static unsigned legend_rows(const odo_coordinates *c)
{
	return (count_keys(c) + legend_columns(c) - 1) / legend_columns(c);
}

/** Return the position of entry `i` of the legend. */
static cli_point legend_at(const odo_coordinates *c, unsigned i)
{
	unsigned rows = legend_rows(c);
	return (cli_point){LEGEND_COLUMN * (i / rows), LEGEND * (i % rows + 1)};
}

/** Name the switches that a class of cables joins. */
static void name_class(const odo_coordinates *c, unsigned i, char *text, size_t size)
{
	if (cli_is_tree(c))
		snprintf(text, size, "levels %u and %u", i, i + 1);
	else if (odo_kind_of(c->kind)->dimensions && i)
		snprintf(text, size, "leaves and spines of a group");
	else
		snprintf(text, size, "%s %" PRIu32, odo_factor_of(c->factor[i])->title, c->size[i]);
}

static void draw_dimension_keys(const drawing *d)
{
	const odo_coordinates *c = d->l.c;
	for (unsigned i = 0; i < count_classes(c); i++) {
		cli_point p = legend_at(c, i);
		bool hidden = is_hidden(d, i) || (with_rails(d) && is_folded(d, i));
		char name[64];
		name_class(c, i, name, sizeof name);
		fprintf(d->to,
			"<path class=\"key\" stroke=\"%s\" d=\"M%.0f %.1fh24\"/><text x=\"%.0f\" "
			"y=\"%.1f\">%s, width %" PRIu32 "%s</text>\n",
			colours[i % N_COLOURS], p.x, p.y - 4, p.x + 32, p.y, name, c->width[i],
			hidden ? ", cables not drawn" : "");
	}
}

static void draw_fault_keys(const drawing *d)
{
	unsigned at = count_classes(d->l.c);
	for (unsigned i = 0; i < N_FAULT_KEYS; i++) {
		const struct fault_key *key = &fault_keys[i];
		uint32_t count = count_drawn_faults(d->l.c, key->type);
		if (!count)
			continue;
		cli_point p = legend_at(d->l.c, at++);
		if (key->type == ODO_FAULT_MISSING_SWITCH)
			fprintf(d->to, "<circle class=\"gone\" cx=\"%.0f\" cy=\"%.1f\" r=\"4\"/>",
				p.x + 12, p.y - 4);
		else
			fprintf(d->to, "<path class=\"%s\" d=\"M%.0f %.1fh24\"/>", key->class, p.x,
				p.y - 4);
		fprintf(d->to, "<text x=\"%.0f\" y=\"%.1f\">%s: %" PRIu32 "</text>\n", p.x + 32,
			p.y, key->name, count);
	}
}

static void draw_legend(const drawing *d)
{
	const odo_coordinates *c = d->l.c;
	fprintf(d->to,
		"<text x=\"0\" y=\"0\" class=\"head\">%s: %" PRIu32 " switches, %" PRIu32
		" hosts</text>\n",
		odo_kind_name(c->kind), d->l.f->n_switches, d->l.f->n_senders);
	draw_dimension_keys(d);
	draw_fault_keys(d);
}

static double legend_height(const odo_coordinates *c)
{
	return LEGEND * (legend_rows(c) + 1);
}

/** Write the head.
 * @param width of the whole picture */
static void draw_head(const drawing *d, double width, double height)
{
	fprintf(d->to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"sans-serif\" font-size=\"13\">\n"
		"<style>.cable{fill:none;stroke-width:%.1f;stroke-opacity:.4}.key{stroke-width:3}."
		"switch{fill:#222}.head{font-weight:bold}.wrong,.slow,.missing,.gone{fill:none;"
		"stroke:#d55e00;stroke-width:2}.slow{stroke-dasharray:1.5 "
		"2.5}.missing,.gone{stroke:#000;stroke-width:1.4}.missing{stroke-dasharray:5 "
		"4}.gone{fill:#fff}.label{text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-"
		"width:.2em}",
		width, height, fmin(d->zoom, 2) * .9);
	/* if many cables are missing, lines are thin; the legend is scaled as a whole */
	fprintf(d->to,
		".faults .wrong,.faults .slow{stroke-width:%.1f}.faults "
		".missing{stroke-width:%.1f;stroke-dasharray:%.0f %.0f;stroke-opacity:.7}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		2 * d->zoom, d->l.c->n_faults > MANY_FAULTS ? d->zoom * .7 : d->zoom * 1.4,
		5 * d->zoom, 4 * d->zoom);
}

/* Return how far an arc reaches in the direction in which it bends (print_path()). p and q are the
 * coordinates of its ends in that direction; `across` is their distance in the other one. */
static double arc_reach(double p, double q, double across)
{
	double least = fmax(p, q), bend = (p + q) / 2 + fabs(across) * BEND;
	return bend <= least ? least : (p * q - bend * bend) / (p - 2 * bend + q);
}

/** Space that arcs need beyond the switches. */
typedef struct margins {
	double below, left, right;
} margins;

static void widen_margins(const drawing *d, cli_point a, cli_point b, margins *m)
{
	cli_point from = d->l.corner, end = {from.x + d->l.size.x, from.y + d->l.size.y};
	bool leftwards = (b.x - a.x) * (b.y - a.y) >= 0;
	m->below = fmax(m->below, arc_reach(a.y, b.y, b.x - a.x) - end.y);
	if (leftwards)
		m->left = fmax(m->left, arc_reach(-a.x, -b.x, b.y - a.y) + from.x);
	else
		m->right = fmax(m->right, arc_reach(a.x, b.x, b.y - a.y) - end.x);
}

/* Find the space for cables and faults drawn as arcs, and for names of levels. */
static margins find_margins(const drawing *d)
{
	const odo_fabric *f = d->l.f;
	margins m = {.left = d->names && cli_is_tree(d->l.c) ? CLI_LEVELS : 0};
	if (d->l.ring > 0 || cli_is_tree(d->l.c))
		return m;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		unsigned dim = d->l.c->port_class[slot];
		bool arc = dim < d->l.c->n_dims && is_drawn_cable(d, slot, dim) &&
			   (!with_rails(d) || d->l.c->factor[dim] == ODO_MMS);
		if (arc)
			widen_margins(d, d->l.at[f->owner[slot]], d->l.at[odo_next_switch(f, slot)],
				      &m);
	}
	for (uint32_t i = 0; i < d->l.c->n_faults; i++) {
		const uint32_t *node = d->l.c->faults[i].node;
		if (node[0] < f->n_switches && node[1] < f->n_switches)
			widen_margins(d, d->l.at[node[0]], d->l.at[node[1]], &m);
	}
	return m;
}

/** Draw numbers in groups drawn as empty circles, and all names if wanted. */
static int draw_labels(const drawing *d, odo_error *err)
{
	int status = odo_grouped(d->l.c) && (d->names || with_full_groups(d))
			     ? cli_draw_groups(&d->l, d->to, err)
			     : 0;
	if (!status && d->names)
		cli_draw_names(&d->l, d->to);
	return status;
}

static int draw_fabric(drawing *d, odo_error *err)
{
	const odo_coordinates *c = d->l.c;
	margins m = find_margins(d);
	cli_point size = {m.left + d->l.size.x + m.right, d->l.size.y + m.below};
	double scale = fmax(1, fmin(MOST_SCALE, MIN_WIDTH / fmax(size.x, 1)));
	double width = fmax(size.x * scale, MIN_WIDTH) + 2 * MARGIN;
	d->zoom = fmax(1, width / VIEW);
	width = fmax(width, LEGEND_COLUMN * d->zoom * legend_columns(c));
	double top = (legend_height(c) + MARGIN) * d->zoom;
	draw_head(d, width, size.y * scale + top + MARGIN * d->zoom);
	fprintf(d->to, "<g transform=\"translate(%.0f %.0f) scale(%.2f)\">\n", MARGIN,
		MARGIN * d->zoom, d->zoom);
	draw_legend(d);
	fprintf(d->to, "</g>\n<g transform=\"translate(%.0f %.0f) scale(%.2f)\">\n",
		(width - size.x * scale) / 2 + (m.left - d->l.corner.x) * scale,
		top - d->l.corner.y * scale, scale);
	draw_cables(d);
	draw_switches(d);
	int status = draw_labels(d, err);
	fputs("<g class=\"faults\">\n", d->to);
	draw_faults(d);
	fputs("</g>\n</g>\n</svg>\n", d->to);
	return status;
}

int cli_draw(const odo_fabric *f, const odo_coordinates *c, bool names, FILE *to, odo_error *err)
{
	drawing d = {.to = to, .names = names};
	int status = cli_lay_out(f, c, &d.l, err);
	if (!status)
		status = draw_fabric(&d, err);
	free(d.l.at);
	return status;
}
