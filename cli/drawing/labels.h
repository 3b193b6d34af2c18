/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Names in a drawing. */
#ifndef ODONATA_CLI_DRAWING_LABELS_H
#define ODONATA_CLI_DRAWING_LABELS_H

#include <stdio.h>

#include "cli/drawing/layout.h"

/** Write a text of the fabric, escaped for SVG. */
void cli_draw_text(FILE *to, const char *text);

/** Write the number of each group of a dragonfly in its middle. Errors: ODO_ENOMEM. */
int cli_draw_groups(const cli_layout *l, FILE *to, odo_error *err);

/** Space to the left of a tree for the names of its levels. */
#define CLI_LEVELS (3 * CLI_STEP)
/** Write the name of each switch below it, small enough not to reach the next one, and the levels
 * of a tree. */
void cli_draw_names(const cli_layout *l, FILE *to);

#endif
