/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/drawing/bars.h"

/* Sizes in units of the picture; a browser scales it. */
enum { LEFT = 170, LENGTH = 480, RIGHT = 60, BAR = 13, GAP = 12, TOP = 10, KEYS = 24, AXIS = 22 };

/* Okabe and Ito's colours, as in drawings of fabrics. */
static const char *const colours[] = {"#0072b2", "#009e73", "#e69f00",
				      "#cc79a7", "#56b4e9", "#666666"};
#define N_COLOURS (sizeof colours / sizeof *colours)

static void write_bar_text(const char *text, FILE *to)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		case '&':
			fputs("&amp;", to);
			break;
		default:
			fputc(*text, to);
		}
}

static void write_row(const json_t *row, const char *name, const cli_bar *bars, int y, FILE *to)
{
	int n = 0;
	while (bars[n].key)
		n++;
	fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, y + n * BAR / 2 + 4);
	write_bar_text(json_string_value(json_object_get(row, name)), to);
	fputs("</text>\n", to);
	for (int i = 0; i < n; i++, y += BAR) {
		const json_t *value = json_object_get(row, bars[i].key);
		double share = json_number_value(value);
		if (!json_is_number(value))
			continue;
		fprintf(to,
			"<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text "
			"x=\"%.1f\" y=\"%d\" class=\"n\">%.3g</text>\n",
			LEFT, y, LENGTH * share, BAR - 2, colours[(size_t)i % N_COLOURS],
			LEFT + LENGTH * share + 4, y + BAR - 4, share);
	}
}

static void write_axis(int from, int to_y, FILE *to)
{
	for (int tick = 0; tick <= 4; tick++) {
		int x = LEFT + LENGTH * tick / 4;
		fprintf(to,
			"<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#ccc\"/><text "
			"x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.2g</text>\n",
			x, x, from, to_y, x, to_y + 15, tick / 4.0);
	}
}

int cli_draw_bars(const json_t *rows, const char *name, const cli_bar *bars, FILE *to,
		  odo_error *err)
{
	int n = 0, n_rows = (int)json_array_size(rows);
	while (bars[n].key)
		n++;
	int row = n * BAR + GAP, bottom = TOP + KEYS + n_rows * row, width = LEFT + LENGTH + RIGHT;
	fprintf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" viewBox=\"0 0 %d %d\" "
		"width=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<style>.n{font-size:10px}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		width, bottom + AXIS, width);
	for (int i = 0; i < n; i++)
		fprintf(to,
			"<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/><text "
			"x=\"%d\" y=\"%d\">%s</text>\n",
			TOP + i * (width - TOP) / n, TOP, colours[(size_t)i % N_COLOURS],
			TOP + i * (width - TOP) / n + 15, TOP + 10, bars[i].title);
	write_axis(TOP + KEYS, bottom, to);
	for (int i = 0; i < n_rows; i++)
		write_row(json_array_get(rows, (size_t)i), name, bars,
			  TOP + KEYS + i * row + GAP / 2, to);
	fputs("</svg>\n", to);
	return ferror(to) ? odo_fail(err, ODO_EIO, "cannot write the picture") : 0;
}
