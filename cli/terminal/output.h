/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Output of the program. Data goes to standard output or --output, messages to standard error.
 * Colour and progress appear only on a terminal. */
#ifndef ODONATA_CLI_OUTPUT_H
#define ODONATA_CLI_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/replace.h"

/**
 * A file being written. It gets its name only when it is closed with success, so that a failure
 * never leaves half a file or loses the old one.
 */
typedef struct cli_file {
	FILE *to;
	const char *path; /**< borrowed; NULL for standard output */
	odo_draft draft;
} cli_file;

bool cli_is_folder(const char *path);

int cli_file_open(const char *path, cli_file *file, odo_error *err);
/** Close the file.
 * @param status result of writing it; not 0 removes the draft
 * @return as odo_draft_close() */
int cli_file_close(cli_file *file, int status, odo_error *err);
/** Add the name of the output to the error if the status is ODO_EIO.
 * @param path as for cli_file_open()
 * @return `status` */
int cli_name_output(const char *path, int status, odo_error *err);

/**
 * Print an answer for people: scalars as "name  value" lines, an array of objects as a table
 * headed by its keys, nested objects indented. Keys are shown with spaces for underscores.
 */
int cli_print_text(const json_t *answer, FILE *to, bool colour, odo_error *err);
/**
 * Print a row of a table of numbers and short words before the later rows are known. Columns are as
 * wide as their heads, and at least eight characters.
 * @param title title of the table, before the first row; NULL for later rows
 */
int cli_print_row(const json_t *row, const char *title, FILE *to, bool colour, odo_error *err);
int cli_print_json(const json_t *answer, FILE *to, odo_error *err);

/** Return true for a terminal that may be coloured (NO_COLOR and TERM=dumb are respected). */
bool cli_colour(FILE *to);

#endif
