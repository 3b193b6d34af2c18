/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Failures as people and programs are told of them: one line on standard error, and under --json an
 * object on standard output, where the answer would have been. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"

#define PROGRAM "odonata: "

static const struct {
	int status, code;
	const char *kind;
} failures[] = {
	{ODO_EINPUT, CLI_INPUT, "input"},   {ODO_EUNKNOWN, CLI_NO, "unknown"},
	{ODO_EUNSAFE, CLI_NO, "unsafe"},    {ODO_EDECLINE, CLI_DECLINED, "declined"},
	{ODO_ENOMEM, CLI_SYSTEM, "memory"}, {ODO_EIO, CLI_SYSTEM, "system"},
};
#define OTHER (sizeof failures / sizeof *failures - 1)

/** Whoever has no memory for an object writes a shorter one. */
static void print_failure_object(int code, const char *kind, const char *message)
{
	json_t *object = json_pack("{s{si ss so}}", "error", "exit_code", code, "kind", kind,
				   "message", cli_json_text(message));
	if (!object || json_dumpf(object, stdout, 0))
		printf("{\"error\": {\"exit_code\": %d, \"kind\": \"%s\", \"message\": \"\"}}",
		       code, kind);
	putchar('\n');
	json_decref(object);
}

static void print_failure_line(const char *text)
{
	fputs(PROGRAM, stderr);
	for (const char *c = text; *c; c++) /* what files hold must not command a terminal */
		fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, stderr);
	fputc('\n', stderr);
}

int cli_fail(const cli_call *call, const odo_error *err)
{
	size_t i = 0;
	while (i < OTHER && failures[i].status != err->status)
		i++;
	print_failure_line(err->text);
	if (call && call->json)
		print_failure_object(failures[i].code, failures[i].kind, err->text);
	return failures[i].code;
}

int cli_refuse(const cli_call *call, const char *format, ...)
{
	odo_error err;
	char text[sizeof err.text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	odo_fail(&err, ODO_EINPUT, "%s: %s", call->command ? call->command->name : "", text);
	print_failure_line(call->command ? err.text : text);
	if (call->json)
		print_failure_object(CLI_USAGE, "usage", text);
	return CLI_USAGE;
}

int cli_end_output(int code)
{
	odo_error err;
	cli_file file = {.to = stdout};
	return cli_file_close(&file, true, &err) ? cli_fail(NULL, &err) : code;
}

bool cli_asks_json(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], "-j", 2) ||
		    (strlen(argv[i]) > 2 && !strncmp("--json", argv[i], strlen(argv[i]))))
			return true;
	return false;
}

/* argp and getopt write to standard error and then end the program. What they write is held back in
 * a file without a name, until it can be told whole. */

struct cli_held {
	int talk;  /**< standard error */
	int text;  /**< what is written there meanwhile; -1 once that is told */
	bool json; /**< told as an object, too */
};

/** Line by line, since it quotes the command line. */
static void print_tamed(char *text)
{
	for (char *rest = text, *line; (line = strsep(&rest, "\n")) && (*line || rest);) {
		odo_tame(line);
		fprintf(stderr, rest ? "%s\n" : "%s", line);
		if (rest)
			rest[-1] = '\n';
	}
}

/** "odonata emulate: --load: expected ...", and a hint. */
static void print_mistake(char *text, bool json)
{
	char *hint = strstr(text, "\nTry `"), *start = strstr(text, ": ");
	print_tamed(text);
	if (hint)
		*hint = '\0';
	if (*text && json)
		print_failure_object(CLI_USAGE, "usage", start ? start + 2 : text);
}

static void tell_held(int code, void *of)
{
	struct cli_held *held = of;
	off_t size = held->text < 0 ? 0 : lseek(held->text, 0, SEEK_END);
	char *text = held->text < 0 ? NULL : calloc(1, (size_t)size + 1);
	(void)code;
	if (held->text < 0)
		return;
	fflush(stderr);
	dup2(held->talk, STDERR_FILENO);
	if (text && pread(held->text, text, (size_t)size, 0) == size)
		print_mistake(text, held->json);
	close(held->text);
	close(held->talk);
	held->text = -1;
	free(text);
}

struct cli_held *cli_hold_mistakes(bool json)
{
	struct cli_held *held = calloc(1, sizeof *held);
	if (!held)
		return NULL;
	held->json = json;
	held->talk = dup(STDERR_FILENO);
	held->text = memfd_create("mistakes", MFD_CLOEXEC);
	if (held->talk < 0 || held->text < 0 || on_exit(tell_held, held)) {
		close(held->talk);
		close(held->text);
		free(held);
		return NULL;
	}
	dup2(held->text, STDERR_FILENO);
	return held;
}

void cli_tell_mistakes(struct cli_held *held)
{
	if (held)
		tell_held(CLI_OK, held);
}
