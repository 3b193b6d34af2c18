/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Options that several subcommands share, and what they stand for. */
#ifndef ODONATA_CLI_OPTIONS_H
#define ODONATA_CLI_OPTIONS_H

#include "cli/command.h"

/** The bits CLI_FABRIC to CLI_OUTPUT. */
#define CLI_N_GROUPS 4
/** The group of options that every subcommand has. */
#define CLI_ALWAYS (1u << CLI_N_GROUPS)

/** A group as a child of a subcommand's argp. */
struct argp_child cli_group_child(unsigned group);

/** Refuse an option with a value that was there before, unless its row has CLI_MANY: the last value
 * would win, and the first would be ignored. Each parser begins with this.
 * @param rows of the parser; a key of none of them is left alone */
void cli_take_option(struct argp_state *state, const struct argp_option *rows, int key);

#endif
