/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "cli/help.h"

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	bool all = !strcmp(name, "--help") || (!strcmp(name, "help") && argc == 2);
	if (all || !strcmp(name, "-h") || !strcmp(name, "-?")) {
		cli_print_program_help(stdout, all);
		return cli_end_output(CLI_OK);
	}
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		printf("odonata %s, commit %s\n", odo_version, odo_commit);
		return cli_end_output(CLI_OK);
	}
	if (!*name) {
		cli_print_program_help(stderr, false);
		return CLI_USAGE;
	}
	const cli_command *command;
	if (!strcmp(name, "help")) {
		char *const ask[] = {argv[2], (char[]){"--help"}, NULL};
		command = cli_command_find(argv[2]);
		if (command)
			return cli_command_run(command, 2, (char **)ask);
		name = argv[2];
	}
	command = cli_command_find(name);
	if (!command) {
		const cli_call call = {.json = cli_asks_json(argc, argv)};
		return cli_refuse(
			&call, "expected a command, found '%s'; 'odonata --help' lists them", name);
	}
	return cli_command_run(command, argc - 1, argv + 1);
}
