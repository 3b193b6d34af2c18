/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Options that several subcommands share. */
#ifndef ODONATA_CLI_OPTIONS_H
#define ODONATA_CLI_OPTIONS_H

#include "cli/command.h"

/** The bits CLI_FABRIC to CLI_OUTPUT. */
#define CLI_N_GROUPS 4
/** The group of options that every subcommand has. */
#define CLI_ALWAYS (1u << CLI_N_GROUPS)

typedef struct cli_flag_group {
	const char *heading;
	const cli_flag *flags;         /**< their fields are in cli_call */
	void (*check)(cli_call *call); /**< refuse combinations; NULL: all are allowed */
} cli_flag_group;

/** Help of --hosts-only. */
#define CLI_HOSTS_ONLY_HELP                                                                        \
	"Leave out paths to switches' own LIDs, which some of OpenSM's engines do not promise"

/** Return a group by the number of its bit. */
const cli_flag_group *cli_group_flags(unsigned group);

/** Run the checks of a subcommand's groups. A combination that makes no sense ends the program. */
void cli_check_groups(cli_call *call);

#endif
