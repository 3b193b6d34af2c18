/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reports of failures: one line on standard error, and under --json an object on standard output in
 * place of the answer. */
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

/** Print the object of a failure, without its message if there is no memory for it. */
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

static size_t find_failure(int status)
{
	size_t i = 0;
	while (i < OTHER && failures[i].status != status)
		i++;
	return i;
}

int cli_exit_of(int status)
{
	return failures[find_failure(status)].code;
}

int cli_fail(const cli_call *call, const odo_error *err)
{
	size_t i = find_failure(err->status);
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
	return cli_file_close(&file, 0, &err) ? cli_fail(NULL, &err) : code;
}

bool cli_asks_json(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], "-j", 2) ||
		    (strlen(argv[i]) > 2 && !strncmp("--json", argv[i], strlen(argv[i]))))
			return true;
	return false;
}

/* argp and getopt write to standard error and then end the program. A file without a name captures
 * their text, so that it can be reported as a whole. */

struct cli_capture {
	int error; /**< standard error */
	int text;  /**< captured text; -1 once it is reported */
	bool json; /**< report an object, too */
};

/** Print a text line by line, without control characters, because it quotes the command line. */
static void print_tamed(char *text)
{
	for (char *rest = text, *line; (line = strsep(&rest, "\n")) && (*line || rest);) {
		odo_tame(line);
		fprintf(stderr, rest ? "%s\n" : "%s", line);
		if (rest)
			rest[-1] = '\n';
	}
}

/** Print a mistake such as "odonata emulate: --load: expected ...", and its hint. */
static void print_mistake(char *text, bool json)
{
	char *hint = strstr(text, "\nTry `"), *start = strstr(text, ": ");
	print_tamed(text);
	if (hint)
		*hint = '\0';
	if (*text && json)
		print_failure_object(CLI_USAGE, "usage", start ? start + 2 : text);
}

static void end_capture(int code, void *of)
{
	struct cli_capture *capture = of;
	off_t size = capture->text < 0 ? 0 : lseek(capture->text, 0, SEEK_END);
	char *text = capture->text < 0 ? NULL : calloc(1, (size_t)size + 1);
	(void)code;
	if (capture->text < 0)
		return;
	fflush(stderr);
	dup2(capture->error, STDERR_FILENO);
	if (text && pread(capture->text, text, (size_t)size, 0) == size)
		print_mistake(text, capture->json);
	close(capture->text);
	close(capture->error);
	capture->text = -1;
	free(text);
}

struct cli_capture *cli_capture_mistakes(bool json)
{
	struct cli_capture *capture = calloc(1, sizeof *capture);
	if (!capture)
		return NULL;
	capture->json = json;
	capture->error = dup(STDERR_FILENO);
	capture->text = memfd_create("mistakes", MFD_CLOEXEC);
	if (capture->error < 0 || capture->text < 0 || on_exit(end_capture, capture)) {
		close(capture->error);
		close(capture->text);
		free(capture);
		return NULL;
	}
	dup2(capture->text, STDERR_FILENO);
	return capture;
}

void cli_report_mistakes(struct cli_capture *capture)
{
	if (capture)
		end_capture(CLI_OK, capture);
}
