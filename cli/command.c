/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/options.h"
#include "cli/terminal/output.h"
#include "experiment/sweep/mpi.h"

const cli_command *cli_command_find(const char *name)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static error_t parse_own_option(int key, char *arg, struct argp_state *state)
{
	cli_call *call = state->input;
	const cli_command *command = call->command;
	cli_take_option(state, command->options, key);
	switch (key) {
	case ARGP_KEY_INIT:
		for (int i = 0; i < __builtin_popcount(command->groups | CLI_ALWAYS); i++)
			state->child_inputs[i] = call;
		if (command->parse)
			command->parse(key, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		if (call->n_args == command->max_args)
			argp_error(state, "one argument too many: '%s'", arg);
		call->arg[call->n_args++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (call->n_args < command->min_args)
			argp_error(state, "expected %s", command->arguments);
		if (command->parse)
			command->parse(key, arg, state);
		return 0;
	default:
		return command->parse ? command->parse(key, arg, state) : ARGP_ERR_UNKNOWN;
	}
}

/** Text around the options: "about \v examples", which --help prints before and after. */
static char *help_text(const cli_command *command)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	fprintf(to, "%s\v", command->about);
	if (command->examples && command->examples->line)
		fputs("Examples:\n", to);
	for (const cli_example *e = command->examples; e && e->line; e++)
		fprintf(to, "  %s\n      %s\n", e->line, e->what);
	odo_text_close(to, &text);
	return text;
}

static int parse_command_line(cli_call *call, int argc, char **argv)
{
	const cli_command *command = call->command;
	struct argp_child children[CLI_N_GROUPS + 2] = {{0}};
	unsigned n = 0;
	for (unsigned group = 0; group < CLI_N_GROUPS; group++)
		if (command->groups & 1u << group)
			children[n++] = cli_group_child(1u << group);
	children[n] = cli_group_child(CLI_ALWAYS);

	odo_error err;
	char *doc = help_text(command);
	struct argp argp = {.options = command->options,
			    .parser = parse_own_option,
			    .args_doc = command->arguments,
			    .doc = doc,
			    .children = children};
	char name[64];
	snprintf(name, sizeof name, "odonata %s", command->name);
	argv[0] = name;
	struct cli_held *held = call->elsewhere ? NULL
						: cli_hold_mistakes(cli_asks_json(argc, argv));
	error_t status = doc ? argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, call) : ENOMEM;
	cli_tell_mistakes(held);
	free(doc);
	if (status == ENOMEM) {
		odo_fail(&err, ODO_ENOMEM, "out of memory");
		return cli_fail(call, &err);
	}
	return status ? CLI_USAGE : CLI_OK;
}

/**
 * Parse where another rank has the same command line, and tells what is wrong with it. This one
 * does not even fail: mpirun would end the first rank before it has said why.
 */
static int parse_silently(cli_call *call, int argc, char **argv)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int talk = dup(STDERR_FILENO);
	argp_err_exit_status = CLI_OK;
	dup2(nowhere, STDERR_FILENO);
	int code = parse_command_line(call, argc, argv);
	dup2(talk, STDERR_FILENO);
	close(talk);
	close(nowhere);
	return code;
}

/** Keep the output where the run came to an answer. */
/** Repairs of the input stand before what was found in it. */
static int prepend_repairs(cli_call *call, odo_error *err)
{
	if (!call->repairs || !json_is_object(call->result))
		return ODO_OK;
	json_t *answer = json_object();
	int failed = json_object_set_new(answer, "repairs", json_incref(call->repairs));
	failed |= json_object_update(answer, call->result);
	json_decref(call->result);
	call->result = answer;
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : ODO_OK;
}

int cli_command_finish(cli_call *call, int code)
{
	cli_file *file = call->file;
	odo_error err;
	if (call->elsewhere) {
		cli_file_close(file, false, NULL);
		return CLI_OK;
	}
	bool answered = code == CLI_OK || code == CLI_NO;
	int status = answered ? prepend_repairs(call, &err) : ODO_OK;
	if (!status && answered && call->result)
		status = call->json ? cli_print_json(call->result, file->to, &err)
				    : cli_print_text(call->result, file->to, cli_colour(file->to),
						     &err);
	if (status) {
		cli_name_output(file->path, status, &err);
		cli_file_close(file, false, NULL);
		return cli_fail(NULL, &err); /* half an answer may be out: no object behind it */
	}
	int closed = cli_file_close(file, answered, &err);
	return closed && answered ? cli_fail(NULL, &err)
				  : code; /* one failure is told, the first */
}

int cli_command_run(const cli_command *command, int argc, char **argv)
{
	odo_error err;
	cli_call call = {.command = command};
	call.settings = calloc(1, command->settings_size + 1);
	if (!call.settings) {
		odo_fail(&err, ODO_ENOMEM, "out of memory");
		return cli_fail(&call, &err);
	}
	argp_err_exit_status = CLI_USAGE;
	call.elsewhere = command->ranks && odo_sweep_mpi_launched_as() > 0;
	int code = call.elsewhere ? parse_silently(&call, argc, argv)
				  : parse_command_line(&call, argc, argv);
	bool folder = command->folders && call.output && cli_is_folder(call.output);
	cli_file file = {0};
	if (code == CLI_OK && cli_file_open(folder ? NULL : call.output, &file, &err)) {
		if (call.elsewhere)
			file = (cli_file){.to = stdout};
		else
			code = cli_fail(&call, &err);
	}
	if (code == CLI_OK) {
		call.out = folder ? NULL : file.to;
		call.file = &file;
		code = cli_command_finish(&call, command->run(&call));
	}
	json_decref(call.result);
	json_decref(call.repairs);
	free(call.settings);
	return code;
}
