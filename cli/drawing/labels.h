/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Names in a drawing. */
#ifndef ODONATA_CLI_DRAWING_LABELS_H
#define ODONATA_CLI_DRAWING_LABELS_H

#include <stdio.h>

#include "cli/drawing/layout.h"

/** Text of a fabric, which SVG must not take for markup. */
void cli_draw_text(FILE *to, const char *text);

/** The number of each group of a dragonfly, in its middle. Errors: ODO_ENOMEM. */
int cli_draw_groups(const cli_layout *l, FILE *to, odo_error *err);

/** Room to the left of a tree for what its levels are called. */
#define CLI_LEVELS (3 * CLI_STEP)
/** The name of each switch below it, small enough not to reach the next; levels of a tree. */
void cli_draw_names(const cli_layout *l, FILE *to);

#endif
