/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes the manual pages, docs/reference/cli.md and shell completion out of the subcommands' rows.
 * Runs at build time; not installed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/words.h"

static const struct {
	int code;
	const char *meaning;
} exit_codes[] = {
	{CLI_OK, "done"},
	{CLI_NO,
	 "it ran, and the answer is no: unsafe tables, a fabric of unknown kind, contradictions "
	 "with map --strict, changes with map --diff, an emulation that deadlocks or does not end"},
	{CLI_USAGE, "wrong command line"},
	{CLI_INPUT, "bad file or spec, no such file, or a folder instead"},
	{CLI_DECLINED,
	 "declined: no engine can route this fabric, or not within the virtual lanes allowed"},
	{CLI_SYSTEM,
	 "the system failed: a file that cannot be read or written, the subnet, memory"},
	{CLI_INTERRUPTED, "emulate was interrupted (Ctrl-C): the loads that were done are printed"},
};
#define N_EXIT_CODES (sizeof exit_codes / sizeof *exit_codes)

static const char error_help[] =
	"A failure is told in one line on standard error. With --json there is an object on "
	"standard "
	"output, too, even if --output names a file: {\"error\": {\"exit_code\": 3, \"kind\": "
	"\"input\", \"message\": \"...\"}}. The kind is usage, input, unknown, unsafe, declined, "
	"memory or system. The message is for people, and may change.";

typedef void (*option_visit)(const struct argp_option *o, const char *heading, void *arg);

static void visit_list(const struct argp_option *o, const char *heading, option_visit visit,
		       void *arg)
{
	for (; o && (o->name || o->key); o++)
		if (!(o->flags & OPTION_HIDDEN))
			visit(o, heading, arg);
}

/** Every option of any subcommand; one of several of them may come several times. */
static void visit_all(option_visit visit, void *arg)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		visit_list((*c)->options, NULL, visit, arg);
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++) {
		const char *heading;
		visit_list(cli_group_options(1u << group, &heading), NULL, visit, arg);
	}
}

/** Every option of a subcommand, its own first. */
static void visit_options(const cli_command *command, option_visit visit, void *arg)
{
	visit_list(command->options, NULL, visit, arg);
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++) {
		const char *heading;
		const struct argp_option *o = cli_group_options(1u << group, &heading);
		if ((command->groups | CLI_ALWAYS) & 1u << group)
			visit_list(o, heading, visit, arg);
	}
}

static bool has_letter(const struct argp_option *o)
{
	return o->key > ' ' && o->key < 0x7f && isgraph(o->key);
}

/* Manual pages, in roff. */

/** Text with what roff would take for its own escaped. */
static void roff(const char *text)
{
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			putchar('\\');
		putchar(*text);
		/* A control line would start with a dot or a quote. */
		if (*text == '\n' && (text[1] == '.' || text[1] == '\''))
			fputs("\\&", stdout);
	}
}

