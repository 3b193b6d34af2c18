/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The subcommands' rows, each in its own file of commands/, gathered in commands.c. */
#ifndef ODONATA_CLI_ROWS_H
#define ODONATA_CLI_ROWS_H

#include "cli/command.h"

extern const cli_command cli_generate, cli_map, cli_route, cli_verify, cli_export, cli_emulate,
	cli_list, cli_experiment, cli_analyze, cli_compare, cli_whatif, cli_transition, cli_status,
	cli_report, cli_watch, cli_diff, cli_install, cli_reproduce, cli_plan, cli_probe,
	cli_handover, cli_path, cli_accept;

#endif
