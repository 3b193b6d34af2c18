/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/drawing/labels.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/** Width of a character, as a share of its height. */
#define LETTER 0.66
/** Largest height of a name, and height of a group's number as a share of the group. */
#define MOST_NAME 6.0
#define GROUP_SHARE 0.2

void cli_draw_text(FILE *to, const char *text)
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

int cli_draw_groups(const cli_layout *l, FILE *to, odo_error *err)
{
	const odo_coordinates *c = l->c;
	uint32_t *n = odo_new(c->size[0], sizeof *n);
	cli_point *sum = odo_new(c->size[0], sizeof *sum);
	for (uint32_t s = 0; n && sum && s < c->n_switches; s++) {
		uint32_t group = odo_at(c, s)[0];
		if (group == ODO_NONE)
			continue;
		n[group]++;
		sum[group].x += l->at[s].x;
		sum[group].y += l->at[s].y;
	}
	double size = fmax(CLI_STEP / 2, fmin(l->cell.x, l->cell.y) * GROUP_SHARE);
	for (uint32_t g = 0; n && sum && g < c->size[0]; g++)
		if (n[g])
			fprintf(to,
				"<text class=\"label\" fill=\"#555\" x=\"%.1f\" y=\"%.1f\" "
				"font-size=\"%.1f\">%" PRIu32 "</text>\n",
				sum[g].x / n[g], sum[g].y / n[g] + size * 0.35, size, g);
	int status = n && sum ? 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
	free(n);
	free(sum);
	return status;
}

static void draw_levels(const cli_layout *l, FILE *to)
{
	const odo_coordinates *c = l->c;
	for (uint32_t level = 0; level < c->size[ODO_TREE_LEVEL]; level++) {
		uint32_t s = 0;
		while (s < c->n_switches && odo_at(c, s)[ODO_TREE_LEVEL] != level)
			s++;
		if (s < c->n_switches)
			fprintf(to,
				"<text text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\" "
				"font-size=\"%.1f\">level %" PRIu32 "</text>\n",
				l->corner.x - CLI_STEP / 2, l->at[s].y + CLI_STEP / 6, CLI_STEP / 2,
				level);
	}
}

void cli_draw_names(const cli_layout *l, FILE *to)
{
	if (cli_is_tree(l->c))
		draw_levels(l, to);
	for (uint32_t s = 0; s < l->f->n_switches; s++) {
		const char *name = odo_name(l->f, s);
		double letters = fmax(1, (double)strlen(name));
		double size = fmin(MOST_NAME, (CLI_STEP - 2) / (letters * LETTER));
		fprintf(to, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">",
			l->at[s].x, l->at[s].y + 3 + size, size);
		cli_draw_text(to, name);
		fputs("</text>\n", to);
	}
}
