/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/rows.h"

const cli_command *const cli_commands[] = {
	&cli_plan,    &cli_generate, &cli_map,        &cli_route,     &cli_export, &cli_verify,
	&cli_analyze, &cli_compare,  &cli_whatif,     &cli_path,      &cli_accept, &cli_transition,
	&cli_report,  &cli_status,   &cli_diff,       &cli_install,   &cli_probe,  &cli_handover,
	&cli_watch,   &cli_emulate,  &cli_experiment, &cli_reproduce, &cli_list,   NULL,
};
