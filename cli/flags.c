/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/flags.h"

#include <argp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/command.h"
#include "cli/options.h"

/** argp's key of a row without a letter: its place, above all letters. */
enum { FIRST_KEY = 0x100 };

void cli_usage_error(const cli_call *call, const char *format, ...)
{
	char text[1000];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	argp_error(call->parsing, "%s", text);
	exit(argp_err_exit_status);
}

uint64_t cli_parse_number(const cli_call *call, const char *what, const char *text, uint64_t min,
			  uint64_t max)
{
	uint64_t value = min;
	odo_error err;
	if (odo_read_number(text, 0, min, max, &value, &err))
		cli_usage_error(call, "%s: %s", what, err.text);
	return value;
}

void cli_set_bool(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)call;
	(void)flag;
	(void)text;
	*(bool *)to = true;
}

void cli_set_text(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)call;
	(void)flag;
	*(const char **)to = text;
}

void cli_set_number(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	char what[40];
	snprintf(what, sizeof what, "--%s", flag->name);
	uint64_t value = cli_parse_number(call, what, text, flag->min, flag->max);
	if (flag->size == sizeof(uint64_t))
		*(uint64_t *)to = value;
	else if (flag->size == sizeof(uint32_t))
		*(uint32_t *)to = (uint32_t)value;
	else
		*(uint8_t *)to = (uint8_t)value;
}

static int key_of_flag(const cli_call *call, unsigned i)
{
	return call->flag[i]->letter ? call->flag[i]->letter : FIRST_KEY + (int)i;
}

static void *field_of_flag(cli_call *call, unsigned i)
{
	char *base = i < call->n_own_flags ? call->settings : (char *)call;
	return base + call->flag[i]->offset;
}

/** Find an option by the first `n` characters of a name.
 * @return n_flags if the command has no such option */
static unsigned find_flag(const cli_call *call, const char *name, size_t n)
{
	unsigned i = 0;
	while (i < call->n_flags &&
	       (!call->flag[i]->name || strncmp(call->flag[i]->name, name, n) ||
		call->flag[i]->name[n]))
		i++;
	return i;
}

bool cli_is_given(const cli_call *call, const char *name)
{
	unsigned i = find_flag(call, name, strlen(name));
	return i < call->n_flags && call->given[i];
}

static void take_flag(cli_call *call, unsigned i, const char *text)
{
	const cli_flag *flag = call->flag[i];
	/* The last value would win, and the first would be ignored. */
	if (call->given[i] && flag->value && !flag->many)
		cli_usage_error(call, "--%s: expected once, found twice", flag->name);
	call->given[i] = true;
	flag->set(call, flag, text ? text : flag->without, field_of_flag(call, i));
}

static void check_flag(const cli_call *call, const cli_flag *flag)
{
	if (flag->needs && !cli_is_given(call, flag->needs))
		cli_usage_error(call, "--%s: expected --%s beside it, found none", flag->name,
				flag->needs);
	for (const char *other = flag->not_with; other && *other; other += *other == ',') {
		size_t n = strcspn(other, ",");
		unsigned i = find_flag(call, other, n);
		if (i < call->n_flags && call->given[i])
			cli_usage_error(call, "--%s: expected --%.*s or --%s, found both",
					flag->name, (int)n, other, flag->name);
		other += n;
	}
}

/** Count the arguments that a subcommand needs.
 * @param most gets the number that it takes */
static unsigned count_arguments(const cli_command *command, unsigned *most)
{
	unsigned least = 0;
	*most = strstr(command->arguments, "...") ? CLI_MAX_ARGS : 0;
	for (const char *word = command->arguments; *word;) {
		least += *word != '[';
		*most += *most < CLI_MAX_ARGS;
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	return least;
}

static void check_words(cli_call *call)
{
	unsigned most;
	if (call->n_args < count_arguments(call->command, &most))
		cli_usage_error(call, "expected %s", call->command->arguments);
	for (unsigned i = 0; i < call->n_flags; i++)
		if (call->given[i])
			check_flag(call, call->flag[i]);
	cli_check_groups(call);
	if (call->command->check)
		call->command->check(call);
}

static void take_argument(cli_call *call, const char *text)
{
	unsigned most;
	count_arguments(call->command, &most);
	if (call->n_args == most)
		cli_usage_error(call, "expected %s, found one more argument: '%s'",
				call->command->arguments, text);
	call->arg[call->n_args++] = text;
}

static error_t parse_call_word(int key, char *arg, struct argp_state *state)
{
	cli_call *call = state->input;
	call->parsing = state;
	switch (key) {
	case ARGP_KEY_INIT:
		for (unsigned i = 0; i < call->n_flags; i++)
			if (call->flag[i]->usual)
				call->flag[i]->set(call, call->flag[i], call->flag[i]->usual,
						   field_of_flag(call, i));
		return 0;
	case ARGP_KEY_ARG:
		take_argument(call, arg);
		return 0;
	case ARGP_KEY_END:
		check_words(call);
		return 0;
	}
	for (unsigned i = 0; i < call->n_flags; i++)
		if (key_of_flag(call, i) == key) {
			take_flag(call, i, arg);
			return 0;
		}
	return ARGP_ERR_UNKNOWN;
}

static void gather_flags(cli_call *call, const cli_flag *rows)
{
	for (; rows && (rows->name || rows->letter) && call->n_flags < CLI_MAX_FLAGS; rows++)
		call->flag[call->n_flags++] = rows;
}

int cli_parse_words(cli_call *call, int argc, char **argv)
{
	struct argp_option options[2 * CLI_MAX_FLAGS + 1] = {{0}}, *o = options;
	gather_flags(call, call->command->flags);
	call->n_own_flags = call->n_flags;
	for (unsigned group = 0; group <= CLI_N_GROUPS; group++)
		if ((call->command->groups | CLI_ALWAYS) & 1u << group)
			gather_flags(call, cli_group_flags(group)->flags);
	for (unsigned i = 0; i < call->n_flags; i++) {
		const cli_flag *flag = call->flag[i];
		*o++ = (struct argp_option){.name = flag->name,
					    .key = key_of_flag(call, i),
					    .arg = flag->value,
					    .flags = (flag->without ? OPTION_ARG_OPTIONAL : 0) |
						     (flag->hidden ? OPTION_HIDDEN : 0),
					    .doc = ""};
		if (flag->older)
			*o++ = (struct argp_option){.name = flag->older,
						    .flags = OPTION_ALIAS | OPTION_HIDDEN};
	}
	const struct argp argp = {.options = options,
				  .parser = parse_call_word,
				  .args_doc = call->command->arguments};
	return argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, call);
}