static void roff_option(const struct argp_option *o, const char *heading, void *arg)
{
	const char **last = arg;
	if (heading && *last != heading)
		printf(".SS %.*s\n", (int)strlen(heading) - 1, heading);
	*last = heading;
	fputs(".TP\n", stdout);
	if (has_letter(o))
		printf("\\fB\\-%c\\fR, ", o->key);
	fputs("\\fB\\-\\-", stdout);
	roff(o->name);
	fputs("\\fR", stdout);
	if (o->arg) {
		fputs("=\\fI", stdout);
		roff(o->arg);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	roff(o->doc);
	putchar('\n');
}

static void roff_exit_codes(void)
{
	puts(".SH EXIT STATUS");
	for (size_t i = 0; i < N_EXIT_CODES; i++) {
		printf(".TP\n.B %d\n", exit_codes[i].code);
		roff(exit_codes[i].meaning);
		putchar('\n');
	}
	puts(".PP");
	roff(error_help);
	putchar('\n');
}

static void man_command(const cli_command *command)
{
	fputs(".TH ODONATA\\-", stdout);
	for (const char *l = command->name; *l; l++)
		putchar(toupper((unsigned char)*l));
	printf(" 1\n.SH NAME\nodonata\\-%s \\- ", command->name);
	roff(command->summary);
	printf("\n.SH SYNOPSIS\n.B odonata %s\n[\\fIOPTION\\fR...] ", command->name);
	roff(command->arguments);
	puts("\n.SH DESCRIPTION");
	roff(command->about);
	puts("\n.SH OPTIONS");
	const char *heading = NULL;
	visit_options(command, roff_option, &heading);
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

static const char fabric_help[] =
	"A FABRIC is a spec such as dragonfly:p=2,a=4,h=2 (see odonata list topologies), a preset "
	"(odonata list presets), a file (ibnetdiscover output or an ibsim net file), - for a file "
	"on standard input, or live (live:ADAPTER:PORT) for the subnet that this machine is on.";

static void man_all(void)
{
	puts(".TH ODONATA 1\n.SH NAME\nodonata \\- routing and emulation of low\\-diameter "
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
	roff(fabric_help);
	putchar('\n');
	roff_exit_codes();
}

/* docs/reference/cli.md */

static void markdown_option(const struct argp_option *o, const char *heading, void *arg)
{
	(void)heading;
	(void)arg;
	fputs("| `", stdout);
	if (has_letter(o))
		printf("-%c, ", o->key);
	printf("--%s%s%s` | %s |\n", o->name, o->arg ? "=" : "", o->arg ? o->arg : "", o->doc);
}

/* A paragraph in lines that a terminal shows whole, and an empty line. */
static void markdown_paragraph(const char *text)
{
	enum { COLUMNS = 105 };
	size_t at = 0;
	for (const char *word = text; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");
		bool fits = at + 1 + length <= COLUMNS;
		printf("%s%.*s", at == 0 ? "" : fits ? " " : "\n", (int)length, word);
		at = at && fits ? at + 1 + length : length;
		word += length;
	}
	puts("\n");
}

static void markdown_command(const cli_command *command)
{
	printf("\n## odonata %s\n\n%s.\n\n    odonata %s [OPTION...] %s\n\n", command->name,
	       command->summary, command->name, command->arguments);
	markdown_paragraph(command->about);
	puts("| option | meaning |\n|---|---|");
	visit_options(command, markdown_option, NULL);
	puts("");
	for (const cli_example *e = command->examples; e->line; e++)
		printf("    $ %s\n    # %s\n", e->line, e->what);
}

static void markdown(void)
{
	puts("# The command line\n\n"
	     "Written by the build from the rows that also drive `--help`, the manual pages and "
	     "shell\ncompletion; a test compares. Data goes to standard output, messages to "
	     "standard "
	     "error.\n\n| command | |\n|---|---|");
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf("| [%s](#odonata-%s) | %s |\n", (*c)->name, (*c)->name, (*c)->summary);
	puts("");
	markdown_paragraph(fabric_help);
	markdown_paragraph(error_help);
	puts("| exit code | |\n|---|---|");
	for (size_t i = 0; i < N_EXIT_CODES; i++)
		printf("| %d | %s |\n", exit_codes[i].code, exit_codes[i].meaning);
	for (const cli_command *const *c = cli_commands; *c; c++)
		markdown_command(*c);
}

/* Completion. */

static const char list_tables[] =
	"topologies presets engines formats patterns workloads placements models policies";

static void bash_option(const struct argp_option *o, const char *heading, void *arg)
{
	(void)heading;
	(void)arg;
	printf(" --%s%s", o->name, o->arg ? "=" : "");
}

/** @param arg out: the option of a name, which is there at first */
static void match_option(const struct argp_option *o, const char *heading, void *arg)
{
	struct argp_option *found = arg;
	(void)heading;
	if (!strcmp(o->name, found->name))
		*found = *o;
}

static void bash_value(const struct argp_option *o, const char *heading, void *arg)
{
	(void)heading;
	(void)arg;
	if (o->arg && has_letter(o))
		printf("|-%c", o->key);
	if (o->arg)
		printf("|--%s", o->name);
}

/** Names where the value is one; else files, which bash completes where we have nothing. */
static void bash_values(void)
{
	puts("\tcase $prev in");
	for (const cli_words *w = cli_words_of_options; w->option; w++) {
		struct argp_option o = {.name = w->option};
		visit_all(match_option, &o);
		printf("\t--%s", w->option);
		if (has_letter(&o))
			printf("|-%c", o.key);
		fputs(") words='", stdout);
		w->print(" ");
		puts("' ;;");
	}
	fputs("\t=", stdout);
	visit_all(bash_value, NULL);
	puts(") return ;;\n\tesac");
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
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf(" %s", (*c)->name);
	fputs("'\n\telif [[ -z $words && ${COMP_WORDS[1]} == help ]]; then\n\t\twords='", stdout);
	for (const cli_command *const *c = cli_commands; *c; c++)
		printf(" %s", (*c)->name);
	puts("'\n\telif [[ -z $words && $cur == -* ]]; then\n\t\tcase ${COMP_WORDS[1]} in");
	for (const cli_command *const *c = cli_commands; *c; c++) {
		printf("\t\t%s) words='", (*c)->name);
		visit_options(*c, bash_option, NULL);
		puts("' ;;");
	}
	puts("\t\tesac\n\telif [[ -z $words && ${COMP_WORDS[1]} == list ]]; then");
	printf("\t\twords='%s'\n\telif [[ -z $words && ${COMP_WORDS[1]} == @(", list_tables);
	const char *next = ""; /* other commands take files, which is the default */
	for (const cli_command *const *c = cli_commands; *c; c++) {
		if (strcmp((*c)->arguments, "FABRIC"))
			continue;
		printf("%s%s", next, (*c)->name);
		next = "|";
	}
	fputs(") ]]; then\n\t\tfiles=yes words='", stdout);
	cli_words_fabrics(" ");
	puts("'\n\tfi\n"
	     "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	     "\t[[ $files && ${#COMPREPLY[@]} -gt 0 ]] &&\n\t\tmapfile -t -O ${#COMPREPLY[@]} "
	     "COMPREPLY < <(compgen -f -- \"$cur\")\n"
	     "\t[[ ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace\n"
	     "}\n"
	     "complete -o default -F _odonata odonata");
}

/** What completes the value of an option, as _arguments takes it. */
static void zsh_action(const struct argp_option *o)
{
	const cli_words *w = cli_words_of_options;
	while (w->option && strcmp(w->option, o->name))
		w++;
	printf(":%s:", o->arg);
	if (w->option)
		printf(" _odonata_%s", w->option);
	else if (!strcmp(o->arg, "FILE") || !strcmp(o->arg, "OLD"))
		fputs("_files", stdout);
	else if (!strcmp(o->arg, "FOLDER"))
		fputs("_files -/", stdout);
}

static void zsh_spec(const struct argp_option *o, const char *start)
{
	printf(" \\\n\t\t\t'%s[", start);
	for (const char *c = o->doc; *c; c++) /* quotes and brackets mean something to zsh */
		printf(strchr("'[]:", *c) ? " " : "%c", *c);
	putchar(']');
	if (o->arg)
		zsh_action(o);
	putchar('\'');
}

static void zsh_option(const struct argp_option *o, const char *heading, void *arg)
{
	(void)heading;
	(void)arg;
	char start[64];
	snprintf(start, sizeof start, "--%s%s", o->name, o->arg ? "=" : "");
	zsh_spec(o, start);
	snprintf(start, sizeof start, "-%c%s", o->key, o->arg ? "+" : "");
	if (has_letter(o))
		zsh_spec(o, start);
}

/** Functions that name things; no space after those that go on. */
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
		w->print(" ");
		puts("}");
	}
	fputs("_odonata_fabric() { _odonata_words ", stdout);
	cli_words_fabrics(" ");
	puts("; _files }");
}

static void zsh_arguments(const cli_command *command)
{
	if (!strcmp(command->name, "list"))
		printf(" \\\n\t\t\t'1:table:(%s)'", list_tables);
	else if (!strcmp(command->arguments, "FABRIC"))
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

/** What the tests run: a line each of exit code, a tab, and the command. */
static void examples(void)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		for (const cli_example *e = (*c)->examples; e->line; e++)
			printf("%d\t%s\n", e->status, e->line);
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
} pages[] = {{"man", man_all},
	     {"markdown", markdown},
	     {"bash", bash},
	     {"zsh", zsh},
	     {"examples", examples}};

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
	fputs("usage: odonata-manual man [COMMAND] | markdown | bash | zsh | examples "
	      "| json\n",
	      stderr);
	return CLI_USAGE;
}
