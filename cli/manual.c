/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes the manual pages, docs/reference/cli.md and shell completion out of the subcommands' rows.
 * Runs at build time; not installed. */
#include <ctype.h>
#include <string.h>

#include "base/version.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/rows.h"
#include "cli/words.h"

typedef void flag_visit(const cli_flag *flag, void *arg);

static void visit_rows(const cli_flag *rows, flag_visit *visit, void *arg)
{
	for (; rows && (rows->name || rows->letter); rows++)
		if (!rows->hidden)
			visit(rows, arg);
}

/** Visit every option of any subcommand; an option of several subcommands may come several times.
 */
static void visit_all(flag_visit *visit, void *arg)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		visit_rows((*c)->flags, visit, arg);
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++)
		visit_rows(cli_group_flags(group)->flags, visit, arg);
}

static bool has_group(const cli_command *command, unsigned group)
{
	return (command->groups | CLI_ALWAYS) & 1u << group;
}

/** Visit every option of a subcommand, its own first. */
static void visit_options(const cli_command *command, flag_visit *visit, void *arg)
{
	visit_rows(command->flags, visit, arg);
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++)
		if (has_group(command, group))
			visit_rows(cli_group_flags(group)->flags, visit, arg);
}

/* Manual pages, in roff. */

/** Text with what roff would take for its own escaped. */
static void roff(const char *text)
{
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			putchar('\\');
		putchar(*text);
		if (*text == '\n' && text[1] && text[1] != '\n')
			puts(".br");
		/* A control line would start with a dot or a quote. */
		if (*text == '\n' && (text[1] == '.' || text[1] == '\''))
			fputs("\\&", stdout);
	}
}

static void roff_option(const cli_flag *flag, void *arg)
{
	char help[600];
	(void)arg;
	fputs(".TP\n", stdout);
	if (flag->letter)
		printf("\\fB\\-%c\\fR%s", flag->letter, flag->name ? ", " : "");
	if (flag->name) {
		fputs("\\fB\\-\\-", stdout);
		roff(flag->name);
		fputs("\\fR", stdout);
	}
	if (flag->value) {
		fputs("=\\fI", stdout);
		roff(flag->value);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	roff(cli_flag_help(flag, help, sizeof help));
	putchar('\n');
}

static void roff_exit_codes(void)
{
	puts(".SH EXIT STATUS");
	for (const struct cli_exit_meaning *x = cli_exit_meanings; x->meaning; x++) {
		printf(".TP\n.B %d\n", x->code);
		roff(x->meaning);
		putchar('\n');
	}
	puts(".PP");
	roff(cli_failure_help);
	putchar('\n');
}

static void man_command(const cli_command *command)
{
	fputs(".TH ODONATA\\-", stdout);
	for (const char *l = command->name; *l; l++)
		putchar(toupper((unsigned char)*l));
	printf(" 1 \"\" \"Odonata %s\"\n.SH NAME\nodonata\\-%s \\- ", odo_version, command->name);
	roff(command->summary);
	printf("\n.SH SYNOPSIS\n.B odonata %s\n[\\fIOPTION\\fR...] ", command->name);
	roff(command->arguments);
	puts("\n.SH DESCRIPTION");
	roff(command->about);
	puts("\n.SH OPTIONS");
	visit_rows(command->flags, roff_option, NULL);
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++) {
		const char *heading = cli_group_flags(group)->heading;
		if (!has_group(command, group))
			continue;
		printf(".SS %s\n", heading);
		visit_rows(cli_group_flags(group)->flags, roff_option, NULL);
	}
	puts(".SH EXAMPLES");
	for (const cli_example *e = command->examples; e->line; e++) {
		puts(".TP");
		roff(e->line);
		putchar('\n');
		roff(e->what);
		putchar('\n');
	}
	roff_exit_codes();
	puts(".SH SEE ALSO\n.BR odonata (1)");
}

