/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/command.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/subnets.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "cli/terminal/sum.h"
#include "experiment/sweep/mpi.h"

const cli_command *cli_command_find(const char *name)
{
	for (const cli_command *const *c = cli_commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static int parse_command_line(cli_call *call, int argc, char **argv)
{
	odo_error err;
	char name[64];
	snprintf(name, sizeof name, "odonata %s", call->command->name);
	argv[0] = name;
	struct cli_capture *capture = call->elsewhere
					      ? NULL
					      : cli_capture_mistakes(cli_asks_json(argc, argv));
	int status = cli_parse_words(call, argc, argv);
	cli_report_mistakes(capture);
	if (status == ENOMEM) {
		odo_fail(&err, ODO_ENOMEM, "out of memory");
		return cli_fail(call, &err);
	}
	return status ? CLI_USAGE : CLI_OK;
}

/**
 * Parse on a rank other than the first, which reports what is wrong with the same command line.
 * This rank does not even fail, because mpirun would then end the first rank before its report.
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

/** Put repairs of the input, and the adapters left out, before the results. */
static int prepend_input(cli_call *call, odo_error *err)
{
	if ((!call->repairs && !call->left_out) || !json_is_object(call->result))
		return ODO_OK;
	json_t *answer = json_object();
	int failed = 0;
	if (call->repairs)
		failed |= json_object_set(answer, "repairs", call->repairs);
	if (call->left_out)
		failed |= json_object_set(answer, "left_out", call->left_out);
	failed |= json_object_update(answer, call->result);
	json_decref(call->result);
	call->result = answer;
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : ODO_OK;
}

/** Print the answer as text. Answers about several subnets get a table of them. */
static int print_answer(const cli_call *call, FILE *to, odo_error *err)
{
	bool several = call->subnets && call->subnets->rows;
	json_t *text = several ? cli_sum_text(call->result) : json_incref(call->result);
	int status = cli_check_answer(text, err);
	if (!status)
		status = cli_print_text(text, to, cli_colour(to), err);
	json_decref(text);
	return status;
}

int cli_command_finish(cli_call *call, int code)
{
	cli_file *file = call->file;
	odo_error err;
	if (call->elsewhere) {
		cli_file_close(file, ODO_EINPUT, NULL);
		return CLI_OK;
	}
	bool some = call->subnets && call->subnets->rows && call->result;
	bool answered = code == CLI_OK || code == CLI_NO || some;
	int status = answered ? prepend_input(call, &err) : ODO_OK;
	if (!status && answered && call->result)
		status = call->json ? cli_print_json(call->result, file->to, &err)
				    : print_answer(call, file->to, &err);
	if (status) {
		cli_file_close(file, status, &err);
		return cli_fail(NULL, &err); /* half an answer may be out: no object behind it */
	}
	int closed = cli_file_close(file, answered ? ODO_OK : ODO_EINPUT, &err);
	return closed && answered ? cli_fail(NULL, &err)
				  : code; /* only the first failure is reported */
}

/** Run a subcommand, once for each subnet. Each run starts with the settings as given. */
static int run_command(cli_call *call, odo_error *err)
{
	size_t size = call->command->settings_size;
	void *given = malloc(size + 1);
	if (!given)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	memcpy(given, call->settings, size);
	int status = cli_subnets_begin(call, err);
	if (status) {
		free(given);
		return status;
	}
	do {
		cli_system system = {0};
		memcpy(call->settings, given, size);
		status = call->command->run(call, &system, err);
		cli_system_clear(&system);
	} while (cli_subnets_next(call, &status, err));
	cli_subnets_finish(call, &status, err);
	free(given);
	return status;
}

int cli_command_run(const cli_command *command, int argc, char **argv)
{
	odo_error err = {0};
	cli_subnets subnets = {0};
	cli_call call = {.command = command, .subnets = command->each ? &subnets : NULL};
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
		int status = run_command(&call, &err);
		code = status && !call.elsewhere ? cli_fail(&call, &err) : call.code;
		code = cli_command_finish(&call, code);
	}
	if (command->ranks)
		odo_sweep_mpi_end();
	json_decref(call.result);
	json_decref(call.repairs);
	json_decref(call.left_out);
	cli_subnets_clear(&subnets);
	free(call.settings);
	return code;
}
