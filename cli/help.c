/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/help.h"

#include <string.h>

#include "cli/options.h"

const struct cli_exit_meaning cli_exit_meanings[] = {
	{CLI_OK, "done"},
	{CLI_NO,
	 "it ran, and the answer is no: unsafe tables, a fabric of unknown kind, contradictions "
	 "with map --strict, changes with map --diff or --plan, an emulation that deadlocks or "
	 "does not end"},
	{CLI_USAGE, "wrong command line"},
	{CLI_INPUT, "bad file or spec, no such file, or a folder instead"},
	{CLI_DECLINED,
	 "declined: no engine can route this fabric, or not within the virtual lanes allowed"},
	{CLI_SYSTEM,
	 "the system failed: a file that cannot be read or written, the subnet, memory"},
	{CLI_INTERRUPTED, "Ctrl-C interrupted emulate, which printed the loads that were finished"},
	{0}};

const char cli_fabric_help[] =
	"A FABRIC is a spec such as dragonfly:p=2,a=4,h=2 (see odonata list topologies), a preset "
	"(odonata list presets), a file (ibnetdiscover output or an ibsim net file), - for a file "
	"on standard input, or live (live:ADAPTER:PORT) for the subnet that this machine is on. "
	"FABRIC... takes several subnets, and parts of one that no cable connects: each is treated "
	"by itself, with its own LIDs, and the answers are summed up.";

const char cli_failure_help[] =
	"A failure is one line on standard error. With --json there is an object on standard "
	"output, too, even if --output names a file: {\"error\": {\"exit_code\": 3, \"kind\": "
	"\"input\", \"message\": \"...\"}}. The kind is usage, input, unknown, unsafe, declined, "
	"memory or system. The message is for people, and may change.";

enum { WIDTH = 79, SHORT_COLUMN = 27, LONG_COLUMN = 29 };

const char *cli_flag_help(const cli_flag *flag, char *text, size_t size)
{
	const char *help = flag->help ? flag->help : flag->brief ? flag->brief : "";
	bool usual = flag->usual && *flag->usual;
	snprintf(text, size, usual ? "%s [%s]" : "%s", help, flag->usual);
	return text;
}

void cli_print_wrapped(FILE *to, const char *text, int at, int indent, int width)
{
	bool first = true;
	while (*text) {
		int length = (int)strcspn(text, " \n"), space = first ? 0 : 1;
		if (!first && at + space + length > width) {
			fprintf(to, "\n%*s", indent, "");
			at = indent;
			space = 0;
		}
		fprintf(to, "%*s%.*s", space, "", length, text);
		at += space + length;
		first = false;
		text += length;
		for (; *text == '\n' || *text == ' '; text++)
			if (*text == '\n') {
				fputc('\n', to);
				at = indent;
				first = true;
			}
	}
	fputc('\n', to);
}

static void print_flag(FILE *to, const cli_flag *flag, const char *text, int column)
{
	char head[80], letter[8] = "    ";
	if (flag->letter)
		snprintf(letter, sizeof letter, flag->name ? "-%c, " : "-%c", flag->letter);
	int n = snprintf(head, sizeof head, "  %s%s%s%s%s%s%s", letter, flag->name ? "--" : "",
			 flag->name ? flag->name : "", flag->without ? "[" : "",
			 flag->value ? "=" : "", flag->value ? flag->value : "",
			 flag->without ? "]" : "");
	fputs(head, to);
	if (n >= column) {
		fputc('\n', to);
		n = 0;
	}
	fprintf(to, "%*s", column - n, "");
	cli_print_wrapped(to, text, column, column, WIDTH);
}

void cli_print_short_help(const cli_call *call, FILE *to)
{
	const cli_command *command = call->command;
	fprintf(to, "Usage: odonata %s [OPTION...]%s%s\n%s.\n\n", command->name,
		*command->arguments ? " " : "", command->arguments, command->summary);
	for (unsigned i = 0; i < call->n_flags; i++)
		if (call->flag[i]->brief && !call->flag[i]->hidden)
			print_flag(to, call->flag[i], call->flag[i]->brief, SHORT_COLUMN);
	fprintf(to, "\nExample: %s\n  %s\n\n'odonata %s --help' prints all options and examples.\n",
		command->examples->what, command->examples->line, command->name);
}

static void print_flags(FILE *to, const char *heading, const cli_flag *rows)
{
	char text[600];
	if (!rows)
		return;
	fprintf(to, "\n%s:\n", heading);
	for (const cli_flag *flag = rows; flag->name || flag->letter; flag++)
		if (!flag->hidden)
			print_flag(to, flag, cli_flag_help(flag, text, sizeof text), LONG_COLUMN);
}

void cli_print_long_help(const cli_call *call, FILE *to)
{
	const cli_command *command = call->command;
	fprintf(to, "Usage: odonata %s [OPTION...] %s\n", command->name, command->arguments);
	cli_print_wrapped(to, command->about, 0, 0, WIDTH);
	print_flags(to, "Options", command->flags);
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++)
		if ((command->groups | CLI_ALWAYS) & 1u << group)
			print_flags(to, cli_group_flags(group)->heading,
				    cli_group_flags(group)->flags);
	fputs("\nExamples:\n", to);
	for (const cli_example *e = command->examples; e->line; e++)
		fprintf(to, "  %s\n      %s\n", e->line, e->what);
}

void cli_print_program_help(FILE *to, bool all)
{
	fputs("Usage: odonata COMMAND [OPTION...] [ARGUMENT...]\n", to);
	if (all)
		fputs("Routing and emulation of low-diameter InfiniBand fabrics.\n\n", to);
	for (const cli_command *const *c = cli_commands; *c; c++)
		fprintf(to, "  %-10s %s\n", (*c)->name, (*c)->summary);
	fputs(all ? "\n  -h             Print the commands\n"
		    "  --help         Print this help\n"
		    "  -V, --version  Print the version\n\n"
		    "'odonata COMMAND -h' prints the most used options of a command, 'odonata\n"
		    "COMMAND --help' all options, with examples.\n\n"
		  : "'odonata COMMAND -h' prints the most used options, '--help' all of them.\n",
	      to);
	if (!all)
		return;
	cli_print_wrapped(to, cli_fabric_help, 0, 0, WIDTH);
	fputs("\nExit codes:\n", to);
	for (const struct cli_exit_meaning *x = cli_exit_meanings; x->meaning; x++) {
		fprintf(to, "  %3d  ", x->code);
		cli_print_wrapped(to, x->meaning, 7, 7, WIDTH);
	}
	fputc('\n', to);
	cli_print_wrapped(to, cli_failure_help, 0, 0, WIDTH);
}
