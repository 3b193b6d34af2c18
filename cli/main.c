/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"

static void print_commands(FILE *to)
{
	fputs("Usage: odonata COMMAND [OPTION...] [ARGUMENT...]\n"
	      "Routing and emulation of low-diameter InfiniBand fabrics.\n\n",
	      to);
	for (const cli_command *const *c = cli_commands; *c; c++)
		fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
	fputs("\n  -h, --help     Print this help\n  -V, --version  Print the version\n\n"
	      "'odonata COMMAND --help' tells more, with examples. A FABRIC is a spec\n"
	      "(dragonfly:p=2,a=4,h=2), a preset, a file (ibnetdiscover output or an ibsim net\n"
	      "file), '-' for a file on standard input, or 'live' (live:ADAPTER:PORT) for the\n"
	      "subnet that this machine is on.\n\n"
	      "Exit codes: 0 done; 1 the answer is no (unsafe, unknown kind, contradictions\n"
	      "with map --strict, deadlock); 2 wrong command line; 3 bad file or spec; 4 no\n"
	      "engine can route it, or not with these VLs; 5 the system failed; 130\n"
	      "interrupted, with what was done. With --json a failure also puts an object\n"
	      "'error' on standard output.\n",
	      to);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "-?") ||
	    (!strcmp(name, "help") && argc == 2)) {
		print_commands(stdout);
		return cli_end_output(CLI_OK);
	}
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		puts("odonata " ODONATA_VERSION);
		return cli_end_output(CLI_OK);
	}
	if (!*name) {
		print_commands(stderr);
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
