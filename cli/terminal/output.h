/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** How answers leave the program. Data goes to standard output or --output, talk to
 * standard error; colour and progress only to a terminal. */
#ifndef ODONATA_CLI_OUTPUT_H
#define ODONATA_CLI_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/**
 * A file being written. It appears under its name only when closed with success, so that a
 * failure never leaves half a file or loses the old one.
 */
typedef struct cli_file {
	FILE *to;
	const char *path; /**< borrowed; NULL for standard output */
	char *real;       /**< what the path leads to */
	char *draft;      /**< name before it has its own; NULL where that is no plain file */
	bool nameless;    /**< has not even that until it is whole */
	bool durable;     /**< set it: closed with success, it outlives a loss of power */
} cli_file;

bool cli_is_folder(const char *path);

int cli_file_open(const char *path, cli_file *file, odo_error *err);
/** @param keep false throws the draft away */
int cli_file_close(cli_file *file, bool keep, odo_error *err);
/** Name the output in the error of what was to write to it, for a status that is ODO_EIO.
 * @param path as of cli_file_open() @return `status` */
int cli_name_output(const char *path, int status, odo_error *err);

/**
 * Print an answer for people: scalars as "name  value" lines, an array of objects as a table
 * headed by its keys, nested objects indented. Keys are shown with spaces for underscores.
 */
int cli_print_text(const json_t *answer, FILE *to, bool colour, odo_error *err);
/**
 * Print a row of a table of numbers and short words, before the later ones are known: columns are
 * as wide as their heads, and at least eight.
 * @param title of the table, with which the first row comes; NULL for later ones
 */
int cli_print_row(const json_t *row, const char *title, FILE *to, bool colour, odo_error *err);
int cli_print_json(const json_t *answer, FILE *to, odo_error *err);

/** True for a terminal that may be coloured (NO_COLOR and TERM=dumb are respected). */
bool cli_colour(FILE *to);

/** Part of an answer as it was made, or NULL, and it freed, where something could not be put into
 * it. What it should then go into refuses NULL, and has failed too. */
json_t *cli_json_whole(json_t *part, int failed);

/** "0x0002c90300000001" */
json_t *cli_json_guid(uint64_t guid);

/** Text out of a file: what could upset a terminal or JSON (control characters, broken
 * UTF-8) is shown as '?'. */
json_t *cli_json_text(const char *text);

#endif
