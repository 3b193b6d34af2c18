/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/terminal/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace.h"

bool cli_is_folder(const char *path)
{
	struct stat found;
	return !stat(path, &found) && S_ISDIR(found.st_mode);
}

/** Open a nameless file in the folder of `path`, so that nothing remains if the program is killed.
 * Return NULL if the file system does not support this, or if the file could not be given a name
 * later. */
static FILE *open_nameless(const char *path)
{
	char *copy = access("/proc/self/fd", X_OK) ? NULL : strdup(path);
	int fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !to)
		close(fd);
	free(copy);
	return to;
}

static bool give_name(FILE *to, const char *name)
{
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(to));
	return !linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
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
	bool plain = false;
	*file = (cli_file){.to = stdout};
	if (!path || is_standard_output(path))
		return ODO_OK;
	file->path = path;
	file->real = odo_replaced_file(path, &plain);
	if (!file->real ||
	    (plain && asprintf(&file->draft, "%s.%ld.new", file->real, (long)getpid()) < 0)) {
		free(file->real);
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	file->to = plain ? open_nameless(file->real) : NULL;
	file->nameless = file->to;
	if (!file->to)
		file->to = fopen(plain ? file->draft : file->real, "w");
	if (file->to)
		return ODO_OK;
	int status = odo_fail(err, ODO_EIO, "%s: cannot write: %s", path, strerror(errno));
	free(file->real);
	free(file->draft);
	return status;
}

int cli_name_output(const char *path, int status, odo_error *err)
{
	if (status == ODO_EIO)
		odo_fail_within(err, "%s", path ? path : "standard output");
	return status;
}

int cli_file_close(cli_file *file, bool keep, odo_error *err)
{
	const char *name = file->path ? file->path : "standard output";
	bool failed = fflush(file->to) || ferror(file->to) ||
		      (file->durable && keep && fsync(fileno(file->to)));
	int status = ODO_OK;
	if (failed)
		status = odo_fail(err, ODO_EIO, "%s: cannot write: %s", name, strerror(errno));
	if (file->nameless && keep && !status && !give_name(file->to, file->draft))
		status = odo_fail(err, ODO_EIO, "%s: cannot write: %s", name, strerror(errno));
	if (file->path && fclose(file->to) && !failed)
		status = odo_fail(err, ODO_EIO, "%s: cannot write: %s", name, strerror(errno));
	if (file->draft && keep && !status && rename(file->draft, file->real))
		status = odo_fail(err, ODO_EIO, "%s: cannot write: %s", name, strerror(errno));
	if (file->draft && (!keep || status))
		unlink(file->draft);
	if (file->durable && keep && !status && odo_sync_folder_of(file->real))
		status = odo_fail(err, ODO_EIO, "%s: it may not outlive a loss of power: %s", name,
				  strerror(errno));
	free(file->real);
	free(file->draft);
	file->real = file->draft = NULL;
	return status;
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
