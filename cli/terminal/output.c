/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/terminal/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_is_folder(const char *path)
{
	struct stat found;
	return !stat(path, &found) && S_ISDIR(found.st_mode);
}

/** Return true if `path` is standard output, perhaps by another name such as /dev/stdout. Existing
 * contents must then stay. */
static bool is_standard_output(const char *path)
{
	struct stat found, out;
	return !strcmp(path, "-") || (!stat(path, &found) && !fstat(STDOUT_FILENO, &out) &&
				      found.st_dev == out.st_dev && found.st_ino == out.st_ino);
}

int cli_file_open(const char *path, cli_file *file, odo_error *err)
{
	*file = (cli_file){.to = stdout};
	if (!path || is_standard_output(path))
		return ODO_OK;
	file->path = path;
	int status = odo_draft_open(&file->draft, path, 0666, ODO_DRAFT_OUTPUT, err);
	file->to = file->draft.to;
	return status;
}

int cli_name_output(const char *path, int status, odo_error *err)
{
	if (status == ODO_EIO)
		odo_fail_within(err, "%s", path ? path : "standard output");
	return status;
}

int cli_file_close(cli_file *file, int status, odo_error *err)
{
	if (file->path)
		return odo_draft_close(&file->draft, status, err);
	if (status)
		return cli_name_output(NULL, status, err);
	return fflush(file->to) || ferror(file->to)
		       ? odo_fail(err, ODO_EIO, "standard output: cannot write: %s",
				  strerror(errno))
		       : 0;
}

bool cli_colour(FILE *to)
{
	const char *term = getenv("TERM");
	return isatty(fileno(to)) && !getenv("NO_COLOR") && term && strcmp(term, "dumb");
}

int cli_print_json(const json_t *answer, FILE *to, odo_error *err)
{
	if (json_dumpf(answer, to, JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
		return odo_fail(err, errno == ENOMEM ? ODO_ENOMEM : ODO_EIO, "cannot write: %s",
				strerror(errno));
	fputc('\n', to);
	return ODO_OK;
}
