/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Texts of help, for -h and --help, the manual pages and docs/reference/cli.md. */
#ifndef ODONATA_CLI_HELP_H
#define ODONATA_CLI_HELP_H

#include "cli/command.h"

/** Exit codes, ending with a NULL meaning. */
extern const struct cli_exit_meaning {
	int code;
	const char *meaning;
} cli_exit_meanings[];

/** Paragraphs: what a FABRIC is, and how failures are reported. */
extern const char cli_fabric_help[], cli_failure_help[];

/** Write the help of a row, with the usual value, to `text`.
 * @return text */
const char *cli_flag_help(const cli_flag *flag, char *text, size_t size);

/** Print words from column `at` on; further lines begin in column `indent`. */
void cli_print_wrapped(FILE *to, const char *text, int at, int indent, int width);

/** Print up to 25 lines for -h, or all options and examples for --help. */
void cli_print_short_help(const cli_call *call, FILE *to);
void cli_print_long_help(const cli_call *call, FILE *to);
/** Print the commands.
 * @param all also what a FABRIC is, and exit codes */
void cli_print_program_help(FILE *to, bool all);

#endif