static void man_all(void)
{
	printf(".TH ODONATA 1 \"\" \"Odonata %s\"\n", odo_version);
	puts(".SH NAME\nodonata \\- routing and emulation of low\\-diameter "
	     "InfiniBand fabrics\n.SH SYNOPSIS\n.B odonata\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] "
	     "[\\fIARGUMENT\\fR...]\n.SH COMMANDS");
	for (const cli_command *const *c = cli_commands; *c; c++) {
		printf(".TP\n.BR odonata\\-%s (1)\n", (*c)->name);
		roff((*c)->summary);
		putchar('\n');
	}
	puts(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint the commands\n"
	     ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nPrint the version");
	puts(".SH FABRICS");
	roff(cli_fabric_help);
	putchar('\n');
	roff_exit_codes();
	puts(".SH SEE ALSO\n.BR odonata\\-plugin (7),\n.BR odonata.conf (5)");
}

/* docs/reference/cli.md */

static void markdown_option(const cli_flag *flag, void *arg)
{
	char help[600];
	(void)arg;
	fputs("| `", stdout);
	if (flag->letter)
		printf("-%c%s", flag->letter, flag->name ? ", " : "");
	if (flag->name)
		printf("--%s", flag->name);
	printf("%s%s` | %s |\n", flag->value ? "=" : "", flag->value ? flag->value : "",
	       cli_flag_help(flag, help, sizeof help));
}

static void markdown_paragraph(const char *text)
{
	cli_print_wrapped(stdout, text, 0, 0, 105);
	puts("");
}

/** Print the options of several subcommands, once. */
static void markdown_groups(void)
{
	puts("\n## Shared options\n\nThe section of a subcommand names the groups of options that "
	     "it takes.");
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++) {
		printf("\n### %s\n\n| option | meaning |\n|---|---|\n",
		       cli_group_flags(group)->heading);
		visit_rows(cli_group_flags(group)->flags, markdown_option, NULL);
	}
}

static void markdown_group_links(const cli_command *command)
{
	static const char *const anchors[CLI_N_GROUPS + 1] = {"fabric", "mapping", "routing",
							      "output", "every-command"};
	const char *join = "Shared options: ";
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++) {
		if (!has_group(command, group))
			continue;
		printf("%s[%s](#%s)", join, cli_group_flags(group)->heading, anchors[group]);
		join = ", ";
	}
	puts(".\n");
}

static void markdown_command(const cli_command *command)
{
	printf("\n## odonata %s\n\n%s.\n\n    odonata %s [OPTION...] %s\n\n", command->name,
	       command->summary, command->name, command->arguments);
	markdown_paragraph(command->about);
	if (command->flags) {
		puts("| option | meaning |\n|---|---|");
		visit_rows(command->flags, markdown_option, NULL);
		puts("");
	}
	markdown_group_links(command);
	for (const cli_example *e = command->examples; e->line; e++)
		printf("    $ %s\n    # %s\n", e->line, e->what);
}

static void markdown(void)
{
	puts("# The command line\n\n"
	     "Written by the build from the rows that also drive `--help`, the manual pages and "
	     "shell\ncompletion; a test compares. Data goes to standard output, messages to "
	     "standard error.\n\n| command | |\n|---|---|");
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf("| [%s](#odonata-%s) | %s |\n", (*c)->name, (*c)->name, (*c)->summary);
	puts("");
	markdown_paragraph(cli_fabric_help);
	markdown_paragraph(cli_failure_help);
	puts("| exit code | |\n|---|---|");
	for (const struct cli_exit_meaning *x = cli_exit_meanings; x->meaning; x++)
		printf("| %d | %s |\n", x->code, x->meaning);
	markdown_groups();
	for (const cli_command *const *c = cli_commands; *c; c++)
		markdown_command(*c);
}

/* Completion. */

/** Print the first argument of `odonata list`, a word for each table: "TABLE|TABLE [NAME]". */
static void print_list_tables(void)
{
	for (const char *c = cli_list.arguments; *c && *c != ' '; c++)
		putchar(*c == '|' ? ' ' : *c);
}

static void bash_option(const cli_flag *flag, void *arg)
{
	(void)arg;
	if (flag->name)
		printf(" --%s%s", flag->name, flag->value ? "=" : "");
}

/** Find the letter of a name.
 * @param arg the name in a row, which gets the letter */
static void match_option(const cli_flag *flag, void *arg)
{
	cli_flag *wanted = arg;
	if (flag->name && !strcmp(flag->name, wanted->name))
		wanted->letter = flag->letter;
}

static void bash_value(const cli_flag *flag, void *arg)
{
	(void)arg;
	if (flag->value && flag->letter)
		printf("|-%c", flag->letter);
	if (flag->value)
		printf("|--%s", flag->name);
}

