/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Rows of an answer as a chart of bars. */
#ifndef ODONATA_CLI_DRAWING_BARS_H
#define ODONATA_CLI_DRAWING_BARS_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"

/** A number of a row that becomes a bar. */
typedef struct cli_bar {
	const char *key, *title;
} cli_bar;

/**
 * Write an SVG 1.1 picture: a group of bars for each row, from 0 to 1, each followed by its number.
 * @param rows objects with a text in `name`, and numbers; a null has no bar
 * @param bars ends with a NULL key
 */
int cli_draw_bars(const json_t *rows, const char *name, const cli_bar *bars, FILE *to,
		  odo_error *err);

#endif
