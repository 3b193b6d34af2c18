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

#endif