/** Complete names as values. For other values bash completes files. */
static void bash_values(void)
{
	puts("\tcase $prev in");
	for (const cli_words *w = cli_words_of_options; w->option; w++) {
		cli_flag flag = {.name = w->option};
		visit_all(match_option, &flag);
		printf("\t--%s", w->option);
		if (flag.letter)
			printf("|-%c", flag.letter);
		fputs(") words='", stdout);
		cli_print_words(w, " ");
		puts("' ;;");
	}
	fputs("\t=", stdout);
	visit_all(bash_value, NULL);
	puts(") return ;;\n\tesac");
}

static void bash_commands(void)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf(" %s", (*c)->name);
}

/** Return true if the arguments are fabrics, and nothing else. */
static bool takes_only_fabrics(const cli_command *command)
{
	return !strncmp(command->arguments, "FABRIC", 6) && !strchr(command->arguments, ' ');
}

static void bash(void)
{
	puts("# Completion of odonata(1) for bash, written by the build.\n"
	     "_odonata() {\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= "
	     "files=\n"
	     "\tCOMPREPLY=()\n"
	     "\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	     "\t[[ $cur == = ]] && prev=${COMP_WORDS[COMP_CWORD-1]%=} cur=");
	bash_values();
	puts("\tif [[ -z $words && $COMP_CWORD -eq 1 ]]; then");
	fputs("\t\twords='--help --version help", stdout);
	bash_commands();
	fputs("'\n\telif [[ -z $words && ${COMP_WORDS[1]} == help ]]; then\n\t\twords='", stdout);
	bash_commands();
	puts("'\n\telif [[ -z $words && $cur == -* ]]; then\n\t\tcase ${COMP_WORDS[1]} in");
	for (const cli_command *const *c = cli_commands; *c; c++) {
		printf("\t\t%s) words='", (*c)->name);
		visit_options(*c, bash_option, NULL);
		puts("' ;;");
	}
	puts("\t\tesac\n\telif [[ -z $words && ${COMP_WORDS[1]} == list ]]; then");
	fputs("\t\twords='", stdout);
	print_list_tables();
	fputs("'\n\telif [[ -z $words && ${COMP_WORDS[1]} == @(", stdout);
	const char *next = ""; /* other commands take files, which is the default */
	for (const cli_command *const *c = cli_commands; *c; c++) {
		if (!takes_only_fabrics(*c))
			continue;
		printf("%s%s", next, (*c)->name);
		next = "|";
	}
	fputs(") ]]; then\n\t\tfiles=yes words='", stdout);
	cli_print_fabric_words(" ");
	puts("'\n\tfi\n"
	     "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	     "\t[[ $files && ${#COMPREPLY[@]} -gt 0 ]] &&\n\t\tmapfile -t -O ${#COMPREPLY[@]} "
	     "COMPREPLY < <(compgen -f -- \"$cur\")\n"
	     "\t[[ ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace\n"
	     "}\n"
	     "complete -o default -F _odonata odonata");
}

/** Print the completion of an option's value, in the form of _arguments. */
static void zsh_action(const cli_flag *flag)
{
	const cli_words *w = cli_words_of_options;
	while (w->option && strcmp(w->option, flag->name))
		w++;
	printf(":%s:", flag->value);
	if (w->option)
		printf(" _odonata_%s", w->option);
	else if (!strcmp(flag->value, "FILE") || !strcmp(flag->value, "OLD"))
		fputs("_files", stdout);
	else if (!strcmp(flag->value, "FOLDER"))
		fputs("_files -/", stdout);
}

static void zsh_spec(const cli_flag *flag, const char *start)
{
	char help[600];
	printf(" \\\n\t\t\t'%s[", start);
	/* quotes and brackets mean something to zsh */
	for (const char *c = cli_flag_help(flag, help, sizeof help); *c; c++)
		printf(strchr("'[]:", *c) ? " " : "%c", *c);
	putchar(']');
	if (flag->value)
		zsh_action(flag);
	putchar('\'');
}

static void zsh_option(const cli_flag *flag, void *arg)
{
	char start[64];
	(void)arg;
	if (flag->name) {
		snprintf(start, sizeof start, "--%s%s", flag->name, flag->value ? "=" : "");
		zsh_spec(flag, start);
	}
	if (flag->letter) {
		snprintf(start, sizeof start, "-%c%s", flag->letter, flag->value ? "+" : "");
		zsh_spec(flag, start);
	}
}

/** Print functions that complete names, without a space behind those that end in a colon. */
static void zsh_names(void)
{
	puts("_odonata_words() {\n"
	     "\tlocal word\n"
	     "\tfor word; do\n"
	     "\t\tif [[ $word == *: ]]; then compadd -S '' -- $word; else compadd -- $word; fi\n"
	     "\tdone\n"
	     "}");
	for (const cli_words *w = cli_words_of_options; w->option; w++) {
		printf("_odonata_%s() { _odonata_words ", w->option);
		cli_print_words(w, " ");
		puts("}");
	}
	fputs("_odonata_fabric() { _odonata_words ", stdout);
	cli_print_fabric_words(" ");
	puts("; _files }");
}

static void zsh_arguments(const cli_command *command)
{
	if (command == &cli_list) {
		fputs(" \\\n\t\t\t'1:table:(", stdout);
		print_list_tables();
		fputs(")'", stdout);
	} else if (takes_only_fabrics(command))
		fputs(" \\\n\t\t\t'*:fabric: _odonata_fabric'", stdout);
	else
		fputs(" \\\n\t\t\t'*:file:_files'", stdout);
	puts(" ;;");
}

static void zsh(void)
{
	puts("#compdef odonata\n# Completion of odonata(1) for zsh, written by the build.");
	zsh_names();
	puts("_odonata() {\n"
	     "\tif (( CURRENT == 2 )); then\n\t\t_values command 'help[Print what a command does]' "
	     "\\");
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf("\t\t\t'%s[%s]'%s\n", (*c)->name, (*c)->summary, c[1] ? " \\" : "");
	puts("\t\treturn\n\tfi\n\tlocal command=$words[2]\n\tshift words; (( CURRENT-- ))\n"
	     "\tcase $command in\n"
	     "\thelp)\n\t\t_values command \\");
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf("\t\t\t'%s[%s]'%s\n", (*c)->name, (*c)->summary, c[1] ? " \\" : " ;;");
	for (const cli_command *const *c = cli_commands; *c; c++) {
		printf("\t%s)\n\t\t_arguments", (*c)->name);
		visit_options(*c, zsh_option, NULL);
		zsh_arguments(*c);
	}
	puts("\tesac\n}\n_odonata \"$@\"");
}

/** Print the examples for the tests: a line each of exit code, a tab, and the command. */
static void examples(void)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		for (const cli_example *e = (*c)->examples; e->line; e++)
			printf("%d\t%s\n", e->status, e->line);
}

static void print_option_row(const cli_flag *flag, void *arg)
{
	const cli_command *command = arg;
	char help[600];
	if (!flag->name)
		return;
	printf("%s\t--%s\t%s\t%s\t%c\t%s\t%s\t%s\n", command->name, flag->name,
	       flag->value ? flag->value : "-", cli_flag_help(flag, help, sizeof help),
	       flag->letter ? flag->letter : '-', flag->brief ? flag->brief : "",
	       flag->needs ? flag->needs : "", flag->not_with ? flag->not_with : "");
}

/** Print a line for each option, for the tests: subcommand, option, value or "-", help, letter or
 * "-", line of -h, and the options that it needs and that make it idle. */
static void option_rows(void)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		visit_options(*c, print_option_row, (void *)*c);
}

/** Fail unless standard input is JSON, for the tests. */
static int check_json(void)
{
	json_error_t err;
	json_t *value = json_loadf(stdin, JSON_DECODE_ANY, &err);
	if (!value)
		fprintf(stderr, "%d: %s\n", err.line, err.text);
	json_decref(value);
	return !value;
}

static const struct page {
	const char *name;
	void (*print)(void);
} pages[] = {{"man", man_all}, {"markdown", markdown}, {"bash", bash},
	     {"zsh", zsh},     {"examples", examples}, {"options", option_rows}};

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "man")) {
		const cli_command *command = cli_command_find(argv[2]);
		if (command)
			man_command(command);
		return !command;
	}
	if (argc == 2 && !strcmp(argv[1], "json"))
		return check_json();
	for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof *pages; i++)
		if (!strcmp(pages[i].name, argv[1])) {
			pages[i].print();
			return fflush(stdout) != 0;
		}
	fputs("usage: odonata-manual man [COMMAND] | markdown | bash | zsh | examples | options | "
	      "json\n",
	      stderr);
	return CLI_USAGE;
}
